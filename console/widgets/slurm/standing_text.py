"""How users, accounts and partitions stand, as three tables."""

from collections.abc import Iterator, Sequence

import attrs

from shadowtime.console.clock import duration
from shadowtime.console.session.slurm.board import ACCOUNTS, PARTITIONS, USERS, Board, Standing, standings
from shadowtime.console.widgets.frame.ink import Line
from shadowtime.console.widgets.slurm.columns import Column, layout, widths
from shadowtime.console.widgets.slurm.dates import Dates


def standing_lines(board: Board, dates: Dates, width: int) -> Iterator[Line]:
    """Yield the lines of the three tables, whose columns stand one below the other."""
    tables = {by: standings(board, by) for by in (USERS, ACCOUNTS, PARTITIONS)}
    columns = _columns(board, dates)
    wide = widths(columns, [row for rows in tables.values() for row in rows])
    wide[0] = max(wide[0], *map(len, tables))
    for place, (by, rows) in enumerate(tables.items()):
        if place:
            yield []
        named = (attrs.evolve(columns[0], title=by.upper()), *columns[1:])
        found = layout(named, wide, width, 24)
        yield found.heading()
        for row in rows:
            yield found.line(row)


def _columns(board: Board, dates: Dates) -> Sequence[Column[Standing]]:
    def following(row: Standing) -> str:
        if row.next_start is None:
            return ""
        now = row.next_start <= board.now
        return f"{'now' if now else dates.brief(row.next_start, board.now)}  job {row.next_job}"

    return (
        Column("", 0, lambda row: row.name or "-", most=16, role=lambda _: "strong"),
        Column("RUNNING", 0, lambda row: f"{row.running}", right=True),
        Column("ON NODES", 3, lambda row: f"{row.nodes}", right=True),
        Column("ON CPUS", 0, lambda row: f"{row.cpus}", right=True),
        Column("WAITING", 0, lambda row: f"{row.waiting}", right=True),
        Column("WANT CPUS", 2, lambda row: f"{row.wanted}", right=True),
        Column("WAIT UP TO", 4, lambda row: duration(row.longest_wait) if row.waiting else "", right=True),
        Column("NEXT START", 0, following, most=10**6, role=lambda _: "plan"),
    )
