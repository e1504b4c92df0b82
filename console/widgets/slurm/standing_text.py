"""How users, accounts and partitions stand, as three tables, and before them how the devices stand."""

from collections.abc import Iterator, Sequence

import attrs

from shadowtime.console.clock import duration
from shadowtime.console.session.slurm.board.facts import Board
from shadowtime.console.session.slurm.board.standing import (
    ACCOUNTS,
    CPUS,
    PARTITIONS,
    USERS,
    DeviceStanding,
    GroupStanding,
    device_standings,
    standings,
)
from shadowtime.console.session.slurm.devices import amount
from shadowtime.console.widgets.frame.ink import Line, width_of, wrap
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.widgets.table.columns import Column, layout, widths

LEAST, LEAST_HOLDERS = 22, 44
"""Cells of the last column, before others give way; of who holds devices."""
MOST_HOLDERS = 6
"""Users that hold devices of a kind and are named."""


def standing_lines(board: Board, dates: Dates, width: int, most: str = CPUS) -> Iterator[Line]:
    """Yield the lines of the tables; those of users, accounts and partitions have the same columns.

    Who holds most of `most`, CPUs or GPUs, comes first.
    """
    devices = device_standings(board)
    if devices:
        columns_of_devices = device_columns()
        found = layout(columns_of_devices, widths(columns_of_devices, devices), width, LEAST_HOLDERS)
        yield found.heading()
        firsts = attrs.evolve(found, columns=found.columns[:-1])
        for device in devices:
            first = [*firsts.line(device), (" ", "text")]
            yield from wrap(holder_words(device), width, "text", first, width_of(first))
        yield []
    tables = {by: standings(board, by, most) for by in (USERS, ACCOUNTS, PARTITIONS)}
    columns = standing_columns(board, dates)
    wide = widths(columns, [row for rows in tables.values() for row in rows])
    wide[0] = max(wide[0], *map(len, tables))
    for place, (by, rows) in enumerate(tables.items()):
        if place:
            yield []
        named = (attrs.evolve(columns[0], title=by.upper()), *columns[1:])
        table = layout(named, wide, width, LEAST)
        yield table.heading()
        for row in rows:
            yield table.line(row)


def device_columns() -> Sequence[Column[DeviceStanding]]:
    return (
        Column("DEVICES", 0, lambda row: row.name, most=20, role=lambda _: "strong"),
        Column("NODES", 3, lambda row: f"{row.nodes}", right=True),
        Column("THERE", 0, lambda row: amount(row.there), right=True),
        Column("OUT", 2, lambda row: amount(row.out) if row.out else "", right=True),
        Column("HELD", 0, lambda row: amount(row.held), right=True),
        Column("FREE", 0, lambda row: amount(row.free), right=True),
        Column("WANTED", 0, lambda row: amount(row.wanted), right=True),
        Column("HELD BY", 0, holder_words, most=10**6),
    )


def holder_words(row: DeviceStanding) -> str:
    """Return who holds devices of a kind, and how many: `ada 8, grace 4`."""
    words = [f"{user or '-'} {amount(count)}" for user, count in row.holders[:MOST_HOLDERS]]
    others = row.holders[MOST_HOLDERS:]
    more = [f"{len(others)} more {amount(sum(count for _, count in others))}"] if others else []
    return ", ".join(words + more)


def standing_columns(board: Board, dates: Dates) -> Sequence[Column[GroupStanding]]:
    """Return the columns of the tables of users, accounts and partitions; the first has no title."""

    def following(row: GroupStanding) -> str:
        if row.next_start is None:
            return ""
        now = row.next_start <= board.now
        return f"{'now' if now else dates.brief(row.next_start, board.now)}  job {row.next_job}"

    return (
        Column("", 0, lambda row: row.name or "-", most=16, role=lambda _: "strong"),
        Column("RUNNING", 0, lambda row: f"{row.running}", right=True),
        Column("ON NODES", 5, lambda row: f"{row.nodes}", right=True),
        Column("ON CPUS", 0, lambda row: f"{row.cpus}", right=True),
        Column("ON GPUS", 1, lambda row: f"{row.gpus or ''}", right=True),
        Column("WAITING", 0, lambda row: f"{row.waiting}", right=True),
        Column("WANT CPUS", 4, lambda row: f"{row.wanted}", right=True),
        Column("WANT GPUS", 2, lambda row: f"{row.gpus_wanted or ''}", right=True),
        Column("WAIT UP TO", 6, lambda row: duration(row.longest_wait) if row.waiting else "", right=True),
        Column("NEXT START", 0, following, most=10**6, role=lambda _: "plan"),
    )
