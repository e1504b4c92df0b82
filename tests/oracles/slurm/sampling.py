"""Samples of a cluster over time: jobs end when their runtimes are over, and others come (section 13)."""

from collections.abc import Mapping, Sequence

import attrs

from shadowtime.scenarios.slurm import Capture, Job
from tests.oracles.slurm.cycle import Begun
from tests.oracles.slurm.over_time import OverTime

Arrival = tuple[int, Job, int]
"""When a job comes, the job, and its runtime."""


class Sample(OverTime):
    """One sample. Runtimes by the id of a job, and of a waiting array by the id and the task."""

    def __init__(
        self,
        capture: Capture,
        now: int,
        runtimes: Mapping[tuple[int, int | None], int],
        arrivals: Sequence[Arrival],
    ) -> None:
        super().__init__(capture, now)
        self.runtimes, self.arrivals = dict(runtimes), list(arrivals)
        self.starts: dict[tuple[int, int | None], int] = {}
        """When each job, or task of an array, first started."""
        for job in self.capture.jobs:
            if not job.holding or job.begin + runtimes[job.id, None] >= job.end:
                continue
            end = max(now, job.begin + runtimes[job.id, None])
            if job.id in self.stopped:
                self.stopped[job.id] = now, max(1, end - now)
            else:
                self.ends[job.id] = end

    def submissions(self) -> bool:
        """Whether jobs come into the queue; those that come at all do so at the end of the list."""
        while self.arrivals and self.arrivals[0][0] <= self.now:
            at, job, runtime = self.arrivals.pop(0)
            job = attrs.evolve(job, id=self.next_id, submit=at, eligible=at)
            self.next_id += 1
            self.runtimes[job.id, None] = runtime
            self.capture = attrs.evolve(self.capture, jobs=(*self.capture.jobs, job))
        return super().submissions()

    def started(self, begun: Begun) -> Job:
        """A job that starts; it ends when its runtime is over."""
        run = super().started(begun)
        waiting = begun.entry.job
        task = run.array.task if run.array and waiting.array and waiting.array.task is None else None
        self.runtimes[run.id, None] = self.runtimes[waiting.id, task]
        self.starts.setdefault((waiting.id, task), self.now)
        self.ends[run.id] = min(self.ends[run.id], self.now + self.runtimes[run.id, None])
        return run
