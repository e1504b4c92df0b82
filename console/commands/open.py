"""`shadowtime open FILE`: the console, or line mode without a screen."""

import functools
import sys
from datetime import UTC

import attrs
import click

from shadowtime.console.commands.looks import Looks, settings_of, takes_looks, takes_permissions
from shadowtime.console.commands.options import clock_of, takes_case
from shadowtime.console.commands.slurm.cluster import or_cluster, print_plan
from shadowtime.console.commands.slurm.keeping import keeper
from shadowtime.console.commands.slurm.reaching import Reached
from shadowtime.console.commands.terminal import on_terminal
from shadowtime.console.session import Case
from shadowtime.console.session.permissions import Permissions
from shadowtime.console.session.slurm.capturing import Folder
from shadowtime.console.widgets.slurm.dates import Dates


def _open_cluster(
    reached: Reached,
    at: str | None,
    text: bool,
    record: str | None,
    looks: Looks,
    permissions: Permissions,
) -> None:
    if record is not None:
        raise click.UsageError("--record is for scenarios")
    if permissions.no_files:
        reached = attrs.evolve(reached, ledger=False)
    if text or not on_terminal():
        print_plan(reached, at, sys.stdin if on_terminal() else None)
        return
    settings = settings_of(looks)
    from shadowtime.console.app import open_cluster

    click.get_current_context().exit(open_cluster(reached, keeper(reached), settings, permissions, at))


@click.command("open")
@takes_looks
@takes_permissions
@or_cluster(_open_cluster)
@functools.partial(takes_case, places=True)
@click.option("--at", metavar="PLACE", help="Begin at #EVENT, a time, 50%, '31 start' or '31 end'.")
@click.option("--text", is_flag=True, help="Line mode: one line for each event, without a screen.")
@click.option("--record", metavar="FILE.cast", help="Record the session as an asciicast, in a new file.")
@click.pass_context
def command(
    context: click.Context,
    case: Case,
    at: str | None,
    text: bool,
    record: str | None,
    looks: Looks,
    permissions: Permissions,
) -> None:
    """Open FILE in the console: step forward and back, and ask why.

    Without a terminal, or with --text, it prints the story line by line.

    FILE can be a captured Slurm cluster, a folder, or the word slurm for the live cluster of this machine:
    then the console shows the plan of its next cycle.
    """
    if case.saved_cluster is not None:
        reached = Reached(Folder(case.saved_cluster), Dates(UTC), None, ledger=False)
        _open_cluster(reached, at or f"#{case.stood or 0}", text, record, looks, permissions)
        return
    screen = not text and on_terminal()
    settings = settings_of(looks) if screen or looks != Looks() else None
    if record is not None and not screen:
        raise click.UsageError("--record records the screen; it needs a terminal, and not --text")
    # Imported late: the screen takes as long to load as everything else together.
    if not screen:
        from shadowtime.console.lines import tell

        calendar = looks.clock is None or clock_of(case, looks.clock).dated
        context.exit(tell(case, at=at, permissions=permissions, calendar=calendar))
    from shadowtime.console.app import open_console

    stood = case.stood
    if at is None and stood is not None:
        at = f"#{stood}"
    context.exit(open_console(case, at, settings, permissions, record))
