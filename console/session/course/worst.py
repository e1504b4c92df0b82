"""The worst moments of a course: found by running it once from its beginning to its end. For any thread."""

from collections.abc import Callable, Iterator, Mapping
from typing import Generic, TypeVar

import attrs

from shadowtime.console.session.course.seeking import Search, Walker

LONGEST_WAIT, LARGEST_QUEUE, LOST, PREEMPTION = (
    "longest-wait",
    "largest-queue",
    "lost-capacity",
    "first-preemption",
)
State = TypeVar("State", bound=Walker)


@attrs.frozen
class Worst:
    """A worst moment: after which event it is, how bad it is, and whom it is about."""

    event: int
    value: int
    """Seconds of wait, jobs, or node-seconds."""
    job: int | str | None = None
    """The index of a job of a scenario; the name of one of a cluster."""
    lasts: int = 0
    """Seconds that it lasts."""


class WorstSeeking(Search, Generic[State]):
    """One search from the beginning of a course."""

    def __init__(self, begin: Callable[[], State], moment: str, piece: int) -> None:
        """`begin` returns a run of its own before the first event; `moment` is one of `looks`."""
        self._begin, self._moment, self._piece = begin, moment, piece
        super().__init__()
        self.worst: Worst | None = None
        """What has been found so far."""

    def looks(self) -> Mapping[str, Callable[[], Iterator[int]]]:
        """Return how each moment is searched for."""
        raise NotImplementedError

    def _look(self) -> Iterator[int]:
        return self.looks()[self._moment]()

    def run(self, seconds: float | None = None) -> bool:
        over = super().run(seconds)
        if self._cancelled:
            self.worst = None
        self.found = None if self.worst is None else self.worst.event
        return over

    def _largest(self, value: Callable[[State], int], most: int = 0) -> Iterator[int]:
        """Seek the first event after which a number is largest, and larger than `most`."""
        state = self._begin()
        number = state.event
        while state.step():
            number += 1
            found = value(state)
            if found > most:
                most = found
                self.worst = Worst(number, found)
            if number % self._piece == 0:
                yield number

    def _first(self, probe: Callable[[State], bool]) -> Iterator[int]:
        """Seek the first event at which something is so."""
        state = self._begin()
        number = state.event
        while state.step():
            number += 1
            if probe(state):
                self.worst = Worst(number, 1)
                return
            if number % self._piece == 0:
                yield number
