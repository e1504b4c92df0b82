"""How users, accounts and partitions stand, as three tables."""

from collections.abc import Iterator, Sequence

from console.clock import duration
from console.session.slurm.board import ACCOUNTS, PARTITIONS, USERS, Board, Standing, standings
from console.widgets.frame.ink import Line
from console.widgets.slurm.columns import Column, layout, widths
from console.widgets.slurm.dates import Dates


def standing_lines(board: Board, dates: Dates, width: int) -> Iterator[Line]:
    """Yield the lines of the three tables."""
    for place, by in enumerate((USERS, ACCOUNTS, PARTITIONS)):
        if place:
            yield []
        yield from _table(by.upper(), standings(board, by), board, dates, width)


def _table(title: str, rows: Sequence[Standing], board: Board, dates: Dates, width: int) -> Iterator[Line]:
    def following(row: Standing) -> str:
        if row.next_start is None:
            return ""
        now = row.next_start <= board.now
        return f"{'now' if now else dates.brief(row.next_start, board.now)}  job {row.next_job}"

    columns: tuple[Column[Standing], ...] = (
        Column(title, 0, lambda row: row.name or "-", most=16, role=lambda _: "strong"),
        Column("RUNNING", 0, lambda row: f"{row.running}", right=True),
        Column("NODES", 3, lambda row: f"{row.nodes}", right=True),
        Column("CPUS", 0, lambda row: f"{row.cpus}", right=True),
        Column("WAITING", 0, lambda row: f"{row.waiting}", right=True),
        Column("FOR CPUS", 4, lambda row: f"{row.wanted}", right=True),
        Column("LONGEST", 2, lambda row: duration(row.longest_wait) if row.waiting else "", right=True),
        Column("NEXT START", 0, following, most=10**6, role=lambda _: "plan"),
    )
    found = layout(columns, widths(columns, rows), width, 24)
    yield found.heading()
    for row in rows:
        yield found.line(row)
