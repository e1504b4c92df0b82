"""Where a course of a cluster can stop: at passes, cycles, jobs, how many wait or run; the walk there."""

from collections.abc import Callable, Mapping

from shadowtime.console.session.course.breakpoints import Test, Value
from shadowtime.console.session.course.places import END, START, SUBMIT
from shadowtime.console.session.slurm.stepping.history import History
from shadowtime.kernels.slurm.over_time.moments import SINGLE, Happening, Moment

STOPS = "start 31, end 31, job 31, closes batch, reservation course, cycle, pass, preempt, queue > 100"
"""Examples of what can be typed."""
PREEMPTING = frozenset((Happening.SUSPEND, Happening.REQUEUE, Happening.CANCEL))
Wanted = Callable[[Moment], bool]


class Walk:
    """A history as seen from one moment after another; moments that are not known are computed."""

    def __init__(self, history: History, event: int = 0) -> None:
        self._history = history
        self.event = event
        """How many moments have passed."""
        jobs = history.capture_at(event).jobs
        self.waiting = {job.id: job.submit for job in jobs if job.waiting}
        """When each waiting job was submitted, by its id; the tasks of an array that wait are one."""
        self.running = {job.id for job in jobs if job.holding}
        """The ids of the jobs that hold nodes."""
        self.started: tuple[int, str] | None = None
        """Of the jobs that the last moment started, the longest wait in seconds, and whose it was."""

    @property
    def at(self) -> int:
        """The instant, in seconds since 1970."""
        return self._history.instant(self.event)

    @property
    def moment(self) -> Moment | None:
        return self._history.moment_at(self.event)

    def step(self) -> bool:
        """Go on to the next moment. Whether there is one."""
        if not self._history.reach(self.event + 1):
            return False
        self.event += 1
        moment, self.started = self.moment, None
        assert moment is not None
        for id_, job in moment.puts:
            self.waiting.pop(id_, None)
            self.running.discard(id_)
            if job is None:
                continue
            if job.waiting:
                self.waiting[id_] = job.submit
            elif job.holding:
                self.running.add(job.id)
                if job.begin == moment.at:
                    waited = moment.at - job.submit
                    self.started = max(self.started or (-1, ""), (waited, job.shown), key=lambda it: it[0])
        return True


def stateless(wanted: Wanted) -> Test[Walk]:
    """Return a test that looks at each moment alone."""

    def probe(walk: Walk) -> bool:
        return walk.moment is not None and wanted(walk.moment)

    return lambda walk: probe


def _is_job(name: str, subject: str) -> bool:
    """Whether a job is the one that is named, or a task of it."""
    return not subject or name == subject or name.partition("_")[0] == subject.removesuffix("_*")


def _starts(moment: Moment, subject: str) -> bool:
    return any(_is_job(name, subject) for each in moment.started for name in (each.job, each.waited_as))


def _ends(moment: Moment, subject: str) -> bool:
    return moment.what is Happening.END and any(_is_job(name, subject) for name in moment.subjects)


def _comes(moment: Moment, subject: str) -> bool:
    return moment.what is Happening.SUBMISSION and any(_is_job(name, subject) for name in moment.subjects)


def _touches(moment: Moment, subject: str) -> bool:
    alone = moment.what in SINGLE and any(_is_job(name, subject) for name in moment.subjects)
    return alone or _starts(moment, subject)


def _closes(moment: Moment, subject: str) -> bool:
    return any(not subject or name == subject for name, _ in moment.closed)


def _reservation(moment: Moment, subject: str) -> bool:
    return moment.what is Happening.RESERVATION and (not subject or subject in moment.subjects)


def preempts(moment: Moment, _: str = "") -> bool:
    """Whether a job loses its nodes to another one."""
    return moment.what in PREEMPTING


_KINDS: Mapping[str, Callable[[Moment, str], bool]] = {
    START: _starts,
    END: _ends,
    "closes": _closes,
    "reservation": _reservation,
    "submission": _comes,
    "cycle": lambda moment, _: moment.what is Happening.BACKFILL,
    "pass": lambda moment, _: moment.what is Happening.MAIN_PASS,
    "preempt": preempts,
}
_METRICS: Mapping[str, Callable[[Walk], int]] = {
    "queue_length": lambda walk: len(walk.waiting),
    "running": lambda walk: len(walk.running),
}


class ClusterTerms:
    """What a breakpoint of a cluster can name."""

    kinds = tuple(_KINDS)
    metrics = tuple(_METRICS)
    named = ("closes", "reservation")

    def kind(self, word: str, name: str) -> Test[Walk]:
        """Stop at a kind of moment: of one partition or reservation."""
        return stateless(lambda moment: _KINDS[word](moment, name))

    def job(self, name: str, what: str) -> Test[Walk]:
        """Stop where a job, or a task of it, comes, starts or ends; without a word at all that befalls it."""
        happens = {START: _starts, END: _ends, SUBMIT: _comes}.get(what, _touches)
        return stateless(lambda moment: happens(moment, name))

    def value(self, metric: str) -> Value[Walk]:
        return _METRICS[metric]

    def wait(self, job: int) -> Value[Walk]:
        """Return what gives the seconds since a waiting job was submitted."""
        return lambda walk: walk.at - walk.waiting[job] if job in walk.waiting else None
