"""The options that several commands share."""

import functools
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from shadowtime.console.commands.endings import say_error
from shadowtime.console.commands.looks import Command, with_options
from shadowtime.console.commands.output import progress_bar

if TYPE_CHECKING:
    from shadowtime.console.session import Case, Session
    from shadowtime.console.session.clock import Clock

debug_option = click.option(
    "--debug", is_flag=True, expose_value=False, help="Show the traceback of an error."
)
json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object instead of a table."
)
traces_option = click.option("--traces", metavar="FOLDER", help="Search this folder for logs, too.")
OF_CASES = ("policy", "settings", "nodes", "traces", "variant")
"""Parameters that only a scenario has."""
LIVE = "slurm"
"""The word for the cluster of this machine, or of `--via`."""
nodes_option = click.option("--nodes", type=int, metavar="N", help="The machine has N nodes.")


def shipped_or(file: str) -> str:
    """Return a path as it is; if no such file is there, the shipped cluster or the course of that name."""
    if "/" in file or os.path.lexists(file):
        return file
    from shadowtime.console.session import cluster_folders
    from shadowtime.console.session.training import course_folders, own_courses

    folders = (*cluster_folders(), *course_folders(own_courses()))
    return next((str(folder) for folder in folders if folder.name == file), file)


def _named(_context: click.Context, _parameter: click.Parameter, file: str | None) -> str | None:
    # There is a course of the same name as the live cluster.
    return file if file is None or file == LIVE else shipped_or(file)


def file_argument(required: bool = True) -> Callable[[Command], Command]:
    """Add a scenario, a log, a captured folder, or the name of a shipped cluster, as an argument."""
    return click.argument("file", required=required, callback=_named)


def at_option(what: str) -> Callable[[Command], Command]:
    """Add the place of a question; `what` says what happens there, and what is such a place."""
    said = f"{what}. For a captured cluster: the capture, by default."
    return click.option("--at", "where", metavar="WHEN", help=said)


def count_option(names: str, default: int, said: str, least: int = 0) -> Callable[[Command], Command]:
    """Add a whole number N from `least`, 0 by default if it is not said; `names` as in `--rows most`."""
    kind = click.IntRange(min=least)
    shown = default > 0
    return click.option(
        *names.split(), type=kind, default=default, metavar="N", show_default=shown, help=said
    )


def named(case: "Case") -> "Case":
    """Return the case that calls jobs of a captured folder as Slurm does; every other case as it is."""
    if case.capture is None:
        return case
    # Nothing else needs what reads clusters.
    from shadowtime.console.session.slurm.lanes.whole_run import named_tasks

    return named_tasks(case.scenario.path, case)


def open_at(case: "Case", where: str | None, clock: "Clock") -> "Session":
    """Open a case at a place as a clock reads it.

    A captured cluster without one is opened at the capture, when all that waits has come.
    """
    where = case.capture if where is None else where
    if where is None:
        raise click.UsageError("Missing option '--at'.")
    from shadowtime.console.session import open_session

    session = open_session(named(case))
    with progress_bar("Going there"):
        session.go(where, clock)
    return session


def clock_of(case: "Case", kind: str | None) -> "Clock":
    """Return the clock by which instants of a case are written: by the calendar, unless `kind` is another.

    A calendar that is asked for and that nobody knows gives a line.
    """
    from shadowtime.console.session.clock import Clock

    clock = Clock(case.scenario.epoch, calendar=True)
    if kind is None:
        return clock
    try:
        return clock.turned(kind)
    except ValueError as error:
        say_error(f"elapsed time: {error}")
        return clock


def case_options(command: Command) -> Command:
    return with_options(
        command,
        click.option(
            "--policy",
            metavar="NAME[:KEY=VALUE,...]",
            help="Simulate under this policy, such as easy:scan=shortest; of a Slurm cluster also"
            " slurm:bf_interval=60.",
        ),
        click.option(
            "--set", "settings", metavar="KEY=VALUE", multiple=True, help="Set one parameter of the policy."
        ),
        nodes_option,
        traces_option,
        click.option("--variant", metavar="NAME", help="Simulate this variant of the scenario."),
    )


def refuse_place(file: str | Path, case: "Case") -> None:
    """Refuse the saved place of a cluster: it is no machine. UsageError."""
    if case.saved_cluster is not None:
        wanted = f"shadowtime open {file} alone, or the folder {case.saved_cluster}"
        raise click.UsageError(f"{file} is the saved place of a cluster; expected {wanted}")


def refuse_live(command: str, file: str) -> None:
    """Refuse the live cluster where a captured one is taken. UsageError."""
    if file == LIVE and not os.path.lexists(file):
        wanted = f"shadowtime capture {LIVE} -o FOLDER, then shadowtime {command} FOLDER"
        raise click.UsageError(f"the live cluster has to be captured first; expected {wanted}")


def takes_case(command: Command, places: bool = False) -> Command:
    """Add FILE and the options that select what is simulated; the command is called with `case`.

    `places`: it opens the saved place of a cluster, too. Nothing is simulated of one, so no option selects.
    """

    @file_argument()
    @case_options
    @debug_option
    @functools.wraps(command)
    def loaded(*, file: str, **others: Any) -> None:
        from shadowtime.console.session import load, refused

        choice = {name: others.pop(name) for name in OF_CASES}
        with progress_bar(f"Reading {file}") as on_progress:
            case = load(file, progress=on_progress, **choice)
        if not places or any(given for name, given in choice.items() if name != "traces"):
            refuse_place(file, case)
        for line in refused():
            say_error(line)
        command(case=case, **others)

    return loaded
