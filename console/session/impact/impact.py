"""The impact of changes: every job whose expected start or end they move, and whom that helps or harms."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from enum import Enum

import attrs

from shadowtime.console.session.files.tidy import save_rows
from shadowtime.console.session.impact.outlook import NO_ODDS, ExpectedRun, LikelyMoves, Outlook, Vacated
from shadowtime.console.session.impact.rows import (
    END,
    JobChange,
    Times,
    Totals,
    changes,
    likely_totals,
    totals,
)
from shadowtime.console.session.progress import Progress
from shadowtime.console.session.slurm.guard.caveat import Caveat
from shadowtime.console.session.work import Work

SOON = 2
"""Expected runs that are not long to wait for."""
LIMITS = ("job", "user", "size", "what", "before", "after", "change")
LIKELY = ("likely_before", "likely_after", "likely_change", "tenth_change", "agreeing", "samples")
"""Columns with samples: those of `impact --json`. Instants and changes in seconds; empty from or to never."""


class Fate(Enum):
    """What becomes of a job."""

    HELPED = "helped"
    HARMED = "harmed"
    UNAFFECTED = "unaffected"
    MIXED = "mixed"
    """Some tasks of an array are helped, others are harmed."""


@attrs.frozen
class Impact:
    """What actions change, seen from one instant: the rows, largest delay first."""

    event: int
    time: int
    do: tuple[str, ...]
    """The actions, as they are typed."""
    acted: frozenset[int]
    """The jobs acted upon, by id."""
    rows: tuple[JobChange, ...]
    unchanged: int
    """Jobs on the machine that start and end as they would, if each runs to its limit."""
    vacated: tuple[Vacated, ...] = ()
    """The nodes of a cluster that the actions drain or reserve, action by action."""
    caveats: tuple[Caveat, ...] = ()
    """What all starts of a cluster leave out."""
    odds: LikelyMoves = NO_ODDS
    """How far jobs move in samples."""

    @property
    def totals(self) -> Totals:
        return totals(self.rows)

    @property
    def by_user(self) -> tuple[tuple[str, Totals], ...]:
        """The sums over the rows of each user, likely ones if there are: the most delayed first."""
        rows: dict[str, list[JobChange]] = defaultdict(list)
        sums = likely_totals if self.odds.samples else totals
        for row in self.rows:
            rows[row.user].append(row)
        found = [(user, sums(mine)) for user, mine in rows.items()]
        return tuple(sorted(found, key=_worst_user_first))

    def moved(self, what: str) -> list[dict[str, object]]:
        """Return the rows of starts, or of ends, as `impact --json` prints them."""
        return [row.as_dict() for row in self.rows if row.what == what]

    def rows_of(self, job: int) -> tuple[JobChange, ...]:
        """Return the rows of a job, by number; of an array those of its tasks."""
        return tuple(row for row in self.rows if row.number == job)

    def fate(self, job: int) -> Fate:
        """Return what becomes of a job, by number; an end that moves with its limit does not count."""
        limited = any(line.startswith(f"limit {job} ") for line in self.do)
        sums = totals([row for row in self.rows_of(job) if not limited or row.what != END])
        helped = sums.earlier_jobs or sums.gained_jobs
        harmed = sums.delayed_jobs or sums.never_jobs
        if helped and harmed:
            return Fate.MIXED
        return Fate.HELPED if helped else Fate.HARMED if harmed else Fate.UNAFFECTED


class ImpactWork(Work[Impact]):
    """Finds the impact of changes at the instant of an outlook."""

    def __init__(self, outlook: Outlook, lines: Sequence[str]) -> None:
        """SessionError: what is no change."""
        self.at_limits: Callable[[Impact], None] | None = None
        """Gets the impact at the limits if samples take long, in the thread of the work."""
        self._outlook = outlook
        self._changes = tuple(map(outlook.typed, lines))

    def _found(self, progress: Progress) -> Impact:
        outlook, halt = self._outlook, self._halt
        here = outlook.here(halt)
        other = here.fork()
        # Whether the changes can be made shows at once.
        for change in self._changes:
            other.do(change.text)
        waiting = max(1, here.waiting)
        effort = outlook.effort
        whole = (2 + effort) * waiting
        before = outlook.before(halt, lambda left: progress(waiting - left, whole))
        after = other.times(halt, lambda left: progress(2 * waiting - left, whole))
        if self.at_limits is not None and effort > SOON:
            self.at_limits(self._impact(other, before, after, NO_ODDS))
        odds = outlook.odds(
            other,
            before,
            after,
            halt,
            lambda left: progress(whole - left * effort * waiting // (2 * outlook.samples), whole),
        )
        return self._impact(other, before, after, odds)

    def _impact(self, other: ExpectedRun, before: Times, after: Times, odds: LikelyMoves) -> Impact:
        outlook = self._outlook
        seen, doubts = outlook.seen, outlook.doubts
        rows = changes(outlook.jobs, seen, before, after, odds.changes)
        if doubts is not None:
            rows = tuple(attrs.evolve(row, marks=doubts.marks(str(row.job))) for row in rows)
        return Impact(
            outlook.event,
            outlook.time,
            tuple(change.text for change in self._changes),
            frozenset(change.job for change in self._changes if change.job is not None),
            rows,
            len(seen) - sum(row.before != row.after for row in rows),
            other.vacated,
            () if doubts is None else doubts.of_all,
            odds,
        )


def _worst_user_first(each: tuple[str, Totals]) -> tuple[int, int, str]:
    user, sums = each
    return sums.gained_jobs - sums.never_jobs, sums.gain_total - sums.delay_total, user


def write_impact(found: Impact, path: str, force: bool = False) -> None:
    """Write the rows as CSV. SessionError for a file that is there, unless `force`; OSError."""
    columns = (*LIMITS, *(LIKELY if found.odds.samples else ()))
    records = (row.as_dict() | {"what": row.what} for row in found.rows)
    save_rows(path, columns, ([record.get(column) for column in columns] for record in records), force)
