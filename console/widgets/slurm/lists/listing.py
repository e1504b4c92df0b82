"""A list of a cluster: its rows, columns, orders, and what a filter can ask of it. Pure text."""

from collections.abc import Callable, Mapping, Sequence
from typing import Generic, TypeVar

import attrs

from shadowtime.console.session.jobs.filters import Fields, Vocabulary, parse_filter
from shadowtime.console.session.slurm.board import Board
from shadowtime.console.widgets.slurm.columns import Column
from shadowtime.console.widgets.slurm.dates import Dates

T = TypeVar("T")
Order = tuple[object, ...]


@attrs.frozen
class Listing(Generic[T]):
    """What a list shows of a board; the first order is that of `rows`."""

    name: str
    """As it is typed."""
    kind: type[attrs.AttrsInstance]
    """That of its rows."""
    nothing: str
    """What stands in a list without rows."""
    rows: Callable[[Board], Sequence[T]]
    columns: Callable[[Board, Dates], Sequence[Column[T]]]
    key: Callable[[T], str]
    orders: Mapping[str, Callable[[T], Order] | None]
    """What the rows can be sorted by, in the order in which `s` goes through it."""
    words: Mapping[str, Callable[[T], str]]
    """The texts that a filter can ask for; a word alone is looked for in all of them."""
    numbers: Mapping[str, Callable[[T], int]]
    durations: frozenset[str] = frozenset()
    """Those of the numbers that are seconds."""

    @property
    def vocabulary(self) -> Vocabulary:
        """What a filter can ask for."""
        expected = {
            name: "a duration, as in 1h30m" if name in self.durations else "a number" for name in self.numbers
        }
        words = tuple(self.words)
        return Vocabulary(words, tuple(self.numbers), (), (), expected, words)

    def shown(self, rows: Sequence[T], text: str, now: int) -> tuple[T, ...]:
        """Return the rows that a filter lets through. SessionError in one line if it is no filter."""
        fields = Fields(
            texts={name: _of(rows, read) for name, read in self.words.items()},
            numbers={name: _of(rows, read) for name, read in self.numbers.items()},
            moments={},
            changes={},
            now=now,
        )
        tests = parse_filter(text, fields, self.vocabulary)
        return tuple(row for place, row in enumerate(rows) if all(test(place) for test in tests))


Read = TypeVar("Read")


def _of(rows: Sequence[T], read: Callable[[T], Read]) -> Callable[[int], Read]:
    return lambda place: read(rows[place])
