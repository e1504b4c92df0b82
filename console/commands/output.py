"""The output of a command: text and tables on stdout, a progress bar on stderr during long work."""

import json
import sys
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from shutil import get_terminal_size
from textwrap import indent
from time import monotonic
from typing import TYPE_CHECKING, Literal, TextIO, TypeVar

import click

from shadowtime.console.commands.endings import silence_stdout
from shadowtime.console.session.texts import plain_json, printable, printable_lines
from shadowtime.console.terminal.gate import beneath

if TYPE_CHECKING:
    from shadowtime.console.widgets.table.columns import Column

PATIENCE = 0.5
"""Seconds of work before a bar appears."""
WIDE = 200
"""Columns of a table outside a terminal."""
RULED = 3
"""Cells between the columns of a ruled table."""

INDENT = 2
"""Blanks before each level of JSON."""
PARTS = 1024
"""Items of a list that are printed at once."""

BEHIND_FIRST = range(1, WIDE)
"""The places of all columns of a table but the first."""
T = TypeVar("T")
OnProgress = Callable[[int, int], None]
"""Called with the work done and the whole work."""


def say(text: str = "") -> None:
    """Print a line on stdout. If its reader is gone, the work goes on without output. Raises OSError."""
    _print(printable(text))


def say_lines(text: str, end: str = "\n") -> None:
    """Print a text of several lines and its end on stdout, as `say` prints one. Raises OSError."""
    _print(printable_lines(text), end=end)


def _print(text: str, stream: TextIO | None = None, end: str = "\n") -> None:
    try:
        click.echo(text + end, stream, nl=False)
    except BrokenPipeError:
        silence_stdout()
    except OSError as error:
        raise OSError(error.errno, error.strerror, "standard output") from error


def say_json(value: object) -> None:
    """Print a value as indented JSON. Raises ValueError for a number that JSON cannot express."""
    say_lines(_json(value))


def say_long_json(value: Mapping[str, object], name: str, items: Iterable[object]) -> None:
    """Print an object as `say_json` does, with one more member: a list whose items are made one by one."""
    head, tail = _json({**value, name: []}).rsplit("[]", 1)
    parts, comma = [head + "["], ""
    for item in items:
        parts.append(f"{comma}\n{indent(_json(item), 2 * INDENT * ' ')}")
        comma = ","
        if len(parts) > PARTS:
            say_lines("".join(parts), end="")
            parts.clear()
    say_lines("".join(parts) + (f"\n{INDENT * ' '}]" if comma else "]") + tail)


def _json(value: object) -> str:
    plain = (sys.stdout.encoding or "utf-8").lower().startswith("utf")
    return plain_json(
        json.dumps(value, default=_worded, indent=INDENT, ensure_ascii=not plain, allow_nan=False)
    )


def _worded(value: object) -> str:
    """What a plan of a cluster leaves out, as a text. TypeError for anything else."""
    from shadowtime.console.session.slurm.guard.caveat import Caveat
    from shadowtime.console.words.cluster.caveats import caveat

    if not isinstance(value, Caveat):
        raise TypeError(f"{type(value).__name__} is nothing that JSON has")
    return caveat(value)


def has_room(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> bool:
    """Whether the terminal, or a file, has room for a ruled table with its cells whole."""
    from rich.cells import cell_len

    wide = sum(RULED + max(map(cell_len, column)) for column in zip(titles, *rows, strict=True)) - 1
    return wide <= (get_terminal_size().columns if sys.stdout.isatty() else WIDE)


def say_table(
    titles: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    right: Container[int] = (),
    fold: bool = False,
    headed: bool = True,
    ruled: bool = False,
) -> None:
    """Print a table of texts, as wide as the terminal, or as wide as it needs without one.

    `right` are the places of the columns whose cells stand at the right. `ruled`: a line is below the titles;
    `fold`: a cell that is too long goes on in the next line.
    """
    # Imported late: most of what a small run would load.
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD if ruled else None, show_header=headed, pad_edge=False)
    for place, title in enumerate(titles):
        justify: Literal["left", "right"] = "right" if place in right else "left"
        table.add_column(printable(title), justify=justify, overflow="fold" if fold else "ellipsis")
    for row in rows:
        table.add_row(*map(printable, row))
    width = None if sys.stdout.isatty() else WIDE
    console = Console(width=width, highlight=False, markup=False, emoji=False)
    with console.capture() as captured:
        console.print(table)
    lines = (line.rstrip() for line in captured.get().split("\n"))
    _print("\n".join(lines).strip("\n"), beneath(sys.stdout))


def say_columns(columns: Sequence["Column[T]"], rows: Sequence[T], fold: bool = False) -> None:
    cells = ([column.text(row) for column in columns] for row in rows)
    right = [place for place, column in enumerate(columns) if column.right]
    say_table([column.title for column in columns], cells, right=right, fold=fold)


@contextmanager
def progress_bar(words: str) -> Iterator[OnProgress]:
    """Yield a function that takes the progress; on a terminal a bar shows it if the work takes long."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import Progress

    bar = Progress(console=Console(file=beneath(sys.stderr)), transient=True)
    task = bar.add_task(escape(printable(words)))
    begun = monotonic()

    def on_progress(done: int, total: int) -> None:
        if monotonic() - begun > PATIENCE:
            bar.start()
        bar.update(task, completed=done, total=total)

    try:
        yield on_progress
    finally:
        bar.stop()
