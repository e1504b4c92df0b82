"""Logs in the Standard Workload Format: a header, and a row of 18 numbers for each job.

The format: https://www.cs.huji.ac.il/labs/parallel/workload/swf.html. What is taken of a row: job number,
submission, runtime, size (requested processors, else allocated), requested time as the estimate, status,
user, queue and, in a closed loop, preceding job and think time. Jobs that cannot be simulated (no runtime, no
size, larger than the machine) and partial executions of a job are dropped and counted. Times stay the log's
own; those with a fraction of a second are rounded.
"""

from datetime import datetime
from pathlib import Path

import attrs

from shadowtime.scenarios.errors import Fault, ScenarioError, shown, single
from shadowtime.scenarios.files import Progress
from shadowtime.scenarios.traces.archive import read_bytes
from shadowtime.scenarios.traces.header import Header
from shadowtime.scenarios.traces.labels import Labels
from shadowtime.scenarios.traces.months import month_name, month_starts
from shadowtime.scenarios.traces.rows import (
    CANCELLED,
    LIMIT,
    LogRows,
    classes,
    first_row,
    group_by,
    read_rows,
)
from shadowtime.scenarios.workload import MAX_NODES, TOO_LONG, Workload, disorder_note

FIELDS = (
    "job number",
    "submit time",
    "wait time",
    "run time",
    "allocated processors",
    "CPU time",
    "used memory",
    "requested processors",
    "requested time",
    "requested memory",
    "status",
    "user",
    "group",
    "executable",
    "queue",
    "partition",
    "preceding job",
    "think time",
)
MOST_FAULTS = 20
_NO_LIMIT = LIMIT + 1


@attrs.frozen
class Rules:
    """How rows become jobs."""

    overrun: str = "kill"
    """kill: a job ends at its estimate at the latest; extend: its estimate is its runtime then."""
    missing_estimate: str = "runtime"
    """runtime: taken as the estimate; drop: the row is dropped."""
    status: str = CANCELLED[0]
    """keep: a cancelled job (status 5) is a job like any other; drop: it is dropped; replay: it is cancelled
    as long after its submission as in the log, whether it waits or runs then."""
    closed: bool = False
    """Whether a job with a preceding job is submitted when that one has ended, and not when the log says."""
    first: int = 0
    """Only jobs submitted in [first, last) count."""
    last: int = _NO_LIMIT
    window: str = ""
    """What to call these instants in a message."""


@attrs.frozen(eq=False)
class Log:
    """A log that is open: its header is read, its rows are not yet."""

    path: Path
    text: bytes = attrs.field(repr=False)
    start: int
    """Where the first row begins, in bytes, and on which line."""
    line: int
    header: Header
    epoch: datetime | None
    """The wall-clock time of second 0 in the log's own time zone; None where the header does not say."""
    notes: tuple[str, ...]
    progress: Progress | None = None
    """Called with how far all reading is, and with its end; the rows are the second half."""

    @property
    def nodes(self) -> int | None:
        """The size of the machine, by the header."""
        return self.header.nodes


def open_log(path: Path, progress: Progress | None = None) -> Log:
    """The log in a file, plain, .gz or .xz. ScenarioError where it is no text, or has no row."""
    text = read_bytes(path, progress=_half(progress, 0)).removeprefix(b"\xef\xbb\xbf")
    if not text or text.isspace():
        raise single(path, "is empty; expected a log in the Standard Workload Format")
    if b"\0" in text[:4096]:
        raise single(path, "is a binary file; expected a log in the Standard Workload Format")
    start, line = first_row(text)
    header = Header.read(text[:start])
    epoch, note = header.epoch()
    if start == len(text):
        raise single(path, "has comments and no rows; expected a row for each job")
    return Log(path, text, start, line, header, epoch, (note,) if note else (), progress)


def _half(progress: Progress | None, before: int) -> Progress | None:
    """Return what reports one of two halves of the work, behind so many."""
    if progress is None:
        return None
    report = progress
    return lambda done, total: report(before * total + done, 2 * total)


def log_nodes(log: Log, nodes: int | None) -> int:
    """Return the size of the machine: the given one, else the header's. Raises ScenarioError without one."""
    if nodes is not None and not 1 <= nodes <= MAX_NODES:
        raise single("", f"--nodes is {nodes}; expected 1 to {MAX_NODES}")
    count = nodes or log.nodes
    if count is None and (key := log.header.size_key) is not None:
        value = shown(log.header.values[key])
        raise single(log.path, f"the header's {key} is {value}; expected 1 to {MAX_NODES}, or --nodes")
    if count is None:
        raise single(
            log.path, "the header names no MaxProcs and no MaxNodes; expected one of them, or --nodes"
        )
    return count


def read_jobs_of(log: Log, capacity: int, rules: Rules) -> Workload:
    """The jobs of an open log that fit a machine of `capacity`.

    ScenarioError carries every fault of the log, up to 20 and the number of the others.
    """
    rows = read_rows(
        log.text,
        log.start,
        log.line,
        nodes=capacity,
        extend=rules.overrun == "extend",
        drop_missing=rules.missing_estimate == "drop",
        first=rules.first,
        last=rules.last,
        status=rules.status,
        progress=_half(log.progress, 1),
    )
    faults = _faults(log, rows) or _none_left(log, rows, capacity, rules) or _too_long(log, rows, rules)
    if faults:
        raise ScenarioError(faults)
    return _workload(log, rows, rules.closed)


def _workload(log: Log, rows: LogRows, closed: bool) -> Workload:
    count = len(rows.id)
    notes = log.notes
    if rows.disordered:
        notes = (*notes, disorder_note(rows.disordered, "rows"))
    if rows.rounded:
        have = "row has times" if rows.rounded == 1 else "rows have times"
        notes = (*notes, f"{rows.rounded:,} {have} with fractions of a second: rounded to whole seconds")
    starts = month_starts(log.epoch, rows.submit[0], rows.submit[-1]) if log.epoch else None
    return Workload(
        id=rows.id,
        submit=rows.submit,
        runtime=rows.runtime,
        estimate=rows.estimate,
        size=rows.size,
        killed=rows.killed,
        user=Labels(rows.user),
        klass=_classes(rows),
        queue=Labels(rows.queue),
        cancel=rows.cancel if max(rows.cancel) >= 0 else None,
        after=rows.after if closed else None,
        think=rows.think if closed else None,
        status=rows.status,
        name=Labels.none(count),
        command=Labels.none(count),
        rows=rows.rows,
        dropped=rows.dropped,
        dropped_lines=rows.dropped_lines,
        notes=notes,
        epoch=log.epoch,
        group=group_by(rows.submit, starts) if starts else None,
    )


def _classes(rows: LogRows) -> Labels:
    """Return the classes by queue: queue 0 is interactive, by the format; without it a log has no classes."""
    codes = classes(rows.queue)
    return Labels.none(len(rows.queue)) if codes is None else Labels(codes, ("interactive", "batch"))


def _faults(log: Log, rows: LogRows) -> list[Fault]:
    path = str(log.path)
    faults = [
        Fault(path, line, column, _wrong(kind, field, text)) for line, column, kind, field, text in rows.flaws
    ]
    count = rows.flaw_count
    if rows.duplicates:
        faults, count = _duplicates(log, rows), len(rows.duplicates)
    if count > len(faults):
        more = count - len(faults)
        faults.append(Fault(path, None, None, f"... and {more} more fault{'' if more == 1 else 's'}"))
    return faults


def _duplicates(log: Log, rows: LogRows) -> list[Fault]:
    lines = log.text.split(b"\n")
    faults = []
    for number, line, before in sorted(rows.duplicates, key=lambda twice: twice[1])[:MOST_FAULTS]:
        row = lines[line - 1]
        column = len(row) - len(row.lstrip(b" \t\r")) + 1
        message = f"job {number} is on line {before} already; expected every job number once"
        faults.append(Fault(str(log.path), line, column, message))
    return faults


def _none_left(log: Log, rows: LogRows, capacity: int, rules: Rules) -> list[Fault]:
    if len(rows.id):
        return []
    if rows.rows:
        counts = ", ".join(
            f"{reason} {count} (first on line {rows.dropped_lines[reason]})"
            for reason, count in rows.dropped.items()
        )
        message = f"no job is left of {rows.rows}; dropped: {counts}; expected a job that fits {capacity}"
        return [Fault(str(log.path), None, None, message)]
    span = f"{rows.earliest} to {rows.latest}"
    if log.epoch is not None and month_name(log.epoch, rows.latest):
        span = f"{month_name(log.epoch, rows.earliest)} to {month_name(log.epoch, rows.latest)} ({span})"
    message = f"no job was submitted in {rules.window}; the log's submissions are from {span}"
    return [Fault(str(log.path), None, None, message)]


def _too_long(log: Log, rows: LogRows, rules: Rules) -> list[Fault]:
    if rows.submit[-1] + rows.work + (sum(rows.think) if rules.closed else 0) < LIMIT:
        return []
    return [Fault(str(log.path), None, None, TOO_LONG)]


def _wrong(kind: str, field: int, text: bytes) -> str:
    """What is wrong with a row, in words."""
    if kind == "count":
        return f"the row has {field} field{'' if field == 1 else 's'}; expected {len(FIELDS)}"
    value = text[:30].decode("ascii", "backslashreplace") + ("..." if len(text) > 30 else "")
    name = FIELDS[field - 1]
    if kind == "number":
        return f"{name} is {value}; expected a number"
    if kind == "range":
        return f"{name} is {value}; expected a number not beyond 2^62"
    return f"{name} is {value}; expected 0 or more"
