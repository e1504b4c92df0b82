"""The output of a command: text and tables on stdout, a progress bar on stderr during long work."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from textwrap import indent
from time import monotonic

import click
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from shadowtime.console.commands.endings import silence_stdout

PATIENCE = 0.5
"""Seconds of work before a bar appears."""
WIDE = 200
"""Columns of a table outside a terminal."""

INDENT = 2
"""Blanks before each level of JSON."""
PARTS = 1024
"""Items of a list that are printed at once."""

OnProgress = Callable[[int, int], None]
"""Called with the work done and the whole work."""


def say(text: str = "", end: str = "\n") -> None:
    """Print a text and its end on stdout. Raises OSError.

    If the reader of stdout is gone, the work goes on without output.
    """
    try:
        click.echo(text + end, nl=False)
    except BrokenPipeError:
        silence_stdout()
    except OSError as error:
        raise OSError(error.errno, error.strerror, "standard output") from error


def say_json(value: object) -> None:
    """Print a value as indented JSON. Raises ValueError for a number that JSON cannot express."""
    say(_json(value))


def say_long_json(value: Mapping[str, object], name: str, items: Iterable[object]) -> None:
    """Print an object as `say_json` does, with one more member: a list whose items are made one by one."""
    head, tail = _json({**value, name: []}).rsplit("[]", 1)
    parts, comma = [head + "["], ""
    for item in items:
        parts.append(f"{comma}\n{indent(_json(item), 2 * INDENT * ' ')}")
        comma = ","
        if len(parts) > PARTS:
            say("".join(parts), end="")
            parts.clear()
    say("".join(parts) + (f"\n{INDENT * ' '}]" if comma else "]") + tail)


def _json(value: object) -> str:
    return json.dumps(value, indent=INDENT, ensure_ascii=False, allow_nan=False)


def say_table(table: Table) -> None:
    """Print a table, as wide as the terminal, or as wide as it needs without one."""
    console = Console(width=None if sys.stdout.isatty() else WIDE, highlight=False, markup=False, emoji=False)
    with console.capture() as captured:
        console.print(table)
    say("\n".join(line.rstrip() for line in captured.get().splitlines()).strip("\n"))


@contextmanager
def progress_bar(words: str) -> Iterator[OnProgress]:
    """Yield a function that takes the progress; on a terminal a bar shows it if the work takes long."""
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
