"""What `gangster` shows, as text: the map of the torus at the left, a summary of its jobs at the right.

Gangster was the operator's window on the T3D of Livermore (Feitelson & Jette 1997, Figure 8). Everything
here makes lines of plain values.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest

import attrs

from shadowtime.console.session.facts import Row
from shadowtime.console.widgets.frame.ink import printable
from shadowtime.console.widgets.frame.looks import DOWN, IDLE, job_letter
from shadowtime.console.widgets.nodemap.pictures import drawn
from shadowtime.console.widgets.nodemap.scene import NODE_DOWN
from shadowtime.console.widgets.nodemap.torus_layout import Torus, fitted

CLASSES: Mapping[str, str] = {
    "interactive": "Int",
    "debug": "Debg",
    "benchmark": "Bmrk",
    "production": "Prod",
    "standby": "Stby",
}
"""What gangster calls the classes of the jobs, in the order in which it lists them."""
HOLDING, SAVED = frozenset("iRo"), frozenset("OS")
"""The states of jobs that have nodes, and of those whose memory is in the storage."""

USER, COMMAND = 8, 10
"""Letters of a user and of a command that are shown at most."""
APART = 2
"""Blank columns between the map and the summary."""
DIGITS = 10
"""The longest side of a torus whose places have one digit."""
TALL = 1_000_000
"""Rows of a text: it may be as long as it needs."""


@attrs.frozen
class GangsterJob:
    """One job of the summary. `index` is what stands for it among the owners of the processors.

    `base` is the lowest processor of its block, `wire` its barrier wire, `seconds` how long it has run in
    all; None stands for what a job does not have (yet).
    """

    index: int
    letter: str
    klass: str
    user: str
    pid: int
    command: str
    size: int
    base: int | None
    wire: int | None
    state: str
    seconds: int | None

    @classmethod
    def of(cls, row: Row, now: int, base: int | None = None, wire: int | None = None) -> "GangsterJob":
        """Return a row of the queue as gangster shows it, at an instant, with the letter of the node map.

        Its id stands for the process, its name for the command. Without `base` or `wire`, they are those that
        the policy gives in the terms of the job.
        """
        return cls(
            index=row.index,
            letter=job_letter(row.index),
            klass=_class_now(row),
            user=row.user,
            pid=row.id,
            command=row.name,
            size=row.size,
            base=_base(row) if base is None else base,
            wire=_term(row, "wire") if wire is None else wire,
            state=row.state,
            seconds=executed(row, now),
        )


def _class_now(row: Row) -> str:
    """Return the class of a job under the policy, which the operator may have changed."""
    service = row.terms.get("service")
    return service if isinstance(service, str) else row.klass


def _base(row: Row) -> int | None:
    """Return the base of a job's block; without a block, the base from which the job was saved."""
    base = _term(row, "base")
    return _term(row, "stood") if base is None else base


def listed(jobs: Iterable[GangsterJob]) -> list[GangsterJob]:
    """Return the jobs in the order of Figure 8, with its letters, which every list assigns again.

    Jobs with nodes come first in the alphabet, then the saved jobs, then the others, each in order of
    submission; the process numbers of the figure, which wrap round, show this. The list is sorted by class.
    The figure shows the order of Int, Bmrk and Prod; the place of the other classes is a choice.
    """
    alphabet = sorted(jobs, key=lambda job: (job.state not in HOLDING, job.state not in SAVED, job.index))
    lettered = [attrs.evolve(job, letter=job_letter(place)) for place, job in enumerate(alphabet)]
    names = list(CLASSES)
    return sorted(lettered, key=lambda job: names.index(job.klass) if job.klass in names else len(names))


def executed(row: Row, now: int) -> int | None:
    """Return the seconds that a job has run, without its interruptions, or None if they are not known."""
    if row.start is None:
        return 0
    if row.state == "R":
        return now - row.start if row.end is None else row.estimate - (row.end - now)
    return _term(row, "done")


def _term(row: Row, name: str) -> int | None:
    """Return a number that the policy keeps for a job, or None."""
    value = row.terms.get(name)
    return value if isinstance(value, int) else None


def bases(owners: Sequence[int] | memoryview) -> dict[int, int]:
    """The lowest processor of every job that has some: the base of its block."""
    found: dict[int, int] = {}
    for unit, owner in enumerate(owners):
        if owner >= 0:
            found.setdefault(owner, unit)
    return found


def gangster(
    torus: Torus, owners: Sequence[int] | memoryview, jobs: Sequence[GangsterJob], width: int = 80
) -> list[str]:
    """The lines of the whole display; map and summary one above the other where they are too wide.

    `owners` has the index of a job for each unit of the torus, -1 where idle, -2 where down.
    """
    summary = summary_lines(torus, jobs)
    room = width - APART - max(map(len, summary))
    left = map_lines(torus, owners, jobs, room)
    widest = max(map(len, left))
    if widest > room:
        return [*map_lines(torus, owners, jobs, width), "", *summary]
    beside = zip_longest(left, summary, fillvalue="")
    return [f"{drawn_row:<{widest + APART}}{line}".rstrip() for drawn_row, line in beside]


def map_lines(
    torus: Torus, owners: Sequence[int] | memoryview, jobs: Iterable[GangsterJob], columns: int
) -> list[str]:
    """The map, a letter a node: planes of Y from the highest down, X down and Z to the right in each.

    A job that is not among `jobs` is a question mark. A plane keeps its width even in fewer columns.
    """
    letters = {job.index: job.letter for job in jobs}
    layout = fitted(torus, columns, TALL) or fitted(torus, len(f"y{torus.y - 1} ") + torus.z, TALL)
    assert layout is not None
    lines = []
    for row in range(layout.rows):
        line = ""
        for group in layout.groups(row):
            label = "" if group.start % torus.rows else f"y{torus.plane_of(group.start)} "
            line = line.ljust(layout.where(group.start)[1] - len(label)) + label
            line += "".join(_letter(torus, owners, place, letters) for place in group)
        lines.append(line)
    return lines


def _letter(torus: Torus, owners: Sequence[int] | memoryview, place: int, letters: Mapping[int, str]) -> str:
    units = tuple(owners[unit] for unit in range(place * torus.per, (place + 1) * torus.per))
    owner = drawn(units)
    if owner == NODE_DOWN:
        return DOWN if units.count(owner) == len(units) else DOWN.lower()
    return letters.get(owner, "?") if owner >= 0 else IDLE


def summary_lines(torus: Torus, jobs: Iterable[GangsterJob]) -> list[str]:
    """The summary: a heading, and a line a job in the order given."""
    rows = [_HEADING, *(_cells(torus, job) for job in jobs)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [_line(row, widths) for row in rows]


_HEADING = ("CLAS", "JOB-USER", "PID", "COMMAND", "#PE", "BASE", "W", "ST", "MM:SS")
_NUMBERS = frozenset(("PID", "#PE", "BASE", "W", "MM:SS"))


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    cells = zip(_HEADING, row, widths, strict=True)
    return " ".join(
        text.rjust(width) if name in _NUMBERS else text.ljust(width) for name, text, width in cells
    ).rstrip()


def _cells(torus: Torus, job: GangsterJob) -> tuple[str, ...]:
    return (
        CLASSES.get(job.klass, printable(job.klass)[:4] or "-"),
        f"{job.letter} {printable(job.user)[:USER] or '-'}",
        str(job.pid),
        printable(job.command)[:COMMAND] or "-",
        str(job.size),
        "-" if job.base is None else base_text(torus, job.base),
        "-" if job.wire is None else str(job.wire),
        job.state,
        "" if job.seconds is None else minutes(job.seconds),
    )


def base_text(torus: Torus, base: int) -> str:
    """A processor by its place, Z first: `020`; with commas where a side of the torus needs two digits."""
    places = (str(at) for at in reversed(torus.place(base)))
    return ("" if max(torus.x, torus.y, torus.z) <= DIGITS else ",").join(places)


def minutes(seconds: int) -> str:
    """A duration as Figure 8 prints it: `107:35`, `6:23`, and `00:33` below a minute."""
    whole, rest = divmod(seconds, 60)
    return f"{whole or '00'}:{rest:02}"
