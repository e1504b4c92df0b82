"""Columns of a table that give way by rank where there is little room. Pure text.

A column has room for the longest text of the rows that it was fitted to, and of those in sight.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

import attrs
from rich.cells import cell_len

from shadowtime.console.clock import duration
from shadowtime.console.session.table.field import Field, Fields, Kind
from shadowtime.console.widgets.frame.ink import Line, Piece, cell, plain, printable, wrap
from shadowtime.console.widgets.frame.space import Need

T = TypeVar("T")
BASE = ""
"""The role of a text that stands in the role of its row."""
BESIDE = 9
"""At least the rank of a column beside one that says the same better."""
WANTED = 8
"""The rank of the columns that a table keeps where others want room."""
ENOUGH = 76
"""Cells with which a table has what it has on a terminal of the usual 80 columns."""
BARS = 2
"""Cells of the cursor and the scrollbar."""
LONG = 24
"""Cells more of the last column for a text that is longer than others."""
LONGER = 3
"""Times as many cells as a column has at most it gets where nothing else needs them."""
ALMOST = 4
"""Cells more for which other columns give way, if the texts of the last one are whole with them."""
WHATEVER_IS_LEFT = 10**6
"""Cells at most of a column that takes the rest of the line."""


@attrs.frozen
class Column(Generic[T]):
    """A column: `rank` 0 is never dropped, `name` is what the rows can be sorted by."""

    title: str
    rank: int
    text: Callable[[T], str]
    right: bool = False
    most: int = 12
    """Cells at most, as long as the last column can use what is left."""
    role: Callable[[T], str] = attrs.field(default=lambda _: BASE)
    name: str = ""
    least: int = 0
    """Cells at least, where it is shown."""
    stands: bool = False
    """Whether it is shown also where nothing stands in it; one of rank 0 always is."""
    fitted: Callable[[T, int], str] | None = None
    """The text for a number of cells, where that is not the beginning of the text."""
    instead: str = ""
    """The name of a column that says the same better: beside it this one is among the first to go."""
    falls: bool = False
    """Whether an order by it has the largest values first."""
    arrow: str = ""
    """Behind the title of the column of the order: up where values rise from row to row, else down."""

    def cell(self, row: T, width: int) -> str:
        """What stands in so many cells."""
        return cell(self.fitted(row, width) if self.fitted else self.text(row), width, self.right)

    def cuts(self, row: T, width: int) -> bool:
        """Whether the text ends in an ellipsis there since it needs more cells."""
        return cell_len(printable(self.text(row))) > width and self.cell(row, width).endswith("…")


@attrs.frozen
class FieldLook(Generic[T]):
    """How a field is shown, where that is not how its kind is: its text, its role."""

    text: Callable[[T], str] | None = None
    role: Callable[[T], str] = attrs.field(default=lambda _: BASE)
    least: int = 0
    stands: bool = False
    fitted: Callable[[T, int], str] | None = None


def columns_of(
    fields: Fields[Any, Any],
    source: Any,
    write: Mapping[Any, Callable[[Any], str]],
    looks: Mapping[str, FieldLook[T]],
) -> tuple[Column[T], ...]:
    """Return the columns of fields. `write` writes a value of each kind, `looks` are those of some fields."""

    def column(field: Field[Any, Any]) -> Column[T]:
        look = looks.get(field.name) or FieldLook()
        text = look.text
        if text is None:
            read, written = field.values(source), write.get(field.kind, str)
            text = lambda row: "" if (value := read(row)) is None else written(value)  # noqa: E731
        right = field.kind.counted
        sorted_by = field.name if field.name in fields.orders else ""
        most = WHATEVER_IS_LEFT if field.wide else field.most
        return Column(
            field.title, field.rank, text, right, most, look.role, sorted_by,
            look.least, look.stands, look.fitted, field.instead, field.falls,
        )  # fmt: skip

    return tuple(column(field) for field in fields.columns)


def written(instant: Callable[[int], str]) -> Mapping[Kind, Callable[[Any], str]]:
    """Return how a value of each kind is written, with `instant` for instants."""
    return {
        Kind.NAMES: lambda value: value if isinstance(value, str) else ",".join(value),
        Kind.DURATION: duration,
        Kind.CHANGE: lambda value: f"+{duration(value)}" if value > 0 else duration(value),
        Kind.INSTANT: instant,
        Kind.MOMENT: instant,
    }


def widths(columns: Sequence[Column[T]], rows: Iterable[T], before: Sequence[int] = ()) -> list[int]:
    """Return how wide each column is, at least as before; 0 for one in which nothing has stood so far."""
    found = list(before) or [_shown(each) if each.stands or not each.rank else 0 for each in columns]
    rows = list(rows)
    for place, column in enumerate(columns):
        length = min(max(map(len, map(column.text, rows)), default=0), LONGER * column.most)
        if length > found[place]:
            found[place] = max(length, _shown(column))
    return found


def _shown(column: Column[T]) -> int:
    """How wide a column is at least, where it is shown."""
    return max(column.least, len(column.title + column.arrow))


@attrs.frozen
class Layout(Generic[T]):
    """The columns that are shown, each with its width; the last one takes the rest."""

    columns: tuple[tuple[Column[T], int], ...]
    width: int
    """Cells of a line."""

    def heading(self) -> Line:
        """The line of titles."""
        *firsts, (last, room) = self.columns
        columns = [*((column, width, " ") for column, width in firsts), (last, room, "")]
        return [
            (cell(each.title + each.arrow, width, each.right) + gap, "key" if each.arrow else "head")
            for each, width, gap in columns
        ]

    def packed(self, wide: int) -> "Layout[T]":
        """Return the same with the last column as wide as its texts: numbers stand beside one another."""
        *firsts, (last, room) = self.columns
        return attrs.evolve(self, columns=(*firsts, (last, min(room, wide + len(last.arrow)))))

    def places(self, row: T) -> Sequence[tuple[Column[T], int]]:
        """The columns with their cells in a row: one that would be cut has the blank ones before it, too."""
        found: list[tuple[Column[T], int]] = []
        for column, width in self.columns:
            cells = width
            while found and not column.right and not found[-1][0].text(row) and column.cuts(row, cells):
                cells += found.pop()[1] + 1
            found.append((column, cells))
        return found

    def line(self, row: T, base: str = "text") -> Line:
        """The line of a row; `base` is the role of a text without one of its own."""
        pieces: list[Piece] = []
        for column, width in self.places(row):
            text, role = column.cell(row, width), column.role(row) or base
            # What changed is underlined, and an underlined blank would look like more.
            word = text.strip() if role == "now" else text
            before, _, after = text.partition(word) if word else (text, "", "")
            parts = [(before, "text"), (word, role), (after + " ", "text" if role == "now" else role)]
            pieces += [part for part in parts if part[0]]
        text, role = pieces.pop()
        return [*pieces, (text[:-1], role)] if len(text) > 1 else pieces

    def lines(self, row: T, base: str = "text") -> Sequence[Line]:
        """The lines of a row whose last text goes on under itself where it would be cut."""
        *others, (column, width) = self.columns
        if not column.cuts(row, width):
            return [self.line(row, base)]
        first, *more = (plain(line) for line in wrap(column.text(row), width))
        last = attrs.evolve(column, text=lambda _: first, fitted=None)
        opened = attrs.evolve(self, columns=(*others, (last, width))).line(row, base)
        margin: Piece = (" " * (self.width - width), "text")
        return [opened, *([margin, (text, column.role(row) or base)] for text in more)]


def needed(
    columns: Sequence[Column[T]], wide: Sequence[int], least: Callable[[int], int], enough: int = ENOUGH
) -> Need:
    """Return the cells that columns need beside a cursor and a scrollbar, the last one as many as `least`.

    At least it is given what the columns of the first ranks need, or `enough` cells.
    """
    *firsts, last = zip(columns, map(_held, columns, wide), strict=True)
    # Those of the first ranks may come yet, and would find no room.
    shown = [(column, cells or _shown(column)) for column, cells in firsts if cells or column.rank <= 1]
    every = sum(cells + 1 for _, cells in shown)
    few = sum(cells + 1 for column, cells in shown if column.rank <= WANTED and not column.instead)
    text = max(least(every), last[1])
    return Need.of(
        min(few + least(few), enough) + BARS, every + least(every) + BARS, every + text + LONG + BARS
    )


def layout(
    columns: Sequence[Column[T]],
    wide: Sequence[int],
    width: int,
    least: int = 14,
    order: str = "",
    reverse: bool = False,
) -> Layout[T]:
    """Choose the columns for a width: the highest ranks go until `least` cells are left for the last one.

    The column of the order has an arrow, and room for it.
    """
    if order:
        columns = [
            attrs.evolve(each, arrow="↑" if reverse is each.falls else "↓") if each.name == order else each
            for each in columns
        ]
        pairs = zip(columns, wide, strict=True)
        wide = [cells and max(cells, _shown(each) * bool(each.arrow)) for each, cells in pairs]
    *firsts, last = zip(columns, wide, strict=True)
    least = last[1] if not last[0].fitted and least < last[1] <= least + ALMOST else least
    kept = [(column, _held(column, cells), cells) for column, cells in firsts if cells]
    named = {column.name for column, _, _ in kept if column.name}
    while (rest := width - sum(cells + 1 for _, cells, _ in kept)) < least and kept:
        worst = max(
            kept, key=lambda each: (max(each[0].rank, BESIDE * (each[0].instead in named)), each[0].rank)
        )
        if not worst[0].rank:
            break
        kept.remove(worst)
    shown = []
    for column, cells, wanted in kept:
        # What the last column does not need is for texts that are cut.
        more = min(max(0, rest - max(least, last[1])), wanted - cells)
        rest -= more
        shown.append((column, cells + more))
    return Layout((*shown, (last[0], max(1, rest))), width)


def _held(column: Column[T], cells: int) -> int:
    """Cells of a column where others can use what is left."""
    return min(cells, max(column.most, _shown(column)))
