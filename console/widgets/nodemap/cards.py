"""The nearest pictures: a card a node, with its number and job; with more room also user, and until when."""

from collections.abc import Iterable

import attrs
from rich.cells import cell_len

from shadowtime.console.widgets.frame.ink import cell, printable
from shadowtime.console.widgets.frame.looks import quiet
from shadowtime.console.widgets.nodemap.cells import Cells
from shadowtime.console.widgets.nodemap.layout import MapLayout
from shadowtime.console.widgets.nodemap.pictures import cursor_style
from shadowtime.console.widgets.nodemap.scene import FREED, LEAVING, NO_JOB, NODE_DOWN, NodeScene

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
        paint = _short if self.tall == 1 else (_head, _owner, _until, _blank)[part]
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
    return _head(node, owner, scene, "", SHORT - WIDTH + _TEXT)


def _head(node: int, owner: int, scene: NodeScene, before: str = "job ", room: int = _TEXT) -> Cells:
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
