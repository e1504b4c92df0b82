"""What two expected runs give other times: every job whose start or end moves, and how far."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

import attrs

from shadowtime.console.session.slurm.guard.caveat import Caveat

START, END = "start", "end"


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


def totals(rows: Iterable[JobChange]) -> Totals:
    """Return the sums over some rows."""
    changes = [row.change for row in rows if row.change is not None]
    late, early = [n for n in changes if n > 0], [-n for n in changes if n < 0]
    never = sum(row.after is None for row in rows)
    gained = sum(row.before is None for row in rows)
    return Totals(len(late), sum(late), len(early), sum(early), never, gained)


class Jobs(Protocol):
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


def changes(columns: Jobs, jobs: Sequence[int], before: Times, after: Times) -> tuple[JobChange, ...]:
    """Return the jobs whose times differ in two expected runs from here, the largest delay first."""
    found = []
    for job in jobs:
        moved = _moved(job, before.starts, after.starts, START) or _moved(job, before.ends, after.ends, END)
        if moved is not None:
            found.append(JobChange(job, columns.id[job], columns.user[job], columns.size[job], *moved))
    return tuple(sorted(found, key=_worst_first))


def _moved(
    job: int, before: Mapping[int, int], after: Mapping[int, int], what: str
) -> tuple[str, int | None, int | None] | None:
    one, other = before.get(job), after.get(job)
    return None if one == other else (what, one, other)


def _worst_first(row: JobChange) -> tuple[int, int, int, str]:
    """Order: those that lose their start, those delayed, those that gain, those that start at all."""
    number, name = row.number, str(row.job)
    if row.after is None:
        return 0, -(row.before or 0), number, name
    if row.change is None:
        return 2, row.after, number, name
    return 1, -row.change, number, name
