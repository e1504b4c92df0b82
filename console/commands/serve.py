"""`shadowtime serve [FILE]`: the console in a browser."""

import importlib.util
from collections.abc import Iterator
from typing import Any

import click

from console.commands.looks import Looks, settings_of, takes_looks
from console.commands.options import case_options, debug_option
from console.commands.output import say
from console.session import SessionError, load

NEEDED = "textual_serve"
"""The module that the extra installs."""


@click.command("serve")
@click.argument("file", required=False)
@click.option(
    "--host", metavar="NAME", default="127.0.0.1", show_default=True, help="Listen at this address."
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    metavar="N",
    default=8000,
    show_default=True,
    help="Listen at this port; 0 picks a free one.",
)
@click.option("--at", metavar="PLACE", help="Begin at #EVENT, a time, 50%, '31 start' or '31 end'.")
@case_options
@takes_looks
@debug_option
def command(file: str | None, host: str, port: int, at: str | None, looks: Looks, **choice: Any) -> None:
    """Serve the console to a web browser, with FILE or with the list of scenarios.

    There is no password: everybody who reaches the address can use the console, and write files as you can.
    """
    if importlib.util.find_spec(NEEDED) is None:
        raise SessionError("serve needs the extra 'serve': pip install 'shadowtime[serve]'")
    settings_of(looks)
    arguments = looks.arguments()
    given = list(_given(at=at, **choice))
    if file is not None:
        # Its faults are reported here, not on every page.
        load(file, **choice)
        arguments = ["open", file, *given, *arguments]
    elif given:
        raise click.UsageError(f"{given[0]} needs a FILE")
    # Loaded here: it takes longer than everything else together.
    from console.serving import Pages, address, command_of, listening

    try:
        listener = listening(host, port)
    except OSError as error:
        # After a parenthesis Python repeats the address.
        reason = (error.strerror or str(error)).partition(" (")[0].lower()
        raise SessionError(f"cannot serve on {host}:{port}: {reason}") from None
    with listener:
        where = address(host, listener.getsockname()[1])
        say(f"The console is at {where}")
        reach = "on this machine" if host == "127.0.0.1" else "who reaches it"
        say(f"There is no authentication: everybody {reach} can use the console. Ctrl+C ends it.")
        Pages(command_of(arguments), host, listener, "shadowtime").serve()
    raise KeyboardInterrupt


def _given(settings: tuple[str, ...], **options: object) -> Iterator[str]:
    """Yield the given options as arguments of another command line."""
    for name, value in options.items():
        if value is not None:
            yield from (f"--{name}", str(value))
    for setting in settings:
        yield from ("--set", setting)
