"""The help screen: keys under their headings, then commands. Derived, so that it is always complete."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, zip_longest
from typing import ClassVar

import attrs
from textual.binding import Binding, BindingType

from shadowtime.console import keys
from shadowtime.console.screens.command_table import CLUSTER, CONSOLE, commands_of
from shadowtime.console.screens.pages.page import Page
from shadowtime.console.widgets.frame.ink import Line, Piece, width_of, wrap
from shadowtime.console.widgets.frame.looks import STATES
from shadowtime.console.words import Unit

KEY_WIDTH = 10
CHOICE_WIDTH = 18
COMMAND_WIDTH = 30
GAP = 2
COLUMN, WIDE_COLUMN = 57, 75
"""Cells that one column of keys wants, and one of commands; screens twice as wide take two."""
SIGNS: Mapping[str, str] = {
    ">": "the selected job; without one the head of the queue is explained",
    "exp": "expected start: if jobs run to their estimates and no more come",
    "guar": "guaranteed start: a reservation that can only move earlier",
    "plan": "planned start: it may move, but never past the job's deadline",
    "set": "settled start: the job holds its {units} and runs then",
    "~": "of an earlier event: a fresh prediction is on its way",
    "SLIP": "how far the predicted start moved since the submission",
    "SLACK": "how far the planned start may still move back: to the deadline",
    "DONE": "the share of its estimate that a preempted job has done",
    "ENDS": "where jobs take turns: the end, if all need their estimates",
    "PRE": "how often the job was preempted so far",
    "PRIO": "the priority by which the policy orders the queue",
    "4 of 16": "so many of the {units} that the job needs are free",
}
"""What the signs in the queue mean, for `Unit.fill`."""


VIEW_OF = {keys.MACHINE: CONSOLE, keys.CLUSTER: CLUSTER}
"""What a console is over -> its view in the table of commands."""
LOOKS = "The console only looks: nothing is submitted, changed or cancelled on the cluster."
Rows = Iterable[tuple[str, str]]
"""What is explained, each with what it means."""


@attrs.frozen
class Own:
    """What those in training have: keys with what they do, under a heading, and what else they may use."""

    heading: str
    rows: Rows
    has_key: Callable[[str], bool]
    """Whether a key of the console, by its id, does here what it does in the console."""
    has_command: Callable[[str], bool]
    """The same of a command, by its name."""


def help_lines(
    width: int, over: str, keyboard: keys.Keyboard = keys.USUAL, own: Own | None = None
) -> list[Line]:
    """Every key and every command over a machine or a cluster, for a width; in training those there are."""
    groups, view = keyboard.groups(over), VIEW_OF[over]
    if own is None:
        return [*key_lines(groups, width), *command_lines(view, width)]
    kept = {name: [key for key in found if own.has_key(key.id)] for name, found in groups.items()}
    first = meaning_lines(own.heading, own.rows, width, KEY_WIDTH)
    groups = {name: found for name, found in kept.items() if found}
    return [*first, [], *key_lines(groups, width), *command_lines(view, width, own.has_command)]


def key_lines(groups: Mapping[str, Sequence[keys.Key]], width: int) -> list[Line]:
    """Keys under their headings, in as many columns as there is room for."""

    def block(name: str, found: Sequence[keys.Key], room: int) -> list[Line]:
        rows = _rows([(key.shown, key.help) for key in found], room, KEY_WIDTH)
        return [[(name.upper(), "head")], *chain.from_iterable(rows), []]

    return _columns(lambda room: [block(name, found, room) for name, found in groups.items()], width, COLUMN)


def sign_lines(width: int, unit: Unit) -> list[Line]:
    """What the signs in the queue of a machine mean, and the letters of states."""
    states: list[list[Line]] = []
    for letter, state in STATES.items():
        if letter:
            coloured = (letter, f"state:{letter}")
            states.append([[("  ", "text"), coloured, (" " * KEY_WIDTH, "text"), (state.word, "text")]])
    states[0].insert(0, [("STATES, in the queue and on the map", "head")])
    signs = {sign: unit.fill(text) for sign, text in SIGNS.items()}

    def blocks(room: int) -> Sequence[list[Line]]:
        queue = _rows(signs.items(), room, KEY_WIDTH)
        queue[0].insert(0, [("IN THE QUEUE", "head")])
        return [*queue[:-1], [*queue[-1], []], *states]

    return [[], *_columns(blocks, width, WIDE_COLUMN)]


def meaning_lines(heading: str, rows: Rows, width: int, indent: int) -> list[Line]:
    """What signs or commands mean, from a cell on, in as many columns as there is room for."""
    found = _columns(lambda room: _rows(rows, room, min(indent, room // 3)), width, WIDE_COLUMN)
    return [[(heading, "head")], *found]


def command_lines(view: str, width: int, has: Callable[[str], bool] = lambda name: True) -> Sequence[Line]:
    """The commands of a view, those that there are; a long example has lines of its own."""
    rows = [(it.example, it.help_with_key) for it in commands_of(view) if has(it.name)]
    return meaning_lines("COMMANDS, after :", rows, width, COMMAND_WIDTH)


def _rows(rows: Rows, width: int, indent: int) -> list[list[Line]]:
    """The lines of each row: what is explained, and from a cell on what it means."""
    found: list[list[Line]] = []
    for what, text in rows:
        first, lines = f"  {what:<{indent}} ", list[Line]()
        if len(first) > indent + 3:
            lines += wrap(what, width, "key", [("  ", "key")], 4)
            first = " " * (indent + 3)
        found.append([*lines, *wrap(text, width, "text", [(first, "key")], indent + 3)])
    return found


def _columns(blocks: Callable[[int], Sequence[list[Line]]], width: int, wanted: int) -> list[Line]:
    """Blocks for a width one below the other, and as many columns side by side as have the cells wanted.

    Each column goes on where the one to its left ends; they are as short as that allows.
    """
    count = max(1, width // wanted)
    wide = width // count
    found = blocks(wide - GAP * (count > 1))
    height = sum(map(len, found)) // count
    while len(columns := _filled(found, height)) > count:
        height += 1
    lines: list[Line] = []
    for row in zip_longest(*columns, fillvalue=[]):
        line: list[Piece] = []
        for place, part in enumerate(row):
            line += [(" " * (place * wide - width_of(line)), "text"), *part] if part else []
        lines.append(line)
    return lines


def _filled(blocks: Sequence[list[Line]], height: int) -> list[list[Line]]:
    """Columns of so many lines at most, or of one block."""
    columns: list[list[Line]] = [[]]
    for block in blocks:
        if columns[-1] and len(columns[-1]) + len(block) > height:
            columns.append([])
        columns[-1] += block
    return columns


THERE = "In an open scenario the same key lists the keys and commands of the console."


def choice_help(heading: str, found: Sequence[tuple[str, str]], width: int) -> Sequence[Line]:
    """The keys of a screen of choices, and where those of the console are."""
    lines: list[Line] = [[(heading, "head")]]
    for key, text in found:
        lines += wrap(text, width, "text", [(f"  {key:<{CHOICE_WIDTH}}", "key")], CHOICE_WIDTH + 2)
    return [*lines, [], *wrap(THERE, width, "dim")]


class Help(Page):
    """Keys and commands."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("question_mark", "leave", "back", id="help")]

    def __init__(self, over: str, unit: Unit | None = None, own: Own | None = None) -> None:
        """What it is over: a machine, counted in a unit, or a cluster; in training with what is there."""
        super().__init__("HELP", self._lines)
        self._over, self._unit, self._own = over, unit, own

    def _lines(self, width: int) -> Sequence[Line]:
        found = help_lines(width, self._over, keys.keyboard_of(self.app), self._own)
        if self._unit is None:
            return [*found, [], *wrap(LOOKS, width, "dim")]
        return [*found, *sign_lines(width, self._unit)]
