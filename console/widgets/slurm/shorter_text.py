"""The jobs that would start now with a shorter limit, as a table."""

from collections.abc import Sequence
from functools import partial

from shadowtime.console.clock import duration
from shadowtime.console.session.slurm.impact.shorter import Shorter
from shadowtime.console.widgets.frame.ink import Line, wrap
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.widgets.table.columns import Column, Layout, layout, widths
from shadowtime.console.words import count

MEANING = (
    "LONGEST is the longest limit with which the next cycle would start the job, LOSES what it gives up."
    " The jobs are looked at one by one."
)


def shorter_columns(dates: Dates, now: int) -> Sequence[Column[Shorter]]:
    """Return the columns; `now` is the instant of the cycle."""
    return (
        Column("JOB", 0, lambda row: row.job, right=True, most=14, role=lambda _: "strong"),
        Column("USER", 2, lambda row: row.user, most=10),
        Column("PARTITION", 4, lambda row: row.partition, most=10),
        Column("SIZE", 3, lambda row: f"{row.size}", right=True, most=6),
        Column("LIMIT", 1, lambda row: duration(row.limit), right=True, most=8),
        Column("LONGEST", 0, lambda row: duration(row.longest), right=True, most=8, role=lambda _: "promise"),
        Column("LOSES", 0, lambda row: duration(row.lost), right=True, most=8),
        Column("STARTS OTHERWISE", 1, partial(_start, dates, now), most=16, role=lambda _: "plan"),
        Column("NODES", 0, lambda row: row.nodes, most=10**6),
    )


def _start(dates: Dates, now: int, row: Shorter) -> str:
    return "no start" if row.start is None else dates.brief(row.start, now)


def shorter_head(rows: Sequence[Shorter], width: int, dates: Dates, now: int) -> Sequence[Line]:
    if not rows:
        return wrap("no waiting job would start now with a shorter limit", width, "dim")
    words = f"{count(len(rows), 'job')} would start now with a shorter limit"
    heading = [("  ", "head"), *_layout(rows, width - 2, dates, now).heading()]
    return [*wrap(words, width, "strong"), *wrap(MEANING, width, "dim"), [], heading]


def shorter_rows(rows: Sequence[Shorter], width: int, dates: Dates, now: int) -> Sequence[Line]:
    table = _layout(rows, width, dates, now)
    return [table.line(row) for row in rows]


def _layout(rows: Sequence[Shorter], width: int, dates: Dates, now: int) -> Layout[Shorter]:
    columns = shorter_columns(dates, now)
    return layout(columns, widths(columns, rows), width)
