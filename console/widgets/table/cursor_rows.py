"""Rows with a cursor: only those in sight are drawn, and those alone that came out different."""

from typing import ClassVar

from textual.events import Resize

from shadowtime.console.widgets.frame.ink import Line, different
from shadowtime.console.widgets.frame.lines import Scrolled


class CursorRows(Scrolled):
    """A cursor on one of `count` places, which stand in `rows` rows.

    A subclass overrides `draw`, `row_of` if a row has several places, and `moved`.
    """

    heading_lines: ClassVar[int] = 0
    """Lines above the rows, which do not scroll."""
    footing_lines = 0
    """The same below them."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.can_focus = True
        self._place = 0
        self._drawn: list[Line] = []

    @property
    def count(self) -> int:
        return 0

    @property
    def rows(self) -> int:
        return self.count

    @property
    def room(self) -> int:
        return max(1, self.size.height - self.heading_lines - self.footing_lines)

    def filled(self, columns: int, lines: int) -> int:
        """How many of so many lines the rows fill, and what stands above and below them."""
        return min(lines, self._lines_of_all)

    @property
    def _lines_of_all(self) -> int:
        return self.rows + self.heading_lines + self.footing_lines

    def row_of(self, place: int) -> int:
        return place

    def draw(self, y: int) -> Line:
        """The line at `y` of what is seen."""
        return ()

    def moved(self) -> None:
        """The cursor stands on another place."""

    @property
    def place(self) -> int | None:
        """The place under the cursor; None if there are none."""
        return self._place if self._place < self.count else None

    def go(self, place: int) -> None:
        """Put the cursor on a place, or on the one nearest to it."""
        place = min(max(0, place), max(0, self.count - 1))
        if place != self._place:
            self._place = place
            self.keep_in_sight()
            self.redraw()
            self.moved()

    def redraw(self) -> None:
        """Draw those lines in sight that came out different."""
        if self.size:
            drawn = [self.draw(y) for y in range(self.size.height)]
            stale, self._drawn = different(drawn, self._drawn), drawn
            self.refresh_lines_at(stale)

    def drawn(self, y: int) -> Line:
        """The line at `y` of what is seen, as it was drawn last."""
        if not y < len(self._drawn):
            self._drawn = [self.draw(at) for at in range(self.size.height)]
        return self._drawn[y]

    def measure(self) -> None:
        self.scroll_over(self._lines_of_all)

    def keep_in_sight(self) -> None:
        """Scroll as far as the row of the cursor needs to be seen."""
        row, top = self.row_of(self._place), self.scroll_offset.y
        if not top <= row < top + self.room:
            self.scroll_to(y=row if row < top else row - self.room + 1, animate=False, immediate=True)

    def on_resize(self, _: Resize) -> None:
        self._drawn = []
        self.measure()
        self.keep_in_sight()
        self.refresh()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self._drawn = []

    def action_move(self, rows: int) -> None:
        self.go(self._place + rows)

    def far(self, way: int) -> None:
        self.go(0 if way < 0 else self.count - 1)
