"""The Ousterhout matrix of a gang scheduler: where jobs are packed, which rows unite, and who runs."""

from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple


class Place(NamedTuple):
    """What a job has of its row, from its placing to its end."""

    columns: frozenset[int]
    """The processors that it runs on."""
    taken: frozenset[int]
    """The columns of the row in which nobody else is packed: its columns, or with `buddy` its whole block."""


@dataclass(eq=False)
class Row:
    """A time slot: its unfinished jobs and their places."""

    places: dict[int, Place] = field(default_factory=dict)

    @property
    def columns(self) -> set[int]:
        """Columns that some job of the row runs on."""
        return {column for place in self.places.values() for column in place.columns}

    @property
    def taken(self) -> set[int]:
        """Columns in which nobody else is packed."""
        return {column for place in self.places.values() for column in place.taken}


class Matrix:
    """The rows in their order, and which of them is current: none exactly when there are no rows."""

    def __init__(self, sizes: list[int], nodes: int, packing: str, slots: int) -> None:
        self.sizes, self.nodes, self.packing, self.slots = sizes, nodes, packing, slots
        self.rows: list[Row] = []
        self.current: Row | None = None
        self.out: set[int] = set()
        """Columns that are taken in every row, of those to come too: their nodes are out of service."""

    def place(self, job: int) -> tuple[int, int] | None:
        """Place a job: the number of its row and its lowest column; None if there is no room for it.

        A job that enters an empty matrix makes its row the current one.
        """
        found = self.buddy_room(job) if self.packing == "buddy" else self.loose_room(job)
        if found is None:
            return None
        number, place = found
        if number == len(self.rows):
            self.rows.append(Row())
        self.rows[number].places[job] = place
        if self.current is None:
            self.current = self.rows[number]
        return number, min(place.columns)

    @property
    def may_grow(self) -> bool:
        """Whether one more row is allowed."""
        return self.slots == 0 or len(self.rows) < self.slots

    def buddy_room(self, job: int) -> tuple[int, Place] | None:
        """The block of least load that some row has free; of equals the lowest row, then the lowest base."""
        size, width = self.sizes[job], 1
        while width < size:
            width *= 2
        bases = [base for base in range(0, self.nodes, width) if base + size <= self.nodes]
        blocks = {base: frozenset(range(base, min(base + width, self.nodes))) for base in bases}
        bases = [base for base in bases if blocks[base].isdisjoint(self.out)]
        loads = {base: self.load(blocks[base]) for base in bases}
        choices = [
            (loads[base], number, base)
            for number, row in enumerate(self.rows)
            for base in bases
            if blocks[base].isdisjoint(row.taken)
        ]
        if not choices and self.may_grow:
            choices = [(loads[base], len(self.rows), base) for base in bases]
        if not choices:
            return None
        _, number, base = min(choices)
        return number, Place(frozenset(range(base, base + size)), blocks[base])

    def load(self, block: frozenset[int]) -> int:
        """How many unfinished jobs of all rows run on a column of the block."""
        places = [place for row in self.rows for place in row.places.values()]
        return sum(not place.columns.isdisjoint(block) for place in places)

    def loose_room(self, job: int) -> tuple[int, Place] | None:
        """The lowest free columns of the `first` row with enough, or of the one that fits `best`."""
        size = self.sizes[job]
        rows = [row.taken | self.out for row in self.rows]
        if self.may_grow:
            rows.append(self.out)
        free = [sorted(set(range(self.nodes)) - taken) for taken in rows]
        fitting = [number for number in range(len(rows)) if len(free[number]) >= size]
        if not fitting:
            return None
        old = [number for number in fitting if number < len(self.rows)] or fitting
        if self.packing == "first":
            number = old[0]
        else:
            number = min(old, key=lambda number: (len(free[number]), number))
        columns = frozenset(free[number][:size])
        return number, Place(columns, columns)

    def rotation(self) -> list[Row]:
        """All rows in the order of their turns, the current one first."""
        if self.current is None:
            return []
        number = self.rows.index(self.current)
        return self.rows[number:] + self.rows[:number]

    def rotate(self) -> bool:
        """The next row that is not empty becomes current. Whether that is another row than before.

        If the jobs of the current row have just ended, nothing is done: the pass sees to it.
        """
        if self.current is None or not self.current.places:
            return False
        for row in self.rotation()[1:]:
            if row.places:
                self.current = row
                return True
        return False

    def drop_empty_rows(self) -> bool:
        """Empty rows go; the next row takes over if the current one was empty. Whether one took over."""
        heir = next((row for row in self.rotation() if row.places), None)
        took_over = heir is not None and heir is not self.current
        self.rows = [row for row in self.rows if row.places]
        self.current = heir
        return took_over

    def unify(self) -> None:
        """Rows that have no column in common become one row, the lower, until there are none."""
        while True:
            pairs = combinations(self.rows, 2)
            pair = next((pair for pair in pairs if pair[0].columns.isdisjoint(pair[1].columns)), None)
            if pair is None:
                return
            lower, upper = pair
            lower.places |= upper.places
            self.rows.remove(upper)
            if self.current is upper:
                self.current = lower

    def remove(self, job: int) -> None:
        """A job has ended; its row stays even if that was the last job of it."""
        for row in self.rows:
            row.places.pop(job, None)

    def runs(self, alternate: bool) -> set[int]:
        """Who runs: the jobs of the current row, then, as alternates, whoever finds its columns idle."""
        chosen: set[int] = set()
        busy: set[int] = set()
        for row in self.rotation():
            for job, place in sorted(row.places.items()):
                if place.columns.isdisjoint(busy) and (row is self.current or alternate):
                    chosen.add(job)
                    busy |= place.columns
        return chosen

    def utilization_slots(self, alternate: bool) -> float:
        """The mean over the rows of the share of the machine that is busy while the row is current."""
        if not self.rows:
            return 0.0
        current, used = self.current, 0
        for row in self.rows:
            self.current = row
            used += sum(self.sizes[job] for job in self.runs(alternate))
        self.current = current
        return used / (self.nodes * len(self.rows))
