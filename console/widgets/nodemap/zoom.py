"""Zooms: the pictures from afar to near, fitted to a panel; the nearest draw each node as a card."""

from collections.abc import Callable, Sequence
from functools import partial

import attrs
from rich.cells import cell_len

from shadowtime.console.widgets.frame.ink import cell, printable
from shadowtime.console.widgets.frame.looks import look, quiet
from shadowtime.console.widgets.nodemap.blocks import Halves, Racks
from shadowtime.console.widgets.nodemap.cells import Cells
from shadowtime.console.widgets.nodemap.layout import FlatLayout, flat
from shadowtime.console.widgets.nodemap.pictures import Letters, NodePicture, Planes, cursor_style
from shadowtime.console.widgets.nodemap.scene import FREED, LEAVING, NO_JOB, NODE_DOWN, NodeScene
from shadowtime.console.widgets.nodemap.torus_layout import Torus, fitted

Zoom = Callable[[int, int, int], NodePicture]
"""Makes the picture of so many nodes for a space of so many columns and rows."""


BESIDE = 5
"""Cells of the name of a node on a card, at least."""
CARDS = {1: ("the job of a {unit}", 9), 2: ("job, user and end of a {unit}", 19), 4: ("a card a {unit}", 19)}
"""Lines of a card, its name, and its cells beside the name of the node; the last of four lines is blank."""
WIDEST = 4
"""Letters of one node in a row, at most."""
_WORDS = {NO_JOB: "idle", FREED: "idle", NODE_DOWN: "down", LEAVING: "draining"}


@attrs.frozen
class Cards(NodePicture):
    """A card a node, side by side: the job, and with more lines its user, its state and its end."""

    beside: int = attrs.field(kw_only=True)

    @property
    def name(self) -> str:
        return CARDS[self.tall][0]

    @property
    def steady(self) -> bool:
        return False

    @property
    def lines(self) -> int:
        return self.layout.rows * self.tall - (self.tall == 4)

    def paint(self, line: int, scene: NodeScene) -> Cells:
        row, part = divmod(line, self.tall)
        cells: Cells = [(" ", scene.base)]
        for group in self.layout.groups(row):
            for node, owner in zip(group, scene.row(group), strict=True):
                cells += self._part(part, node, owner, scene)
        return cells

    def _part(self, part: int, node: int, owner: int, scene: NodeScene) -> Cells:
        """One line of a card."""
        letter, style = scene.ink[owner]
        beside, name, room = scene.base + quiet(scene.palette), "", self.wide - self.beside - 2
        if part:
            style = scene.base
        else:
            name = scene.name(node)
            beside = cursor_style(beside, scene) if node == scene.cursor else beside
        text = cell(_texts(letter, owner, scene, self.tall)[part], room).rstrip()
        blank = " " * (room - cell_len(text))
        return [(f"{name:>{self.beside}}", beside), ("  ", scene.base), (text, style), (blank, scene.base)]


def _texts(letter: str, owner: int, scene: NodeScene, tall: int) -> Sequence[str]:
    """What stands on the lines of a card."""
    if owner < 0:
        return f"{letter} {_WORDS[owner]}", "", "", ""
    jobs = scene.jobs
    label, user, end = printable(jobs.label(owner)), printable(jobs.user(owner)), jobs.end(owner)
    until = "" if end is None else f"to {jobs.clock.brief(end)}"
    if tall < 4:
        return f"{letter} {label}{f' {user}' if tall > 1 else ''}", until
    state = look(jobs.state(owner), scene.palette).word
    # A state with more letters leaves no room for the word before a number.
    whose = f"user {user}" if user.isdigit() and state == "running" else user
    return f"{letter} job {label}", ", ".join(filter(None, (whose, state))), until, ""


def letters(nodes: int, columns: int, rows: int, label: int = 0, wide: int = 1) -> Letters:
    """Letters for so many nodes in a space of so many cells."""
    label = label or _label_width(nodes)
    return Letters(flat(nodes, (columns - label) // wide, rows), nodes, label, wide=wide)


def wider(nodes: int, columns: int, rows: int, label: int = 0) -> Letters:
    """As many letters a node as let the whole machine be seen, two at least."""
    choices = (letters(nodes, columns, rows, label, wide) for wide in range(WIDEST, 1, -1))
    return next((each for each in choices if each.lines <= rows), letters(nodes, columns, rows, label, 2))


def halves(nodes: int, columns: int, rows: int, label: int = 0) -> Halves:
    """Half blocks for so many nodes in a space of so many cells."""
    label = label or _label_width(nodes)
    return Halves(flat(nodes, columns - label, 2 * rows), nodes, label, depth=2)


def racks(nodes: int, columns: int, rows: int, label: int = 0) -> Racks:
    """Racks of two, four, eight ... nodes: as few nodes a rack as let the whole machine be seen."""
    label = label or _label_width(nodes)
    space, per = columns - label - len(" 100%"), 2
    while (layout := flat(-(-nodes // per), space, rows)).rows > rows and per < nodes:
        per *= 2
    return Racks(layout, nodes, label, per)


def cards(nodes: int, columns: int, rows: int, label: int = 0, tall: int = 4) -> Cards:
    """Cards for so many nodes, side by side as far as the columns go."""
    beside = max(BESIDE, label)
    wide = beside + CARDS[tall][1]
    layout = FlatLayout(nodes, max(1, (columns - 1) // wide))
    return Cards(layout, nodes, 1, wide=wide, tall=tall, beside=beside)


jobs, brief = partial(cards, tall=1), partial(cards, tall=2)
"""Cards of the job alone, and of the job, its user and its end."""


SCALES = ((9, 3), (6, 3), (6, 2), (5, 2), (4, 2), (3, 1), (2, 1))
"""Cells of a block on a torus, across and down."""


def planes(torus: Torus, nodes: int, columns: int, rows: int) -> Planes | Letters:
    """Letters plane by plane; as on a flat machine where a plane is wider than the space."""
    layout = fitted(torus, columns, rows) if nodes == torus.units else None
    if layout is None:
        return letters(nodes, columns, rows)
    return Planes(layout, nodes, 0, torus.per, torus=torus)


def blocks(torus: Torus, nodes: int, columns: int, rows: int) -> Planes | Letters:
    """Blocks plane by plane, as large as let the whole machine be seen; letters where none are."""
    for wide, tall in SCALES if nodes == torus.units else ():
        layout = fitted(torus, columns // wide, rows // tall, wide)
        if layout is not None and (layout.rows * tall <= rows or (wide, tall) == SCALES[-1]):
            return Planes(layout, nodes, 0, torus.per, torus=torus, wide=wide, tall=tall)
    return planes(torus, nodes, columns, rows)


ZOOMS: tuple[Callable[..., NodePicture], ...] = (racks, halves, letters, wider, jobs, brief, cards)
"""From afar to near; `label` are the cells of the names beside the rows, 0 for those of numbers."""
LETTERS = 2
"""The place of that with a letter a node."""


def zooms(torus: Torus | None, names: Sequence[str] = ()) -> tuple[Zoom, ...]:
    """The zooms of a machine: those of a flat one, but that the letters of a torus stand in planes.

    Nodes that have `names` are named beside the rows.
    """
    if torus is not None:
        return racks, halves, partial(planes, torus), partial(blocks, torus), cards
    label = max(map(len, names), default=-1) + 1
    return tuple(partial(zoom, label=label) for zoom in ZOOMS)


def best(nodes: int, columns: int, rows: int, zooms: Sequence[Zoom] = ZOOMS) -> int:
    """The nearest zoom (its index among them) at which the whole machine is in sight."""
    for zoom in range(len(zooms) - 1, 0, -1):
        if zooms[zoom](nodes, columns, rows).lines <= rows:
            return zoom
    return 0


def _label_width(nodes: int) -> int:
    return len(str(max(0, nodes - 1))) + 1
