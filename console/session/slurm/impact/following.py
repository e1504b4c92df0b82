"""Runs of a cluster as they are changed and followed: their jobs, and when these start and end."""

from collections.abc import Mapping, Sequence
from threading import Lock

import attrs

from shadowtime.console.session.clock import Clock
from shadowtime.console.session.course.places import INSTANT, instant_from
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.impact.rows import Times
from shadowtime.console.session.slurm.forecasting import size_of
from shadowtime.console.session.slurm.over_time import OverTime
from shadowtime.console.session.slurm.parameters import NAME, Overrides, parse_overrides
from shadowtime.kernels.slurm.over_time.moments import Happening, Moment
from shadowtime.scenarios.slurm import Capture, Job
from shadowtime.scenarios.slurm.changes import Change, changed, format_change, parse_change


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


@attrs.frozen
class Setting:
    """Parameters of `slurm.conf` that get other values: `set bf_max_job_user=3`."""

    overrides: Overrides
    job: None = None
    """It is about no job."""
    at: None = None
    later: None = None
    """It is made at the instant at which it is asked about."""


Doing = Change | Setting


def read_doing(text: str, time: int, clock: Clock) -> Doing:
    """Return what a line says that is typed at an instant. SessionError, also for an instant that is past."""

    def instant(word: str) -> int:
        found = instant_from(word, time, clock)
        if found is None:
            raise ValueError(f"{word[:60]!r} is no instant; expected {INSTANT}")
        if found < time:
            raise ValueError(f"{word!r} is past; expected an instant that is still to come")
        return found

    word, _, rest = text.strip().partition(" ")
    if word == "set":
        settings = rest.replace(",", " ").split()
        if not settings:
            raise SessionError("set what? expected a parameter, as in set bf_max_job_user=3")
        return Setting(parse_overrides(NAME, settings))
    try:
        change = parse_change(text, instant)
    except ValueError as error:
        raise SessionError(str(error)) from None
    return attrs.evolve(change, at=None) if change.later == time else change


def make(over_time: OverTime, doing: Doing, capture: Capture) -> None:
    """Do it to a cluster as it stands; `capture` has the jobs that are over. SessionError: the refusal."""
    if isinstance(doing, Setting):
        over_time.change(doing.overrides.apply(over_time.capture))
        return
    former = {job.id: job for job in (*over_time.capture.jobs, *capture.jobs)}
    try:
        over_time.change(changed(over_time.capture, doing, former))
    except ValueError as error:
        when = f"at {doing.when}: " if doing.later is not None else ""
        raise SessionError(f"{when}{error}") from None


def format_done(change: Doing) -> str:
    return f"set {change.overrides.settings}" if isinstance(change, Setting) else format_change(change)
