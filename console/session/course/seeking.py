"""Searches of a course: the next event at which a breakpoint is met, or the one before. For any thread."""

from collections.abc import Callable, Iterator, Sequence
from time import perf_counter
from typing import Generic, Protocol, TypeVar

from shadowtime.console.session.course.breakpoints import Point
from shadowtime.console.session.work import Cancellable

PIECE = 1024
"""Events between two looks at whether to stop."""
WINDOW = 4096
"""Events searched first for the ones before."""


class Walker(Protocol):
    """A run that goes on event by event."""

    @property
    def event(self) -> int:
        """Events done."""

    def step(self) -> object:
        """Do the next event; false if none is left."""


State = TypeVar("State", bound=Walker)


class Search(Cancellable):
    """One search, for any thread; cancelled, it finds nothing."""

    def __init__(self, number: int = 0) -> None:
        self.number = number
        """How far it has looked."""
        self.found: int | None = None
        """The event that was found; only once the search is over it is the one that was sought."""
        self.met: tuple[str, ...] = ()
        """The breakpoints met there, as they are spelt."""
        self.looking = self._look()
        """Searches on, a piece at a time, and yields how far it has looked."""

    def run(self, seconds: float | None = None) -> bool:
        """Search on for so many seconds, or to the end; return whether it is over."""
        deadline = None if seconds is None else perf_counter() + seconds
        for number in self.looking:
            self.number = number
            if self._cancelled:
                break
            if deadline is not None and perf_counter() > deadline:
                return False
        if self._cancelled:
            self.found, self.met = None, ()
        return True

    def _look(self) -> Iterator[int]:
        """Search; yield now and then how far it has looked."""
        raise NotImplementedError


class Seeking(Search, Generic[State]):
    """A search for breakpoints, from event `here` on or back."""

    def __init__(
        self,
        at: Callable[[int], State],
        here: int,
        points: Sequence[Point[State]],
        forward: bool = True,
        piece: int | None = None,
    ) -> None:
        """`at` returns a run of its own after an event; `piece` is for events that take long."""
        super().__init__(here)
        self._at, self._here, self._points, self._forward = at, here, points, forward
        self._piece = PIECE if piece is None else piece

    def _look(self) -> Iterator[int]:
        if not self._points:
            return
        if self._forward:
            yield from self._search(self._here, None)
            return
        until, window = self._here - 1, WINDOW
        while until > 0 and self.found is None:
            first = max(until - window, 0)
            yield from self._search(first, until)
            until, window = first, 4 * window

    def _search(self, first: int, last: int | None) -> Iterator[int]:
        """Look at the events after `first`: for the earliest, or up to `last`, for the latest."""
        state = self._at(first)
        probes = [(each.text, each.probe(state)) for each in self._points]
        number = state.event
        while last is None or number < last:
            yield number
            for _ in range(self._piece if last is None else min(self._piece, last - number)):
                if not state.step():
                    return
                number += 1
                met = [text for text, probe in probes if probe(state)]
                if met:
                    self.found, self.met = number, tuple(met)
                    if last is None:
                        return
