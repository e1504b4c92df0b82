"""The scenario browser: a shelf of stories, and beside it what the one under the cursor is about."""

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from textual.binding import Binding, BindingType

from console.screens.opening import Opens
from console.screens.pages.browser_text import about_lines, shelf_lines
from console.screens.pages.choice_list import ChoiceScreen
from console.screens.pages.help import Help
from console.screens.training.menu import Training
from console.session import (
    Case,
    Entry,
    PolicyError,
    ScenarioError,
    SessionError,
    catalogue,
    load,
)
from console.words import NODES


class Browser(ChoiceScreen[Entry]):
    """Pick, read, open."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "quit", "quit", id="quit"),
        Binding("escape", "quit", "quit", id="escape"),
        Binding("t", "train", "training", id="train"),
        Binding("question_mark", "help", "help", id="help"),
    ]
    HEADING = "SCENARIOS"
    KEYS = (
        ("detail", "open"),
        ("next_panel", "read"),
        ("train", "training"),
        ("help", "help"),
        ("quit", "quit"),
    )

    def __init__(self) -> None:
        super().__init__(shelf_lines, about_lines, catalogue())
        self._opening: Path | None = None

    def on_mount(self) -> None:
        self.shelf.focus()
        self.about.show(self.shelf.current)
        self.entitle((" pick a scenario, read its story, open it", "dim"))
        self.tell()

    def on_shelf_opened(self) -> None:
        """Read the file in a worker: a log may be large."""
        entry = self.shelf.current
        if entry is None or self._opening is not None:
            return
        self._opening = entry.path
        self.tell((f"reading {entry.path.name} ...   ", "key"))
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
        self.about.show(entry, faults)
        self.tell(("this file cannot be opened   ", "bad"))

    def _open(self, case: Case) -> None:
        self._opening = None
        self.tell()
        app: object = self.app
        assert isinstance(app, Opens)
        app.open_case(case)

    def action_train(self) -> None:
        """Courses of drills."""
        self.app.push_screen(Training())

    def action_help(self) -> None:
        """The keys of the console."""
        self.app.push_screen(Help(NODES))

    def action_quit(self) -> None:
        """Leave."""
        self.app.exit(0)
