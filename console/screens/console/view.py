"""What opens other views asks of a screen, and of the application."""

from typing import Protocol, runtime_checkable

from textual.app import App
from textual.screen import Screen

from shadowtime.console.session.training import Course


class Opens(Protocol):
    """A screen that opens others."""

    @property
    def app(self) -> App[object]:
        """The application."""

    def say(self, text: str, role: str = "dim") -> None:
        """Show a message."""

    def open_page(self, page: Screen[None], /) -> None:
        """Pause, and show a page over the panels."""


@runtime_checkable
class OpensTraining(Protocol):
    """The application. Its screens of training are consoles themselves, so that no console can make one."""

    def training(self, course: Course | None) -> Screen[None]:
        """Return the menu of training, with one course alone if one is given."""
