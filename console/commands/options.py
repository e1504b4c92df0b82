"""The options that several commands share."""

import functools
from collections.abc import Callable
from typing import Any

import click

from console.commands.endings import say_error
from console.session import Case, load, refused
from console.session.clock import Clock

Command = Callable[..., None]

debug_option = click.option(
    "--debug", is_flag=True, expose_value=False, help="Show the traceback of an error."
)
json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object instead of a table."
)
traces_option = click.option("--traces", metavar="FOLDER", help="Search this folder for logs, too.")
nodes_option = click.option("--nodes", type=int, metavar="N", help="The machine has N nodes.")


def clock_of(case: Case, kind: str | None) -> Clock:
    """Return the clock by which instants of a case are written; a calendar that nobody knows gives a line."""
    clock = Clock(case.scenario.epoch)
    if kind is None:
        return clock
    try:
        return clock.turned(kind)
    except ValueError as error:
        click.echo(f"elapsed time: {error}", err=True)
        return clock


def case_options(command: Command) -> Command:
    """Add the options that select what is simulated."""
    options = (
        click.option(
            "--policy", metavar="NAME", help="Simulate under this policy, with its default parameters."
        ),
        click.option(
            "--set", "settings", metavar="KEY=VALUE", multiple=True, help="Set one parameter of the policy."
        ),
        nodes_option,
        traces_option,
        click.option("--variant", metavar="NAME", help="Simulate this variant of the scenario."),
    )
    for option in reversed(options):
        command = option(command)
    return command


def takes_case(command: Command) -> Command:
    """Add FILE and the options that select what is simulated; the command is called with `case`."""

    @click.argument("file")
    @case_options
    @debug_option
    @functools.wraps(command)
    def loaded(
        *,
        file: str,
        policy: str | None,
        settings: tuple[str, ...],
        nodes: int | None,
        traces: str | None,
        variant: str | None,
        **others: Any,
    ) -> None:
        case = load(file, policy=policy, settings=settings, nodes=nodes, traces=traces, variant=variant)
        for line in refused():
            say_error(line)
        command(case=case, **others)

    return loaded
