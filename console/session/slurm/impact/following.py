"""Runs of a cluster as they are followed: their jobs, and when these start and end."""

from collections.abc import Mapping, Sequence
from threading import Lock

import attrs

from shadowtime.console.session.impact.rows import Times
from shadowtime.console.session.slurm.forecasting import size_of
from shadowtime.console.session.slurm.over_time import OverTime
from shadowtime.kernels.slurm.over_time.moments import Happening, Moment
from shadowtime.scenarios.slurm import Job


@attrs.define
class Names:
    """The jobs of all runs of an outlook, by index; several threads may add some at the same time."""

    id: list[int | str] = attrs.field(factory=list)
    """The number; of a task of an array its name, such as `12_3`."""
    user: list[str] = attrs.field(factory=list)
    size: list[int] = attrs.field(factory=list)
    """Nodes: those that it holds, is planned on, or asks for at least."""
    planned: Mapping[str, int] = attrs.field(factory=dict)
    """On how many nodes jobs are planned at the instant, by name."""
    places: dict[str, int] = attrs.field(factory=dict)
    """The index of each job, as Slurm names it."""
    _lock: Lock = attrs.field(factory=Lock, init=False, eq=False, repr=False)

    def add(self, job: Job) -> int:
        name = job.shown
        with self._lock:
            if name not in self.places:
                self.user.append(job.user)
                self.size.append(len(job.nodes) or size_of(self.planned, name, job.request.least_nodes))
                self.places[name] = len(self.id)
                # Last: the length says which jobs are known.
                self.id.append(int(name) if name.isdigit() else name)
            return self.places[name]

    @property
    def named(self) -> Sequence[tuple[str, int]]:
        """The jobs that have an index now, as Slurm names them, each with its index."""
        with self._lock:
            return tuple(self.places.items())

    def first_start(self, times: Times, name: str, at: int) -> int | None:
        """When a job, or the first of the tasks of an array (`12_*`), starts from an instant on, if ever."""
        tasks = name.removesuffix("*") if name.endswith("_*") else f"{name}_"
        starts = (
            times.starts[place]
            for each, place in self.named
            if place in times.starts and (each == name or each.startswith(tasks))
        )
        return min((start for start in starts if start >= at), default=None)


@attrs.define
class Followed:
    """A run as it is followed: when its jobs start and end, by index."""

    jobs: Names
    running: frozenset[int] = frozenset()
    """Those that hold nodes from the first: they have started before."""
    starts: dict[int, int] = attrs.field(factory=dict)
    ends: dict[int, int] = attrs.field(factory=dict)

    def fork(self) -> "Followed":
        return attrs.evolve(self, starts=dict(self.starts), ends=dict(self.ends))

    def take(self, moment: Moment) -> None:
        """Take what a moment does. A job that is requeued keeps its first start."""
        names = {job.shown: job for _, job in moment.puts if job is not None and job.holding}
        for each in moment.started:
            place = self.jobs.add(names[each.job])
            if place not in self.running:
                self.starts.setdefault(place, moment.at)
        if moment.what is Happening.END:
            for name in moment.subjects:
                self.ends[self.jobs.places[name]] = moment.at

    def finish(self, over_time: OverTime, turns: bool) -> Times:
        """Return the times; jobs that still hold nodes end at their limits, unless they take turns."""
        ends = {} if turns else over_time.ends
        for job in over_time.capture.jobs:
            if job.id in ends and job.holding:
                self.ends[self.jobs.add(job)] = ends[job.id]
        return Times(self.starts, self.ends)
