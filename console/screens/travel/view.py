"""What the parts of a view ask of its screen."""

from collections.abc import Callable
from typing import Protocol

from textual.app import App
from textual.screen import Screen
from textual.timer import Timer

from shadowtime.console.clock import Clock
from shadowtime.console.session import PolicyError
from shadowtime.console.session.course.course import Course
from shadowtime.console.session.course.places import AtJob
from shadowtime.console.widgets.frame.letters import Letters


class Marks(dict[str, int]):
    """Event numbers by letter."""

    before: int | None = None
    """Where the last jump began, so that the operator can return."""


class View(Protocol):
    """A screen that moves in time and paints what it comes to."""

    @property
    def app(self) -> App[object]:
        """The application."""

    @property
    def is_attached(self) -> bool:
        """Whether the screen is still there."""

    def set_interval(self, interval: float, callback: Callable[[], None], /) -> Timer:
        """Call something again and again, every so many seconds."""

    def set_timer(self, delay: float, callback: Callable[[], None], /) -> Timer:
        """Call something once, in so many seconds."""

    def call_after_refresh(self, callback: Callable[[], None], /) -> bool:
        """Do something once the screen is painted."""

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


class TravelView(View, Protocol):
    """The screen of one course, a console."""

    letters: Letters

    def look(self) -> None:
        """Paint the selection anew at the same position."""

    def key(self, id: str, /) -> str:
        """The key of an action, as the operator reads it."""

    def show_keys(self) -> None:
        """Put the keys of the panel in use into the footer."""

    def ask(self, question: str, label: str, text: str = "", hint: str = "") -> None:
        """Let the operator type a line."""

    def open_page(self, page: Screen[None], /) -> None:
        """Pause, and show a page over the panels."""


class Traveller(Protocol):
    """Who moves on a course."""

    marks: Marks
    met: set[int]

    @property
    def clock(self) -> Clock:
        """How instants are written and read."""

    @property
    def course(self) -> Course:
        """The run that is moved."""

    @property
    def chosen_job(self) -> str:
        """The job that the operator has selected, as it is typed; empty for none."""

    def select(self, place: AtJob) -> None:
        """Select the job of a place at which the course stands. SessionError if there is no such job."""

    def look(self) -> None:
        """Compute what is shown of the position, if that takes long; in any thread."""
