"""What is expected of a cluster from an instant on (docs/slurm-cycle.md, section 19).

A change is made at the end of the second of the instant, at the capture before its first second. Nothing is
done on the cluster itself.
"""

from bisect import insort
from collections.abc import Collection, Iterator, Sequence
from datetime import tzinfo
from functools import cached_property
from operator import itemgetter
from threading import Lock

from shadowtime.console.session.clock import Clock, dated_clock
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.impact.outlook import NO_ODDS, Doubts, LikelyMoves, Stay, Typed, Vacated
from shadowtime.console.session.impact.rows import Times
from shadowtime.console.session.progress import Step
from shadowtime.console.session.slurm.caveats import left_out_of_all
from shadowtime.console.session.slurm.forecasting import JobMarks, forecast_of, planned_sizes
from shadowtime.console.session.slurm.impact.advice import ClusterApplicant
from shadowtime.console.session.slurm.impact.following import (
    SAMPLED,
    SAMPLES,
    Doing,
    Done,
    Followed,
    Names,
    Samples,
    Shown,
    format_done,
    make,
    read_doing,
)
from shadowtime.console.session.slurm.over_time import OverTime
from shadowtime.console.session.slurm.queue import waiting_tasks
from shadowtime.console.session.work import Halt, check, never
from shadowtime.scenarios.slurm import Capture, Job, format_hosts
from shadowtime.scenarios.slurm.changes import Change, is_called, number_of


class ClusterRun:
    """A cluster followed from the instant of an outlook on."""

    def __init__(self, outlook: "ClusterOutlook", over_time: OverTime, followed: Followed) -> None:
        self.over_time = over_time
        self._outlook, self._followed = outlook, followed
        self._before = over_time.capture
        """The cluster before what is done in this second."""
        self._later: list[tuple[int, Change]] = []
        """What is done later, in order."""
        self.deeds: list[str] = []
        """What is done, as it was typed."""
        self.back: list[str] = []
        """What is done once it has been followed to an instant."""
        self._begins: list[tuple[int, str]] = []
        """When the reservations begin that were made, with their names."""
        self.vacated: tuple[Vacated, ...] = ()

    def fork(self) -> "ClusterRun":
        other = ClusterRun(self._outlook, self.over_time.fork(), self._followed.fork())
        other._before, other.vacated = self._before, self.vacated
        other._later, other._begins = list(self._later), list(self._begins)
        other.deeds, other.back = list(self.deeds), list(self.back)
        return other

    @property
    def waiting(self) -> int:
        return waiting_tasks(self.over_time.capture)

    def do(self, text: str, at: int | None = None) -> None:
        """Make a change here, at the instant that it names, or when the second `at` begins. SessionError."""
        change = self._outlook.read(text)
        (self.deeds if at is None else self.back).append(text)
        if at is not None:
            self._until(at - 1, never)
            self._make(change)
        elif isinstance(change, Change) and change.later is not None:
            insort(self._later, (change.later, change), key=itemgetter(0))
        else:
            self._make(change)

    def _make(self, doing: Doing) -> None:
        make(self.over_time, doing, self._outlook.capture)
        if isinstance(doing, Change) and doing.at is not None and doing.later is None:
            insort(self._begins, (doing.at, doing.name))

    def done(self, back: Sequence[str]) -> Done:
        """Return what is done, for samples of it; it has not been followed."""
        return Done(self.over_time, self._later, [self._outlook.read(text) for text in back])

    def times(self, halt: Halt, step: Step) -> Times:
        """Follow the cluster until no job can start any more; return when jobs start and end. Broken."""
        for at in sorted({at for at, _ in (*self._later, *self._begins)}):
            self._until(at, halt)
            for when, change in self._later:
                if when == at:
                    self._make(change)
            self._note(at)
            begun = {name for when, name in self._begins if when == at}
            self.vacated += tuple(reserved(self.over_time, begun))
        self._note(self._outlook.time)
        waiting = self.waiting
        for moment in self.over_time.moments():
            check(halt)
            self._followed.take(moment)
            waiting -= len(moment.started)
            step(max(0, waiting))
        return self._followed.finish(self.over_time, self._outlook.takes_turns)

    def _until(self, at: int, halt: Halt) -> None:
        """Follow the cluster to the end of a second. Broken."""
        self._note(self._outlook.time)
        for moment in self.over_time.moments(at):
            check(halt)
            self._followed.take(moment)

    def _note(self, at: int) -> None:
        """Note which nodes the changes of this second have drained."""
        self.vacated += tuple(drained(self._before, self.over_time, at))
        self._before = self.over_time.capture

    def start_by(self, name: str, by: int, halt: Halt) -> int | None:
        """Return when a job, or a task of an array, starts; None if not until `by`. Broken."""
        for moment in self.over_time.moments(by):
            check(halt)
            if any(name in (each.job, each.waited_as) for each in moment.started):
                return moment.at
        return None


class ClusterOutlook:
    """What is expected of a cluster from an instant on. Several threads may follow its runs at once."""

    def __init__(
        self,
        capture: Capture,
        begin: int,
        event: int = 0,
        at: int | None = None,
        zone: tzinfo | None = None,
        likely: bool = False,
        shown: Shown = SAMPLED,
    ) -> None:
        """Follow a capture from `begin`; the instant is `at`, that of `event`, by default the capture.

        `zone` is that of typed instants; None is that of this machine. `likely`: samples are drawn, too, of
        which each takes about as long as an expected run; `shown` are the likely starts of the instant.
        """
        self.event, self.time = event, begin if at is None else at
        self.capture, self.jobs = capture, Names()
        self.clock: Clock = dated_clock(zone, self.time)
        self.takes_turns = "GANG" in capture.settings.preempt_mode.split(",")
        self._begin, self._likely, self._shown = begin, likely, shown
        self._here: ClusterRun | None = None
        self._before: Times | None = None
        self._lock = Lock()

    def here(self, halt: Halt) -> ClusterRun:
        """Return the cluster at the instant, to be forked. Broken if `halt` says so on the way."""
        with self._lock:
            if self._here is None:
                here = OverTime(self.capture, self._begin)
                for _ in here.moments(self.time) if self.event else ():
                    check(halt)
                self._plan = forecast_of(here.capture, self.time)
                self.jobs.planned = planned_sizes(self._plan.rows)
                for job in here.capture.jobs:
                    if job.holding or (job.waiting and not (job.array and job.array.task is None)):
                        self.jobs.add(job)
                running = frozenset(self.jobs.add(job) for job in here.capture.jobs if job.holding)
                self._here = ClusterRun(self, here, Followed(self.jobs, running))
        return self._here

    def before(self, halt: Halt, step: Step) -> Times:
        here = self.here(halt)
        with self._lock:
            if self._before is None:
                self._before = here.fork().times(halt, step)
        return self._before

    def cluster(self, halt: Halt) -> Capture:
        """Return the cluster at the instant. Broken."""
        return self.here(halt).over_time.capture

    @property
    def seen(self) -> range:
        """The indexes of all jobs that some run has had so far."""
        return range(len(self.jobs.id))

    @property
    def doubts(self) -> Doubts:
        """The marks of the jobs that wait at the instant, and what all their starts leave out."""
        here, found = self.cluster(never), self._plan
        left_out = left_out_of_all(found.caveats, (row.marks for row in found.rows))
        return Doubts(JobMarks(here, found.rows).of, left_out)

    def typed(self, text: str) -> Typed:
        """Return a change as it is typed. SessionError for anything else, and for an instant that is past."""
        change = self.read(text)
        return Typed(format_done(change), change.job)

    def read(self, text: str) -> Doing:
        """Return the change that a line says. SessionError."""
        return read_doing(text, self.time, self.clock)

    @cached_property
    def _samples(self) -> Samples:
        here = self.here(never).over_time
        return Samples(here, self.jobs, self.capture, self.takes_turns, self._shown)

    @property
    def samples(self) -> int:
        return SAMPLES if self._likely and not self._samples.absent else 0

    @property
    def effort(self) -> int:
        return 2 * self.samples

    def odds(
        self, run: ClusterRun, before: Times, after: Times, halt: Halt, step: Step, awaited: str = ""
    ) -> LikelyMoves:
        if not self._likely:
            return NO_ODDS
        if self._samples.absent:
            return LikelyMoves(absent=self._samples.absent)
        again = self.here(halt).fork()
        for text in run.deeds:
            again.do(text)
        return self._samples.odds(again.done(run.back), before, after, halt, step, awaited)

    def number_called(self, name: str) -> int:
        """Return the number of the job that a text names. SessionError if there is none."""
        found = next((job for job in self.capture.jobs if is_called(job, name)), None)
        if found is None:
            raise SessionError(f"there is no job {name}; expected a number of the column JOB")
        return number_of(found)

    def applicant(self, job: int) -> ClusterApplicant:
        """Return a job that is to start; whether it waits shows once the cluster stands at the instant."""
        return ClusterApplicant(job, self.jobs, self.time, self.cluster)


def drained(before: Capture, after: OverTime, at: int) -> Iterator[Vacated]:
    """The nodes that are up no more after changes, if there are any."""
    pairs = zip(before.nodes, after.capture.nodes, strict=True)
    nodes = [then.name for now, then in pairs if now.up and not then.up]
    if nodes:
        yield Vacated(format_hosts(nodes), at, _stays(after, nodes, at))


def reserved(over_time: OverTime, names: Collection[str]) -> Iterator[Vacated]:
    """The nodes of the reservations of these names, which begin."""
    for each in over_time.capture.reservations:
        if each.name in names:
            stays = _stays(over_time, each.nodes, each.begin + 1)
            yield Vacated(format_hosts(each.nodes), each.begin, stays, each.name, each.end)


def _stays(over_time: OverTime, nodes: Sequence[str], after: int) -> tuple[Stay, ...]:
    """The jobs that hold some of the nodes until later than an instant, the last to end first."""
    gone, ends = frozenset(nodes), over_time.ends

    def stay(job: Job) -> Stay:
        held = [name for name in job.nodes if name in gone]
        return Stay(job.shown, job.user, format_hosts(held), ends[job.id])

    holding = (job for job in over_time.capture.jobs if job.holding and ends.get(job.id, 0) > after)
    found = [stay(job) for job in holding if not gone.isdisjoint(job.nodes)]
    return tuple(sorted(found, key=lambda each: -each.until))
