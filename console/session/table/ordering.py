"""The order of a table: its rows sorted by a field, filtered by what is typed, stable."""

from collections.abc import Callable, Sequence
from typing import Any

import attrs

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.table.field import Fields, R, S, TableState
from shadowtime.console.session.table.filtering import let_through
from shadowtime.scenarios import Labels

Key = Callable[[R], Any]
"""What a row is sorted by; None goes last in either direction."""


@attrs.frozen
class Order:
    """By which field a table is sorted, and whether from its end."""

    fields: Fields[Any, Any] = attrs.field(repr=False)
    name: str = attrs.field()
    reverse: bool = False

    @name.default
    def _first(self) -> str:
        return self.fields.orders[0]

    def next(self, wanted: Callable[[str], bool] = lambda _: True, step: int = 1) -> "Order":
        """Return the next order that is wanted, for a `step` of -1 the last; the first of all always is."""
        names = self.fields.orders
        here = names.index(self.name)
        others = (names[(here + step * count) % len(names)] for count in range(1, len(names) + 1))
        return Order(self.fields, next(name for name in others if name == names[0] or wanted(name)))

    def differs(self, rows: Sequence[R], source: TableState) -> Callable[[str], bool]:
        """Return whether some rows differ in the field of an order, so that it orders them."""

        def wanted(name: str) -> bool:
            return len(set(map(self.fields[name].values(source), rows))) > 1

        return wanted

    def turned(self) -> "Order":
        """Return the same from its end."""
        return attrs.evolve(self, reverse=not self.reverse)

    def read(self, text: str) -> "Order":
        """Return the order of `COLUMN [reverse]`. SessionError in one line if there is no such column."""
        column, _, direction = text.partition(" ")
        name = self.fields.order_of(column)
        if name is None:
            why = self.fields.missing(column, self.fields.orders)
            raise SessionError(f"{column!r} is no column to sort by; {why}")
        return Order(self.fields, name, direction.strip().startswith("r"))

    @property
    def plain(self) -> bool:
        """Whether the rows stand as they come."""
        return self == Order(self.fields)

    def of(self, rows: Sequence[R], source: TableState, text: str = "") -> Sequence[R]:
        """Return the rows that pass a filter, in this order. SessionError if it is no filter."""
        return ordered(rows, self.fields, source, self.name, self.reverse, text)

    def __str__(self) -> str:
        """`by size`, `by size reversed`."""
        return f"by {self.name}{' reversed' if self.reverse else ''}"


def ordered(
    rows: Sequence[R], fields: Fields[S, R], source: S, order: str, reverse: bool = False, text: str = ""
) -> Sequence[R]:
    """Return the rows that pass a filter, sorted by a field; equal ones stay in the order that they had.

    The first order of the fields is that of the rows as they come. SessionError for an unknown order or a
    wrong filter.
    """
    name = fields.order_of(order)
    if name is None:
        raise SessionError(
            f"{fields.rows} cannot be sorted by {order!r}; {fields.missing(order, fields.orders)}"
        )
    shown = let_through(rows, text, fields, source)
    if name == fields.orders[0]:
        return shown[::-1] if reverse else shown
    field = fields[name]
    return _sorted(shown, (field.keys or field.values)(source), reverse is not field.falls)


def alphabet(texts: Sequence[str]) -> Key[int]:
    """Return a key in the order of the texts, numbers by their value; quick if they are codes."""
    if not isinstance(texts, Labels):
        return texts.__getitem__
    codes, words = texts.codes, texts.words
    if words is None:
        return codes.__getitem__
    ranks = [0] * len(words) + [-1]  # the last one is for the code -1: no text
    for rank, code in enumerate(sorted(range(len(words)), key=words.__getitem__)):
        ranks[code] = rank
    return lambda job: ranks[codes[job]]


def _sorted(rows: Sequence[R], key: Key[R], falling: bool) -> list[R]:
    values: list[Any] = list(map(key, rows))
    places = [place for place, value in enumerate(values) if value is not None]
    places.sort(key=values.__getitem__, reverse=falling)
    known = [rows[place] for place in places]
    if len(known) == len(rows):
        return known
    return known + [row for row, value in zip(rows, values, strict=True) if value is None]
