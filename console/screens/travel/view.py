"""What the parts of a view ask of its screen."""

from collections.abc import Callable
from typing import Protocol

from textual.app import App
from textual.timer import Timer

from shadowtime.console.session import PolicyError


class View(Protocol):
    """A screen that moves in time and paints what it comes to."""

    @property
    def app(self) -> App[object]:
        """The application."""

    def set_interval(self, interval: float, callback: Callable[[], None], /) -> Timer:
        """Call something again and again, every so many seconds."""

    def run_worker(self, work: Callable[[], None], /, *, group: str, thread: bool) -> object:
        """Do something in a thread."""

    def say(self, text: str, role: str = "dim") -> None:
        """Show a message."""

    def arrive(self) -> None:
        """Paint everything at the present position."""

    def show_state(self) -> None:
        """Paint whether, where to and how fast it plays."""

    def failed(self, error: PolicyError) -> None:
        """Show that a policy failed, at the position that it left."""
