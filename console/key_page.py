"""The tables of docs/keys.md: keys, commands, filters and orders, over a machine and over a cluster."""

from collections.abc import Iterator, Sequence

from shadowtime.console.keys import CLUSTER, GANTT, KEYS, MACHINE, Key
from shadowtime.console.screens.command_table import CLUSTER as OVER_CLUSTER
from shadowtime.console.screens.command_table import (
    CLUSTER_SORTS,
    COMMANDS,
    CONSOLE,
    SORTS,
    absence,
    commands_of,
)
from shadowtime.console.session.jobs.filters import QUEUE, Vocabulary
from shadowtime.console.session.slurm.board import CLUSTER as CLUSTER_FILTERS

SAME = "the same"
"""What stands in the second of two cells that say the same."""
NONE = "none"


def page() -> Iterator[str]:
    """Yield the lines of all tables, each below its heading."""
    yield "### Keys"
    yield from table(("key", "over a machine", "over a cluster"), map(_key, KEYS))
    yield ""
    yield "While the Gantt chart is in use, these keys go before all others:"
    yield from table(("key", "does"), ([_keys(key), key.help] for key in GANTT))
    yield ""
    yield "### Commands"
    yield from table(("after `:`", "over a machine", "over a cluster"), _commands())
    yield ""
    yield "### Filters"
    yield from table(("field", "over a machine", "over a cluster"), _filters())
    yield ""
    yield "### Orders"
    yield from table(("column", "over a machine", "over a cluster"), _orders())


def table(heading: Sequence[str], rows: Iterator[Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a table in Markdown; a second cell of two that are the same says so."""
    yield ""
    yield _line(heading)
    yield _line(["---"] * len(heading))
    for name, *cells in rows:
        yield _line([name, *([cells[0], SAME] if len(cells) == 2 and cells[0] == cells[1] else cells)])


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"


def _keys(key: Key) -> str:
    return " ".join(f"`{each}`" for each in key.keys)


def _key(key: Key) -> Sequence[str]:
    return (_keys(key), *(_does(key, over) for over in (MACHINE, CLUSTER)))


def _does(key: Key, over: str) -> str:
    absent = key.absent(over)
    return f"no: {absent}" if absent else key.does(over)


def _commands() -> Iterator[Sequence[str]]:
    both = [*commands_of(CONSOLE), *commands_of(OVER_CLUSTER)]
    order = {command.name: place for place, command in reversed([*enumerate(COMMANDS)])}
    for name in sorted({command.name for command in both}, key=order.__getitem__):
        yield (f"`{name}`", *(_command(name, view) for view in (CONSOLE, OVER_CLUSTER)))


def _command(name: str, view: str) -> str:
    found = [command for command in commands_of(view) if command.name == name]
    if not found:
        return f"no: {absence(name, view)}"
    return "; ".join(f"{command.help_with_key}: `{command.example}`" for command in found)


def _filters() -> Iterator[Sequence[str]]:
    for field in dict.fromkeys((*QUEUE.fields, *CLUSTER_FILTERS.fields)):
        yield (
            f"`{field}`",
            *(_compared(field, known) for known in (QUEUE, CLUSTER_FILTERS)),
        )


def _compared(field: str, known: Vocabulary) -> str:
    return known.expected.get(field, "a text") if field in known.fields else NONE


def _orders() -> Iterator[Sequence[str]]:
    for column in dict.fromkeys((*SORTS, *CLUSTER_SORTS)):
        yield (f"`{column}`", *("yes" if column in sorts else NONE for sorts in (SORTS, CLUSTER_SORTS)))
