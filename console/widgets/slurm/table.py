"""A table of rows with a heading, drawn only where it is seen; the cursor stays with its row."""

from collections.abc import Callable, Hashable, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.events import Click, Resize
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from console.widgets.frame.ink import Line, Penned, different

Draw = Callable[[int, int], Line]
"""The line of the row at a place, for a width."""
Heading = Callable[[int], Line]
"""The line of titles for a width."""


class RowTable(Penned, ScrollView, inherit_bindings=False):
    """Rows by key. `show` gives it rows; the cursor is on the row with the key that it was on."""

    DEFAULT_CSS = """
    RowTable { overflow-x: hidden; overflow-y: scroll; scrollbar-size-vertical: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
        Binding("pageup", "page(-1)", show=False),
        Binding("pagedown", "page(1)", show=False),
    ]

    class Moved(Message):
        """The cursor stands on another row."""

        def __init__(self, table: "RowTable") -> None:
            super().__init__()
            self.table = table

    def __init__(self, heading: Heading, draw: Draw, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.can_focus = True
        self._heading, self._draw = heading, draw
        self._keys: Sequence[Hashable] = ()
        self._place = 0
        self._sought: Hashable | None = None
        """The key that the cursor was on, if it is not shown."""
        self._drawn: list[Line] = []
        self.nothing = ""
        """What stands in an empty table."""

    @property
    def place(self) -> int | None:
        """The place of the row under the cursor; None in an empty table."""
        return self._place if self._place < len(self._keys) else None

    def show(self, keys: Sequence[Hashable]) -> None:
        """Show rows with these keys. The cursor stays on its key, or else at its place.

        A key that comes back gets the cursor back, unless it was moved meanwhile.
        """
        before = self._sought
        if before is None and self._place < len(self._keys):
            before = self._keys[self._place]
        self._keys = keys
        found = next((place for place, key in enumerate(keys) if key == before), None)
        self._place = min(self._place, max(0, len(keys) - 1)) if found is None else found
        self._sought = before if found is None else None
        self._measure()
        self._keep_in_sight()
        self.redraw()
        self.post_message(self.Moved(self))

    def redraw(self) -> None:
        """Draw those lines in sight that came out different."""
        if self.size:
            drawn = [self._line(y) for y in range(self.size.height)]
            stale, self._drawn = different(drawn, self._drawn), drawn
            self.refresh_lines_at(stale)

    def _measure(self) -> None:
        size = Size(self.size.width, len(self._keys) + 1)
        if size != self.virtual_size:
            self.virtual_size = size

    def _line(self, y: int) -> Line:
        width = self.scrollable_content_region.width
        if y == 0:
            return [(" ", "head"), *self._heading(width - 1)]
        place = self.scroll_offset.y + y - 1
        if place >= len(self._keys):
            return [(f" {self.nothing}", "dim")] if place == 0 and self.nothing else ()
        mark = ">" if place == self._place else " "
        return [(mark, "key"), *self._draw(place, width - 1)]

    def render_line(self, y: int) -> Strip:
        if not y < len(self._drawn):
            self._drawn = [self._line(at) for at in range(self.size.height)]
        pieces = self._drawn[y]
        under = y > 0 and bool(pieces) and pieces[0][0] == ">"
        width = self.scrollable_content_region.width
        return (self.pen.cursor if under else self.pen.strip)(pieces, width)

    def on_resize(self, _: Resize) -> None:
        self._drawn = []
        self._measure()
        self._keep_in_sight()
        self.refresh()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self._drawn = []

    def on_click(self, event: Click) -> None:
        if event.y > 0:
            self.go(self.scroll_offset.y + event.y - 1)

    def go(self, place: int) -> None:
        """Put the cursor on the row at a place."""
        place = min(max(0, place), max(0, len(self._keys) - 1))
        self._sought = None
        if place != self._place:
            self._place = place
            self._keep_in_sight()
            self.redraw()
            self.post_message(self.Moved(self))

    def _keep_in_sight(self) -> None:
        top, rows = self.scroll_offset.y, max(1, self.size.height - 1)
        if not top <= self._place < top + rows:
            self.scroll_to(
                y=self._place if self._place < top else self._place - rows + 1, animate=False, immediate=True
            )

    def action_move(self, rows: int) -> None:
        """Move the cursor by rows."""
        self.go(self._place + rows)

    def action_page(self, pages: int) -> None:
        """Move the cursor by what is seen."""
        self.go(self._place + pages * max(1, self.size.height - 2))

    def action_half(self, way: int) -> None:
        """Move the cursor by half of what is seen."""
        self.go(self._place + way * max(1, self.size.height // 2))

    def action_far(self, way: int) -> None:
        """To the first row (-1) or the last (1)."""
        self.go(0 if way < 0 else len(self._keys) - 1)
