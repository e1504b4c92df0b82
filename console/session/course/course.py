"""What a run answers that one can move in: that of a scenario, and that of a cluster."""

from collections.abc import Iterator
from typing import Any, Protocol

from shadowtime.console.session.course.places import Place
from shadowtime.console.session.course.stops import Stops


class Runs(Protocol):
    """A run that stands after one of its events."""

    @property
    def number(self) -> int:
        """Events done; 0 at the beginning."""

    @property
    def time(self) -> int:
        """The instant of the last event, in seconds."""

    @property
    def total(self) -> int | None:
        """The number of all events, once it is known."""

    @property
    def over(self) -> bool:
        """Whether nothing is left to happen."""

    def step(self, n: int = 1) -> int:
        """Go `n` events forward, or to the end; return how far."""

    def next_decision(self) -> bool:
        """Go to the next event that starts a job; stay if no event does."""

    def previous_decision(self) -> bool:
        """Go to the last such event before this one; stay if there is no such event."""

    def way(self, place: Place) -> Iterator[int]:
        """Find out what a place needs to be known, a piece at a time; yield the events that are known."""

    def go_place(self, place: Place) -> bool:
        """Go to a place; return whether it moved. SessionError if there is no such job."""


class Course(Runs, Protocol):
    """A run that one can move in event by event, both ways, and search."""

    @property
    def swift(self) -> bool:
        """Whether a step fits in a frame; if not, every move is made in a worker."""

    @property
    def stops(self) -> Stops[Any]:
        """Breakpoints and searches."""

    def back(self, n: int = 1) -> int:
        """Go `n` events back, or to the beginning; return how far."""

    def stepped(self, n: int) -> int:
        """Return the number of the event that `n` steps lead to; negative ones go back."""

    def go_event(self, number: int) -> int:
        """Go to the state after `number` events, or the nearest there is; return how far it moved."""


def go_on(course: Course, forward: bool = True) -> tuple[str, ...]:
    """Go to the next event of a breakpoint, or the one before; return which are met there, if any."""
    seeking = course.stops.seek(forward)
    seeking.run()
    if seeking.found is not None:
        course.go_event(seeking.found)
    return seeking.met
