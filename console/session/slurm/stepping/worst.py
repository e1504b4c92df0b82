"""The worst moments of the course of a cluster; the tasks of an array that wait count once."""

from collections.abc import Callable, Iterator, Mapping

from shadowtime.console.session.course.worst import (
    LARGEST_QUEUE,
    LONGEST_WAIT,
    PREEMPTION,
    Worst,
    WorstSeeking,
)
from shadowtime.console.session.slurm.stepping.breakpoints import preempts
from shadowtime.console.session.slurm.stepping.walking import Walk

MOMENTS = (LONGEST_WAIT, LARGEST_QUEUE, PREEMPTION)


class ClusterWorst(WorstSeeking[Walk]):
    """One search from the capture on."""

    def __init__(self, begin: Callable[[], Walk], moment: str) -> None:
        super().__init__(begin, moment, 1)

    def looks(self) -> Mapping[str, Callable[[], Iterator[int]]]:
        return {
            LONGEST_WAIT: self._longest_wait,
            LARGEST_QUEUE: self._largest_queue,
            PREEMPTION: lambda: self._first(lambda walk: walk.moment is not None and preempts(walk.moment)),
        }

    def _largest_queue(self) -> Iterator[int]:
        """Also the capture may have the largest queue."""
        self.worst = Worst(0, len(self._begin().waiting))
        yield from self._largest(lambda walk: len(walk.waiting), self.worst.value)

    def _longest_wait(self) -> Iterator[int]:
        walk = self._begin()
        while walk.step():
            if walk.started is not None and (self.worst is None or walk.started[0] > self.worst.value):
                self.worst = Worst(walk.event, *walk.started)
            yield walk.event
