"""Pictures from afar: half blocks (two nodes a cell) and racks (many nodes a cell)."""

from functools import lru_cache
from itertools import groupby, zip_longest

import attrs
from rich.color import Color
from rich.style import Style

from shadowtime.console.widgets.frame.looks import Depth, chosen_look
from shadowtime.console.widgets.nodemap.cells import Cell, Cells, percent
from shadowtime.console.widgets.nodemap.pictures import PARTLY, NodePicture
from shadowtime.console.widgets.nodemap.scene import (
    CHANGED,
    FREED,
    LEAVING,
    NO_JOB,
    NODE_DOWN,
    Colouring,
    NodeScene,
)

GAP = -5
"""Stands among owners where no node is drawn."""

EIGHTHS = "▁▂▃▄▅▆▇█"
TWO = ":"
"""Two busy nodes in one cell, of different jobs, where no hue can show both."""


def lettered(scene: NodeScene) -> bool:
    """Whether cells of several nodes are letters: without hues nothing else sets jobs or users apart."""
    return scene.palette.depth is Depth.NONE and scene.colouring is not Colouring.STATE


@attrs.frozen
class Halves(NodePicture):
    """Half a cell a node: two rows of the layout on a line, busy nodes filled, idle ones empty.

    The shape shows busy or idle, the hue the job. Without hues a letter stands for two nodes of one owner,
    and a mark for two owners; by state the selected job is drawn at half width.
    """

    name: str = "two {units} a cell"

    def paint(self, line: int, scene: NodeScene) -> Cells:
        cells = self.row_label(line, scene)
        known: dict[tuple[int, int], Cell] = {}
        upper, lower = self._owners(2 * line, scene), self._owners(2 * line + 1, scene)
        for pair, same in groupby(zip_longest(upper, lower, fillvalue=GAP)):
            if pair not in known:
                known[pair] = _half(*pair, scene)
            shape, style = known[pair]
            cells.append((shape * len(list(same)), style))
        return self.with_cursor(cells, line, scene, "+")

    def _owners(self, row: int, scene: NodeScene) -> list[int]:
        if row >= self.layout.rows:
            return []
        owners: list[int] = []
        for count, group in enumerate(self.layout.groups(row)):
            owners += [GAP, *scene.row(group)] if count else scene.row(group)
        return owners


@attrs.frozen
class Racks(NodePicture):
    """One cell for `per` nodes: its height is the share that jobs own, its hue that of one of the jobs.

    That is the selected job, else the one that owns the node in the middle, else the first. Without hues the
    cell is its letter. A rack with nodes down is a `%` (an `X` when all are). At the end of the line stands
    its share in percent.
    """

    @property
    def name(self) -> str:
        return f"{self.per} {{units}} a cell"

    def paint(self, line: int, scene: NodeScene) -> Cells:
        cells = self.row_label(line, scene)
        busy = nodes = 0
        for count, group in enumerate(self.layout.groups(line)):
            if count:
                cells.append((" ", scene.base))
            owners = scene.row(self.spread(group))
            cells += [
                _rack(owners[first : first + self.per], scene) for first in range(0, len(owners), self.per)
            ]
            busy += _owned(owners)
            nodes += len(owners)
        cells = self.with_cursor(cells, line, scene, "+")
        cells.append((f" {percent(busy, nodes):>4}", scene.base))
        return cells


def _half(upper: int, lower: int, scene: NodeScene) -> Cell:
    """Two nodes, one above the other, as one block of one or two hues."""
    if NODE_DOWN in (upper, lower):
        alone = upper == lower or GAP in (upper, lower)
        return ("X" if alone else PARTLY), scene.ink[NODE_DOWN][1]
    if LEAVING in (upper, lower) and scene.selected not in (upper, lower):
        return scene.ink[LEAVING]
    changed = scene.is_changed(upper) or scene.is_changed(lower)
    if upper < 0 and lower < 0:
        return (" ", scene.base) if upper == lower == GAP else ("·", _changed(scene.ink[NO_JOB][1], changed))
    if lettered(scene):
        return _half_letter(upper, lower, scene, changed)
    if scene.palette.depth is Depth.NONE and scene.selected in (upper, lower):
        return _narrowed(upper, lower, scene), _changed(scene.base, changed)
    first = _hue(upper, scene) if upper >= 0 else None
    second = _hue(lower, scene) if lower >= 0 else None
    if first and second and first != second and second.is_default:
        # A terminal's own colour of text can be that of a shape only: behind one it is that of the ground.
        return "▄", _block(second, first, changed, scene.base)
    shape = "▄" if upper < 0 else "▀" if lower < 0 else "█" if first == second else "▀"
    return shape, _block(first, second, changed, scene.base)


def _half_letter(upper: int, lower: int, scene: NodeScene, changed: bool) -> Cell:
    """Two nodes by letter: that of both, a half block if one of them is idle, else the mark of two owners."""
    owners = {owner for owner in (upper, lower) if owner != GAP}
    busy = [owner for owner in owners if owner >= 0]
    shown = scene.selected if scene.selected in busy else busy[0]
    assert shown is not None
    letter, style = scene.ink[shown]
    if len(busy) < len(owners):
        letter = "▀" if upper >= 0 else "▄"
    elif any(scene.ink[owner][0] != letter for owner in busy):
        letter = TWO
    return letter, _changed(style, changed)


@lru_cache(4096)
def _block(shape: Color | None, ground: Color | None, changed: bool, base: Style) -> Style:
    if shape is None or ground is None or shape == ground:
        return _changed(base + Style(color=shape or ground), changed)
    return _changed(base + Style(color=shape, bgcolor=ground), changed)


@lru_cache(1024)
def _changed(style: Style, changed: bool) -> Style:
    return style + CHANGED if changed else style


def _narrowed(upper: int, lower: int, scene: NodeScene) -> str:
    """Blocks whose halves are left halves where the selected job is: both, top, bottom."""
    if upper == lower:
        return "▌"
    if upper == scene.selected:
        return "▙" if lower >= 0 else "▘"
    return "▛" if upper >= 0 else "▖"


def _hue(owner: int, scene: NodeScene) -> Color | None:
    if owner == scene.selected:
        return chosen_look(scene.palette).style.color
    return scene.ink[owner][1].color


def _rack(owners: list[int], scene: NodeScene) -> Cell:
    first = owners[0]
    if owners.count(first) == len(owners):
        letter, style = scene.ink[first]
        return (letter if first < 0 or lettered(scene) else "█"), style
    letter, style = _rack_cell(owners, scene)
    owned = _owned(owners)
    if NODE_DOWN in owners:
        return PARTLY, style
    if lettered(scene):
        return letter if owned else ".", style
    if owned == len(owners):
        return "█", style
    return (EIGHTHS[min(6, -(-owned * 8 // len(owners)) - 1)] if owned else "."), style


def _rack_cell(owners: list[int], scene: NodeScene) -> Cell:
    """The cell of the selected job if it is there, else of the job in the middle, else of the first one."""
    if scene.selected is not None and scene.selected in owners:
        return scene.ink[scene.selected]
    middle = owners[len(owners) // 2]
    if middle < 0:
        nobody = LEAVING if LEAVING in owners else NO_JOB
        middle = next((owner for owner in owners if owner >= 0), nobody)
    letter, style = scene.ink[middle]
    return letter, _changed(style, FREED in owners or not scene.changed.isdisjoint(owners))


def _owned(owners: list[int]) -> int:
    """How many of the nodes jobs own."""
    return len(owners) - owners.count(NO_JOB) - owners.count(FREED) - owners.count(NODE_DOWN)
