"""What two expected runs give other times: every job whose start or end moves, and how far."""

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

import attrs

from shadowtime.console.session.likely.quantiles import NEVER, quantile
from shadowtime.console.session.slurm.guard.caveat import Caveat

START, END = "start", "end"
EARLY, MIDDLE, LATE = 0.1, 0.5, 0.9


@attrs.frozen
class LikelyChange:
    """How far the start of a waiting job, or the end of another, moves: seconds, `inf` from or to never."""

    before: float
    """The likely instant if nothing is done: of a waiting job the likely start that WHEN shows."""
    after: float
    change: float
    """The median of the changes of the samples."""
    tenth: float
    """What 1 in 10 samples exceed, in the direction of the change; later if there is no change."""
    agreeing: int
    """The samples that move in the direction of the change, or stay if it is 0."""
    samples: int
    times: "tuple[array[float], array[float]]" = attrs.field(repr=False)
    """Its instants in the samples before and after, ascending."""
    waits: bool
    """Whether it has not started: its start is what moves, otherwise its end."""

    @property
    def moves(self) -> bool:
        """Whether it moves in 1 of 10 samples at least."""
        return self.change != 0 or self.tenth != 0

    def in_time(self, by: int) -> tuple[int, int]:
        """Return in how many samples it comes by an instant, before and after."""
        before, after = self.times
        return bisect_right(before, by), bisect_right(after, by)

    def as_dict(self) -> dict[str, object]:
        """Return what a row of `impact --json` has of it; null for never."""
        return {
            "likely_before": _whole(self.before),
            "likely_after": _whole(self.after),
            "likely_change": _whole(self.change),
            "tenth_change": _whole(self.tenth),
            "agreeing": self.agreeing,
            "samples": self.samples,
        }


def _whole(value: float) -> int | None:
    return None if abs(value) == NEVER else round(value)


def likely_change(
    before: Sequence[float],
    after: Sequence[float],
    waits: bool,
    level: float = MIDDLE,
    shown: float | None = None,
) -> LikelyChange:
    """Return how far a job moves, from its instant in each sample before and after; whether it waits.

    `level` is the one of the samples that is shown as the likely instant, `shown` the likely instant before
    if it is known from more samples.
    """
    changes = sorted(0.0 if one == other else other - one for one, other in zip(before, after, strict=True))
    change = quantile(changes, MIDDLE)
    tenth = quantile(changes, EARLY if change < 0 else LATE)
    if change == 0 and tenth == 0:
        tenth = quantile(changes, EARLY)
    return LikelyChange(
        quantile(sorted(before), level) if shown is None else shown,
        quantile(sorted(after), level),
        change,
        tenth,
        sum(each > 0 if change > 0 else each < 0 if change < 0 else each == 0 for each in changes),
        len(changes),
        (array("d", sorted(before)), array("d", sorted(after))),
        waits,
    )


@attrs.frozen
class Times:
    """When jobs start and end in an expected run, by index; a job that never does is left out."""

    starts: Mapping[int, int]
    ends: Mapping[int, int]


@attrs.frozen
class JobChange:
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
    likely: LikelyChange | None = None
    """How far it moves in samples; None without samples."""

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
        likely = {} if self.likely is None else self.likely.as_dict()
        return {key: getattr(self, key) for key in keys} | likely


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


def totals(rows: Iterable[JobChange]) -> Totals:
    changes = [row.change for row in rows if row.change is not None]
    late, early = [n for n in changes if n > 0], [-n for n in changes if n < 0]
    never = sum(row.after is None for row in rows)
    gained = sum(row.before is None for row in rows)
    return Totals(len(late), sum(late), len(early), sum(early), never, gained)


def likely_totals(rows: Iterable[JobChange]) -> Totals:
    """Return the sums of the likely changes over some rows."""
    found = [row.likely.change for row in rows if row.likely is not None]
    late = [round(each) for each in found if 0 < each < NEVER]
    early = [-round(each) for each in found if -NEVER < each < 0]
    never, gained = found.count(NEVER), found.count(-NEVER)
    return Totals(len(late), sum(late), len(early), sum(early), never, gained)


class JobColumns(Protocol):
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


def changes(
    columns: JobColumns,
    jobs: Sequence[int],
    before: Times,
    after: Times,
    likely: Mapping[int, LikelyChange] | None = None,
) -> tuple[JobChange, ...]:
    """Return the jobs whose times differ in two expected runs from here, the largest delay first.

    With samples those that move in 1 of 10 are among them, and the largest likely delay is first.
    """
    found = []
    for job in jobs:
        odds = likely.get(job) if likely else None
        moved = _moved(job, before.starts, after.starts, START) or _moved(job, before.ends, after.ends, END)
        if moved is None and odds is not None and odds.moves:
            # It does not move at the limits: a job that has not ended there starts, or has started.
            what, times = (START, before.starts) if odds.waits else (END, before.ends)
            moved = what, times.get(job), times.get(job)
        if moved is not None:
            who = columns.id[job], columns.user[job], columns.size[job]
            found.append(JobChange(job, *who, *moved, likely=odds))
    return tuple(sorted(found, key=_worst_first))


def _moved(
    job: int, before: Mapping[int, int], after: Mapping[int, int], what: str
) -> tuple[str, int | None, int | None] | None:
    one, other = before.get(job), after.get(job)
    return None if one == other else (what, one, other)


def _worst_first(row: JobChange) -> tuple[float, float, int, int, int, str]:
    """Order by likely change; then those that lose their start, are delayed, gain, start at all."""
    odds = (0.0, 0.0) if row.likely is None else (-row.likely.change, -row.likely.tenth)
    number, name = row.number, str(row.job)
    if row.after is None and row.before is not None:
        return *odds, 0, -row.before, number, name
    if row.before is None:
        return *odds, 2, row.after or 0, number, name
    return *odds, 1, -(row.change or 0), number, name
