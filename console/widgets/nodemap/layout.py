"""Layouts: which places stand in which row of the map. A place is a node, or a rack of nodes.

A layout is a value that knows only numbers; what is drawn at a place is the picture's affair
(pictures.py). A machine with another shape brings another layout, and adds it to
`MapLayout`.
"""

from math import log

import attrs

from shadowtime.console.widgets.nodemap.torus_layout import TorusLayout


@attrs.frozen
class FlatLayout:
    """A flat machine: place after place, row after row, in groups of `unit` when they are held apart."""

    count: int
    width: int
    unit: int = 0

    @property
    def rows(self) -> int:
        """Rows that hold them."""
        return -(-self.count // self.width)

    def groups(self, row: int) -> tuple[range, ...]:
        """The places of a row from left to right, in groups; a group's places may be any step apart."""
        first, last = row * self.width, min((row + 1) * self.width, self.count)
        if not self.unit:
            return (range(first, last),)
        return tuple(range(at, min(at + self.unit, last)) for at in range(first, last, self.unit))

    def where(self, place: int) -> tuple[int, int]:
        """The row of a place and its column, counted in cells from the left, gaps included."""
        row, within = divmod(place, self.width)
        return row, within + (within // self.unit if self.unit else 0)

    def at(self, row: int, column: int) -> int | None:
        """Return the place at a column of a row, or None."""
        if self.unit:
            group, within = divmod(column, self.unit + 1)
            if within == self.unit:
                return None
            column = group * self.unit + within
        place = row * self.width + column
        return place if 0 <= column < self.width and 0 <= place < self.count else None

    def moved(self, place: int, right: int, down: int) -> int:
        """The place so many steps from this one; it stops at the edges of the machine."""
        within = max(0, min(self.width - 1, place % self.width + right))
        row = max(0, min(self.rows - 1, place // self.width + down))
        return min(row * self.width + within, self.count - 1)


MapLayout = FlatLayout | TorusLayout
"""Where the places 0..count-1 stand: rows of groups from left to right, a gap between two groups."""


def flat(count: int, columns: int, rows: int) -> FlatLayout:
    """The layout of a flat machine in a space of so many cells, with rows as round as the space allows.

    Where all of it fits: groups held apart by a blank, or rows of whole groups, or rows as wide as the space;
    rows that end with the machine are preferred, and among them the shape most like that of the space. A
    machine that does not fit gets rows of whole groups (and the panel scrolls).
    """
    columns, rows, unit = max(1, columns), max(1, rows), _unit(count)
    if count <= unit <= columns:
        return FlatLayout(count, count)
    for gap in (1, 0):
        most = (columns + gap) // (unit + gap)
        fitting = [groups for groups in range(1, most + 1) if -(-count // (groups * unit)) <= rows]
        even = [groups for groups in fitting if count % (groups * unit) == 0]
        if fitting:
            width = unit * min(
                even or fitting, key=lambda groups: _stretch(count, groups * unit, columns / rows)
            )
            return FlatLayout(count, min(width, count), unit * gap)
    if -(-count // columns) <= rows or columns < unit:
        return FlatLayout(count, min(columns, count))
    return FlatLayout(count, columns // unit * unit)


def _stretch(count: int, width: int, shape: float) -> float:
    """How far rows of this width are from a shape (width over height); 0 is the same shape."""
    return abs(log(width / -(-count // width) / shape))


def _unit(count: int) -> int:
    """Ten for machines counted in tens, eight for those counted in powers of two."""
    if count % 8 or (count % 10 == 0 and count % 64):
        return 10
    return 8
