"""The picture of a torus: one letter a node, plane by plane, each with its number at its top left."""

from collections.abc import Iterator
from itertools import groupby

import attrs
from rich.style import Style

from shadowtime.console.widgets.frame.looks import quiet
from shadowtime.console.widgets.nodemap.cells import Cell, Cells
from shadowtime.console.widgets.nodemap.pictures import NodeGrid
from shadowtime.console.widgets.nodemap.scene import NODE_DOWN, NodeScene
from shadowtime.console.widgets.nodemap.torus_layout import Torus


@attrs.frozen
class Planes(NodeGrid):
    """One letter for `per` units along X, in planes.

    Where jobs share a node its letter is that of the one with most of it, the first of equals; a node with
    some units down is an `x` (`X` when all are).
    """

    torus: Torus = attrs.field(kw_only=True)

    @property
    def name(self) -> str:
        per = self.torus.per
        return "one letter a {unit}" if per == 1 else f"a letter for {per} {{units}}"

    def nodes_on(self, line: int) -> Iterator[range]:
        for group in self.layout.groups(line):
            yield from self.spreads(group)

    def spreads(self, group: range) -> list[range]:
        """The units of a row of a plane: the first ones of all its nodes, the second ones, and so on."""
        first, stop, step = group.start * self.per, group.stop * self.per, group.step * self.per
        return [range(first + unit, stop + unit, step) for unit in range(self.per)]

    def paint(self, line: int, scene: NodeScene) -> Cells:
        cells: Cells = []
        column = 0
        torus, here = self.torus, None if scene.cursor is None else scene.cursor // self.per
        for group in self.layout.groups(line):
            plane, left = torus.plane_of(group.start), self.layout.where(group.start)[1]
            label = "" if group.start % torus.rows else f"y{plane} "
            marked = here is not None and torus.plane_of(here) == plane
            style = scene.base + (Style(bold=True) if marked else quiet(scene.palette))
            cells.append((" " * (left - column - len(label)), scene.base))
            cells.append((label, style))
            for (letter, ink), same in groupby(self._letters(group, scene)):
                cells.append((letter * len(list(same)), ink))
            column = left + len(group)
        return self.with_cursor([cell for cell in cells if cell[0]], line, scene)

    def owner_at(self, node: int, scene: NodeScene) -> int:
        """Whose letter is drawn for the node of this unit."""
        units = self.nodes_with(node)
        return drawn(tuple(scene.row(units)), scene.selected)

    def _letters(self, group: range, scene: NodeScene) -> Iterator[Cell]:
        if self.per == 1:
            yield from (scene.ink[owner] for owner in scene.row(group))
            return
        for owners in zip(*(scene.row(units) for units in self.spreads(group)), strict=True):
            owner = drawn(owners, scene.selected)
            letter, style = scene.ink[owner]
            partly = owner == NODE_DOWN and owners.count(owner) < len(owners)
            yield (letter.lower() if partly else letter), style


def drawn(owners: tuple[int, ...], selected: int | None = None) -> int:
    """The owner that stands for a node: down, the selected job, the job with most of it, or nobody."""
    if owners.count(owners[0]) == len(owners) or NODE_DOWN in owners:
        return NODE_DOWN if NODE_DOWN in owners else owners[0]
    if selected is not None and selected in owners:
        return selected
    jobs = [owner for owner in owners if owner >= 0]
    return max(jobs, key=jobs.count) if jobs else min(owners)
