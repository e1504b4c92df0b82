"""The scenario browser: a shelf of stories, and beside it what the one under the cursor is about."""

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.content import Content
from textual.message import Message
from textual.screen import Screen

from console import words
from console.keys import keyboard_of
from console.screens.browser_text import about_lines, shelf_lines
from console.screens.console import ConsoleScreen
from console.screens.help import Help
from console.screens.training_menu import Training
from console.session import (
    Case,
    Entry,
    PolicyError,
    ScenarioError,
    SessionError,
    catalogue,
    load,
    open_session,
)
from console.widgets.panel import Frame
from console.widgets.panel_ink import Line, Piece
from console.widgets.panel_lines import EVERYTHING, LineView
from console.widgets.status import StatusLine


class Shelf(LineView):
    """The titles, one under the other, in groups."""

    # Where a scrollbar comes no line is cut.
    DEFAULT_CSS = "Shelf { scrollbar-gutter: stable; }"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "open", show=False, id="detail"),
        Binding("home", f"move({-EVERYTHING})", show=False, id="first"),
        Binding("end", f"move({EVERYTHING})", show=False, id="last"),
    ]

    class Moved(Message):
        """The cursor stands on another scenario."""

    class Opened(Message):
        """The operator wants the scenario under the cursor."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        super().__init__(id="titles")
        self._entries = entries
        self.cursor = 0

    @property
    def current(self) -> Entry | None:
        """The scenario under the cursor."""
        return self._entries[self.cursor] if self._entries else None

    def build(self, width: int, height: int) -> Sequence[Line]:
        lines, place = shelf_lines(self._entries, self.cursor, width)
        self.call_after_refresh(self._keep_in_sight, place)
        return lines

    def action_move(self, lines: int) -> None:
        """Move the cursor by scenarios."""
        self.cursor = min(max(0, self.cursor + lines), max(0, len(self._entries) - 1))
        self.rebuild()
        self.post_message(self.Moved())

    def action_open(self) -> None:
        """Open the scenario under the cursor."""
        self.post_message(self.Opened())

    def _keep_in_sight(self, place: int) -> None:
        top, height = self.scroll_offset.y, self.size.height
        if place < top or place >= top + height:
            self.scroll_to(y=max(0, place - height // 2), animate=False)


class About(LineView):
    """What one scenario is about, or what is wrong with it."""

    # Where a scrollbar comes no line is cut.
    DEFAULT_CSS = "About { scrollbar-gutter: stable; }"

    def __init__(self) -> None:
        super().__init__(id="about")
        self._entry: Entry | None = None
        self._faults: Sequence[str] = ()

    def show(self, entry: Entry | None, faults: Sequence[str] = ()) -> None:
        """Show a scenario."""
        self._entry, self._faults = entry, faults
        self.scroll_to(y=0, animate=False)
        self.rebuild()

    def build(self, width: int, height: int) -> Sequence[Line]:
        return about_lines(self._entry, self._faults, width)


class Browser(Screen[None]):
    """Pick, read, open."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "quit", "quit", id="quit"),
        Binding("escape", "quit", "quit", id="escape"),
        Binding("t", "train", "training", id="train"),
        Binding("question_mark", "help", "help", id="help"),
        Binding("tab", "turn", "read", show=False, id="next_panel"),
        Binding("shift+tab", "turn", "read", show=False, id="previous_panel"),
    ]
    KEYS = (
        ("detail", "open"),
        ("next_panel", "read"),
        ("train", "training"),
        ("help", "help"),
        ("quit", "quit"),
    )

    def __init__(self) -> None:
        super().__init__()
        self._shelf = Shelf(catalogue())
        self._about = About()
        self._opening: Path | None = None

    def compose(self) -> ComposeResult:
        yield StatusLine(id="browser-title")
        with Container(id="shelf"):
            yield Frame(Content("SCENARIOS"), self._shelf, id="titles-frame")
            yield Frame(Content("ABOUT"), self._about, id="about-frame")
        yield StatusLine(id="browser-keys")

    def on_mount(self) -> None:
        self._shelf.focus()
        self._about.show(self._shelf.current)
        title: list[Piece] = [
            (" SHADOWTIME ", "strong"),
            (" pick a scenario, read its story, open it", "dim"),
        ]
        self.query_one("#browser-title", StatusLine).put(title)
        self._tell()

    def on_screen_resume(self) -> None:
        words.count_in()

    def _tell(self, *first: Piece) -> None:
        pieces: list[Piece] = [(" ", "text"), *first]
        for key, label in self.KEYS:
            pieces += [(keyboard_of(self.app).first(key), "key"), (f" {label}   ", "dim")]
        self.query_one("#browser-keys", StatusLine).put(pieces)

    def on_shelf_moved(self) -> None:
        """Another scenario is read."""
        self._about.show(self._shelf.current)
        self._tell()

    def on_shelf_opened(self) -> None:
        """Read the file in a worker: a log may be large."""
        entry = self._shelf.current
        if entry is None or self._opening is not None:
            return
        self._opening = entry.path
        self._tell((f"reading {entry.path.name} ...   ", "key"))
        self.run_worker(lambda: self._read(entry), thread=True, exclusive=True)

    def _read(self, entry: Entry) -> None:
        try:
            case = load(entry.path)
        except (ScenarioError, SessionError, PolicyError, OSError) as error:
            self.app.call_from_thread(self._refused, entry, str(error).splitlines())
        else:
            self.app.call_from_thread(self._open, case)

    def _refused(self, entry: Entry, faults: Sequence[str]) -> None:
        self._opening = None
        self._about.show(entry, faults)
        self._tell(("this file cannot be opened   ", "bad"))

    def _open(self, case: Case) -> None:
        self._opening = None
        self._tell()
        self.app.push_screen(ConsoleScreen(open_session(case)))

    def action_turn(self) -> None:
        """From the titles to the text and back, to scroll it."""
        other = self._about if self._shelf.has_focus else self._shelf
        other.focus()

    def action_train(self) -> None:
        """Courses of drills."""
        self.app.push_screen(Training())

    def action_help(self) -> None:
        """The keys of the console."""
        self.app.push_screen(Help())

    def action_quit(self) -> None:
        """Leave."""
        self.app.exit(0)
