"""A table of rows with a heading. Only the rows in sight are asked for, measured and drawn.

The cursor stands on a row, not on a line: it stays with its row while the order changes.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from operator import is_
from typing import ClassVar, Generic, TypeVar

from textual.events import Click, Resize
from textual.message import Message
from textual.strip import Strip

from shadowtime.console.widgets.frame.ink import Line, plain, shorten, width_of, wrap
from shadowtime.console.widgets.frame.pen import lettered
from shadowtime.console.widgets.frame.space import UNLIMITED, Need, Space
from shadowtime.console.widgets.table.columns import ENOUGH, Column, Layout, layout, needed, widths
from shadowtime.console.widgets.table.cursor_rows import CursorRows

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)
LEAST = 14
"""Cells of the last column for which others give way."""
FEW, SEVERAL = 8, 20
"""Rows that a table keeps where others want room, and that it wants."""
COPIED = 4000
"""Cells of a copied line."""


class ListTable(CursorRows, Generic[K, T]):
    """Rows by key. `show` gives it keys; `rows` returns the rows of some of them, from a place on."""

    heading_lines = 1
    rows_at_once: ClassVar[int] = 1
    """Rows by which the room for rows grows."""
    keeps_room: ClassVar[bool] = False
    """Whether columns keep the room that rows needed before; if not, one position has one picture."""
    goes_on: ClassVar[bool] = True
    """Whether a row whose last text is cut goes on below, where all rows have room for all lines."""

    class Moved(Message):
        """The cursor stands on another row."""

        def __init__(self, table: "ListTable[K, T]") -> None:
            super().__init__()
            self.table = table

    def __init__(
        self,
        rows: Callable[[Sequence[K], int, int], Sequence[T]],
        least: Callable[[int], int] = lambda _: LEAST,
        *,
        id: str | None = None,
    ) -> None:
        """`least`: for how many cells of the last column others give way, by the width of the table."""
        super().__init__(id=id)
        self._rows, self._least = rows, least
        self._columns: Sequence[Column[T]] = ()
        self._fitted: Sequence[int] = ()
        """How wide the columns are for the rows that they were fitted to."""
        self._wide: Sequence[int] = ()
        """The same with room for the rows in sight."""
        self._layout: Layout[T] = Layout((), 0)
        self._laid_out: tuple[object, ...] = (None, None, None)
        """The rows, columns and widths that the layout was made for."""
        self._lines: dict[int, Line] = {}
        """The lines of rows, by their places, as long as rows, columns and layout stay."""
        self._folded: Sequence[tuple[int, bool, Line]] = ()
        """Where rows go on over several lines: the place of the row of each, whether it is the first, it."""
        self._keys: Sequence[K] = ()
        self._sought: K | None = None
        """The key that the cursor was on, if it is not shown."""
        self._order = ("", False)
        self._window: tuple[int, Sequence[T]] = (0, ())
        self._asked = range(0)
        """The places whose rows were asked for last; there may be fewer."""
        self._letters: dict[int, str] = {}
        self.nothing = ""
        """What stands in an empty table."""
        self.enough = ENOUGH
        """Cells with which it need not have more where others want room."""
        self.all_rows = UNLIMITED
        """More rows than this it never has."""
        self.most_rows = self.rows_at_once
        """The most rows that it has had: the room for them stays."""

    @property
    def count(self) -> int:
        return len(self._keys)

    @property
    def rows(self) -> int:
        return len(self._folded) or self.count

    def row_of(self, place: int) -> int:
        return next((at for at, (of, _, _) in enumerate(self._folded) if of == place), place)

    @property
    def space(self) -> Space:
        """What the rows need, and the columns beside a scrollbar and the cursor."""
        if not self._columns:
            return Space()
        rows = min(self.all_rows, self.most_rows) + self.heading_lines
        lines = Need.of(FEW + self.heading_lines, SEVERAL + self.heading_lines, rows)
        return Space(needed(self._columns, self._room_of_columns, self._least, self.enough), lines)

    @property
    def _room_of_columns(self) -> Sequence[int]:
        """The widths of the columns for which it wants room."""
        return self._wide

    # What is shown.

    def fit(self, columns: Sequence[Column[T]], rows: Iterable[T] = ()) -> None:
        """Take columns, and make room in them for all of these rows."""
        self._columns, self._fitted, self._drawn = columns, widths(columns, rows), []
        self._wide = self._fitted

    def take(self, columns: Sequence[Column[T]]) -> None:
        """Take columns that show the same at another instant; they keep their widths."""
        self._columns, self._drawn = columns, []

    def put(self, keys: Sequence[K], order: str = "", reverse: bool = False) -> None:
        """Show rows with these keys, which are in an order. The cursor stays on its key, or at its place.

        A key that comes back gets the cursor back, unless it was moved meanwhile.
        """
        before = self.key if self._sought is None else self._sought
        self._hold(keys, order, reverse)
        self.seek(before)
        self.moved()

    def _hold(self, keys: Sequence[K], order: str, reverse: bool) -> None:
        """Hold rows with these keys; the cursor has to be put on one of them, and the rows drawn."""
        self._keys, self._order, self._window, self._folded = keys, (order, reverse), (0, ()), ()
        at_once = self.rows_at_once
        self.most_rows = max(self.most_rows, -(-len(keys) // at_once) * at_once)
        if not self.keeps_room:
            self._wide = self._fitted
        self.measure()

    def seek(self, key: K | None) -> None:
        """Put the cursor on a key, or leave it near its place."""
        found = self._find(key)
        self._place = min(self._place, max(0, self.count - 1)) if found is None else found
        self._sought = key if found is None else None
        self.keep_in_sight()
        self.redraw()

    def _find(self, key: K | None) -> int | None:
        if key is None:
            return None
        if self._place < self.count and self._keys[self._place] == key:
            return self._place
        try:
            return self._keys.index(key)
        except ValueError:
            return None

    def freshen(self) -> None:
        """Ask for the rows in sight anew."""
        self._window = (0, ())
        self.redraw()

    # The cursor.

    @property
    def key(self) -> K | None:
        return self._keys[self._place] if self._place < self.count else None

    @property
    def current(self) -> T | None:
        return self.row(self._place)

    @property
    def lost(self) -> bool:
        """Whether the cursor is not drawn, for it belongs to a row that is not here."""
        return False

    @property
    def rows_in_sight(self) -> Sequence[T]:
        """The rows that were asked for last: those that are seen."""
        return self._window[1]

    @property
    def in_sight(self) -> Sequence[K]:
        top = self.scroll_offset.y
        return list(self._keys[top : top + self.room])

    def moved(self) -> None:
        self.post_message(self.Moved(self))

    def go(self, place: int) -> None:
        was_lost, before, self._sought = self.lost, self._place, None
        super().go(place)
        if was_lost and self._place == before:
            # Nothing was under the cursor, and now there is a row.
            self.keep_in_sight()
            self.redraw()
            self.moved()

    def on_click(self, event: Click) -> None:
        if 0 < event.y <= (len(self._folded) or len(self.in_sight)):
            self.pick(event.y)

    @property
    def pickable(self) -> Sequence[int]:
        if self._folded:
            return [1 + at for at, (_, begins, _) in enumerate(self._folded) if begins]
        return range(1, 1 + len(self.in_sight))

    def pick(self, line: int) -> None:
        self.go(self._folded[line - 1][0] if self._folded else self.scroll_offset.y + line - 1)

    def letter(self, letters: dict[int, str]) -> None:
        if letters != self._letters:
            self._letters = letters
            self.refresh()

    # Drawing.

    def row(self, place: int) -> T | None:
        """The row at a place; those in sight are asked for together."""
        if not 0 <= place < self.count:
            return None
        first, rows = self._window
        if not (rows and place in self._asked):
            first = min(place, self.scroll_offset.y)
            self._asked = range(first, first + max(self.size.height, place - first + 1))
            rows = self._rows(self._keys, first, len(self._asked))
            self._window = (first, rows)
        return rows[place - first] if place - first < len(rows) else None

    def base(self, row: T) -> str:
        """The role of what has no role of its own."""
        return "text"

    def line(self, row: T, width: int) -> Line:
        return self._laid(width).line(row, self.base(row))

    def line_text(self, row: T) -> str:
        """The row as text, with single blanks, however long."""
        return " ".join(plain(self.line(row, COPIED)).split())

    @property
    def current_text(self) -> str:
        """The row under the cursor as text; empty without one."""
        row = self.current
        return "" if row is None else self.line_text(row)

    def heading(self, width: int) -> Line:
        return self._laid(width).heading()

    def _laid(self, width: int) -> Layout[T]:
        return layout(self._columns, self._wide, width, self._least(width), *self._order)

    def lay_out(self) -> None:
        """Make room for what is in sight, if that is something else."""
        self.row(self.scroll_offset.y)
        width = self.scrollable_content_region.width - 1
        if (
            not all(map(is_, (self._window, self._columns, self._wide), self._laid_out))
            or width != self._layout.width
        ):
            self._wide = widths(self._columns, self._window[1], self._wide)
            self._layout = self._laid(width)
            self._laid_out, self._lines = (self._window, self._columns, self._wide), {}
            folded = tuple(self._fold()) if self.goes_on and self.count < self.room else ()
            self._folded = folded if self.count < len(folded) <= self.room else ()
            self.measure()

    def _fold(self) -> Iterator[tuple[int, bool, Line]]:
        for place in range(self.count):
            row = self.row(place)
            if row is not None:
                for at, line in enumerate(self._layout.lines(row, self.base(row))):
                    yield place, at == 0, line

    def redraw(self) -> None:
        if self.size and self._columns:
            self.lay_out()
            super().redraw()

    def drawn(self, y: int) -> Line:
        if not y < len(self._drawn):
            self.lay_out()
        return super().drawn(y)

    def draw(self, y: int) -> Line:
        if y == 0:
            return [(" ", "head"), *self._layout.heading()]
        if self._folded:
            place, begins, line = self._folded[y - 1] if y <= len(self._folded) else (-1, False, ())
            return self._marked(place, line, begins) if place >= 0 else ()
        place = self.scroll_offset.y + y - 1
        row = self.row(place)
        if row is None:
            whole = self._whole(place - self.count - 1)
            return [(f" {self.nothing}", "dim")] if place == 0 and self.nothing else whole
        if place not in self._lines:
            self._lines[place] = self._layout.line(row, self.base(row))
        return self._marked(place, self._lines[place])

    def _marked(self, place: int, line: Line, begins: bool = True) -> Line:
        """A line of a row behind the mark of the cursor, which lies under every line of its row."""
        under = place == self._place and not self.lost
        return [(">" if under and begins else " ", "key" if under else "text"), *line]

    def _whole(self, line: int) -> Line:
        """A line of what is cut at the end of the row under the cursor, for the room below the rows."""
        row = self.current
        if line < 0 or row is None or self.lost:
            return ()
        column, width = self._layout.places(row)[-1]
        if not column.cuts(row, width):
            return ()
        head: Line = [(f" {column.title}  ", "head")]
        width = self._layout.width
        lines = wrap(column.cell(row, COPIED), width, "text", head, width_of(head))
        kept = shorten(lines, self.room - self.count - 1, width)
        return kept[line] if line < len(kept) else ()

    def render_line(self, y: int) -> Strip:
        pieces, width = self.drawn(y), self.scrollable_content_region.width
        letter = self._letters.get(y)
        if letter is not None:
            return lettered(self.pen.strip(pieces, width), letter, self.pen.styles["key"])
        under = bool(pieces) and pieces[0][1] == "key"
        return (self.pen.cursor if under else self.pen.strip)(pieces, width)

    def on_resize(self, event: Resize) -> None:
        self._window, self._folded = (0, ()), ()
        super().on_resize(event)
