"""Columns of a table that give way by rank where there is little room. Pure text."""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

import attrs

from shadowtime.console.widgets.frame.ink import Line, Piece, cell

T = TypeVar("T")


@attrs.frozen
class Column(Generic[T]):
    """A column: `rank` 0 is never dropped; `most` bounds its width."""

    title: str
    rank: int
    text: Callable[[T], str]
    right: bool = False
    most: int = 12
    role: Callable[[T], str] = attrs.field(default=lambda _: "text")


@attrs.frozen
class Layout(Generic[T]):
    """The columns that are shown, each with its width; the last one takes the rest."""

    columns: tuple[tuple[Column[T], int], ...]

    def heading(self) -> Line:
        """The line of titles."""
        return [(cell(column.title, width, column.right) + " ", "head") for column, width in self.columns]

    def line(self, row: T) -> Line:
        """The line of a row."""
        pieces: list[Piece] = []
        for column, width in self.columns:
            text = cell(column.text(row), width, column.right)
            pieces.append((text + " ", column.role(row)))
        return pieces


def widths(columns: Sequence[Column[T]], rows: Sequence[T]) -> list[int]:
    """Return how wide each column is; 0 for one in which nothing stands."""
    found = []
    for column in columns:
        longest = max((len(column.text(row)) for row in rows), default=0)
        found.append(max(min(longest, column.most), len(column.title)) if longest or not column.rank else 0)
    return found


def layout(columns: Sequence[Column[T]], wide: Sequence[int], width: int, least: int = 14) -> Layout[T]:
    """Choose the columns for a width: the highest ranks go until `least` cells are left for the last one."""
    *firsts, last = zip(columns, wide, strict=True)
    kept = [(column, cells) for column, cells in firsts if cells]
    while kept:
        rest = width - sum(cells + 1 for _, cells in kept) - 1
        worst = max(kept, key=lambda each: each[0].rank)
        if rest >= least or not worst[0].rank:
            break
        kept.remove(worst)
    rest = width - sum(cells + 1 for _, cells in kept) - 1
    return Layout((*kept, (last[0], max(1, rest))))
