"""Zooms: the pictures from afar to near, fitted to a panel; the nearest draw each node as a card."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial

import attrs
from rich.cells import cell_len

from shadowtime.console.widgets.frame.ink import cell, printable
from shadowtime.console.widgets.frame.looks import quiet
from shadowtime.console.widgets.nodemap.blocks import Halves, Racks
from shadowtime.console.widgets.nodemap.cells import Cells
from shadowtime.console.widgets.nodemap.layout import FlatLayout, MapLayout, flat
from shadowtime.console.widgets.nodemap.pictures import Letters, NodePicture, Planes, cursor_style
from shadowtime.console.widgets.nodemap.scene import FREED, LEAVING, NO_JOB, NODE_DOWN, NodeScene
from shadowtime.console.widgets.nodemap.torus_layout import Torus, fitted

Zoom = Callable[[int, int, int], NodePicture]
"""Makes the picture of so many nodes for a space of so many columns and rows."""
WIDTH, LINES = 24, 4
SHORT = 14
"""Cells of a card of one line, which has only the job."""
_TEXT = WIDTH - 7
_WORDS = {NO_JOB: "idle", FREED: "idle", NODE_DOWN: "down", LEAVING: "draining"}


@attrs.frozen
class Cards:
    """A card a node, side by side; the last of several lines of a card is blank."""

    layout: MapLayout
    name: str = "a card a {unit}"
    steady: bool = attrs.field(default=False, init=False)
    width: int = WIDTH
    tall: int = LINES

    @property
    def lines(self) -> int:
        return self.layout.rows * self.tall - (self.tall > 1)

    def paint(self, line: int, scene: NodeScene) -> Cells:
        row, part = divmod(line, self.tall)
        paint = _short if self.tall == 1 else (card_head, _owner, _until, _blank)[part]
        cells: Cells = [(" ", scene.base)]
        for group in self.layout.groups(row):
            for node, owner in zip(group, scene.row(group), strict=True):
                cells += paint(node, owner, scene)
        return cells

    def nodes_on(self, line: int) -> Iterable[range]:
        return self.layout.groups(line // self.tall)

    def line_of(self, node: int) -> int:
        return self.layout.where(node)[0] * self.tall

    def nodes_at(self, column: int, line: int) -> range | None:
        node = self.layout.at(line // self.tall, (column - 1) // self.width)
        return None if node is None else range(node, node + 1)

    def nodes_with(self, node: int) -> range:
        return range(node, node + 1)

    def moved(self, node: int, right: int, down: int) -> int:
        return self.layout.moved(node, right, down)

    def owner_at(self, node: int, scene: NodeScene) -> int:
        return scene.owners[node]


def _short(node: int, owner: int, scene: NodeScene) -> Cells:
    return card_head(node, owner, scene, "", SHORT - WIDTH + _TEXT)


def card_head(node: int, owner: int, scene: NodeScene, before: str = "job ", room: int = _TEXT) -> Cells:
    letter, style = scene.ink[owner]
    number = scene.base + quiet(scene.palette)
    if node == scene.cursor:
        number = cursor_style(number, scene)
    words = _WORDS.get(owner) or f"{before}{printable(scene.jobs.label(owner))}"
    text = cell(f"{letter} {words}", min(room, cell_len(words) + 2))
    return [
        (f"{node:>5}", number),
        ("  ", scene.base),
        (text, style),
        (" " * (room - cell_len(text)), scene.base),
    ]


def _owner(node: int, owner: int, scene: NodeScene) -> Cells:
    text = f"{scene.jobs.state(owner)} {printable(scene.jobs.user(owner))}" if owner >= 0 else ""
    return [(" " * 7 + cell(text, _TEXT), scene.base)]


def _until(node: int, owner: int, scene: NodeScene) -> Cells:
    end = scene.jobs.end(owner) if owner >= 0 else None
    text = "" if end is None else f"to {scene.jobs.clock.brief(end)}"
    return [(" " * 7 + cell(text, _TEXT), scene.base)]


def _blank(node: int, owner: int, scene: NodeScene) -> Cells:
    return [(" " * WIDTH, scene.base)]


def letters(nodes: int, columns: int, rows: int) -> Letters:
    """Letters for so many nodes in a space of so many cells."""
    label = _label_width(nodes)
    return Letters(flat(nodes, columns - label, rows), nodes, label)


def halves(nodes: int, columns: int, rows: int) -> Halves:
    """Half blocks for so many nodes in a space of so many cells."""
    label = _label_width(nodes)
    return Halves(flat(nodes, columns - label, 2 * rows), nodes, label, depth=2)


def racks(nodes: int, columns: int, rows: int) -> Racks:
    """Racks of two, four, eight ... nodes: as few nodes a rack as let the whole machine be seen."""
    label = _label_width(nodes)
    space, per = columns - label - len(" 100%"), 2
    while (layout := flat(-(-nodes // per), space, rows)).rows > rows and per < nodes:
        per *= 2
    return Racks(layout, nodes, label, per)


def cards(nodes: int, columns: int, rows: int) -> Cards:
    """Cards for so many nodes, side by side as far as the columns go."""
    return Cards(FlatLayout(nodes, max(1, (columns - 1) // WIDTH)))


def jobs(nodes: int, columns: int, rows: int) -> Cards:
    """The job of each of so many nodes, side by side as far as the columns go."""
    layout = FlatLayout(nodes, max(1, (columns - 1) // SHORT))
    return Cards(layout, "the job of a {unit}", width=SHORT, tall=1)


def planes(torus: Torus, nodes: int, columns: int, rows: int) -> Planes | Letters:
    """Letters plane by plane; as on a flat machine where a plane is wider than the space."""
    layout = fitted(torus, columns, rows) if nodes == torus.units else None
    if layout is None:
        return letters(nodes, columns, rows)
    return Planes(layout, nodes, 0, torus.per, torus=torus)


ZOOMS: tuple[Zoom, ...] = (racks, halves, letters, jobs, cards)
"""From afar to near."""
LETTERS = 2
"""The place of that with a letter a node."""


def zooms(torus: Torus | None) -> tuple[Zoom, ...]:
    """The zooms of a machine: those of a flat one, but that the letters of a torus stand in planes."""
    return ZOOMS if torus is None else (racks, halves, partial(planes, torus), cards)


def best(nodes: int, columns: int, rows: int, zooms: Sequence[Zoom] = ZOOMS) -> int:
    """The nearest zoom (its index among them) at which the whole machine is in sight."""
    for zoom in range(len(zooms) - 1, 0, -1):
        if zooms[zoom](nodes, columns, rows).lines <= rows:
            return zoom
    return 0


def _label_width(nodes: int) -> int:
    return len(str(max(0, nodes - 1))) + 1
