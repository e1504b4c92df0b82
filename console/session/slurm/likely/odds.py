"""When each waiting job of a cluster is likely to start: quantiles of samples of what may come."""

from array import array
from collections.abc import Iterator, Mapping, Sequence

import attrs

from shadowtime.console.session.facts import LikelyStart
from shadowtime.console.session.likely.past import snapshot
from shadowtime.console.session.likely.starts import likely_starts
from shadowtime.console.session.progress import Progress, no_progress
from shadowtime.console.session.slurm.likely.comes import Again
from shadowtime.console.session.slurm.likely.rows import Rows
from shadowtime.console.session.slurm.over_time import Arrival, expected_starts
from shadowtime.console.session.slurm.sampling import Future, Sampler
from shadowtime.scenarios.slurm import Capture
from shadowtime.scenarios.slurm.accounted.records import Past

SEED = 1
SAMPLES = 100
ENDED = 10
"""Jobs that have to have ended: before there is no history to draw from."""


@attrs.frozen
class Likely:
    """The likely starts of a cluster at an instant."""

    starts: Mapping[str, LikelyStart]
    """By job, as the queue shows it. None where a job never starts, and none at all without a history."""
    history: int
    """How many jobs have ended of which the runtimes are known."""
    past: Past | None
    """The accounting, without which the history is that of the jobs that the queue still shows."""


def likely(capture: Capture, now: int, samples: int = SAMPLES, progress: Progress = no_progress) -> Likely:
    """Return the likely start of each waiting job that starts at all.

    `progress` is called before each sample.
    """
    odds = Odds(capture, now)
    if odds.history < ENDED:
        return Likely({}, odds.history, capture.past)
    found = array("q")
    for number in range(samples):
        progress(number, samples)
        found.extend(odds.starts(samples=1, first=number))
    made = snapshot(0, now, range(len(odds.jobs)), found)
    starts = likely_starts(made, None)
    return Likely({odds.jobs[place]: start for place, start in starts.items()}, odds.history, capture.past)


class Odds:
    """The samples of one captured cluster from one instant on."""

    def __init__(self, capture: Capture, now: int) -> None:
        self._sampler = Sampler(capture, now)
        units = self._sampler.units
        self._rows, self._again = Rows(capture, now, units), Again(capture)
        expected = {each.job_id: each.start for each in expected_starts(capture, now) if each.start}
        first: dict[int, int] = {}
        for place, unit in enumerate(units):
            if unit.job.waiting and (unit.name in expected or unit.job.shown in expected):
                first.setdefault(unit.job.id, place)
        self.asked = tuple(first.values())
        """The jobs that start sooner or later if nobody comes, and of an array the first task."""
        self.jobs = tuple(units[place].job.shown for place in self.asked)
        """Their names, as the queue shows them."""
        last, back = max(expected.values(), default=now), self._rows.of[0].came if self._rows.of else now
        self._until = min(last, now + (now - back))
        """When the last one comes: no farther ahead than what is known reaches back."""
        self._now = now

    @property
    def history(self) -> int:
        """How many jobs have ended of which the runtimes are known."""
        return self._rows.ended

    def starts(self, *, samples: int, first: int = 0) -> "array[int]":
        """Return the starts of `jobs`, sample by sample; -1 for one that does not come."""
        return self._sampler.starts(self.asked, self._futures(range(first, first + samples)))

    def _futures(self, numbers: Sequence[int]) -> Iterator[Future]:
        for number in numbers:
            yield Future(self._rows.runtimes(SEED, number), self._arrivals())

    def _arrivals(self) -> Iterator[Arrival]:
        for at, row, runtime in self._rows.arrivals():
            if at > self._until:
                return
            job = self._again.of(row)
            if job is not None:
                yield Arrival(at, job, runtime)
