"""`shadowtime users FILE`: what users, accounts and partitions of a cluster hold and wait for."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

import attrs
import click

from shadowtime.console.commands.options import json_option
from shadowtime.console.commands.output import say, say_columns, say_json
from shadowtime.console.commands.slurm.cluster import of_cluster
from shadowtime.console.commands.slurm.reaching import Reached
from shadowtime.console.session.slurm.board.facts import Board
from shadowtime.console.session.slurm.board.making import board
from shadowtime.console.session.slurm.board.standing import (
    ACCOUNTS,
    CPUS,
    GPUS,
    PARTITIONS,
    USERS,
    device_standings,
    standings,
)
from shadowtime.console.session.slurm.capturing import take_once
from shadowtime.console.words.cluster.capture import summary

if TYPE_CHECKING:
    from shadowtime.console.widgets.table.columns import Column

T = TypeVar("T")
TABLES = (USERS, ACCOUNTS, PARTITIONS)


def _show(reached: Reached, most: str, as_json: bool) -> None:
    found = board(take_once(reached.source))
    if as_json:
        tables = {f"{by}s": [attrs.asdict(row) for row in standings(found, by, most)] for by in TABLES}
        say_json({"devices": [row.as_dict() for row in device_standings(found)], **tables})
        return
    say(summary(found.capture))
    _say_tables(found, reached, most)


def _say_tables(found: Board, reached: Reached, most: str) -> None:
    # Imported late: the texts of the panels need what draws them.
    from shadowtime.console.widgets.slurm.standing_text import device_columns, standing_columns

    devices = device_standings(found)
    if devices:
        say()
        say_columns(_filled(device_columns(), devices), devices)
    tables = {by: standings(found, by, most) for by in TABLES}
    every = [row for rows in tables.values() for row in rows]
    first, *others = _filled(standing_columns(found, reached.dates), every)
    for by, rows in tables.items():
        say()
        say_columns([attrs.evolve(first, title=by.upper()), *others], rows)


def _filled(columns: Sequence["Column[T]"], rows: Sequence[T]) -> Sequence["Column[T]"]:
    """The columns in which something stands."""
    return [column for column in columns if not column.rank or any(column.text(row) for row in rows)]


@of_cluster("users", _show)
@click.option(
    "--by",
    "most",
    type=click.Choice((CPUS, GPUS)),
    default=CPUS,
    show_default=True,
    help="Who holds most of it comes first.",
)
@json_option
def command() -> None:
    """Print what users, accounts and partitions of a cluster hold and wait for, and who holds its devices.

    FILE is a captured Slurm cluster, or the word slurm for the live one. A job that waits in several
    partitions is counted in each of them; the tasks of an array that have not begun are one job.
    """
