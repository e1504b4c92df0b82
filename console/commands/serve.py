"""`shadowtime serve [FILE]`: the console in a browser."""

import importlib.util
import secrets
from collections.abc import Iterator
from typing import Any

import click

from shadowtime.console.commands.endings import say_error
from shadowtime.console.commands.looks import Looks, permissions_for, settings_of, takes_looks
from shadowtime.console.commands.options import case_options, debug_option, file_argument
from shadowtime.console.commands.output import progress_bar, say
from shadowtime.console.session import SessionError, load

NEEDED = "textual_serve"
"""The module that the extra installs."""


@click.command("serve")
@file_argument(required=False)
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
@click.option(
    "--allow-host",
    "names",
    metavar="NAME",
    multiple=True,
    help="With --host: browsers may call this machine so. Can be given several times.",
)
@click.option("--read-only", is_flag=True, help="Look only: nothing can be acted on, saved or exported.")
@click.option("--allow-files", is_flag=True, help="Let pages read and write files as you can.")
@click.option("--at", metavar="PLACE", help="Begin at #EVENT, a time, 50%, '31 start' or '31 end'.")
@case_options
@takes_looks
@debug_option
def command(
    file: str | None,
    host: str,
    port: int,
    names: tuple[str, ...],
    read_only: bool,
    allow_files: bool,
    at: str | None,
    looks: Looks,
    **choice: Any,
) -> None:
    """Serve the console to a web browser, with FILE or with the list of scenarios.

    The address that is printed holds a random token. Everybody who has the address can use the console, each
    page a console of its own; without --allow-files no page reads or writes a file.
    """
    if importlib.util.find_spec(NEEDED) is None:
        raise SessionError("serve needs the extra 'serve': pip install 'shadowtime[serve]'")
    settings_of(looks)
    permissions = permissions_for(read_only, no_files=not allow_files)
    arguments = [*looks.arguments(), *permissions.arguments()]
    given = list(options_given(at=at, **choice))
    if file is not None:
        # Its faults are reported here, not on every page.
        with progress_bar(f"Reading {file}") as on_progress:
            load(file, progress=on_progress, **choice)
        arguments = ["open", file, *given, *arguments]
    elif given:
        raise click.UsageError(f"{given[0]} needs a FILE")
    # Loaded here: it takes longer than everything else together.
    from shadowtime.console.serving.names import BadName, Door, Named, address, listening, reached_as
    from shadowtime.console.serving.page_console import command_of
    from shadowtime.console.serving.pages import Pages

    try:
        known = [Named.read(name).name for name in names]
    except BadName:
        raise click.UsageError("--allow-host is no name of a machine; expected one such as login1") from None
    try:
        listener = listening(host, port)
    except OSError as error:
        # After a parenthesis Python repeats the address.
        reason = (error.strerror or str(error)).partition(" (")[0].lower()
        raise SessionError(f"cannot serve on {host}:{port}: {reason}") from None
    with listener:
        door = Door(secrets.token_urlsafe(24), host, frozenset(known))
        where = address(known[0] if known else reached_as(host), listener.getsockname()[1])
        say(f"The console is at {where}/?token={door.token}")
        use = "look at" if read_only else "use"
        files = ", and read and write files as you can" if allow_files and not read_only else ""
        say(f"Everybody who has this address can {use} the console{files}. Ctrl+C ends it.")
        Pages(command_of(arguments), listener, door, "shadowtime", say_error).serve()
    raise KeyboardInterrupt


def options_given(settings: tuple[str, ...], **options: object) -> Iterator[str]:
    """Yield the given options as arguments of another command line."""
    for name, value in options.items():
        if value is not None:
            yield from (f"--{name}", str(value))
    for setting in settings:
        yield from ("--set", setting)
