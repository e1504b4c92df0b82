"""Rows of a Slurm accounting dump (`sacct -P` with a header), read one by one into jobs.

Columns are found by their names in the header, in any order. Every row is accounted for: it is a job, or
there is a word for why it is none.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs

from shadowtime.scenarios.errors import shown, single
from shadowtime.scenarios.traces.slurm import (
    STATES,
    UNFINISHED,
    Calendar,
    parse_count,
    parse_duration,
    parse_job,
    parse_resources,
    parse_state,
)

UNITS = ("cpu", "node")
MOST = 10**12
"""No job has more processors, and none runs for more seconds."""
_SIZES: Mapping[str, Sequence[str]] = {
    "cpu": ("alloccpus", "ncpus", "reqcpus"),
    "node": ("allocnodes", "nnodes", "reqnodes"),
}
_TRES = "alloctres", "reqtres"
_FREE_TEXT = frozenset(
    (
        "jobname",
        "comment",
        "admincomment",
        "systemcomment",
        "workdir",
        "submitline",
        "reason",
        "extra",
        "container",
    )
)
"""Columns in which the separator may stand: sacct does not mark it."""

STEP, HEADER, BLANK = "a step of a job", "a header again", "an empty line"
NEVER_STARTED, UNFINISHED_ROW = "never started", "not over when the dump was made"
NO_RUNTIME, NO_SIZE, NO_SUBMIT = "ran for no second", "no size", "no submission"
TWICE, UNREADABLE = "the same run again", "not to be read"
DROPPED = (
    STEP,
    HEADER,
    BLANK,
    NEVER_STARTED,
    UNFINISHED_ROW,
    NO_RUNTIME,
    NO_SIZE,
    NO_SUBMIT,
    TWICE,
    UNREADABLE,
)
"""Why a row is no job."""


@attrs.frozen
class Run:
    """One run of a job, in seconds since 1970; `limit` is None where it had none."""

    job: str
    submit: int
    start: int
    runtime: int
    size: int
    limit: int | None
    state: str
    user: str
    account: str
    partition: str
    eligible: int | None
    suspended: int


@attrs.frozen
class Layout:
    """Where the columns are."""

    places: Mapping[str, int]
    wide: int
    """How many columns there are; a separator behind the last makes none."""
    separator: str
    unit: str
    free: int | None
    """Return the only column that may contain separators; None if there is no such column, or several."""

    @classmethod
    def read(cls, header: str, separator: str, unit: str | None, file: str) -> "Layout":
        """Find the columns in a header. ScenarioError says which are missing, all at once."""
        names = [name.strip().lower().partition("%")[0] for name in header.rstrip("\r\n").split(separator)]
        if "\0" in header:
            raise single(file, "it is no text in UTF-8; expected a dump of sacct -P, in UTF-8", 1)
        wide = max((place for place, name in enumerate(names, start=1) if name), default=0)
        places = {name: place for place, name in reversed(list(enumerate(names))) if name}
        if "jobid" not in places and "jobidraw" not in places and len(names) < 3:
            raise single(file, f"no header of sacct -P with {shown(separator)} between the columns", 1)
        missing = [
            " or ".join(wanted)
            for wanted in (
                ("JobID", "JobIDRaw"),
                ("Submit",),
                ("Start",),
                ("Elapsed", "ElapsedRaw", "End"),
                ("State",),
            )
            if not any(name.lower() in places for name in wanted)
        ]
        units = [name for name in UNITS if any(key in places for key in (*_SIZES[name], *_TRES))]
        if not units:
            missing.append("AllocCPUS or NNodes")
        elif unit is not None and unit not in units:
            missing.append("AllocCPUS" if unit == "cpu" else "NNodes")
        if missing:
            raise single(file, f"the header has no column {', no column '.join(missing)}", 1)
        free = [places[name] for name in sorted(_FREE_TEXT & places.keys())]
        return cls(places, wide, separator, unit or units[0], free[0] if len(free) == 1 else None)

    def split(self, line: str) -> list[str] | None:
        """The cells of a row; None where there are more or fewer than the header has."""
        cells = line.split(self.separator)
        if cells and cells[-1] == "" and len(cells) == self.wide + 1:
            cells.pop()
        extra = len(cells) - self.wide
        if extra > 0 and self.free is not None:
            joined = self.separator.join(cells[self.free : self.free + extra + 1])
            cells[self.free : self.free + extra + 1] = [joined]
        return cells if len(cells) == self.wide else None


class Rows:
    """The rows of a dump: iterate over the runs, then read the account of the other rows.

    `dropped` counts the rows that are not jobs by their reason. `first` has the first line of each reason.
    `faults` has the first few lines that could not be read, each with the expected content.
    """

    MOST_FAULTS = 10

    def __init__(self, layout: Layout, calendar: Calendar) -> None:
        self.layout = layout
        self.rows = 0
        self.dropped: dict[str, int] = {}
        self.first: dict[str, int] = {}
        self.faults: list[tuple[int, str]] = []
        self.unlimited = 0
        self._calendar = calendar
        self._line = 1

    def drop(self, reason: str) -> None:
        """Count the row that was read last as no job."""
        self.dropped[reason] = self.dropped.get(reason, 0) + 1
        self.first.setdefault(reason, self._line)

    def runs(self, lines: Iterable[str]) -> Iterator[Run]:
        """Read the lines after the header."""
        for self._line, line in enumerate(lines, start=2):
            self.rows += 1
            try:
                run = self._read(line.rstrip("\r\n"))
            except ValueError as wrong:
                self._fault(str(wrong))
                continue
            if isinstance(run, str):
                self.drop(run)
            else:
                yield run

    def _fault(self, message: str) -> None:
        self.drop(UNREADABLE)
        if len(self.faults) < self.MOST_FAULTS:
            self.faults.append((self._line, message))

    def _read(self, line: str) -> Run | str:
        """The run of a row, or why it is none. ValueError where it cannot be read."""
        if not line.strip():
            return BLANK
        cells = self.layout.split(line)
        if cells is None:
            count = line.count(self.layout.separator) + 1
            raise ValueError(f"{count} columns; the header has {self.layout.wide}")
        cell = _Cells(cells, self.layout.places)
        text = cell.any("jobid", "jobidraw")
        if text.lower() in ("jobid", "jobidraw"):
            return HEADER
        name = parse_job(text)
        if name.step is not None:
            return STEP
        state = parse_state(cell.any("state"))
        instant = self._calendar.seconds
        submit, start, end = (instant(cell.any(key)) for key in ("submit", "start", "end"))
        if start is None or name.unborn:
            return NEVER_STARTED
        if state in UNFINISHED:
            return UNFINISHED_ROW
        if submit is None:
            return NO_SUBMIT
        suspended = parse_duration(cell.any("suspended")) or 0
        runtime = _runtime(cell, start, end, suspended)
        if runtime is None:
            return UNFINISHED_ROW
        if runtime < 1:
            # A job that was cancelled while it waited has an instant of cancelling for its start.
            return NEVER_STARTED if STATES[state] == 5 else NO_RUNTIME
        size = _size(cell, self.layout.unit)
        if not size:
            return NO_SIZE
        limit = _limit(cell)
        if (most := max(size, runtime, suspended, limit or 0)) > MOST:
            raise ValueError(f"{most} is too large; expected {MOST:,} at most")
        self.unlimited += limit is None
        return Run(
            name.text, submit, start, runtime, size, limit, state,
            cell.any("user", "uid"), cell.any("account"), cell.any("partition"),
            instant(cell.any("eligible")), suspended,
        )  # fmt: skip


@attrs.frozen
class _Cells:
    """The cells of one row, by name."""

    cells: Sequence[str]
    places: Mapping[str, int]

    def any(self, *names: str) -> str:
        """The first of these columns that is there and not empty."""
        for name in names:
            place = self.places.get(name)
            if place is not None and (text := self.cells[place].strip()):
                return text
        return ""


def _runtime(cell: _Cells, start: int, end: int | None, suspended: int) -> int | None:
    """Seconds that a job ran: as sacct says, which leaves out its suspensions, else between its instants."""
    if raw := cell.any("elapsedraw"):
        return parse_count(raw)
    if elapsed := cell.any("elapsed"):
        return parse_duration(elapsed)
    return None if end is None else end - start - suspended


def _size(cell: _Cells, unit: str) -> int | None:
    """What a job held, else what it asked for."""
    for allocated, kind in zip(_SIZES[unit], (_TRES[0], "", _TRES[1]), strict=True):
        if count := parse_count(cell.any(allocated)):
            return count
        if kind and (count := parse_resources(cell.any(kind)).get(unit)):
            return count
    return None


def _limit(cell: _Cells) -> int | None:
    """The time limit in seconds; TimelimitRaw counts minutes."""
    if raw := cell.any("timelimitraw"):
        minutes = parse_count(raw)
        return None if minutes is None else minutes * 60
    return parse_duration(cell.any("timelimit"))
