"""The tables of docs/keys.md: keys, commands and fields, over a machine and over a cluster."""

from collections.abc import Iterator, Sequence
from typing import Any

from shadowtime.console.keys import CLUSTER, GANTT, KEYS, MACHINE, Key
from shadowtime.console.screens.command_table import CLUSTER as OVER_CLUSTER
from shadowtime.console.screens.command_table import COMMANDS, CONSOLE, absence, commands_of
from shadowtime.console.session.jobs.fields import QUEUE
from shadowtime.console.session.slurm.board.fields import PLAN, RUNNING
from shadowtime.console.session.table.field import Fields

SAME = "the same"
"""What stands in the second of two cells that say the same."""


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
    yield "### Fields"
    yield "A field that a filter asks for, a column, and what `s` and `:sort` sort by have one name."
    yield from table(
        ("field", "queue of a machine", "plan of a cluster", "running jobs of a cluster"), _fields()
    )


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


def _fields() -> Iterator[Sequence[str]]:
    tables: Sequence[Fields[Any, Any]] = (QUEUE, PLAN, RUNNING)
    names = dict.fromkeys(name for each in tables for name in (*each.by_name, *each.orders))
    for name in names:
        yield (f"`{name}`", *(_field(name, each) for each in tables))


def _field(name: str, fields: Fields[Any, Any]) -> str:
    """What a table has of a field: its column, what a filter compares it with, whether it is an order."""
    field, parts = fields.by_name.get(name), []
    if field is not None and field.title:
        parts.append(f"column {field.title}")
    if field is not None and field.filtered:
        parts.append(f"filter by {'a text' if field.kind.worded else field.kind.expected}")
    if name in fields.orders:
        parts.append("order")
    return ", ".join(parts) or f"no: {fields.absent[name]}"
