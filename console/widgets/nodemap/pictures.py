"""Pictures of a machine: scene and line number in, cells out. Here: what they promise, and one letter a node.

A picture knows where each node is drawn and paints one line of the map at a time, so that only lines in
sight cost. Nothing here knows the widget. A canvas keeps the painted lines from scene to scene as long as
they stay true: an event touches few jobs, so most lines look as before; finding that out is cheaper than
painting them, and the screen redraws only those that came out different.
"""

from collections.abc import Iterable, Iterator

import attrs
from rich.style import Style

from shadowtime.console.widgets.frame.ink import printable
from shadowtime.console.widgets.frame.looks import Depth, quiet
from shadowtime.console.widgets.nodemap.cells import Cells, joined, named_runs, restyled
from shadowtime.console.widgets.nodemap.layout import MapLayout
from shadowtime.console.widgets.nodemap.scene import FREED, NODE_DOWN, NodeScene
from shadowtime.console.widgets.nodemap.torus_layout import Torus

PARTLY = "%"
"""A cell of several nodes, or units of one, some of which are down."""


@attrs.frozen
class NodePicture:
    """One way to draw the machine: rows with a label, `per` nodes a place.

    `label` is the width of the row labels in cells, `depth` how many rows of the layout share a screen line.
    A place is `wide` cells across and `tall` cells down.
    """

    layout: MapLayout
    nodes: int
    label: int
    per: int = 1
    depth: int = 1
    wide: int = attrs.field(default=1, kw_only=True)
    tall: int = attrs.field(default=1, kw_only=True)

    @property
    def name(self) -> str:
        """What a cell is, for the title, with places for the unit of the machine."""
        raise NotImplementedError

    def paint(self, line: int, scene: NodeScene) -> Cells:
        """The cells of one line, without the space that fills it up."""
        raise NotImplementedError

    @property
    def steady(self) -> bool:
        """Whether a line depends only on the owners of its nodes and their cells (and the cursor)."""
        return self.tall == 1

    @property
    def lines(self) -> int:
        return -(-self.layout.rows // self.depth) * self.tall

    def line_of(self, node: int) -> int:
        """The (first) line on which a node is drawn."""
        return self.layout.where(node // self.per)[0] // self.depth * self.tall

    def nodes_at(self, column: int, line: int) -> range | None:
        """The nodes that a cell of the screen stands for; None where there are none."""
        place = self.layout.at(line // self.tall * self.depth, (column - self.label) // self.wide)
        return None if place is None else self.nodes_of(place)

    def nodes_on(self, line: int) -> Iterator[range]:
        first = line // self.tall * self.depth
        for row in range(first, min(first + self.depth, self.layout.rows)):
            yield from (self.spread(group) for group in self.layout.groups(row))

    def nodes_with(self, node: int) -> range:
        """The nodes that share a cell with this one, itself included."""
        return self.nodes_of(node // self.per)

    def nodes_of(self, place: int) -> range:
        """The nodes of one place."""
        return range(place * self.per, min((place + 1) * self.per, self.nodes))

    def spread(self, group: range) -> range:
        """The nodes of a group of places."""
        if self.per == 1:
            return group
        return range(group.start * self.per, min(group.stop * self.per, self.nodes))

    def moved(self, node: int, right: int, down: int) -> int:
        place = self.layout.moved(node // self.per, right, down)
        return node if place == node // self.per else place * self.per

    def owner_at(self, node: int, scene: NodeScene) -> int:
        """The owner of the node itself, whoever else shares its cell."""
        return scene.owners[node]

    def row_label(self, line: int, scene: NodeScene) -> Cells:
        """The name of the first node on the line; bold on the cursor's line."""
        nodes = self.nodes_at(self.label, line)
        name = scene.name(nodes.start) if nodes else ""
        here = scene.cursor is not None and self.line_of(scene.cursor) == line
        style = scene.base + (Style(bold=True) if here else quiet(scene.palette))
        return [(f"{name:>{self.label - 1}} ", style)]

    def runs(self, letters: Iterable[tuple[int, str, Style]], scene: NodeScene, named: bool = True) -> Cells:
        """The letters of some owners side by side, with the number of a job in the middle of its run."""

        def name(owner: int) -> str:
            return printable(scene.jobs.label(owner)) if named and owner >= 0 else ""

        return list(named_runs(letters, self.wide, name))

    def with_cursor(self, cells: Cells, line: int, scene: NodeScene, letter: str = "") -> Cells:
        """The cells joined into runs, the cursor's one marked, with a letter of its own if one is given."""
        cells = joined(cells, scene.base)
        if scene.cursor is None or self.line_of(scene.cursor) != line // self.tall * self.tall:
            return cells
        column = self.label + self.layout.where(scene.cursor // self.per)[1] * self.wide
        for at in range(column, column + self.wide):
            cells = restyled(cells, at, lambda style: cursor_style(style, scene), letter)
        return cells


@attrs.frozen
class Letters(NodePicture):
    """One letter a node, or several, among which a job has its number where there is room."""

    @property
    def name(self) -> str:
        return "one letter a {unit}" if self.wide == 1 else f"{self.wide} letters a {{unit}}"

    def paint(self, line: int, scene: NodeScene) -> Cells:
        cells = self.row_label(line, scene)
        for count, group in enumerate(self.layout.groups(line)):
            if count:
                cells.append((" " * self.wide, scene.base))
            cells += self.runs([(owner, *scene.ink[owner]) for owner in scene.row(group)], scene)
        return self.with_cursor(cells, line, scene)


def cursor_style(style: Style, scene: NodeScene) -> Style:
    """The style of the cell under the cursor: on a ground of its own, or underlined as no selected one is."""
    if scene.palette.depth is Depth.MANY:
        ink, paper = ("#000000", "#ffffff") if scene.palette.dark else ("#ffffff", "#000000")
        return style + Style(color=ink, bgcolor=paper, reverse=False, bold=True)
    return style + Style(reverse=not style.reverse, bold=True, underline=True, dim=False)


@attrs.frozen
class Planes(NodePicture):
    """One letter for `per` units along X, in planes.

    Where jobs share a node its letter is that of the one with most of it, the first of equals; a node with
    some units down is a `%` (an `X` when all are).
    """

    torus: Torus = attrs.field(kw_only=True)

    @property
    def name(self) -> str:
        per = self.torus.per
        cell = "a letter" if self.wide == 1 else "a block"
        return f"{cell} a {{unit}}" if per == 1 else f"{cell} for {per} {{units}}"

    def nodes_on(self, line: int) -> Iterator[range]:
        for group in self.layout.groups(line // self.tall):
            yield from self.spreads(group)

    def spreads(self, group: range) -> list[range]:
        """The units of a row of a plane: the first ones of all its nodes, the second ones, and so on."""
        first, stop, step = group.start * self.per, group.stop * self.per, group.step * self.per
        return [range(first + unit, stop + unit, step) for unit in range(self.per)]

    def paint(self, line: int, scene: NodeScene) -> Cells:
        cells: Cells = []
        column = 0
        torus, here = self.torus, None if scene.cursor is None else scene.cursor // self.per
        row, part = divmod(line, self.tall)
        for group in self.layout.groups(row):
            plane, left = torus.plane_of(group.start), self.layout.where(group.start)[1] * self.wide
            label = "" if group.start % torus.rows or part else f"y{plane} "
            marked = here is not None and torus.plane_of(here) == plane
            style = scene.base + (Style(bold=True) if marked else quiet(scene.palette))
            cells.append((" " * (left - column - len(label)), scene.base))
            cells.append((label, style))
            cells += self.runs(self._letters(group, scene), scene, part == self.tall // 2)
            column = left + len(group) * self.wide
        return self.with_cursor([cell for cell in cells if cell[0]], line, scene)

    def owner_at(self, node: int, scene: NodeScene) -> int:
        """Whose letter is drawn for the node of this unit."""
        units = self.nodes_with(node)
        return drawn(tuple(scene.row(units)), scene.selected)

    def _letters(self, group: range, scene: NodeScene) -> Iterator[tuple[int, str, Style]]:
        for owners in zip(*(scene.row(units) for units in self.spreads(group)), strict=True):
            owner = drawn(owners, scene.selected)
            letter, style = scene.ink[owner]
            partly = owner == NODE_DOWN and owners.count(owner) < len(owners)
            yield owner, PARTLY if partly else letter, style


def drawn(owners: tuple[int, ...], selected: int | None = None) -> int:
    """The owner that stands for a node: down, the selected job, the job with most of it, or nobody."""
    if owners.count(owners[0]) == len(owners) or NODE_DOWN in owners:
        return NODE_DOWN if NODE_DOWN in owners else owners[0]
    if selected is not None and selected in owners:
        return selected
    jobs = [owner for owner in owners if owner >= 0]
    return max(jobs, key=jobs.count) if jobs else min(owners)


@attrs.define
class _Line:
    """A painted line, and the owners of its nodes once somebody asked for them."""

    cells: Cells
    owners: frozenset[int] | None = None


class Canvas:
    """Lines of one picture, painted on demand."""

    def __init__(self, picture: NodePicture, scene: NodeScene) -> None:
        self.picture = picture
        self.scene = scene
        self._lines: dict[int, _Line] = {}

    def line(self, number: int) -> Cells:
        if number not in self._lines:
            self._lines[number] = self._paint(number)
        return self._lines[number].cells

    def renew(self, scene: NodeScene, lines: range) -> list[int]:
        """Take a new scene, and paint these lines: the numbers of those that came out different."""
        earlier, before = self.scene, self._lines
        self.scene = scene
        kept = self._still_true(earlier, before, lines)
        self._lines = {number: before[number] for number in kept}
        stale = []
        for number in lines:
            if number not in kept:
                line = self._lines[number] = self._paint(number)
                if number not in before or line.cells != before[number].cells:
                    stale.append(number)
        return stale

    def _paint(self, number: int) -> _Line:
        if not 0 <= number < self.picture.lines:
            return _Line([])
        return _Line(self.picture.paint(number, self.scene))

    def _still_true(self, earlier: NodeScene, before: dict[int, _Line], lines: range) -> set[int]:
        """The lines whose nodes have the owners they had, all of which look as they looked."""
        scene = self.scene
        if earlier.draining != scene.draining or earlier.colouring != scene.colouring:
            return set()
        if not self.picture.steady or earlier.base != scene.base or earlier.palette != scene.palette:
            return set()
        same = [
            number
            for number in lines
            if number in before
            and not self._has_cursor(number, earlier)
            and self._same_owners(number, earlier)
        ]
        owners = {number: self._owners(number, before[number], earlier) for number in same}
        met = frozenset[int]().union(*owners.values())
        restless = {owner for owner in met if scene.ink[owner] is not earlier.ink[owner]} | {FREED}
        return {number for number in same if restless.isdisjoint(owners[number])}

    def _owners(self, number: int, line: _Line, earlier: NodeScene) -> frozenset[int]:
        if line.owners is None:
            rows = (earlier.row(nodes) for nodes in self.picture.nodes_on(number))
            line.owners = frozenset().union(*rows)
        return line.owners

    def _has_cursor(self, number: int, earlier: NodeScene) -> bool:
        cursors = (self.scene.cursor, earlier.cursor)
        return any(cursor is not None and self.picture.line_of(cursor) == number for cursor in cursors)

    def _same_owners(self, number: int, earlier: NodeScene) -> bool:
        now, then = self.scene.owners, earlier.owners
        return all(
            now[nodes.start : nodes.stop : nodes.step] == then[nodes.start : nodes.stop : nodes.step]
            for nodes in self.picture.nodes_on(number)
        )
