"""Rows of a Slurm accounting dump (`sacct -P` with a header), read one by one into jobs.

Columns are found by their names in the header, in any order. Every row is accounted for: it is a job, or
there is a word for why the line is no run.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import product
from typing import TypeVar

import attrs

from shadowtime.scenarios.errors import single
from shadowtime.scenarios.traces.calendar import Calendar
from shadowtime.scenarios.traces.dump import LONGEST_LINE, Lines
from shadowtime.scenarios.traces.sacct_layout import SIZES, TRES, SacctLayout, is_header, written
from shadowtime.scenarios.traces.slurm import (
    STATES,
    UNFINISHED,
    parse_count,
    parse_duration,
    parse_job,
    parse_resources,
    parse_state,
)

MOST = 10**12
"""No job has more processors, and none runs for more seconds."""
MOST_LINES = 1_000
"""Lines of one row: text with more line breaks is not put together."""

STEP, HEADER, BLANK = "a step of a job", "a header again", "an empty line"
NEVER_STARTED, UNFINISHED_ROW = "never started", "not over when the dump was made"
NO_RUNTIME, NO_SIZE, NO_SUBMIT = "ran for no second", "no size", "no submission"
TWICE, UNREADABLE = "the same run again", "not to be read"
CLASH = "another record of the same run"
OTHER_CLUSTER = "of another cluster"
DROPPED = (
    STEP,
    HEADER,
    BLANK,
    OTHER_CLUSTER,
    NEVER_STARTED,
    UNFINISHED_ROW,
    NO_RUNTIME,
    NO_SIZE,
    NO_SUBMIT,
    TWICE,
    CLASH,
    UNREADABLE,
)
"""Why a row is no job."""
NAME = re.compile(r"[\w.@+\\-]*")
INSTANTS = ("submit", "eligible", "start", "end")
T = TypeVar("T")


@attrs.frozen
class SacctRun:
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


class SacctRows:
    """The rows of a dump: iterate over the runs, then read the account of the other rows.

    `rows` counts them; a row whose text holds line breaks is one, and `continued` counts its further lines.
    `dropped` counts the rows that are not jobs by their reason. `first` has the first line of each reason.
    `faults` has the first few rows that could not be read: the line, and the expected content. `clusters`
    counts the rows of jobs by cluster, if the dump has a column for it.
    """

    MOST_FAULTS = 10

    def __init__(
        self, lines: Lines, calendar: Calendar, separator: str | None, unit: str | None, cluster: str | None
    ) -> None:
        """Read the header. ScenarioError: what it lacks. `cluster` names the only one that counts."""
        self.rows = self.continued = 0
        self.dropped: dict[str, int] = {}
        self.first: dict[str, int] = {}
        self.faults: list[tuple[int, str]] = []
        self.clusters: dict[str, int] = {}
        self.unlimited = 0
        self._lines = lines
        self._calendar = calendar
        self._cluster = cluster
        self._separator = separator
        header = next((line for line in lines if line.strip()), "")
        self.layout = SacctLayout.read(header, separator, unit, lines.source, max(lines.number, 1))
        if cluster is not None and "cluster" not in self.layout.places:
            raise single(lines.source, "the header has no column Cluster", lines.number)
        self._line = lines.number
        self._open_end = False
        """Whether the line before belongs to a row whose last column may hold line breaks."""

    def drop(self, reason: str) -> None:
        """Count the row that was read last as no job."""
        self.dropped[reason] = self.dropped.get(reason, 0) + 1
        self.first.setdefault(reason, self._line)

    def runs(self) -> Iterator[SacctRun]:
        """Read the rows after the header. ScenarioError at a further header that lacks a column."""
        for line in self._lines:
            self._line = self._lines.number
            try:
                run = self._read(line)
            except ValueError as wrong:
                run = UNREADABLE
                if len(self.faults) < self.MOST_FAULTS:
                    self.faults.append((self._line, str(wrong)))
            if run is None:
                self.continued += 1
                continue
            self.rows += 1
            self._open_end = self.layout.ends_in_text and run not in (UNREADABLE, HEADER, BLANK)
            if isinstance(run, str):
                self.drop(run)
            else:
                yield run

    def _read(self, line: str) -> SacctRun | str | None:
        """Return the run that begins in a line, or why there is none; None for more text of the row before.

        ValueError where the row cannot be read.
        """
        cells = self.layout.split(line)
        wrong: Exception | None = None
        if cells is not None:
            try:
                return self._run(cells)
            except ValueError as error:
                wrong = error
        if not line.strip():
            return BLANK
        if is_header(line):
            self._take_header(line)
            return HEADER
        if cells is None or not self._fits(cells):
            further, found = self._put_together(line)
            if found is not None:
                self._lines.skip(further)
                self.continued += further
                return self._run(found)
            if self._open_end and not self.layout.starts(line):
                return None
        raise wrong or ValueError(self.layout.miscounted(line))

    def _take_header(self, line: str) -> None:
        """Read on by a further header, as dumps that are put together have them."""
        self.layout = SacctLayout.read(
            line, self._separator, self.layout.unit, self._lines.source, self._line
        )

    def _fits(self, cells: Sequence[str]) -> int:
        """How many cells are what their columns should hold; 0 where that is no row."""
        cell = Cells(cells, self.layout.places)
        try:
            parse_job(cell.any("jobid", "jobidraw"))
            parse_state(cell.any("state"))
        except ValueError:
            return 0
        fitting = 1
        for name in (*INSTANTS, "elapsed"):
            parse = parse_duration if name == "elapsed" else self._calendar.seconds
            with suppress(ValueError):
                if text := cell.any(name):
                    parse(text)
                    fitting += 1
        return fitting + sum(
            NAME.fullmatch(cells[place]) is not None
            for name in ("user", "account", "partition")
            if (place := self.layout.places.get(name)) is not None
        )

    def _put_together(self, line: str) -> tuple[int, Sequence[str] | None]:
        """How many further lines a row has whose text holds separators or line breaks, and its cells.

        None for the cells if no reading of this line, and of those up to the next row, makes a row, or two.
        """
        text = line
        for further in range(MOST_LINES):
            rated = [(self._fits(cells), cells) for cells in self.layout.readings(text)]
            best = max((fitting for fitting, _ in rated), default=0)
            found = [cells for fitting, cells in rated if best and fitting == best]
            if found and len({self.layout.known(cells) for cells in found}) == 1:
                return further, found[0]
            more = self._lines.ahead(further)
            if more is None or not self.layout.may_go_on(text) or self._begins_row(more):
                break
            text += "\n" + more
            if len(text) > LONGEST_LINE:
                break
        return 0, None

    def _begins_row(self, line: str) -> bool:
        cells = self.layout.split(line)
        return is_header(line) or (cells is not None and self._fits(cells) > 0)

    def _run(self, cells: Sequence[str]) -> SacctRun | str:
        """Return the run of a row, or why there is none. ValueError names the column that cannot be read."""
        cell = Cells(cells, self.layout.places)
        name = cell.read(parse_job, "jobid", "jobidraw")
        if name.step is not None:
            return STEP
        state = cell.read(parse_state, "state")
        submit, eligible, start, end = (cell.read(self._calendar.seconds, key) for key in INSTANTS)
        if cluster := cell.any("cluster"):
            self.clusters[cluster] = self.clusters.get(cluster, 0) + 1
        if self._cluster is not None and cluster != self._cluster:
            return OTHER_CLUSTER
        if start is None or name.unborn:
            return NEVER_STARTED
        if state in UNFINISHED:
            return UNFINISHED_ROW
        if submit is None:
            return NO_SUBMIT
        suspended = cell.read(parse_duration, "suspended") or 0
        elapsed = cell.read(parse_count, "elapsedraw")
        elapsed = cell.read(parse_duration, "elapsed") if elapsed is None else elapsed
        span = None if elapsed is None else elapsed + suspended
        if start < submit or (end is not None and end - start != span):
            submit, start, end = self._twice(cell, submit, start, end, span)
        if eligible is not None and eligible < submit:
            eligible = self._calendar.again(cell.any("eligible")) or eligible
        runtime = elapsed if end is None or elapsed is not None else end - start - suspended
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
        return SacctRun(
            name.text, submit, start, runtime, size, limit, state,
            cell.any("user", "uid"), cell.any("account"), cell.any("partition"), eligible, suspended,
        )  # fmt: skip

    def _twice(
        self, cell: "Cells", submit: int, start: int, end: int | None, span: int | None
    ) -> tuple[int, int, int | None]:
        """Submission, start and end of a row that does not add up, by what the clock shows twice.

        The first choice that adds up: submitted before the start, and ended `span` seconds after it, or just
        after it if the span is not known. Without one they stay as they are.
        """
        given = (submit, start, end)
        again = self._calendar.again
        submits, starts, ends = (
            [first] if first is None or (second := again(cell.any(key))) is None else [first, second]
            for key, first in zip(("submit", "start", "end"), given, strict=True)
        )
        for begun, over, came in product(starts, ends, submits):
            assert begun is not None and came is not None
            lasted = None if over is None else over - begun
            if came <= begun and (lasted is None or (lasted == span if span is not None else lasted >= 0)):
                return came, begun, over
        return given


@attrs.frozen
class Cells:
    """The cells of one row, by name."""

    cells: Sequence[str]
    places: Mapping[str, int]

    def any(self, *names: str) -> str:
        """The first of these columns that is there and not empty."""
        return self._find(names)[1]

    def read(self, parse: Callable[[str], T], *names: str) -> T:
        """What the first of these columns that is there and not empty holds. ValueError names the column."""
        name, text = self._find(names)
        try:
            return parse(text)
        except ValueError as wrong:
            raise ValueError(f"{written(name)}: {wrong}") from None

    def _find(self, names: Sequence[str]) -> tuple[str, str]:
        for name in names:
            place = self.places.get(name)
            if place is not None and (text := self.cells[place].strip()):
                return name, text
        return names[0], ""


def _size(cell: Cells, unit: str) -> int | None:
    """What a job held, else what it asked for."""
    for allocated, kind in zip(SIZES[unit], (TRES[0], "", TRES[1]), strict=True):
        if count := cell.read(parse_count, allocated):
            return count
        if kind and (count := cell.read(parse_resources, kind).get(unit)):
            return count
    return None


def _limit(cell: Cells) -> int | None:
    """The time limit in seconds; TimelimitRaw counts minutes."""
    minutes = cell.read(parse_count, "timelimitraw")
    return cell.read(parse_duration, "timelimit") if minutes is None else minutes * 60
