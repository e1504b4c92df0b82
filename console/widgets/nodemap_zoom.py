"""Zooms: the pictures from afar to near, fitted to a panel, and the nearest that shows the whole machine."""

from collections.abc import Callable

from console.widgets.nodemap_blocks import Halves, Racks
from console.widgets.nodemap_cards import WIDTH, Cards
from console.widgets.nodemap_layout import FlatLayout, flat
from console.widgets.nodemap_pictures import Letters, Picture


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


ZOOMS: tuple[Callable[[int, int, int], Picture], ...] = (racks, halves, letters, cards)
"""From afar to near."""


def best(nodes: int, columns: int, rows: int) -> int:
    """The nearest zoom (its index in ZOOMS) at which the whole machine is in sight."""
    for zoom in range(len(ZOOMS) - 1, 0, -1):
        if ZOOMS[zoom](nodes, columns, rows).lines <= rows:
            return zoom
    return 0


def _label_width(nodes: int) -> int:
    return len(str(max(0, nodes - 1))) + 1
