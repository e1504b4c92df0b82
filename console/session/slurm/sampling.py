"""Samples of a cluster over time: jobs end when their runtimes are over, and others come.

The scheduler knows neither: it plans by the limits.
"""

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence

import attrs

from shadowtime.console.session.slurm.over_time import Arrival, OverTime
from shadowtime.scenarios.slurm import Capture, Job
from shadowtime.scenarios.slurm.tasks import task_ranges

NEVER = -1
"""A start that does not come."""


@attrs.frozen
class Unit:
    """What runs on its own: a job that holds nodes or waits, or one of the tasks of an array that wait."""

    job: Job
    task: int | None = None
    """Of the tasks that wait together; None for any other job."""

    @property
    def key(self) -> tuple[int, int | None]:
        """The id of the job, and the task."""
        return self.job.id, self.task

    @property
    def name(self) -> str:
        """How Slurm shows it once it runs: `12`, `12_3`, `12+1`."""
        array = self.job.array
        return self.job.shown if self.task is None or array is None else f"{array.job}_{self.task}"


@attrs.frozen
class Future:
    """How one sample goes on."""

    runtimes: Sequence[int]
    """Of each unit, in seconds from its start, at least 1. At its limit a job ends at the latest."""
    arrivals: Iterable[Arrival] = ()
    """The jobs that come, in the order of their instants; as many are read as come until the sample ends."""


class Sampler:
    """Samples of one cluster from one instant on. `pause` is called before each step of a sample."""

    def __init__(self, capture: Capture, now: int, pause: Callable[[], None] | None = None) -> None:
        self._from, self._pause = OverTime(capture, now), pause
        self.units = tuple(_units(capture.jobs))

    def starts(self, asked: Sequence[int], futures: Iterable[Future]) -> "array[int]":
        """Return the starts of the asked units, by index, sample by sample: seconds since 1970, or NEVER.

        A sample goes on until all of them have started, or nothing more can happen.
        """
        found = array("q")
        for future in futures:
            found.extend(self._sample(asked, future))
        return found

    def begun(self, cluster: OverTime, future: Future) -> OverTime:
        """Return a cluster at the instant, which may have been changed, as it begins a sample."""
        runtimes = zip((unit.key for unit in self.units), future.runtimes, strict=True)
        return cluster.sampled(dict(runtimes), future.arrivals)

    def _sample(self, asked: Sequence[int], future: Future) -> Iterator[int]:
        units = [self.units[place] for place in asked]
        waiting = {unit.key for unit in units if unit.job.waiting}
        run = self.begun(self._from, future)
        run.follow(waiting, self._pause)
        for unit in units:
            yield run.starts.get(unit.key, NEVER) if unit.job.waiting else unit.job.begin


def _units(jobs: Iterable[Job]) -> Iterator[Unit]:
    for job in jobs:
        if job.waiting and job.array is not None and job.array.task is None:
            for tasks in task_ranges(job.array.waiting):
                yield from (Unit(job, task) for task in tasks)
        elif job.waiting or job.holding:
            yield Unit(job)
