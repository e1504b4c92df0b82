"""A field is one fact of the rows of a table, declared once: filters, orders, columns and exports read it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from functools import cached_property
from typing import Any, Generic, Protocol, TypeVar

import attrs

from shadowtime.console.session.clock import Clock

Value = Any
"""A text, a number, or a tuple of texts; None for a row that has no value."""


class Kind(Enum):
    """What the values of a field are, and so what a filter compares them with."""

    TEXT = "text"
    NAMES = "names"
    """Several names: a tuple, or a text with commas between them. `=` asks for one, `>` for how many."""
    LETTER = "letter"
    NUMBER = "number"
    DURATION = "duration"
    CHANGE = "change"
    """A duration that may be less than nothing."""
    INSTANT = "instant"
    MOMENT = "moment"
    """An instant to come."""

    @property
    def expected(self) -> str:
        """What a comparison by `<` is followed by."""
        return {
            Kind.DURATION: "a duration, as in 1h30m",
            Kind.CHANGE: "a duration, as in 1h30m or -5m",
            Kind.INSTANT: "a time, as in 0 06:00:00",
            Kind.MOMENT: "a duration from now, as in 1h30m, or a time, as in 0 06:00:00",
        }.get(self, "a number")

    @property
    def worded(self) -> bool:
        """Whether the values are texts, which are the same or not."""
        return self in (Kind.TEXT, Kind.NAMES, Kind.LETTER)

    @property
    def counted(self) -> bool:
        """Whether the values are numbers, which stand at the right of their column."""
        return self in (Kind.NUMBER, Kind.DURATION, Kind.CHANGE)


class TableState(Protocol):
    """What the values of a table are read from."""

    @property
    def now(self) -> int:
        """The instant of the table, in seconds."""

    @property
    def clock(self) -> Clock:
        """How instants are read that a filter has."""


S = TypeVar("S", bound=TableState)
R = TypeVar("R")
S_contra = TypeVar("S_contra", bound=TableState, contravariant=True)
R_contra = TypeVar("R_contra", contravariant=True)


@attrs.frozen
class Field(Generic[S_contra, R_contra]):
    """One fact of a row.

    `values` takes what the table is read from and returns what gives the value of a row: so it can prepare
    what ten thousand rows need, and nothing is prepared for a field that nobody asks for.
    """

    name: str
    """As filters, orders and exports have it."""
    kind: Kind
    values: Callable[[S_contra], Callable[[R_contra], Value]]
    title: str = ""
    """What stands above its column; empty for a field without one."""
    rank: int = 0
    """Where there is little room the columns of the highest rank go first; those of 0 stay."""
    most: int = 12
    """Cells of its column at most."""
    filtered: bool = True
    """Whether a filter can ask for it."""
    bare: bool = False
    """Whether a word of a filter that is no comparison is looked for in it."""
    keys: Callable[[S_contra], Callable[[R_contra], Value]] | None = None
    """What the rows are sorted by, if that is not the value."""
    falls: bool = False
    """Whether an order has the largest values first."""
    header: str = ""
    """Its name in exports, if it is another one there; `-` for a field that they leave out."""
    wide: bool = False
    """Whether its column is the last one, which takes the rest of a line."""
    instead: str = ""
    """A field that says the same better: beside its column this one is among the first to go."""


def names_in(value: str | tuple[str, ...]) -> Sequence[str]:
    """Return the names of a value of that kind."""
    return list(filter(None, value.split(","))) if isinstance(value, str) else value


def of(read: Callable[[R], Value]) -> Callable[[Any], Callable[[R], Value]]:
    """Return `values` of a field that stands in the row itself."""
    return lambda _: read


@attrs.frozen
class Fields(Generic[S, R]):
    """The fields of one kind of row, in the order of their columns."""

    every: tuple[Field[S, R], ...]
    orders: tuple[str, ...]
    """What the rows can be sorted by, as `s` goes through it; the first is the order in which they come."""
    rows: str = "the list"
    """What the rows are together, in messages."""

    older: Mapping[str, str] = attrs.field(factory=dict)
    """Words that are understood, too: an older one or that of another engine -> the name of its field."""
    absent: Mapping[str, str] = attrs.field(factory=dict)
    """Fields that the rows of another engine have -> why these have none."""

    def __getitem__(self, name: str) -> Field[S, R]:
        """Return the field of a name. KeyError."""
        return self.by_name[self.older.get(name, name)]

    @cached_property
    def by_name(self) -> Mapping[str, Field[S, R]]:
        return {field.name: field for field in self.every}

    def missing(self, name: str, names: Iterable[str]) -> str:
        """Return why there is no such field, or which `names` there are instead."""
        return self.absent.get(name) or f"expected one of {', '.join(names)}"

    def find(self, name: str) -> Field[S, R] | None:
        """Return the field that a filter asks for by a name; None if there is none."""
        field = self.by_name.get(self.older.get(name, name))
        return field if field is not None and field.filtered else None

    def order_of(self, name: str) -> str | None:
        """Return the order of a name; None if there is none."""
        name = self.older.get(name, name)
        return name if name in self.orders else None

    @property
    def asked(self) -> tuple[str, ...]:
        """The names of the fields that a filter can ask for."""
        return tuple(field.name for field in self.every if field.filtered)

    @property
    def columns(self) -> Sequence[Field[S, R]]:
        """The fields that have a column, from left to right."""
        return sorted((field for field in self.every if field.title), key=lambda field: field.wide)

    @property
    def exported(self) -> dict[str, Field[S, R]]:
        """The fields of exports by their headers."""
        return {field.header or field.name: field for field in self.every if field.header != "-"}

    def texts(self, name: str, source: S, rows: Sequence[R]) -> frozenset[str]:
        """Return the texts, and the names, that a field has in some rows."""
        read = self[name].values(source)
        values = {read(row) for row in rows}
        if self[name].kind is not Kind.NAMES:
            return frozenset(values)
        return frozenset(one for value in values for one in names_in(value))

    def records(self, source: S, rows: Sequence[R]) -> list[dict[str, Value]]:
        """Return each row as the object that exports have of it."""
        reads = {header: field.values(source) for header, field in self.exported.items()}
        return [{header: read(row) for header, read in reads.items()} for row in rows]
