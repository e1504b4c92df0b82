"""The entry of the command line: one command runs; an error is one line on stderr and an exit code."""

import sys
from collections.abc import Sequence
from io import TextIOWrapper

import click

from console.commands.endings import DONE, FAILED_FILE, ending, finish, say_error
from console.commands.group import shadowtime


def main() -> None:
    """Run the command that the process was started with, and leave with its exit code."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command; return its exit code. Nothing is raised: each error is printed on one line."""
    if sys.stdout is None:
        say_error("standard output is closed")
        return FAILED_FILE
    if isinstance(sys.stdout, TextIOWrapper):
        # A title may hold what the terminal has no letter for, and the name of a file may be no text at all.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        code = _run(arguments)
    except BaseException as error:
        code = ending(error, debug="--debug" in arguments)
    return finish(code)


def _run(arguments: Sequence[str]) -> int:
    # Not `click.Group.main`: it leaves with 1 at a broken pipe, which says here that an expectation failed.
    try:
        with shadowtime.make_context("shadowtime", list(arguments)) as context:
            shadowtime.invoke(context)
    except click.exceptions.Exit as done:
        return done.exit_code
    return DONE
