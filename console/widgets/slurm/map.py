"""The map of a cluster's nodes, with a cursor; only the rows in sight are drawn."""

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.events import Click, Resize
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from console.widgets.frame.ink import Line, Penned, different
from console.widgets.slurm.map_text import Grid, MapText


class ClusterMap(Penned, ScrollView, inherit_bindings=False):
    """A cell a node. `show` gives it a map; the cursor is a node, by its place in the configuration."""

    DEFAULT_CSS = """
    ClusterMap { overflow-x: hidden; overflow-y: scroll; scrollbar-size-vertical: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "across(-1)", show=False),
        Binding("right", "across(1)", show=False),
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
        Binding("pageup", "page(-1)", show=False),
        Binding("pagedown", "page(1)", show=False),
    ]

    class Moved(Message):
        """The cursor stands on another node."""

        def __init__(self, place: int) -> None:
            super().__init__()
            self.place = place

    def __init__(self, text: MapText, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.can_focus = True
        self._text = text
        self._grid = Grid((), 1)
        self._grid_of: tuple[object, int] | None = None
        self._place = 0
        self._drawn: list[Line] = []

    @property
    def place(self) -> int | None:
        """The node under the cursor; None if there are no nodes."""
        return self._place if self._place < len(self._text.board.nodes) else None

    def show(self, text: MapText) -> None:
        """Show a map. The cursor stays at its place."""
        self._text = text
        self._place = min(self._place, max(0, len(text.board.nodes) - 1))
        self._fit()
        self.redraw()

    def redraw(self) -> None:
        """Draw those rows in sight that came out different."""
        if self.size:
            drawn = [self._line(y) for y in range(self.size.height)]
            stale, self._drawn = different(drawn, self._drawn), drawn
            self.refresh_lines_at(stale)

    def go(self, place: int) -> None:
        """Put the cursor on the node at a place."""
        place = min(max(0, place), max(0, len(self._text.board.nodes) - 1))
        if place != self._place:
            self._place = place
            self._keep_in_sight()
            self.redraw()
            self.post_message(self.Moved(place))

    def _fit(self) -> None:
        """Lay the rows out anew for other nodes, or another width."""
        width = self.scrollable_content_region.width
        names = tuple(self._text.board.places)
        if width > 0 and self._grid_of != (names, width):
            self._grid, self._grid_of = self._text.grid(width), (names, width)
        size = Size(self.size.width, len(self._grid.rows))
        if size != self.virtual_size:
            self.virtual_size = size

    def _line(self, y: int) -> Line:
        number = self.scroll_offset.y + y
        if number >= len(self._grid.rows):
            return [("the cluster has no nodes", "dim")] if number == 0 else ()
        row = self._grid.rows[number]
        return self._text.line(row, self.size.width, self._place if self._place in row else None)

    def render_line(self, y: int) -> Strip:
        if not y < len(self._drawn):
            self._drawn = [self._line(at) for at in range(self.size.height)]
        return self.pen.strip(self._drawn[y], self.scrollable_content_region.width)

    def on_resize(self, _: Resize) -> None:
        self._drawn = []
        self._fit()
        self._keep_in_sight()
        self.refresh()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self._drawn = []

    def on_click(self, event: Click) -> None:
        at = event.get_content_offset(self)
        if at is not None:
            place = self._grid.at(at.y + self.scroll_offset.y, at.x - self._text.label - 1)
            if place is not None:
                self.go(place)

    def _keep_in_sight(self) -> None:
        row, top, height = self._grid.row_of(self._place), self.scroll_offset.y, max(1, self.size.height)
        if not top <= row < top + height:
            self.scroll_to(y=row if row < top else row - height + 1, animate=False, immediate=True)

    def action_across(self, nodes: int) -> None:
        """Move the cursor by nodes."""
        self.go(self._grid.moved(self._place, nodes, 0))

    def action_move(self, rows: int) -> None:
        """Move the cursor by rows."""
        self.go(self._grid.moved(self._place, 0, rows))

    def action_page(self, pages: int) -> None:
        """Move the cursor by what is seen."""
        self.action_move(pages * max(1, self.size.height - 1))

    def action_half(self, way: int) -> None:
        """Move the cursor by half of what is seen."""
        self.action_move(way * max(1, self.size.height // 2))

    def action_far(self, way: int) -> None:
        """To the first node (-1) or the last (1)."""
        self.go(0 if way < 0 else len(self._text.board.nodes) - 1)
