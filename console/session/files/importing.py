"""Accounting dumps of a real cluster, as logs."""

import io
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import IO, TextIO
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import attrs

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.files.cells import Cells
from shadowtime.console.session.files.writers import refuse_archive, refuse_overwriting, written_whole
from shadowtime.console.session.progress import Progress
from shadowtime.scenarios.errors import single
from shadowtime.scenarios.traces.sacct import DROPPED, Layout, Rows
from shadowtime.scenarios.traces.sacct_log import Facts, Numbers, RunStore, header, run_store
from shadowtime.scenarios.traces.slurm import Calendar
from shadowtime.scenarios.traces.unpacking import readable, unpacked

LONGEST_LINE = 1 << 20
"""Characters of a line: whatever is longer is no dump."""


@attrs.frozen
class Account:
    """What became of every row of a dump: `rows` is `facts.runs` and the sum of `dropped`."""

    source: str
    output: str
    rows: int
    unit: str
    nodes: int
    facts: Facts
    dropped: Mapping[str, int]
    """How many rows are no job, by reason."""
    lines: Mapping[str, int]
    """The line on which each reason came first."""
    faults: tuple[tuple[int, str], ...]
    """The first lines that could not be read, and why."""
    unlimited: int
    """Runs without a time limit: their runtime stands for it."""


def import_sacct(
    source: str | Path,
    output: str | Path,
    *,
    unit: str | None = None,
    nodes: int | None = None,
    zone: str = "UTC",
    arrival: str = "submit",
    separator: str = "|",
    ids: str | Path | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> Account:
    """Write the runs of a dump of `sacct -P` as a log, in order of arrival.

    `unit` counts the machine in `cpu` or `node`; None takes processors if the dump has them. `nodes` is
    the size of the machine; None takes the most that was in use at one instant. `arrival` is `submit`, or
    `eligible`: when a job could first have started. `ids` is a CSV to write beside: the log's number of each
    run, and Slurm's id. `force` writes over files that are there.
    ScenarioError: what is wrong with the dump as a whole. SessionError: a name that nothing can be
    written to. OSError leaves nothing half-written.
    """
    calendar = Calendar(_zone(zone))
    if not separator:
        raise SessionError("the separator is empty; expected what stands between the columns, such as |")
    _refuse_names(source, output, ids)
    if not force:
        refuse_overwriting((output, ids))
    with _opened(Path(source)) as (stream, position), run_store(arrival) as store:
        layout = Layout.read(stream.readline(LONGEST_LINE), separator, unit, str(source))
        rows = Rows(layout, calendar)
        store.take(
            rows, _lines(stream, source), lambda: progress(*position()) if progress is not None else None
        )
        if sum(rows.dropped.values()) == rows.rows:
            raise single(source, f"none of its {rows.rows:,} rows is a job that ran{_most(rows)}")
        facts = store.facts()
        machine = facts.peak if nodes is None else nodes
        lines = header(facts, layout.unit, machine, zone)
        with written_whole(output) as log:
            log.writelines(f"{line}\n" for line in lines)
            _write(store, facts, log, ids)
    dropped = {reason: rows.dropped[reason] for reason in DROPPED if reason in rows.dropped}
    return Account(
        str(source), str(output), rows.rows, layout.unit, machine, facts, dropped, rows.first,
        tuple(rows.faults), rows.unlimited,
    )  # fmt: skip


def _refuse_names(source: str | Path, output: str | Path, ids: str | Path | None) -> None:
    """Let nothing be written over the dump, nor two things to one file, nor a plain log as an archive.

    SessionError.
    """
    refuse_archive(output)
    written = [Path(os.path.realpath(path)) for path in (output, ids) if path is not None]
    if Path(os.path.realpath(source)) in written:
        raise SessionError(f"{source} is the dump itself; expected another file to write to")
    if ids is not None and not written[-1].parent.is_dir():
        raise SessionError(f"there is no folder {written[-1].parent} to write {written[-1].name} to")
    if len(set(written)) < len(written):
        raise SessionError(f"{output} cannot be both the log and the list of ids; expected two files")


def _write(store: RunStore, facts: Facts, log: TextIO, ids: str | Path | None) -> None:
    pairs = store.lines(facts.first, Numbers())
    if ids is None:
        log.writelines(f"{row}\n" for _, row in pairs)
        return
    with written_whole(ids) as table:
        cells = Cells(table)
        cells.row(("number", "job_id"))
        number = 0
        while some := list(islice(pairs, 8192)):
            log.writelines(f"{row}\n" for _, row in some)
            cells.rows((number + place, job) for place, (job, _) in enumerate(some, start=1))
            number += len(some)


def _most(rows: Rows) -> str:
    if not rows.dropped:
        return ""
    reason = max(rows.dropped, key=lambda reason: rows.dropped[reason])
    return f" ({rows.dropped[reason]:,}: {reason}; the first is line {rows.first[reason]})"


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise SessionError(f"there is no time zone {name!r}; expected one such as Europe/Berlin") from None


@contextmanager
def _opened(path: Path) -> Iterator[tuple[TextIO, Callable[[], tuple[int, int]]]]:
    """Yield the text of a file, plain or packed, and what gives how many of its bytes are read, of all."""
    try:
        with path.open("rb") as raw, readable(path):
            total = os.fstat(raw.fileno()).st_size
            stream: IO[bytes] = raw
            if path.suffix.lower() in (".gz", ".xz"):
                stream = unpacked(path, total, raw)
            with io.TextIOWrapper(stream, "utf-8-sig", errors="replace", newline="\n") as text:
                yield text, lambda: (raw.tell(), total)
    except (FileNotFoundError, IsADirectoryError, PermissionError) as error:
        if error.filename != str(path):
            raise
        assert error.strerror is not None
        raise single(path, error.strerror[0].lower() + error.strerror[1:]) from None


def _lines(text: TextIO, source: str | Path) -> Iterator[str]:
    """Yield the lines after the header. ScenarioError at one so long that no dump has it."""
    for number, line in enumerate(iter(lambda: text.readline(LONGEST_LINE), ""), start=2):
        if len(line) == LONGEST_LINE and line[-1] != "\n":
            raise single(
                source,
                f"the line is longer than {LONGEST_LINE:,} characters; expected a row of sacct -P",
                number,
            )
        yield line
