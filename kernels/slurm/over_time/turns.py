"""Suspension over time: the time slicer, since when jobs are suspended (docs/slurm-cycle.md, section 18)."""

from collections.abc import Iterator
from copy import copy, deepcopy

from shadowtime.kernels.slurm.over_time.rows import GangRows, Switch
from shadowtime.scenarios.slurm import Capture, Job

NEVER = 1 << 60


class Turns:
    """The rows of a cluster and its clock; without GANG in `PreemptMode` nothing happens here."""

    def __init__(self, capture: Capture, now: int) -> None:
        self._capture = capture
        self._slice = capture.settings.time_slice
        self._next = now + self._slice
        self._stopped: dict[int, tuple[int, int]] = {}
        """Since when a job is suspended, and the seconds that are left to it."""
        self._threads = {node.name: node.threads for node in capture.nodes}
        self._rows: GangRows | None = None
        if "GANG" in capture.settings.preempt_mode.split(","):
            self._rows = self._begin(now)

    def _begin(self, now: int) -> GangRows:
        nodes = self._capture.nodes
        rows = GangRows(
            {partition.name: partition.tier for partition in self._capture.partitions},
            {node.name: node.cores * node.threads for node in nodes},
        )
        holding = [job for job in self._capture.jobs if job.holding]
        for job in sorted(holding, key=lambda job: (job.begin, job.id)):
            stopped = "SUSPENDED" in job.states
            rows.stand(job.id, job.partitions[0], self._cpus(job), stopped)
            if stopped:
                self._stopped[job.id] = (now, max(1, job.end - now))
        return rows

    def fork(self) -> "Turns":
        """Return the same rows to go on with on their own."""
        other = copy(self)
        other._stopped, other._rows = dict(self._stopped), deepcopy(self._rows)
        return other

    def stands(self, job: Job) -> bool:
        """Whether a job is suspended, and will be resumed."""
        return job.id in self._stopped

    def due(self) -> Iterator[int]:
        """The end of the time slice, if jobs are suspended."""
        if self._stopped:
            yield self._next

    def turn(self, now: int) -> list[Switch]:
        """The time slicer, at the end of a slice."""
        if self._rows is None or now < self._next:
            return []
        late = (now - self._next) % self._slice
        self._next = now - late + self._slice
        return self._rows.turn() if late == 0 else []

    def start(self, job: Job) -> list[Switch]:
        if self._rows is None:
            return []
        return self._rows.start(job.id, job.partitions[0], self._cpus(job))

    def _cpus(self, job: Job) -> dict[str, int]:
        """The CPUs that a job holds, by node."""
        return {share.node: share.cores * self._threads[share.node] for share in job.shares}

    def finish(self, job: Job) -> list[Switch]:
        self._stopped.pop(job.id, None)
        return [] if self._rows is None else self._rows.finish(job.id)

    def suspend(self, job: int, now: int, left: int) -> None:
        """A job is suspended with so many seconds left to it."""
        self._stopped[job] = (now, left)

    def shorten(self, job: int, end: int) -> None:
        """A suspended job would have been over at an instant, had it not been suspended."""
        since, left = self._stopped[job]
        self._stopped[job] = since, min(left, max(1, end - since))

    def resume(self, job: int) -> tuple[int, int]:
        """A job is resumed: since when it was suspended, and the seconds that are left to it."""
        return self._stopped.pop(job)
