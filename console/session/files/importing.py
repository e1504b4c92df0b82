"""Accounting dumps of a real cluster, as logs."""

import os
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import TextIO
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import attrs

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.files.tidy import Cells
from shadowtime.console.session.files.writers import refuse_archive, refuse_overwriting, written_whole
from shadowtime.console.session.progress import Progress
from shadowtime.scenarios.errors import ScenarioError, single
from shadowtime.scenarios.traces.calendar import Calendar
from shadowtime.scenarios.traces.dump import STDIN, opened
from shadowtime.scenarios.traces.sacct import DROPPED, UNREADABLE, SacctRows
from shadowtime.scenarios.traces.sacct_log import Facts, RunStore, header, run_store


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
    continued: int
    """Lines that are no rows: they go on with a text of the row before."""
    clusters: Mapping[str, int]
    """How many rows of jobs each cluster has; empty if the dump does not name them."""
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
    separator: str | None = None,
    cluster: str | None = None,
    ids: str | Path | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> Account:
    """Write the runs of a dump of `sacct -P`, in a file or, for `-`, standard input, in order of arrival.

    `unit` counts the machine in `cpu` or `node`; None takes processors if the dump has them. `nodes` is
    the size of the machine; None takes the most that was in use at one instant. `arrival` is `submit`, or
    `eligible`: when a job could first have started. `ids` is a CSV to write beside: the log's number of each
    run, and Slurm's id. `force` writes over files that are there. `separator` stands between columns; None
    takes what the header has. `cluster` is the only one whose rows count; None takes a dump of one cluster.
    ScenarioError: what is wrong with the dump as a whole. SessionError: a name that nothing can be
    written to. OSError leaves nothing half-written.
    """
    calendar = Calendar(_zone(zone))
    if separator == "":
        raise SessionError("the separator is empty; expected what stands between the columns, such as |")
    _refuse_names(source, output, ids)
    if not force:
        refuse_overwriting((output, ids))
    with opened(str(source)) as (text, counted), run_store(arrival) as store:
        rows = SacctRows(text, calendar, separator, unit, cluster)
        store.take(
            rows,
            lambda: progress(counted.count, counted.size or counted.count) if progress is not None else None,
        )
        _refuse_clusters(rows, text.source, cluster)
        if sum(rows.dropped.values()) == rows.rows:
            raise _none_ran(rows, text.source)
        facts = store.facts()
        machine = facts.peak if nodes is None else nodes
        lines = header(facts, rows.layout.unit, machine, zone)
        with written_whole(output) as log:
            log.writelines(f"{line}\n" for line in lines)
            _write(store, facts, log, ids)
    dropped = {reason: rows.dropped[reason] for reason in DROPPED if reason in rows.dropped}
    return Account(
        text.source, str(output), rows.rows, rows.layout.unit, machine, facts, dropped, rows.first,
        tuple(rows.faults), rows.continued, rows.clusters, rows.unlimited,
    )  # fmt: skip


def _refuse_names(source: str | Path, output: str | Path, ids: str | Path | None) -> None:
    """Let nothing be written over the dump, nor two things to one file, nor a plain log as an archive.

    SessionError.
    """
    refuse_archive(output)
    written = [Path(os.path.realpath(path)) for path in (output, ids) if path is not None]
    if source != STDIN and Path(os.path.realpath(source)) in written:
        raise SessionError(f"{source} is the dump itself; expected another file to write to")
    if ids is not None and not written[-1].parent.is_dir():
        raise SessionError(f"there is no folder {written[-1].parent} to write {written[-1].name} to")
    if len(set(written)) < len(written):
        raise SessionError(f"{output} cannot be both the log and the list of ids; expected two files")


def _write(store: RunStore, facts: Facts, log: TextIO, ids: str | Path | None) -> None:
    pairs = store.lines(facts.first)
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


def _refuse_clusters(rows: SacctRows, source: str, cluster: str | None) -> None:
    """Let the jobs of two clusters, whose ids can be the same, not become one log. ScenarioError."""
    found = ", ".join(rows.clusters)
    if cluster is None and len(rows.clusters) > 1:
        raise single(
            source, f"has the jobs of {len(rows.clusters)} clusters: {found}; expected --cluster NAME"
        )
    if cluster is not None and cluster not in rows.clusters:
        raise single(source, f"has no job of cluster {cluster}; expected one of {found or 'none'}")


def _none_ran(rows: SacctRows, source: str) -> ScenarioError:
    """The error of a dump without a job: the first row that cannot be read, if most cannot."""
    none = f"none of its {rows.rows:,} rows is a job that ran"
    if not rows.dropped:
        return single(source, none)
    reason = max(rows.dropped, key=lambda reason: rows.dropped[reason])
    if reason == UNREADABLE:
        line, wrong = rows.faults[0]
        return single(source, f"{wrong}; {none}", line)
    return single(
        source, f"{none} ({rows.dropped[reason]:,}: {reason}; the first is line {rows.first[reason]})"
    )


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise SessionError(f"there is no time zone {name!r}; expected one such as Europe/Berlin") from None
