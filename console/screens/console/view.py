"""What the parts of the console ask of its screen."""

from collections.abc import Callable
from typing import Protocol, runtime_checkable

from textual.app import App
from textual.screen import Screen

from shadowtime.console.screens.travel.view import TravelView
from shadowtime.console.session.training import Course
from shadowtime.console.widgets.frame.letters import Letters


class Opens(Protocol):
    """A screen that opens others."""

    @property
    def app(self) -> App[object]:
        """The application."""

    def say(self, text: str, role: str = "dim") -> None:
        """Show a message."""

    def open_page(self, page: Screen[None], /) -> None:
        """Pause, and show a page over the panels."""


class ConsoleView(TravelView, Protocol):
    """The screen of a session."""

    letters: Letters

    @property
    def is_attached(self) -> bool:
        """Whether the screen is still there."""

    def show_keys(self) -> None:
        """Put the keys of the panel in use into the footer."""

    def set_timer(self, delay: float, callback: Callable[[], None], /) -> object:
        """Call something once, after so many seconds."""

    def call_after_refresh(self, callback: Callable[[], None], /) -> bool:
        """Do something when the screen is painted."""


@runtime_checkable
class OpensTraining(Protocol):
    """The application. Its screens of training are consoles themselves, so that no console can make one."""

    def training(self, course: Course | None) -> Screen[None]:
        """Return the menu of training, with one course alone if one is given."""
