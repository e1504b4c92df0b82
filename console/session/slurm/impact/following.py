"""Runs of a cluster as they are changed, followed and sampled: their jobs, when these start and end."""

from collections.abc import Mapping, Sequence
from functools import partial
from threading import Lock

import attrs

from shadowtime.console.session.clock import Clock
from shadowtime.console.session.course.places import INSTANT, instant_from
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.impact.outlook import LikelyMoves
from shadowtime.console.session.impact.rows import MIDDLE, Times, likely_change
from shadowtime.console.session.likely.quantiles import NEVER
from shadowtime.console.session.likely.starts import SHOWN
from shadowtime.console.session.progress import Step
from shadowtime.console.session.slurm.forecasting import size_of
from shadowtime.console.session.slurm.likely.odds import ClusterOdds, JobOdds
from shadowtime.console.session.slurm.over_time import OverTime
from shadowtime.console.session.slurm.parameters import NAME, Overrides, parse_overrides
from shadowtime.console.session.work import Halt, check
from shadowtime.kernels.slurm.over_time.moments import Happening, Moment
from shadowtime.scenarios.slurm import Capture, Job
from shadowtime.scenarios.slurm.changes import Change, changed, format_change, parse_change

SAMPLES = 25


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
                self.id.append(int(name) if name.isdecimal() else name)
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


@attrs.frozen
class Done:
    """A cluster at the instant, in which something is done."""

    cluster: OverTime
    """With what is done at once."""
    later: Sequence[tuple[int, Doing]] = ()
    """What is done at the end of a second, in order."""
    back: Sequence[Doing] = ()
    """What is done once the job that is waited for has started."""


@attrs.frozen
class Shown:
    """The likely starts that are shown at the instant, by job; and the levels of their odds."""

    levels: Sequence[float] = SHOWN
    starts: Mapping[str, JobOdds] = attrs.field(factory=dict)

    def likely(self, name: str) -> float | None:
        """Return the likely start of a job that waits; None if none is shown."""
        odds = self.starts.get(name)
        return None if odds is None else NEVER if odds.likely is None else float(odds.likely)


SAMPLED = Shown()
"""Nothing is shown: the samples are taken as they are."""


class Samples:
    """Samples from one instant on; made one at a time, in any thread."""

    def __init__(
        self, here: OverTime, names: Names, former: Capture, takes_turns: bool, shown: Shown = SAMPLED
    ) -> None:
        """`names` are the jobs of all runs; `former` has the jobs that are over."""
        self._shown = shown
        self._here, self._names, self._former, self._takes_turns = here.fork(), names, former, takes_turns
        self._draws = ClusterOdds(here.capture, here.now)
        self.absent = self._draws.absent
        """Why there are no odds; empty if there are some."""
        self._before: Mapping[int, Sequence[float]] | None = None
        self._lock = Lock()

    def odds(
        self, done: Done, before: Times, after: Times, halt: Halt, step: Step, awaited: str = ""
    ) -> LikelyMoves:
        """Return how far jobs move; `before`, `after` are the two expected runs. Broken.

        `awaited` names the job after whose start `done.back` is done. `step` is called with how many samples
        are left.
        """
        # One that is broken off may not have come to the end of its sample yet.
        with self._lock:
            if self._before is None:
                self._before = self._sampled(
                    Done(self._here), before, halt, lambda left: step(SAMPLES + left)
                )
            found = self._sampled(done, after, halt, step, awaited)
        never = [NEVER] * SAMPLES
        waits = {unit.name: unit.job.waiting for unit in self._draws.units}
        moved = {
            place: likely_change(
                self._before.get(place, never),
                found.get(place, never),
                waits[name],
                self._shown.levels[1] if waits[name] else MIDDLE,
                self._shown.likely(name),
            )
            for name, place in self._names.named
        }
        return LikelyMoves(moved, SAMPLES)

    def _sampled(
        self, done: Done, limits: Times, halt: Halt, step: Step, awaited: str = ""
    ) -> Mapping[int, Sequence[float]]:
        """When each job that starts, or ends, at the limits does so in each sample."""
        waiting, running, first = {}, {}, frozenset[tuple[int, int | None]]()
        for unit in self._draws.units:
            place = self._names.places.get(unit.name, -1)
            if unit.name == awaited:
                first = frozenset([unit.key])
            if unit.job.waiting and place in limits.starts:
                waiting[place] = unit.key
            elif not unit.job.waiting and place in limits.ends and not self._takes_turns:
                running[place] = unit.job.id
        pause = partial(check, halt)
        found: dict[int, list[float]] = {place: [] for place in (*waiting, *running)}
        for number in range(SAMPLES):
            run = self._draws.begun(done.cluster, number)
            for at, doing in done.later:
                _finish_second(run, at, halt)
                self._do(run, doing)
            if done.back:
                run.follow(first, pause)
                _finish_second(run, run.now, halt)
                for doing in done.back if first <= run.starts.keys() else ():
                    self._do(run, doing)
            again = {(job.id, None) for job in run.capture.jobs if job.waiting} & {
                (id_, None) for id_ in running.values()
            }
            run.follow({*waiting.values(), *again}, pause)
            ends = {**run.ended, **run.ends}
            for place, key in waiting.items():
                found[place].append(run.starts.get(key, NEVER))
            for place, id_ in running.items():
                found[place].append(ends.get(id_, NEVER))
            step(SAMPLES - number - 1)
        return found

    def _do(self, run: OverTime, doing: Doing) -> None:
        """Do it if it can still be done: a job may have started, or be over, in a sample."""
        try:
            make(run, doing, self._former)
        except SessionError:
            return


def _finish_second(run: OverTime, at: int, halt: Halt) -> None:
    for _ in run.moments(at):
        check(halt)
