"""The scenario browser: a shelf of stories, and beside it what the one under the cursor is about."""

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.events import Key, Paste

from shadowtime.console.keys import keyboard_of
from shadowtime.console.screens.composed.greeting import greeting_of
from shadowtime.console.screens.opening import Captured, FileReading, Opens
from shadowtime.console.screens.pages.browser_text import about_lines, matches, shelf_lines
from shadowtime.console.screens.pages.choice_list import ChoiceScreen
from shadowtime.console.screens.pages.help import choice_help
from shadowtime.console.screens.pages.page import HELP, Page
from shadowtime.console.screens.training.menu import Training
from shadowtime.console.session import (
    Case,
    Entry,
    PolicyError,
    ScenarioError,
    SessionError,
    catalogue,
)
from shadowtime.console.session.permissions import READ_ONLY, permissions_of
from shadowtime.console.session.work import Broken
from shadowtime.console.widgets.frame.ink import Line, Piece, printable

MOST = 60
"""Characters of a filter."""


class Browser(ChoiceScreen[Entry]):
    """Pick, read, open."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "quit", "quit", id="quit"),
        Binding("escape", "back", "back", id="escape"),
        Binding("slash", "filter", "filter", id="filter"),
        Binding("t", "train", "training", id="train"),
        Binding("question_mark", "help", "help", id="help"),
    ]
    HEADING = "SCENARIOS"
    KEYS = (
        ("detail", "open"),
        ("next_panel", "read"),
        ("filter", "filter"),
        ("train", "training"),
        ("help", "help"),
        ("quit", "quit"),
    )

    def __init__(self) -> None:
        self._known = catalogue()
        super().__init__(shelf_lines, self._about_lines, self._known)
        self._opening: FileReading | None = None
        self._filter = ""
        self._before = ""
        """The filter before the one that is typed."""
        self._typing = False

    def on_mount(self) -> None:
        self.shelf.focus()
        self.about.show(self.shelf.current)
        allowed = permissions_of(self.app)
        mode = ((f" {READ_ONLY.upper()} ", "warn"),) if allowed.read_only else ()
        self.entitle(*mode, (f" {self._invitation()}", "dim"))
        self.show_keys()

    def show_keys(self, *first: Piece) -> None:
        if self._typing:
            count = f"{len(self.shelf.items)} of {len(self._known)}   Enter keeps it, Esc gives it up"
            self._keys.put([(" show only ", "strong"), (f"{self._filter}_", "text"), (f"   {count}", "dim")])
        elif self._filter:
            super().show_keys(*first, ("filter: ", "dim"), (f"{self._filter}   ", "strong"))
        else:
            super().show_keys(*first)

    def _invitation(self) -> str:
        if greeting_of(self.app) is None:
            return "pick a scenario, read its story, open it"
        first = keyboard_of(self.app).first
        return f"new here? {first('train')} opens a tour of five minutes, {first('detail')} what is marked"

    def _about_lines(self, entry: Entry | None, faults: Sequence[str], width: int) -> list[Line]:
        return about_lines(entry, faults, width, keyboard_of(self.app).first)

    # The filter.

    def action_filter(self) -> None:
        """Type words; only the scenarios with all of them are listed."""
        self._typing, self._before = True, self._filter
        self._filter_by("")

    def on_key(self, event: Key) -> None:
        """A key of the filter while that is typed; the arrows move in the list all the same."""
        if not self._typing:
            return
        if event.key in ("enter", "escape"):
            self._typing = False
            self._filter_by(self._filter if event.key == "enter" else self._before)
        elif event.key == "backspace":
            self._filter_by(self._filter[:-1])
        elif event.is_printable and event.character:
            self._filter_by(self._filter + event.character)
        elif event.key in ("tab", "shift+tab", "f1"):
            pass
        else:
            return
        event.stop()
        event.prevent_default()

    def on_paste(self, event: Paste) -> None:
        """Text that is pasted while the filter is typed."""
        if self._typing:
            self._filter_by(self._filter + printable(event.text.strip())[:MOST])

    def _filter_by(self, text: str) -> None:
        self._filter = text[:MOST]
        self.show_items(tuple(entry for entry in self._known if matches(entry, self._filter)))
        self.show_keys()

    def action_back(self) -> None:
        """Back: from a file that is read, from the filter; the list itself is left by another key."""
        if self._opening is not None:
            self._opening.stop()
            self._opening = None
            self.show_keys(("not opened   ", "dim"))
        elif self._filter:
            self._filter_by("")
        else:
            self.show_keys((f"{keyboard_of(self.app).first('quit')} quits   ", "dim"))

    # Opening.

    def waits_for(self, key: str) -> bool:
        """Whether a key waits for the scenario that is being read."""
        return self._opening is not None

    def on_shelf_opened(self) -> None:
        """Read the file in a worker: a log may be large."""
        entry = self.shelf.current
        if entry is None or self._opening is not None:
            return
        reading = self._opening = FileReading(entry.path)
        self.show_keys((f"{reading.words}   ", "key"))
        self.run_worker(lambda: self._read(entry, reading), thread=True, exclusive=True)

    def _read(self, entry: Entry, reading: FileReading) -> None:
        try:
            found = reading.run()
        except Broken:
            return
        except (ScenarioError, SessionError, PolicyError, OSError) as error:
            self.app.call_from_thread(self._refused, entry, reading, str(error).splitlines())
        else:
            self.app.call_from_thread(self._open, reading, found)

    def _refused(self, entry: Entry, reading: FileReading, faults: Sequence[str]) -> None:
        if self._opening is not reading:
            return
        self._opening = None
        self.about.show(entry, faults)
        self.show_keys(("this file cannot be opened   ", "bad"))

    def _open(self, reading: FileReading, found: Case | Captured) -> None:
        if self._opening is not reading:
            # The operator went back meanwhile.
            return
        self._opening = None
        self.show_keys()
        app: object = self.app
        assert isinstance(app, Opens)
        app.open_found(found)

    def action_train(self) -> None:
        refusal = permissions_of(self.app).no_training
        if refusal:
            self.show_keys((f"{refusal}   ", "warn"))
            return
        self.app.push_screen(Training())

    def action_help(self) -> None:
        self.app.push_screen(Page("HELP", self._help_lines))

    def _help_lines(self, width: int) -> Sequence[Line]:
        first = keyboard_of(self.app).first
        keys = (
            (first("detail"), "open the scenario under the cursor"),
            *HELP,
            (first("letters"), "a letter on each title: go to it"),
            (first("filter"), "list only the scenarios with all the words typed; Esc lists all again"),
            (first("next_panel"), "from the titles to the story and back, to scroll it"),
            (first("train"), "training: the tour, courses of drills, nights on duty"),
            (first("palette"), "search scenarios, and the files opened last"),
            (first("help"), "this help"),
            (first("quit"), "quit"),
        )
        return choice_help("IN THE LIST OF SCENARIOS", keys, width)

    def action_quit(self) -> None:
        self.app.exit(0)
