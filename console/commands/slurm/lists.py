"""The lists of a cluster in the shell: reservations, nodes out of service, partitions."""

import attrs

from shadowtime.console.commands.output import say, say_columns, say_json
from shadowtime.console.commands.slurm.reaching import Reached
from shadowtime.console.session.slurm import write_records
from shadowtime.console.session.slurm.board.fields import BoardReading
from shadowtime.console.session.slurm.board.lists import LISTS
from shadowtime.console.session.slurm.board.making import board
from shadowtime.console.session.slurm.capturing import take_once


def print_list(reached: Reached, name: str, as_json: bool, output: str | None, force: bool) -> None:
    """Print a list of a cluster, and write it as CSV if there is a file. ScenarioError, SessionError."""
    # Imported late: the texts of the panels need what draws them.
    from shadowtime.console.widgets.slurm.lists_text import list_columns

    listing, dates = LISTS[name], reached.dates
    found = board(take_once(reached.source))
    rows, reading = listing.rows(found), BoardReading(found, found.now)
    records = listing.fields.records(reading, rows)
    if output is not None:
        write_records(list(listing.fields.exported), records, output, force)
    if as_json:
        say_json(records)
        return
    if not rows:
        say(listing.nothing)
        return
    columns = list_columns(listing, reading, dates)
    say_columns([attrs.evolve(column, title=column.title.lower()) for column in columns], rows, fold=True)
