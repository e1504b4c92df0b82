"""The impact of actions: every job whose expected start or end moves, how far, and whom it helps or hurts."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

import attrs

from shadowtime.console.session.errors import SessionError, failure
from shadowtime.console.session.impact.expected import Broken, Doing, Times, on_machine, run_out
from shadowtime.console.session.operator.here import typed_action
from shadowtime.console.session.progress import Progress
from shadowtime.console.session.run import Run
from shadowtime.console.session.slurm.guard.caveat import Caveat
from shadowtime.kernels.policies import PolicyError
from shadowtime.scenarios import Action, format_action

START, END = "start", "end"


@attrs.frozen
class Change:
    """A job whose expected start moves, or its end if the start stays or lies in the past.

    `before` and `after` are instants in seconds, None for never.
    """

    index: int
    job: int | str
    """The number; of a task of a Slurm array its name, such as `12_3`."""
    user: str
    size: int
    what: str
    before: int | None
    after: int | None
    marks: tuple[Caveat, ...] | None = None
    """Of a cluster: what the two starts leave out (docs/slurm-cycle.md, section 15); None elsewhere."""

    @property
    def change(self) -> int | None:
        """Seconds by which it comes later; negative is earlier. None from or to never."""
        return None if self.before is None or self.after is None else self.after - self.before

    @property
    def number(self) -> int:
        """The number of the job; of a task that of its array, of a component that of its leader."""
        return self.job if isinstance(self.job, int) else int(re.split("[_+]", self.job)[0])

    @property
    def lost(self) -> bool:
        """Whether what was expected never comes."""
        return self.after is None

    def as_dict(self) -> dict[str, object]:
        """Return the row of `impact --json`."""
        keys = (
            "job",
            "user",
            "size",
            "before",
            "after",
            "change",
            *(("marks",) if self.marks is not None else ()),
        )
        return {key: getattr(self, key) for key in keys}


@attrs.frozen
class Totals:
    """How many jobs are delayed, gain, or lose or get a start or end at all; and by how many seconds."""

    delayed_jobs: int = 0
    delay_total: int = 0
    earlier_jobs: int = 0
    gain_total: int = 0
    never_jobs: int = 0
    """Jobs that do not start, or end, any more."""
    gained_jobs: int = 0
    """Jobs that start, or end, and did not before."""


@attrs.frozen
class Stay:
    """A job that holds nodes which go out of service: which of them, and until when at the latest."""

    job: str
    user: str
    nodes: str
    until: int


@attrs.frozen
class Vacated:
    """Nodes of a cluster that an action takes out of service: instants are seconds since 1970."""

    nodes: str
    begin: int
    """When they are drained, or when their reservation begins."""
    stays: tuple[Stay, ...]
    """The jobs that hold some of them then, the last to end first."""
    reservation: str = ""
    """Its name; empty for nodes that are drained."""
    end: int | None = None
    """Of a reservation."""

    @property
    def empty(self) -> int:
        """When no job is there any more."""
        return max((stay.until for stay in self.stays), default=self.begin)


@attrs.frozen
class Impact:
    """What actions change, seen from one instant: the rows, largest delay first."""

    event: int
    time: int
    do: tuple[str, ...]
    """The actions, as they are typed."""
    acted: frozenset[int]
    """The jobs acted upon, by id."""
    rows: tuple[Change, ...]
    unchanged: int
    """Jobs on the machine for which nothing changes."""
    vacated: tuple[Vacated, ...] = ()
    """The nodes of a cluster that the actions drain or reserve, action by action."""
    caveats: tuple[Caveat, ...] = ()
    """What all starts of a cluster leave out."""

    @property
    def totals(self) -> Totals:
        """Return the sums over the rows."""
        return totals(self.rows)

    @property
    def by_user(self) -> tuple[tuple[str, Totals], ...]:
        """The sums over the rows of each user: who loses starts first, then who is delayed most in all."""
        rows: dict[str, list[Change]] = defaultdict(list)
        for row in self.rows:
            rows[row.user].append(row)
        found = [(user, totals(mine)) for user, mine in rows.items()]
        return tuple(sorted(found, key=_worst_user_first))

    def moved(self, what: str) -> list[dict[str, object]]:
        """Return the rows of starts, or of ends, as `impact --json` prints them."""
        return [row.as_dict() for row in self.rows if row.what == what]


def totals(rows: Iterable[Change]) -> Totals:
    """Return the sums over some rows."""
    changes = [row.change for row in rows if row.change is not None]
    late, early = [n for n in changes if n > 0], [-n for n in changes if n < 0]
    never = sum(row.after is None for row in rows)
    gained = sum(row.before is None for row in rows)
    return Totals(len(late), sum(late), len(early), sum(early), never, gained)


class Who(Protocol):
    """Who the jobs are, by index."""

    @property
    def id(self) -> Sequence[int | str]:
        """The numbers, or names."""

    @property
    def user(self) -> Sequence[str]:
        """The users."""

    @property
    def size(self) -> Sequence[int]:
        """The sizes."""


class ImpactWork:
    """Finds the impact of actions at the instant of its making. `run` may be called in any thread.

    `cancel` may be called in any thread, too: then `run` returns None.
    """

    def __init__(self, run: Run, actions: Sequence[Action | str]) -> None:
        """SessionError: what is no action."""
        self.event = run.number
        self._actions = tuple(typed_action(each) if isinstance(each, str) else each for each in actions)
        self._doing = Doing(run.case, run.names)
        self._from = run.simulation.fork()
        self._cancelled = False

    def cancel(self) -> None:
        """Break the work off."""
        self._cancelled = True

    def run(self, progress: Progress | None = None) -> Impact | None:
        """Return the impact. SessionError: why an action cannot be done; what a policy failed at."""
        try:
            return self._found()
        except Broken:
            return None
        except PolicyError as error:
            raise SessionError(failure(error)) from None

    def _found(self) -> Impact:
        here = self._from
        jobs = on_machine(here)
        other = self._doing.after(here, self._actions).expected()
        before = run_out(here.expected(), jobs, self._halt)
        after = run_out(other, jobs, self._halt)
        rows = changes(self._doing.case.columns, jobs, before, after)
        acted = frozenset(action.job for action in self._actions if action.job is not None)
        do = tuple(map(format_action, self._actions))
        return Impact(here.event, here.now, do, acted, rows, len(jobs) - len(rows))

    def _halt(self) -> bool:
        return self._cancelled


def changes(columns: Who, jobs: Sequence[int], before: Times, after: Times) -> tuple[Change, ...]:
    """Return the jobs whose times differ in two expected runs from here, the largest delay first."""
    found = []
    for job in jobs:
        moved = _moved(job, before.starts, after.starts, START) or _moved(job, before.ends, after.ends, END)
        if moved is not None:
            found.append(Change(job, columns.id[job], columns.user[job], columns.size[job], *moved))
    return tuple(sorted(found, key=_worst_first))


def _worst_user_first(each: tuple[str, Totals]) -> tuple[int, int, str]:
    user, sums = each
    return sums.gained_jobs - sums.never_jobs, sums.gain_total - sums.delay_total, user


def _moved(
    job: int, before: Mapping[int, int], after: Mapping[int, int], what: str
) -> tuple[str, int | None, int | None] | None:
    one, other = before.get(job), after.get(job)
    return None if one == other else (what, one, other)


def _worst_first(row: Change) -> tuple[int, int, int, str]:
    """Order: those that lose their start, those delayed, those that gain, those that start at all."""
    number, name = row.number, str(row.job)
    if row.after is None:
        return 0, -(row.before or 0), number, name
    if row.change is None:
        return 2, row.after, number, name
    return 1, -row.change, number, name
