"""The entry of the command line: one command runs; an error is one line on stderr and an exit code."""

# Little is imported here: until `run` can report an interrupt, Python would print a traceback.
import gc
import os
import signal
import sys
from collections.abc import Sequence
from types import FrameType

SELDOM = 50_000, 10, 10
"""How often garbage is looked for: imports leave no garbage, and a look takes a twentieth of a command."""


def main() -> None:
    """Run the command that the process was started with, and leave with its exit code."""
    signal.signal(signal.SIGINT, _leave)
    gc.set_threshold(*SELDOM)
    from shadowtime.console.commands.endings import end_on_request, leave, requested_end

    end_on_request()
    try:
        code = run(sys.argv[1:])
    except BaseException:
        # A signal came while the end of the command was being reported.
        if requested_end() is None:
            raise
        code = 0
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _leave)
    # What the first signal raised may have been lost.
    leave(code or requested_end() or 0)


def run(arguments: Sequence[str]) -> int:
    """Run one command; return its exit code. Nothing is raised: each error is printed on one line."""
    from io import TextIOWrapper

    from shadowtime.console.commands.endings import FAILED_FILE, ending, finish, interrupted, say_error
    from shadowtime.console.terminal.gate import Gate

    if sys.stdout is None:
        say_error("standard output is closed")
        return FAILED_FILE
    if isinstance(sys.stdout, TextIOWrapper):
        # A title may hold what the terminal has no letter for, and the name of a file may be no text at all.
        sys.stdout.reconfigure(errors="backslashreplace")
    before = sys.stdout, sys.stderr
    gate = Gate(sys.stdout)
    sys.stdout = gate
    sys.stderr = sys.stderr and Gate(sys.stderr)
    try:
        try:
            if signal.getsignal(signal.SIGINT) is _leave:
                signal.signal(signal.SIGINT, interrupted)
            code = _run(arguments)
        except BaseException as error:
            code = ending(error, debug="--debug" in arguments)
        return finish(code)
    finally:
        # A thread of a policy may write until the process ends: its output stays apart.
        if sys.stdout is gate:
            sys.stdout, sys.stderr = before


def _leave(signum: int, _: FrameType | None) -> None:
    """Leave at once, before anything was done or when all is done."""
    os._exit(128 + signum)


def _run(arguments: Sequence[str]) -> int:
    import click

    from shadowtime.console.commands.endings import DONE
    from shadowtime.console.commands.group import shadowtime

    # Not `click.Group.main`: it leaves with 1 at a broken pipe, which says here that an expectation failed.
    try:
        with shadowtime.make_context("shadowtime", list(arguments)) as context:
            shadowtime.invoke(context)
    except click.exceptions.Exit as done:
        return done.exit_code
    return DONE
