"""What the parts of the console ask of its screen."""

from collections.abc import Callable
from typing import Protocol

from textual.screen import Screen

from console.screens.travel.view import View


class ConsoleView(View, Protocol):
    """The screen of a session."""

    @property
    def is_attached(self) -> bool:
        """Whether the screen is still there."""

    def call_after_refresh(self, callback: Callable[[], None], /) -> bool:
        """Do something when the screen is painted."""

    def look(self) -> None:
        """Paint the selection anew at the same position."""

    def key(self, id: str) -> str:
        """The key of an action, as the operator reads it."""

    def ask(self, question: str, label: str, text: str = "", hint: str = "") -> None:
        """Let the operator type a line."""

    def open_page(self, page: Screen[None], /) -> None:
        """Pause, and show a page over the panels."""
