"""Pace: pieces of work that each take about as long, whatever one event costs."""

from collections.abc import Callable, Iterator
from time import perf_counter

from shadowtime.console.session.course.course import Course

FIRST = 16
"""Events of the first piece: few, because nothing is known yet."""
MOST = 512
"""Events of the longest piece. Where they cost a microsecond, it still takes longer than to begin and end it;
where they suddenly cost milliseconds, as in a long queue with reservations, it is over in seconds."""
WANTED = 0.04
"""Seconds that a piece should take: what somebody who stops the work waits for."""


class Pace:
    """Sizes of pieces. `begin` and `end` enclose each; the next is twice or half as long."""

    def __init__(self) -> None:
        self.events = FIRST
        """How many events the next piece should have."""
        self._began = 0.0

    def begin(self) -> int:
        """A piece begins; return how many events it should have."""
        self._began = perf_counter()
        return self.events

    def end(self) -> None:
        self.took(perf_counter() - self._began)

    def took(self, seconds: float) -> None:
        """A piece took so many seconds."""
        if seconds < WANTED / 2:
            self.events = min(MOST, self.events * 2)
        elif seconds > WANTED * 2:
            self.events = max(1, self.events // 2)


def ahead(course: Course, known: Callable[[], bool]) -> Iterator[int]:
    """Step on until something is known, or as far as steps lead; yield the event after each piece."""
    pace = Pace()
    while not known() and not course.over:
        moved = course.step(pace.begin())
        pace.end()
        yield course.number
        if not moved:
            return
