"""The help screen: keys under their headings, then commands. Derived, so that it is always complete."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType

from shadowtime.console import keys
from shadowtime.console.screens.command_table import CLUSTER, CONSOLE, commands_of
from shadowtime.console.screens.pages.page import Page
from shadowtime.console.widgets.frame.ink import Line, width_of, wrap
from shadowtime.console.widgets.frame.looks import STATES
from shadowtime.console.words import Unit

KEY_WIDTH = 11
CHOICE_WIDTH = 18
COMMAND_WIDTH = 30
GAP = 2
HALF = 57
"""Cells that one column of keys wants; screens twice as wide take two."""
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


def help_lines(width: int, over: str, keyboard: keys.Keyboard = keys.USUAL) -> list[Line]:
    """Every key and every command over a machine or a cluster, for a width."""
    groups = keyboard.groups(over).items()
    if width >= 2 * HALF:
        lines = _side_by_side([_block(name, found, width // 2 - GAP) for name, found in groups], width)
    else:
        lines = [line for name, found in groups for line in [*_block(name, found, width), []]]
    return [*lines, *command_lines(VIEW_OF[over], width)]


def sign_lines(width: int, unit: Unit) -> list[Line]:
    """What the signs in the queue of a machine mean, and the letters of states."""
    lines: list[Line] = [[], [("IN THE QUEUE", "head")]]
    for sign, text in SIGNS.items():
        lines += wrap(unit.fill(text), width, "text", [(f"  {sign:<{KEY_WIDTH}}", "key")], KEY_WIDTH + 2)
    lines += [[], [("STATES, in the queue and on the map", "head")]]
    for letter, state in STATES.items():
        if letter:
            coloured = (letter, f"state:{letter}")
            lines.append([("  ", "text"), coloured, (" " * (KEY_WIDTH - 1), "text"), (state.word, "text")])
    return lines


def command_lines(view: str, width: int) -> Sequence[Line]:
    """The commands of a view; a long example has lines of its own."""
    lines: list[Line] = [[("COMMANDS, after :", "head")]]
    for command in commands_of(view):
        first, behind = f"  {command.example:<{COMMAND_WIDTH}} ", COMMAND_WIDTH + 3
        if len(first) > behind:
            lines += wrap(command.example, width, "key", [("  ", "key")], 4)
            first = " " * behind
        lines += wrap(command.help_with_key, width, "text", [(first, "key")], behind)
    return lines


def _block(name: str, found: Sequence[keys.Key], width: int) -> list[Line]:
    lines: list[Line] = [[(name.upper(), "head")]]
    for key in found:
        first = f"  {key.shown + '  ':<{KEY_WIDTH}}"
        lines += wrap(key.help, width, "text", [(first, "key")], KEY_WIDTH + 2)
    return lines


def _side_by_side(blocks: Sequence[list[Line]], width: int) -> list[Line]:
    left: list[Line] = []
    right: list[Line] = []
    for block in blocks:
        side = left if len(left) <= len(right) else right
        side += [*block, []]
    half = width // 2
    lines: list[Line] = []
    for place in range(max(len(left), len(right))):
        first = left[place] if place < len(left) else []
        second = right[place] if place < len(right) else []
        lines.append([*first, (" " * (half - width_of(first)), "text"), *second])
    return lines


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

    def __init__(self, over: str, unit: Unit | None = None) -> None:
        """What it is over: a machine, counted in a unit, or a cluster."""
        super().__init__("HELP", self._lines)
        self._over, self._unit = over, unit

    def _lines(self, width: int) -> Sequence[Line]:
        found = help_lines(width, self._over, keys.keyboard_of(self.app))
        if self._unit is None:
            return [*found, [], *wrap(LOOKS, width, "dim")]
        return [*found, *sign_lines(width, self._unit)]
