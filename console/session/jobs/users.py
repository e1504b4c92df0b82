"""Who uses the machine: users and classes, what they run and wait for, what they used, how they fared."""

from collections.abc import Callable, Iterator, Mapping, Sequence

import attrs

from shadowtime.console.session.case import Case
from shadowtime.console.session.facts import ASIDE
from shadowtime.console.session.progress import Progress
from shadowtime.console.session.run import Run
from shadowtime.console.session.travel.moments import NONE
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
        """The bounded slowdown, averaged over the ended jobs."""
        return self.slowed / self.ended if self.ended else None


@attrs.frozen
class Usage:
    """All users and classes at one event."""

    event: int
    time: int
    users: Sequence[Share]
    classes: Sequence[Share]
    capacity: int
    """Node-seconds that the machine had since the first submission."""

    def share(self, one: Share) -> float | None:
        """Return the share of the machine that one has used since the first submission."""
        return one.used / self.capacity if self.capacity else None


class UsageWork:
    """Adds up the jobs at the instant of its making. `run` and `cancel` may be called in any thread."""

    def __init__(self, run: Run) -> None:
        self.event = run.number
        self._case = run.case
        self._simulation = run.simulation.fork()
        self._klass = run.rows.klass(run.simulation)
        self._cancelled = False

    def cancel(self) -> None:
        """Break the work off; `run` then returns None."""
        self._cancelled = True

    def run(self, progress: Progress | None = None) -> Usage | None:
        """Return who uses the machine; None if the work was broken off."""
        case, simulation = self._case, self._simulation
        users: dict[str, Share] = {}
        classes: dict[str, Share] = {}
        for index, part in enumerate(_parts(case, simulation)):
            if not index % PIECE:
                if self._cancelled:
                    return None
                if progress is not None:
                    progress(index, simulation.submitted)
            user, klass = case.columns.user[index], self._klass(index)
            part.add_to(users.get(user) or users.setdefault(user, Share(user)))
            part.add_to(classes.get(klass) or classes.setdefault(klass, Share(klass)))
        first = case.columns.submit[0] if simulation.submitted else simulation.now
        capacity = case.nodes * (simulation.now - first)
        return Usage(self.event, simulation.now, tuple(users.values()), tuple(classes.values()), capacity)


@attrs.define
class _Part:
    """What one job gives."""

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


def _parts(case: Case, simulation: Simulation) -> Iterator[_Part]:
    """Yield what each submitted job gives, in order of submission."""
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
            slowdown = max(1.0, (finish - submit) / max(runtimes[index], SHORTEST))
        size = sizes[index]
        yield _Part(size, index in runs, index in waits, wait, size * (used or 0), slowdown)


def _ran(simulation: Simulation, index: int, took: int | None, stopped: bool, runtime: int) -> int:
    """Return how long a job that has started ran so far; `took` is the time from its start to its end.

    How long a job ran that was cancelled is not known.
    """
    if took is None:
        return simulation.progress(index) or 0
    return min(runtime, took) if stopped else took


Key = Callable[[Share], float | int | str | None]
COLUMNS: Mapping[str, Key] = {
    "user": lambda share: share.name,
    "running": lambda share: share.running,
    "nodes": lambda share: share.holds,
    "waiting": lambda share: share.waiting,
    "wants": lambda share: share.wants,
    "ended": lambda share: share.ended,
    "used": lambda share: share.used,
    "wait": lambda share: share.mean_wait,
    "slowdown": lambda share: share.mean_slowdown,
}
"""What shares can be sorted by."""


def ranked(shares: Sequence[Share], column: str, reverse: bool) -> list[Share]:
    """Return shares by a column, the largest first, names in their order; those without a value last."""
    key = COLUMNS[column]
    known = [share for share in shares if key(share) is not None]
    down = (column != "user") is not reverse
    known.sort(key=_natural if column == "user" else key, reverse=down)  # type: ignore[arg-type]
    return [*known, *(share for share in shares if key(share) is None)]


def _natural(share: Share) -> tuple[int, int, str]:
    """Return the key of a name: numbers by their value, before all others."""
    name = share.name
    return (0, int(name), "") if name.isascii() and name.isdigit() else (1, 0, name)
