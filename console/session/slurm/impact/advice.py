"""What may be done on a cluster so that a waiting job starts."""

from collections.abc import Callable, Iterator, Sequence

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.impact.outlook import Each, Kind, Largest, largest_first
from shadowtime.console.session.impact.rows import JobChange, Times
from shadowtime.console.session.slurm.impact.following import Names
from shadowtime.console.session.slurm.queue import queue
from shadowtime.console.session.work import Halt
from shadowtime.scenarios.slurm import Capture, format_hosts
from shadowtime.scenarios.slurm.changes import Change, can_resume, format_change, number_of

SIZES = 8
"""Smaller sizes that are tried, evenly spaced if there are more."""
OTHERS = 24
"""Other jobs that are tried one by one, the first to start."""


class ClusterApplicant:
    """A waiting job of a cluster, or an array, and what may be done for it."""

    def __init__(self, job: int, names: Names, time: int, cluster: Callable[[Halt], Capture]) -> None:
        """`names` are those of all runs from `time` on, `cluster` is how it stands then."""
        self._job, self._names, self._time, self._cluster = job, names, time, cluster
        self.name = ""

    def find(self, halt: Halt) -> None:
        self._capture = self._cluster(halt)
        names = [
            job.shown
            for job in self._capture.jobs
            if job.waiting and self._job in (job.id, job.array.job if job.array else job.id)
        ]
        self._waiting = [job for job in self._capture.jobs if job.waiting and number_of(job) == self._job]
        if not names or not self._waiting:
            raise SessionError(f"job {self._job} does not wait; expected a waiting job")
        self.name = names[0]

    def start(self, times: Times) -> int | None:
        """Return when the job, or the first of its tasks, starts in a run."""
        names = self.name, f"{self._job}_*"
        starts = (self._names.first_start(times, name, self._time) for name in names)
        return min((start for start in starts if start is not None), default=None)

    def is_own(self, row: JobChange) -> bool:
        """Whether a row is that of the job, or of one of its tasks."""
        return str(row.job) == self.name or str(row.job).startswith(f"{self._job}_")

    def kinds(self, before: Times) -> Sequence[Kind]:
        """Return what may be done: for the job itself, by its user, to others that wait."""
        job, first = self._job, self._waiting[0]
        sizes = largest_first(first.request.least_nodes, SIZES)
        return (
            Each(tuple(map(format_change, self._direct()))),
            Each([f"nodes {job} {size}" for size in sizes], enough=1),
            Largest((first.limit or 1) - 1, lambda minutes: f"limit {job} {minutes}m"),
            Each(self._holds(before), together=True),
        )

    def _direct(self) -> Iterator[Change]:
        """Release it, put it first, put nodes back in service, use other partitions, give reservations up."""
        subject, capture = str(self._job), self._capture
        if all(not job.priority for job in self._waiting):
            yield Change("release", subject)
        highest = max((each.priority for each in capture.jobs if each.waiting), default=0)
        yield Change("priority", subject, str(highest + 1))
        out = format_hosts(node.name for node in capture.nodes if can_resume(node))
        if out:
            yield Change("resume", out)
        for partition in capture.partitions:
            if partition.name not in self._waiting[0].partitions:
                yield Change("partition", subject, partition.name)
        own = {
            name
            for each in capture.partitions
            for name in each.nodes
            if each.name in self._waiting[0].partitions
        }
        for reservation in capture.reservations:
            if reservation.end > self._time and not own.isdisjoint(reservation.nodes):
                yield Change("unreserve", reservation.name)

    def _holds(self, before: Times) -> list[str]:
        """Who may be held: the other jobs of the queue that start before it, the first to start first."""
        at, places = self._time, self._names.places
        starts = {
            number_of(entry.job): before.starts.get(places.get(entry.name, -1), at)
            for entry in reversed(queue(self._capture, at))
            if number_of(entry.job) != self._job
        }
        own = self.start(before)
        first = sorted((start, job) for job, start in starts.items() if own is None or start <= own)
        return [f"hold {job}" for _, job in first[:OTHERS]]
