"""What a command prints: text and tables on stdout, a progress bar on stderr while long work lasts."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

import click
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from console.commands.endings import silence_stdout

PATIENCE = 0.5
"""Seconds of work before a bar appears."""
WIDE = 200
"""Columns of a table that nobody looks at in a terminal."""

OnProgress = Callable[[int, int], None]
"""Called with how much is done, of how much."""


def say(text: str = "") -> None:
    """Print a line on stdout. When its reader has gone the work goes on, quietly. Raises OSError."""
    try:
        click.echo(text)
    except BrokenPipeError:
        silence_stdout()
    except OSError as error:
        raise OSError(error.errno, error.strerror, "standard output") from error


def say_json(value: object) -> None:
    """Print a value as indented JSON; raises ValueError for a number that JSON has no word for."""
    say(json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False))


def say_table(table: Table) -> None:
    """Print a table: as wide as the terminal, or as it likes where there is none."""
    console = Console(width=None if sys.stdout.isatty() else WIDE, highlight=False, markup=False, emoji=False)
    with console.capture() as captured:
        console.print(table)
    say("\n".join(line.rstrip() for line in captured.get().splitlines()).strip("\n"))


@contextmanager
def progress_bar(words: str) -> Iterator[OnProgress]:
    """Yield a function to be told how much is done; on a terminal a bar shows it when the work takes long."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda done, total: None
        return
    bar = Progress(console=Console(stderr=True), transient=True)
    task = bar.add_task(words)
    begun = monotonic()

    def on_progress(done: int, total: int) -> None:
        if monotonic() - begun > PATIENCE:
            bar.start()
        bar.update(task, completed=done, total=total)

    try:
        yield on_progress
    finally:
        bar.stop()
