"""The application: its theme, its first screen, and how it begins and ends."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ClassVar

from textual.app import App
from textual.command import Provider
from textual.events import Event, InputEvent, Resize
from textual.screen import Screen

from console import lines
from console.keymap import Settings
from console.pauses import PAUSE, Pauses
from console.screens.console.jumps import check_place
from console.screens.console.screen import ConsoleScreen
from console.screens.pages.browser import Browser
from console.screens.pages.small import TooSmall, too_small
from console.screens.palette.provider import Everything
from console.session import Case, open_session
from console.session.files.recent import Recent, place
from console.session.training import Course
from console.themes import FEW, THEMES
from console.widgets.frame.looks import Depth, depth_of

INTERNAL_ERROR = 70
"""The exit code after an error of our own, which Textual has printed by then."""
ORPHAN = 1.0
"""Seconds between two looks whether the server of a page is still there."""


class Shadowtime(App[int]):
    """The console of shadowtime. `first` is the first screen; `settings` are the operator's."""

    CSS_PATH = "console.tcss"
    TITLE = "shadowtime"
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {Everything}
    COMMAND_PALETTE_BINDING = "ctrl+p"
    ENABLE_COMMAND_PALETTE = True

    themes = tuple(THEMES)
    """The themes by name."""

    def __init__(
        self,
        first: "Screen[None]",
        depth: Depth | None = None,
        settings: Settings | None = None,
        recent: Recent | None = None,
    ) -> None:
        """Show a screen first; `recent` is the list of the files that are opened."""
        depth = depth_of() if depth is None else depth
        settings = settings or Settings()
        # Below many colours the terminal's own colours are used: rounding would merge several of ours.
        super().__init__(ansi_color=None if depth is Depth.MANY else True)
        self._first = first
        self._depth = depth
        self._pauses = Pauses()
        self._recent = recent
        self.keyboard = settings.keyboard
        """The keys in force."""
        self._chosen = settings.theme or self.themes[0]
        self.set_keymap(self.keyboard.changed())

    def on_mount(self) -> None:
        for theme in (*THEMES.values(), FEW):
            self.register_theme(theme)
        self.choose_theme(self._chosen)
        self.push_screen(self._first)
        if too_small(self.size):
            self._say_too_small()
        self._pauses.begin()
        self.set_interval(PAUSE, self._collect)
        if self.is_web:
            # A server that is killed cannot end its consoles.
            server = os.getppid()
            self.set_interval(ORPHAN, lambda: None if os.getppid() == server else self.exit(INTERNAL_ERROR))

    def training(self, course: Course | None) -> Screen[None]:
        """Return the menu of training, with one course alone if one is given."""
        from console.screens.training.menu import Training

        return Training(course)

    @property
    def recent(self) -> Sequence[Path]:
        """The files that were opened last, the latest first."""
        return () if self._recent is None else self._recent.files()

    def opened(self, case: Case) -> None:
        """Keep which file was opened."""
        path = case.scenario.path
        if self._recent is not None and path is not None:
            self._recent.add(path)

    def open_case(self, case: Case) -> None:
        """Show a console of a case over the present screen."""
        self.opened(case)
        self.push_screen(ConsoleScreen(open_session(case)))

    def on_unmount(self) -> None:
        self._pauses.end()

    def _collect(self) -> None:
        """What works behind the screen allocates, and would only wait for the collector."""
        if not any(worker.is_running for worker in self.workers):
            self._pauses.collect()

    async def on_event(self, event: Event) -> None:
        """Note that the operator is at work; all else is the framework's."""
        if isinstance(event, InputEvent):
            self._pauses.touched()
        await super().on_event(event)

    def on_resize(self, event: Resize) -> None:
        """A terminal without room for the console says so; it goes on as it was when there is room again."""
        if too_small(event.size) and self._first in self.screen_stack:
            self._say_too_small()

    def _say_too_small(self) -> None:
        if not isinstance(self.screen, TooSmall):
            self.push_screen(TooSmall())

    def action_exit_console(self) -> None:
        """Leave, from wherever."""
        self.exit(0)

    def choose_theme(self, name: str) -> None:
        """Take on a theme of `themes`; a terminal of few colours keeps its own."""
        self._chosen = name
        self.theme = (THEMES[name] if self._depth is Depth.MANY else FEW).name

    @property
    def theme_told(self) -> str:
        """Which theme is in force, in one line."""
        if self._depth is not Depth.MANY:
            return "this terminal has few colours or none: it keeps its own, whatever the theme"
        return f"the theme is {self._chosen}, of {', '.join(self.themes)}"

    def action_help_quit(self) -> None:
        """Control-C: say how to leave, in the line for messages rather than over the panels."""
        screen = self.screen
        if isinstance(screen, ConsoleScreen):
            screen.say(f"{screen.key('quit')} quits")
        else:
            self.exit(0)


def open_console(case: Case, at: str | None = None, settings: Settings | None = None) -> int:
    """Open a case in the console, at a place as it is typed; on a terminal that cannot draw tell it in lines.

    Returns the exit code. SessionError where `at` is no place.
    """
    if not _has_screen():
        return lines.tell(case, at)
    session = open_session(case)
    if at is not None:
        check_place(session, at)
    return _run(ConsoleScreen(session, at), settings)


def browse(settings: Settings | None = None) -> int:
    """Open the scenario browser. Returns the exit code."""
    return _run(Browser(), settings)


def train(course: Course | None = None, settings: Settings | None = None) -> int:
    """Open training, with one course alone where one is given. Returns the exit code."""
    from console.screens.training.menu import Training

    return _run(Training(course), settings)


def _run(first: "Screen[None]", settings: Settings | None) -> int:
    settings = settings or Settings()
    # What is served to others leaves no trace in the folder of whoever serves it.
    recent = None if "TEXTUAL_DRIVER" in os.environ else Recent(place())
    app = Shadowtime(first, settings=settings, recent=recent)
    if isinstance(first, ConsoleScreen):
        app.opened(first.session.case)
    left = app.run(mouse=settings.mouse)
    return INTERNAL_ERROR if app.return_code else left or 0


def _has_screen() -> bool:
    return os.environ.get("TERM", "dumb") not in ("dumb", "")
