"""Zooms: the pictures from afar to near, fitted to a panel, and the nearest that shows the whole machine."""

from collections.abc import Callable, Sequence
from functools import partial

from shadowtime.console.widgets.nodemap.blocks import Halves, Racks
from shadowtime.console.widgets.nodemap.cards import SHORT, WIDTH, Cards
from shadowtime.console.widgets.nodemap.layout import FlatLayout, flat
from shadowtime.console.widgets.nodemap.pictures import Letters, NodePicture, Planes
from shadowtime.console.widgets.nodemap.torus_layout import Torus, fitted

Zoom = Callable[[int, int, int], NodePicture]
"""Makes the picture of so many nodes for a space of so many columns and rows."""


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
