"""A cluster over time from an instant on, and how it goes on after changes (docs/slurm-cycle.md, section 19).

A change is made at the end of the second of the instant, at the capture before its first second. Nothing is
done on the cluster itself.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import tzinfo
from threading import Lock

import attrs

from shadowtime.console.session.clock import dated_clock
from shadowtime.console.session.course.instants import INSTANT, instant_from
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.impact.expected import Broken, Halt, Times
from shadowtime.console.session.slurm.forecasting import forecast_of
from shadowtime.console.session.slurm.guard.caveat import Caveat
from shadowtime.console.session.slurm.guard.marked import Marks, left_out_of_all
from shadowtime.console.session.slurm.moments import Happening, Moment
from shadowtime.console.session.slurm.over_time import OverTime
from shadowtime.console.session.slurm.parameters import NAME, Overrides, parse_overrides
from shadowtime.console.session.slurm.queue import waiting_tasks
from shadowtime.scenarios.slurm import Capture, Job
from shadowtime.scenarios.slurm.changes import Change, changed, format_change, parse_change

Step = Callable[[int], None]
"""Called as a run goes on with how many jobs wait then."""


@attrs.frozen
class Setting:
    """Parameters of `slurm.conf` that get other values: `set bf_max_job_user=3`."""

    overrides: Overrides
    job: None = None
    """It is about no job."""
    at: None = None
    later: None = None
    """It is made at the instant of the course."""


Doing = Change | Setting
"""What can be done to a cluster."""


@attrs.define
class Jobs:
    """The jobs of all runs of a course, by index."""

    id: list[int | str] = attrs.field(factory=list)
    """The number; of a task of an array its name, such as `12_3`."""
    user: list[str] = attrs.field(factory=list)
    size: list[int] = attrs.field(factory=list)
    """Nodes."""
    places: dict[str, int] = attrs.field(factory=dict)
    """The index of each job, as Slurm names it."""

    def add(self, job: Job) -> int:
        """Return the index of a job."""
        name = job.shown
        if name not in self.places:
            self.places[name] = len(self.id)
            self.id.append(int(name) if name.isdigit() else name)
            self.user.append(job.user)
            self.size.append(len(job.nodes) or job.request.least_nodes)
        return self.places[name]


@attrs.define
class Followed:
    """A run as it is followed: when its jobs start and end, by index."""

    jobs: Jobs
    running: frozenset[int] = frozenset()
    """Those that hold nodes from the first: they have started before."""
    starts: dict[int, int] = attrs.field(factory=dict)
    ends: dict[int, int] = attrs.field(factory=dict)

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


class Course:
    """What is expected of a cluster from an instant on. Its runs are made one at a time, in any thread."""

    def __init__(self, capture: Capture, begin: int, event: int = 0, at: int | None = None) -> None:
        """Follow a capture from `begin`; the instant is `at`, that of `event`, by default the capture."""
        self.event, self.at = event, begin if at is None else at
        self.capture = capture
        self.jobs = Jobs()
        self._begin = begin
        self._running: frozenset[int] = frozenset()
        self._turns = "GANG" in capture.settings.preempt_mode.split(",")
        self._here: OverTime | None = None
        self._before: Times | None = None
        self._lock = Lock()

    def here(self, halt: Halt) -> OverTime:
        """Return the cluster at the instant, to be forked. Broken if `halt` says so on the way."""
        with self._lock:
            if self._here is None:
                here = OverTime(self.capture, self._begin)
                for _ in here.moments(self.at) if self.event else ():
                    _check(halt)
                self._here = here
                for job in here.capture.jobs:
                    if job.holding or (job.waiting and not _several(job)):
                        self.jobs.add(job)
                self._running = frozenset(self.jobs.add(job) for job in here.capture.jobs if job.holding)
        return self._here

    def before(self, halt: Halt, step: Step) -> Times:
        """Return when jobs start and end if nothing is done. Broken."""
        here = self.here(halt)
        with self._lock:
            if self._before is None:
                self._before = self.run(here.fork(), halt, step)
        return self._before

    def marks(self, here: OverTime) -> tuple[Marks, tuple[Caveat, ...]]:
        """Return the marks of the jobs that wait at the instant, and what all their starts leave out."""
        found = forecast_of(here.capture, self.at)
        return Marks(here.capture, found.rows), left_out_of_all(
            found.caveats, (row.marks for row in found.rows)
        )

    def run(self, over_time: OverTime, halt: Halt, step: Step, so_far: Followed | None = None) -> Times:
        """Follow a cluster until no job can start any more, and return when jobs start and end. Broken."""
        followed = so_far or Followed(self.jobs, self._running)
        waiting = self.waiting(over_time)
        for moment in over_time.moments():
            _check(halt)
            followed.take(moment)
            waiting -= len(moment.started)
            step(max(0, waiting))
        return followed.finish(over_time, self._turns)

    def until(self, over_time: OverTime, at: int, halt: Halt, so_far: Followed | None = None) -> Followed:
        """Follow a cluster to the end of a second. Broken."""
        followed = so_far or Followed(self.jobs, self._running)
        for moment in over_time.moments(at):
            _check(halt)
            followed.take(moment)
        return followed

    def start_of(self, name: str, over_time: OverTime, by: int, halt: Halt) -> int | None:
        """Return when a job, or a task of an array, starts; None if not until `by`. Broken."""
        for moment in over_time.moments(by):
            _check(halt)
            if any(name in (each.job, each.waited_as) for each in moment.started):
                return moment.at
        return None

    def first_start(self, times: Times, name: str) -> int | None:
        """When a job, or the first of the tasks of an array (`12_*`), starts from the instant on, if ever."""
        tasks = name.removesuffix("*") if name.endswith("_*") else f"{name}_"
        starts = (
            times.starts[place]
            for each, place in self.jobs.places.items()
            if place in times.starts and (each == name or each.startswith(tasks))
        )
        return min((start for start in starts if start >= self.at), default=None)

    def waiting(self, over_time: OverTime) -> int:
        """How many jobs wait, each task of an array counted."""
        return waiting_tasks(over_time.capture)

    def typed(self, text: str, zone: tzinfo | None) -> Doing:
        """Return a change as it is typed, with the clock of a zone. SessionError for anything else.

        Also for an instant before that of the course.
        """

        def instant(word: str) -> int:
            found = instant_from(word, self.at, dated_clock(zone, self.at))
            if found is None:
                raise ValueError(f"{word[:60]!r} is no instant; expected {INSTANT}")
            if found < self.at:
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
        return attrs.evolve(change, at=None) if change.later == self.at else change

    def after(self, over_time: OverTime, changes: Sequence[Doing]) -> OverTime:
        """Return a fork of a cluster after changes. SessionError: why one cannot be made."""
        fork = over_time.fork()
        former = {job.id: job for job in fork.capture.jobs} | {job.id: job for job in self.capture.jobs}
        for change in changes:
            if isinstance(change, Setting):
                fork.change(change.overrides.apply(fork.capture))
                continue
            try:
                fork.change(changed(fork.capture, change, former))
            except ValueError as error:
                when = f"at {change.when}: " if change.later is not None else ""
                raise SessionError(f"{when}{error}") from None
        return fork


def format_done(change: Doing) -> str:
    """Return a change as it is typed."""
    return f"set {change.overrides.settings}" if isinstance(change, Setting) else format_change(change)


def names_of(capture: Capture, number: int) -> Iterator[str]:
    """Yield the names of the waiting jobs of a number: of an array also of its waiting tasks together."""
    for job in capture.jobs:
        if job.waiting and number in (job.id, job.array.job if job.array else job.id):
            yield job.shown


def _several(job: Job) -> bool:
    """Whether a job stands for the tasks of an array that wait together."""
    return job.array is not None and job.array.task is None


def _check(halt: Halt) -> None:
    if halt():
        raise Broken


def ignored(_: int) -> None:
    """For a run of which nobody asks how far it is."""
