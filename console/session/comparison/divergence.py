"""When runs of one workload part and when they agree again, from the columns of their results.

Two runs agree after an instant if the same jobs have started and the same jobs have ended by then. A job
that is stopped, or waits for its turn, has started: turns alone part nobody.
"""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from heapq import nlargest

from shadowtime.console.session.travel.moments import NONE
from shadowtime.scenarios.nodes import joined

NEVER = 1 << 62
"""The instant of what never happens."""
FURTHEST = 256
"""Jobs that are remembered as those that differ most."""
Span = tuple[int, int]
"""From an instant on, up to another one at which it is over."""


class Partings:
    """Where lanes part, agree again, and treat jobs differently: O(jobs) to make, O(log jobs) to ask."""

    def __init__(
        self, starts: "Sequence[array[int]]", ends: "Sequence[array[int]]", submits: "array[int]"
    ) -> None:
        """`starts` and `ends`: each job's first start and its end in each lane, NONE for none."""
        self.starts = starts
        submitted = sum(submits)
        self.responses = tuple(
            None if not submits or NONE in lane else (sum(lane) - submitted) / len(submits) for lane in ends
        )
        """The mean response of all jobs in each lane, in seconds; None if a job never ends."""
        jobs: dict[int, list[Span]] = {}
        moments: set[int] = set()
        for columns in (starts, ends):
            for job, times in _differing(columns):
                jobs.setdefault(job, []).append((min(times), max(times)))
                moments.update(times)
        self._moments = sorted(moments - {NEVER})
        apart = [span for spans in jobs.values() for span in joined(spans)]
        self._begins = sorted(begin for begin, _ in apart)
        self._ends = sorted(end for _, end in apart)
        self.spans = joined(apart)
        """When the lanes are apart, in time order; between the spans they agree."""
        self._partings = [begin for begin, _ in self.spans]
        self.jobs = len(jobs)
        """How many jobs start or end at different times."""
        spreads = ((max(span[1] - span[0] for span in spans), -job) for job, spans in jobs.items())
        self.furthest = [-job for _, job in nlargest(FURTHEST, spreads)]
        """Those, by index, whose starts or ends are furthest apart."""

    def apart(self, time: int) -> Span | None:
        """Return the span in which the lanes are apart after the instant `time`; None if they agree."""
        place = bisect_right(self._partings, time) - 1
        return self.spans[place] if place >= 0 and time < self.spans[place][1] else None

    def jobs_apart(self, time: int) -> int:
        """Return how many jobs have started or ended in one lane and not in another by that instant."""
        return bisect_right(self._begins, time) - bisect_right(self._ends, time)

    def next_divergence(self, time: int) -> int | None:
        """Return the first instant after `time` at which lanes part that agreed before."""
        return _after(self._partings, time)

    def previous_divergence(self, time: int) -> int | None:
        """Return the last such instant before `time`."""
        return _before(self._partings, time)

    def next_difference(self, time: int) -> int | None:
        """Return the first instant after `time` at which a job starts or ends as it does not in all lanes."""
        return _after(self._moments, time)

    def previous_difference(self, time: int) -> int | None:
        """Return the last such instant before `time`."""
        return _before(self._moments, time)


def _differing(columns: "Sequence[array[int]]") -> Iterator[tuple[int, tuple[int, ...]]]:
    """Return the jobs, by index, that have different times in the columns, and the times."""
    lanes = len(columns)
    for job, times in enumerate(zip(*columns, strict=True)):
        if times.count(times[0]) != lanes:
            yield job, tuple(NEVER if time == NONE else time for time in times)


def _after(times: Sequence[int], time: int) -> int | None:
    place = bisect_right(times, time)
    return times[place] if place < len(times) else None


def _before(times: Sequence[int], time: int) -> int | None:
    place = bisect_left(times, time)
    return times[place - 1] if place else None
