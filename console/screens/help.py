"""The help screen: keys under their headings, then commands. Derived, so that it is always complete."""

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType

from console import keys
from console.screens.page import Page
from console.screens.typed import COMMANDS, SORTS
from console.widgets.panel_ink import Line, Piece, clip, width_of

KEY_WIDTH = 10
GAP = 2
HALF = 57
"""Cells that one column of keys wants; screens twice as wide take two."""


def help_lines(width: int) -> Sequence[Line]:
    """Every key and every command, for a width."""
    blocks = [_block(name, found) for name, found in keys.groups().items()]
    if width >= 2 * HALF:
        lines = _side_by_side(blocks, width)
    else:
        lines = [line for block in blocks for line in [*block, []]]
    lines.append([("COMMANDS, after :", "head")])
    for command in COMMANDS:
        text = command.help.format(sorts=", ".join(SORTS))
        lines.append(clip([(f"  {command.usage:<30} ", "key"), (text, "text")], width))
    return [*lines, [], *_letters()]


def _block(name: str, found: Sequence[keys.Key]) -> list[Line]:
    lines: list[Line] = [[(name.upper(), "head")]]
    for key in found:
        lines.append([(f"  {key.shown:<{KEY_WIDTH}}", "key"), (key.help, "text")])
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
        first: list[Piece] = clip(left[place], half - GAP) if place < len(left) else []
        second = clip(right[place], width - half) if place < len(right) else []
        lines.append([*first, (" " * (half - width_of(first)), "text"), *second])
    return lines


def _letters() -> list[Line]:
    return [
        [("IN THE QUEUE", "head")],
        [
            ("  exp   ", "key"),
            ("expected start: if jobs run to their estimates and no more come", "text"),
        ],
        [("  guar  ", "key"), ("guaranteed start: a reservation that can only move earlier", "text")],
        [
            ("  ~     ", "key"),
            ("of an earlier event: a fresh prediction is on its way", "text"),
        ],
        [("  SLIP  ", "key"), ("how far the predicted start moved since the job was submitted", "text")],
    ]


class Help(Page):
    """Keys and commands."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("question_mark", "leave", "back")]

    def __init__(self) -> None:
        super().__init__("HELP", help_lines)
