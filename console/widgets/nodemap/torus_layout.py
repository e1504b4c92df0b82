"""The layout of a torus: plane by plane of Y, in each plane X down and Z to the right.

The lowest plane, Y = 0, is drawn at the bottom and each higher one a little further right, as in a drawing
in perspective (Feitelson & Jette 1997, Figure 8). A panel without the height for that gets planes side by
side. Units are numbered X fastest, then Y, then Z, as the kernel numbers them.
"""

import attrs

from shadowtime.console.session import Machine
from shadowtime.console.words.units import NODES, Unit, unit_of

LEGIBLE = 2
"""Rows that a plane stands above the next at least, to be seen as one in perspective."""


@attrs.frozen
class Torus:
    """A torus of `x` by `y` by `z` units, which owners are counted in; `per` of them along X to a letter."""

    x: int
    y: int
    z: int
    per: int = 1
    unit: Unit = NODES

    @classmethod
    def of(cls, machine: Machine) -> "Torus | None":
        """The torus that a scenario describes; None for a flat machine.

        Nodes whose processors do not lie side by side along X get a letter a processor.
        """
        sides = machine.torus
        if sides is None:
            return None
        per = machine.node_size if sides[0] % machine.node_size == 0 else 1
        return cls(*sides, per, unit_of(machine))

    @property
    def units(self) -> int:
        """How many units it has."""
        return self.x * self.y * self.z

    @property
    def rows(self) -> int:
        """Letters along X."""
        return self.x // self.per

    def plane_of(self, letter: int) -> int:
        """The plane in which a letter stands, by its number: X fastest, then Y, then Z."""
        return letter // self.rows % self.y

    def place(self, unit: int) -> tuple[int, int, int]:
        """Where a unit is: X, Y, Z."""
        plane, x = divmod(unit, self.x)
        z, y = divmod(plane, self.y)
        return x, y, z

    def placed(self, units: range) -> str:
        """Where neighbours along X are: `x6-7 y2 z5`."""
        x, y, z = self.place(units.start)
        return f"x{_span(x, len(units))} y{y} z{z}"

    def numbered(self, units: range) -> str:
        """Neighbours by number: `PE 182-183`."""
        return f"{self.unit.one} {_span(units.start, len(units))}"


@attrs.frozen
class TorusLayout:
    """Planes in bands: `side` planes side by side in a band, the bands one above the other.

    `x`, `y` and `z` count letters. A band starts `pitch` rows above the one below and `shift` columns
    further right; bands may share rows only where they share no columns. Each plane has `label` columns at
    its left for its number, and a blank between it and the next.
    """

    x: int
    y: int
    z: int
    label: int = 0
    side: int = 1
    shift: int = 0
    pitch: int = 1

    @property
    def count(self) -> int:
        return self.x * self.y * self.z

    @property
    def bands(self) -> int:
        """How many bands hold the planes."""
        return -(-self.y // self.side)

    @property
    def rows(self) -> int:
        return (self.bands - 1) * self.pitch + self.x

    @property
    def columns(self) -> int:
        """Columns that hold them all."""
        return self.side * (self.label + self.z + 1) - 1 + (self.bands - 1) * self.shift

    def corner(self, plane: int) -> tuple[int, int]:
        """Row and column of the letter at X = 0, Z = 0 of a plane."""
        band, beside = divmod(plane, self.side)
        column = self.label + beside * (self.label + self.z + 1) + band * self.shift
        return (self.bands - 1 - band) * self.pitch, column

    def planes(self, row: int) -> list[int]:
        """The planes on a row, from left to right."""
        top = self.bands - 1
        highest = min(top, top + (self.x - 1 - row) // self.pitch)
        lowest = max(0, top - row // self.pitch)
        return list(range(lowest * self.side, min((highest + 1) * self.side, self.y)))

    def groups(self, row: int) -> tuple[range, ...]:
        return tuple(self._across(plane, row - self.corner(plane)[0]) for plane in self.planes(row))

    def where(self, place: int) -> tuple[int, int]:
        x, plane, z = self._split(place)
        row, column = self.corner(plane)
        return row + x, column + z

    def at(self, row: int, column: int) -> int | None:
        for plane in self.planes(row):
            top, left = self.corner(plane)
            if 0 <= column - left < self.z:
                return self._across(plane, row - top)[column - left]
        return None

    def moved(self, place: int, right: int, down: int) -> int:
        """The place so many steps along Z and X; past the edge of a plane the next one goes on."""
        x, plane, z = self._split(place)
        band, beside = divmod(plane, self.side)
        width = min(self.side, self.y - band * self.side)
        beside, z = divmod(_within(beside * self.z + z + right, width * self.z), self.z)
        height = -(-(self.y - beside) // self.side)
        above, x = divmod(_within((height - 1 - band) * self.x + x + down, height * self.x), self.x)
        return self._across((height - 1 - above) * self.side + beside, x)[z]

    def _split(self, place: int) -> tuple[int, int, int]:
        column, x = divmod(place, self.x)
        z, plane = divmod(column, self.y)
        return x, plane, z

    def _across(self, plane: int, x: int) -> range:
        """The places of one row of a plane."""
        first = x + self.x * plane
        return range(first, first + self.count, self.x * self.y)


def fitted(torus: Torus, columns: int, rows: int, wide: int = 1) -> TorusLayout | None:
    """The layout of a torus in a space of so many cells; None where not even one plane is narrow enough.

    In perspective if that fits, at best with a blank row between two planes; else the planes beside one
    another, rising as far as the rows go, or in bands, which scroll where the rows are too few.
    Columns are letters, and `wide` the cells of one.
    """
    x, y, z, label = torus.rows, torus.y, torus.z, -(-len(f"y{torus.y - 1} ") // wide)
    apart = label + z + 1
    rise = (rows - x) // (y - 1) if y > 1 else x
    bands = -(-y // max(1, (columns + 1) // apart))
    side = -(-y // bands)
    choices = [
        TorusLayout(x, y, z, label, 1, label, x + 1),
        TorusLayout(x, y, z, label, 1, label, x),
        TorusLayout(x, y, z, label, 1, apart, max(LEGIBLE, min(x, rise))),
        TorusLayout(x, y, z, label, side, 0, x + 1),
        TorusLayout(x, y, z, label, side, 0, x),
    ]
    fitting = (layout for layout in choices if layout.columns <= columns and layout.rows <= rows)
    return next(fitting, choices[3] if label + z <= columns else None)


def _within(step: int, steps: int) -> int:
    return max(0, min(steps - 1, step))


def _span(first: int, count: int) -> str:
    return str(first) if count == 1 else f"{first}-{first + count - 1}"
