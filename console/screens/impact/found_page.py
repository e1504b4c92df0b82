"""A page whose lines a worker finds: how far it is, then the lines, with a cursor on those to choose."""

from collections.abc import Callable, Iterator, Sequence
from typing import Generic

from shadowtime.console.screens.pages.page import CursorPage, Found
from shadowtime.console.session.work import Work
from shadowtime.console.widgets.frame.ink import Line, Piece, cell, wrap
from shadowtime.console.words.phrases import so_far

Table = Sequence[Sequence[str]]
GAP = 2
"""Blanks between two columns of a table."""


Build = Callable[[Found, int], Sequence[Line]]
"""Lines of what was found, at a width."""


class FoundPage(CursorPage, Generic[Found]):
    """Shows what a piece of work finds: lines of `head`, and of `rows` that can be chosen. Esc breaks it off.

    `take` gets what is found and the place of the row that was chosen; the page is gone then.
    """

    def __init__(
        self,
        title: str,
        work: Work[Found],
        begun: str,
        head: Build[Found],
        rows: Build[Found],
        take: Callable[[Found, int], None],
    ) -> None:
        """`begun` says in a few words what is being looked for."""
        super().__init__(title, self._rows, self._row_count, self._choose)
        self.found: Found | None = None
        self._work = work
        self._begun = begun
        self._head = head
        self._row_lines = rows
        self.take_row = take
        self._failure = ""
        self._over = False

    def _choose(self, place: int) -> None:
        self.dismiss()
        if self.found is not None:
            self.app.call_later(self.take_row, self.found, place)

    # How it is found.

    def on_mount(self) -> None:
        super().on_mount()
        self.do(self._work, self._take)

    def show_first(self, found: Found) -> None:
        """Show what is found before all is; called in the thread of the work."""
        if self.is_attached:
            self.app.call_from_thread(self._take_first, found)

    def _take_first(self, found: Found) -> None:
        self.found = found
        self.show_keys()
        self.freshen()

    def _take(self, found: Found | None, failure: str) -> None:
        self.found, self._failure, self._over = found, failure, True
        self.show_keys()

    @property
    def shown_keys(self) -> Sequence[tuple[str, str]]:
        """Without that of a row where there is none."""
        return self.KEYS if self._row_count() else [key for key in self.KEYS if key[0] != "detail"]

    def _lines(self, width: int) -> Sequence[Line]:
        if self._failure:
            return wrap(self._failure, width, "warn")
        lines: list[Line] = [] if self._over else [[(f"{self._begun} ...{so_far(self._share)}", "dim")]]
        if self.found is None:
            return lines
        return [*lines, *self._head(self.found, width), *super()._lines(width)]

    def _rows(self, width: int) -> Sequence[Line]:
        return () if self.found is None else self._row_lines(self.found, width)

    def _row_count(self) -> int:
        return len(self._rows(self.size.width))


def table(rows: Table, width: int, spare: Sequence[str] = ()) -> Iterator[list[Piece]]:
    """Return the lines of a heading and rows, all columns but the first to the right.

    Columns of `spare`, by their headings, are left out where rows would be cut, the first first.
    """
    columns = [(max(map(len, column)), column) for column in zip(*rows, strict=True)]
    for name in spare:
        if sum(wide + GAP for wide, _ in columns) - GAP > width:
            columns = [each for each in columns if each[1][0] != name]
    for place in range(len(rows)):
        cells = [cell(column[place], wide, right=at > 0) for at, (wide, column) in enumerate(columns)]
        yield [((" " * GAP).join(cells)[:width], "text" if place else "head")]
