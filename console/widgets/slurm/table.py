"""A table of rows with a heading; the cursor stays with its row."""

from collections.abc import Callable, Hashable, Sequence

from textual.events import Click
from textual.message import Message
from textual.strip import Strip

from shadowtime.console.widgets.frame.ink import Line
from shadowtime.console.widgets.frame.pen import lettered
from shadowtime.console.widgets.slurm.cursor_rows import CursorRows

Draw = Callable[[int, int], Line]
"""The line of the row at a place, for a width."""
Heading = Callable[[int], Line]
"""The line of titles for a width."""


class RowTable(CursorRows):
    """Rows by key. `show` gives it rows; the cursor is on the row with the key that it was on."""

    heading_lines = 1

    class Moved(Message):
        """The cursor stands on another row."""

        def __init__(self, table: "RowTable") -> None:
            super().__init__()
            self.table = table

    def __init__(self, heading: Heading, draw: Draw, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._heading, self._draw = heading, draw
        self._keys: Sequence[Hashable] = ()
        self._sought: Hashable | None = None
        """The key that the cursor was on, if it is not shown."""
        self.nothing = ""
        """What stands in an empty table."""
        self._letters: dict[int, str] = {}
        """The letters in front of lines in sight."""

    @property
    def count(self) -> int:
        return len(self._keys)

    def show(self, keys: Sequence[Hashable]) -> None:
        """Show rows with these keys. The cursor stays on its key, or else at its place.

        A key that comes back gets the cursor back, unless it was moved meanwhile.
        """
        before = self._sought
        if before is None and self.place is not None:
            before = self._keys[self.place]
        self._keys = keys
        found = next((place for place, key in enumerate(keys) if key == before), None)
        self._place = min(self._place, max(0, len(keys) - 1)) if found is None else found
        self._sought = before if found is None else None
        self.measure()
        self.keep_in_sight()
        self.redraw()
        self.moved()

    def moved(self) -> None:
        self.post_message(self.Moved(self))

    def go(self, place: int) -> None:
        self._sought = None
        super().go(place)

    @property
    def pickable(self) -> Sequence[int]:
        """The lines in sight that can be chosen."""
        seen = min(self.count - self.scroll_offset.y, self.size.height - self.heading_lines)
        return range(1, 1 + max(0, seen))

    def pick(self, line: int) -> None:
        """Put the cursor on the row of a line in sight."""
        self.go(self.scroll_offset.y + line - 1)

    def letter(self, letters: dict[int, str]) -> None:
        """Show letters in front of lines."""
        if letters != self._letters:
            self._letters = letters
            self.refresh()

    def draw(self, y: int) -> Line:
        width = self.scrollable_content_region.width
        if y == 0:
            return [(" ", "head"), *self._heading(width - 1)]
        place = self.scroll_offset.y + y - 1
        if place >= len(self._keys):
            return [(f" {self.nothing}", "dim")] if place == 0 and self.nothing else ()
        mark = ">" if place == self._place else " "
        return [(mark, "key"), *self._draw(place, width - 1)]

    def render_line(self, y: int) -> Strip:
        pieces = self.drawn(y)
        under = y > 0 and bool(pieces) and pieces[0][0] == ">"
        width = self.scrollable_content_region.width
        letter = self._letters.get(y)
        if letter is not None:
            return lettered(self.pen.strip(pieces, width), letter, self.pen.styles["key"])
        return (self.pen.cursor if under else self.pen.strip)(pieces, width)

    def on_click(self, event: Click) -> None:
        if event.y > 0:
            self.go(self.scroll_offset.y + event.y - 1)
