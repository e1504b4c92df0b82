"""Who uses the machine: users and classes, what they run and wait for, what they used, how they fared."""

from collections.abc import Callable, Iterator, Sequence

import attrs

from shadowtime.console.session.case import Case
from shadowtime.console.session.clock import ELAPSED, Clock
from shadowtime.console.session.facts import ASIDE
from shadowtime.console.session.progress import Progress
from shadowtime.console.session.run import Run
from shadowtime.console.session.table.field import Field, Fields, Kind, of
from shadowtime.console.session.travel.moments import NONE
from shadowtime.console.session.work import Work, check
from shadowtime.kernels.core.simulation import Simulation

PIECE = 16384
"""Jobs between two reports of progress."""
SHORTEST = 10
"""Seconds that a runtime counts as at least in the bounded slowdown."""


@attrs.define
class Share:
    """One user, or one class, so far: jobs, nodes in the unit of the machine, and seconds."""

    name: str
    running: int = 0
    holds: int = 0
    """Nodes that its jobs on the machine have now."""
    waiting: int = 0
    wants: int = 0
    """Nodes that its waiting jobs ask for."""
    started: int = 0
    ended: int = 0
    used: int = 0
    """Node-seconds in which its jobs ran."""
    waited: int = 0
    """The waits until the first start of those that have started, in all."""
    slowed: float = 0.0
    """The bounded slowdowns of those that have ended, in all."""

    @property
    def mean_wait(self) -> float | None:
        """Seconds until the first start, averaged over the started jobs."""
        return self.waited / self.started if self.started else None

    @property
    def mean_slowdown(self) -> float | None:
        return self.slowed / self.ended if self.ended else None


@attrs.frozen
class Usage:
    """All users and classes at one event."""

    now: int
    users: Sequence[Share]
    """Who has most nodes now comes first, then who used most."""
    classes: Sequence[Share]
    capacity: int
    """Node-seconds that the machine had since the first submission."""
    clock: Clock = ELAPSED

    def share(self, one: Share) -> float | None:
        """Return the share of the machine that one has used since the first submission."""
        return one.used / self.capacity if self.capacity else None


class UsageWork(Work[Usage]):
    """Adds up the jobs at the instant of its making."""

    def __init__(self, run: Run) -> None:
        self._case = run.case
        self._simulation = run.simulation.fork()
        self._klass = run.rows.klass(run.simulation)

    def _found(self, progress: Progress) -> Usage:
        case, simulation = self._case, self._simulation
        users: dict[str, Share] = {}
        classes: dict[str, Share] = {}
        for index, part in enumerate(parts(case, simulation)):
            if not index % PIECE:
                check(self._halt)
                progress(index, simulation.submitted)
            user, klass = case.columns.user[index], self._klass(index)
            part.add_to(users.get(user) or users.setdefault(user, Share(user)))
            part.add_to(classes.get(klass) or classes.setdefault(klass, Share(klass)))
        first = case.columns.submit[0] if simulation.submitted else simulation.now
        capacity = case.nodes * (simulation.now - first)
        of_users, of_classes = (
            sorted(each.values(), key=lambda one: (-one.holds, -one.used)) for each in (users, classes)
        )
        return Usage(simulation.now, of_users, of_classes, capacity)


@attrs.define
class Part:
    """What one job has come to."""

    size: int
    runs: bool
    waits: bool
    wait: int | None
    used: int
    slowdown: float | None

    def add_to(self, share: Share) -> None:
        if self.runs:
            share.running += 1
            share.holds += self.size
        elif self.waits:
            share.waiting += 1
            share.wants += self.size
        if self.wait is not None:
            share.started += 1
            share.waited += self.wait
        share.used += self.used
        if self.slowdown is not None:
            share.ended += 1
            share.slowed += self.slowdown


def parts(case: Case, simulation: Simulation) -> Iterator[Part]:
    """Yield what each submitted job has come to, in order of submission."""
    columns = case.columns
    submits, sizes, runtimes = columns.submit, columns.size, columns.runtime
    turns = simulation.policy.turns
    turning = (job for job in simulation.held() if simulation.state(job) not in ASIDE)
    runs, waits = frozenset((*simulation.running(), *turning)), frozenset(simulation.waiting())
    for index in range(simulation.submitted):
        submit, (start, finish, _, stops, _) = submits[index], simulation.result(index)
        wait = used = slowdown = None
        if start != NONE:
            wait = start - submit
            took = None if finish == NONE else finish - start
            used = _ran(simulation, index, took, turns or bool(stops), runtimes[index])
        if finish != NONE:
            slowdown = bounded_slowdown(finish - submit, runtimes[index])
        size = sizes[index]
        yield Part(size, index in runs, index in waits, wait, size * (used or 0), slowdown)


def bounded_slowdown(response: int, runtime: int) -> float:
    """Return the slowdown of a job, at least 1; a runtime below `SHORTEST` counts as that."""
    return max(1.0, response / max(runtime, SHORTEST))


def _ran(simulation: Simulation, index: int, took: int | None, stopped: bool, runtime: int) -> int:
    """Return how long a job that has started ran so far; `took` is the time from its start to its end.

    How long a job ran that was cancelled is not known.
    """
    if took is None:
        return simulation.progress(index) or 0
    return min(runtime, took) if stopped else took


def _natural(share: Share) -> tuple[int, int, str]:
    """Return the key of a name: numbers by their value, before all others."""
    name = share.name
    return (0, int(name), "") if name.isascii() and name.isdigit() else (1, 0, name)


def _number(name: str, value: Callable[[Share], int | float | None], title: str, rank: int = 0) -> "One":
    return One(name, Kind.NUMBER, of(value), title, rank, falls=True)


One = Field[Usage, Share]
USAGE = Fields[Usage, Share](
    (
        One("user", Kind.TEXT, of(lambda share: share.name), "USER", most=16, keys=of(_natural)),
        _number("running", lambda share: share.running, "RUN", 1),
        _number("nodes", lambda share: share.holds, "{mark}-RUN", 3),
        _number("waiting", lambda share: share.waiting, "WAIT", 1),
        _number("wants", lambda share: share.wants, "{mark}-WAIT", 5),
        _number("ended", lambda share: share.ended, "ENDED", 2),
        _number("used", lambda share: share.used, "{mark}-HOURS", 4),
        One("share", Kind.NUMBER, lambda usage: usage.share, "SHARE"),
        One("wait", Kind.DURATION, of(lambda share: share.mean_wait), "WAITED", falls=True),
        _number("slowdown", lambda share: share.mean_slowdown, "SLOWDOWN"),
    ),
    orders=("nodes", "used", "wait", "slowdown", "user", "running", "waiting", "wants", "ended"),
    rows="the users",
)
"""What is known of a user, or a class. In a title `{mark}` is the unit of the machine."""
