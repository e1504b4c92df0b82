"""How a cluster is reached: a folder, the commands of this machine, or those behind another command."""

import shlex
from collections.abc import Callable

import attrs
import click

from shadowtime.console.session.slurm.capturing import LONGEST, Runner, Source
from shadowtime.console.widgets.slurm.dates import Dates

SHORTEST, LATEST = 0.1, 3600.0
"""Bounds of a time limit, in seconds."""


def via_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that say how Slurm's commands are reached; the command is called with them."""
    options = (
        click.option("--via", metavar="COMMAND", help="Run Slurm's commands through this one: 'ssh login'."),
        click.option(
            "--timeout",
            type=click.FloatRange(SHORTEST, LATEST),
            default=LONGEST,
            show_default=True,
            metavar="SECONDS",
            help="Seconds that each of Slurm's commands may take.",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def runner_of(via: str | None, timeout: float) -> Runner:
    """Return how commands are run. UsageError if `via` cannot be split into words."""
    try:
        words = tuple(shlex.split(via or ""))
    except ValueError as error:
        raise click.UsageError(f"--via {via!r} is no command: {str(error).lower()}") from None
    if via is not None and not words:
        raise click.UsageError("--via is empty; expected a command such as 'ssh login'")
    return Runner(words, timeout)


@attrs.frozen
class Reached:
    """A cluster as the command line names it."""

    source: Source
    dates: Dates
    every: float | None
    """Seconds between two captures; None: one capture."""
    ledger: bool
    """Whether live forecasts are kept."""
