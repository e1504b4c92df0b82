"""`shadowtime fetch NAME`: a log of the Parallel Workloads Archive into the user's data folder."""

import os

import click

from shadowtime.console.commands.options import debug_option
from shadowtime.console.commands.output import progress_bar, say, say_table
from shadowtime.console.session.files.fetching import Archive, Fetched, fetch, logs

VARIABLE = "SHADOWTIME_ARCHIVE"


@click.command("fetch")
@click.argument("names", metavar="NAME...", nargs=-1)
@click.option("--list", "listed", is_flag=True, help="Name the logs that can be fetched.")
@click.option(
    "-o", "--folder", metavar="FOLDER", help="Write to this folder [default: the user's data folder]."
)
@click.option(
    "--base", metavar="URL", help=f"Address of the archive or a mirror [default: ${VARIABLE}, else its own]."
)
@click.option(
    "--patience", type=click.FloatRange(min=0.1), default=30.0, show_default=True, help="Timeout in seconds."
)
@debug_option
def command(
    names: tuple[str, ...], listed: bool, folder: str | None, base: str | None, patience: float
) -> None:
    """Fetch logs, resume interrupted transfers, and check the sums of their texts.

    Please cite the archive, and thank the persons whom a log's header names.
    """
    if listed:
        _list()
        return
    if not names:
        raise click.UsageError("expected the name of a log; --list names them")
    address = base or os.environ.get(VARIABLE)
    archive = Archive(patience=patience) if address is None else Archive(address, patience=patience)
    for name in names:
        with progress_bar(f"Fetching {name}") as on_progress:
            fetched = fetch(name, folder, archive, on_progress)
        _say(fetched)


def _list() -> None:
    rows = (
        (name, entry.machine, "known" if entry.sha256 else "not known here") for name, entry in logs().items()
    )
    say_table(("log", "machine", "sum"), rows)


def _say(fetched: Fetched) -> None:
    how = (
        "is there already"
        if fetched.was_there
        else "fetched, the rest of it"
        if fetched.resumed
        else "fetched"
    )
    if fetched.known:
        checked = "the sha256 of its text is right"
    else:
        checked = f"its sum is not known here and was not checked; it is {fetched.sha256}"
    say(f"{fetched.path}: {how}; {checked}")
