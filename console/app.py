"""The application: its theme, its first screen, and how it begins and ends."""

import os
from collections.abc import Callable
from typing import ClassVar

from textual.app import App
from textual.command import Provider
from textual.screen import Screen
from textual.theme import Theme

from console import lines
from console.screens.browser import Browser
from console.screens.console import ConsoleScreen
from console.screens.jumping import check_place
from console.screens.palette import Actions
from console.session import Case, open_session
from console.widgets.looks import Depth, depth_of

THEME = Theme(
    name="shadowtime",
    primary="#56b4e9",
    secondary="#8fb8d8",
    accent="#e69f00",
    warning="#e69f00",
    error="#ee7733",
    success="#009e73",
    foreground="#d5dbe1",
    background="#0d1117",
    surface="#131a22",
    panel="#1b242e",
    boost="#18212b",
    dark=True,
    variables={"border-blurred": "#33404d", "scrollbar": "#33404d", "scrollbar-background": "#0d1117"},
)
OUR_FAULT = 70
"""The exit code after an error of our own, which Textual has told by then."""


class Shadowtime(App[int]):
    """The console of shadowtime. `first` makes the first screen."""

    CSS_PATH = "console.tcss"
    TITLE = "shadowtime"
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {Actions}
    COMMAND_PALETTE_BINDING = "ctrl+p"
    ENABLE_COMMAND_PALETTE = True

    def __init__(self, first: "Screen[None]", depth: Depth | None = None) -> None:
        depth = depth_of() if depth is None else depth
        # Below many colours the terminal's own colours are used: rounding would merge several of ours.
        super().__init__(ansi_color=None if depth is Depth.MANY else True)
        self._first = first
        self._depth = depth

    def on_mount(self) -> None:
        self.register_theme(THEME)
        self.theme = THEME.name if self._depth is Depth.MANY else "ansi-dark"
        self.push_screen(self._first)

    def action_help_quit(self) -> None:
        """Control-C: say how to leave, in the line for messages rather than over the panels."""
        screen = self.screen
        if isinstance(screen, ConsoleScreen):
            screen.say("q quits")
        else:
            self.exit(0)


def open_console(case: Case, at: str | None = None) -> int:
    """Open a case in the console, at a place as it is typed; on a terminal that cannot draw tell it in lines.

    Returns the exit code. SessionError where `at` is no place.
    """
    if not _has_screen():
        return lines.tell(case, at)
    session = open_session(case)
    if at is not None:
        check_place(session, at)
    return _run(ConsoleScreen(session, at))


def browse() -> int:
    """Open the scenario browser. Returns the exit code."""
    return _run(Browser())


def _run(first: "Screen[None]") -> int:
    app = Shadowtime(first)
    left = app.run()
    return OUR_FAULT if app.return_code else left or 0


def _has_screen() -> bool:
    return os.environ.get("TERM", "dumb") not in ("dumb", "")
