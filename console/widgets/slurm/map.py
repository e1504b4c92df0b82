"""The map of a cluster's nodes, with a cursor."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.events import Click
from textual.message import Message
from textual.strip import Strip

from shadowtime.console.widgets.frame.ink import Line, flowed, texts, wrap
from shadowtime.console.widgets.frame.space import Need, Space
from shadowtime.console.widgets.slurm.map_text import MapGrid, MapText
from shadowtime.console.widgets.table.cursor_rows import CursorRows

NARROW = 42
"""Cells for some tens of nodes in a row."""
WANTED = 48
"""Cells for forty."""
UNDER = 5
"""Lines of the legend and of the numbers, or those about the node under the cursor."""


class ClusterMap(CursorRows):
    """A cell a node. `show` gives it a map; the cursor is a node, by its place in the configuration."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "across(-1)", show=False),
        Binding("right", "across(1)", show=False),
    ]

    class Moved(Message):
        """The cursor stands on another node, which has this name."""

        def __init__(self, node: str) -> None:
            super().__init__()
            self.node = node

    def __init__(self, text: MapText, explain: Callable[[], None], *, id: str | None = None) -> None:
        """`explain` is called when the words under the rows may have come in, or may have gone."""
        super().__init__(id=id)
        self._text = text
        self._explain = explain
        self._numbers = ""
        self._below: Sequence[Line] = ()
        """The numbers and the legend, under the rows where there is room for them."""
        self._grid = MapGrid((), 1)
        self._grid_of: tuple[object, ...] | None = None
        """The names and the room that the rows are laid out for."""

    @property
    def space(self) -> Space:
        """Some rows of nodes, and the lines under them."""
        rows = len(self._text.grid(NARROW).rows) + UNDER
        return Space(Need(NARROW, WANTED, 2 * NARROW), Need.of(9, rows, rows))

    @property
    def explained(self) -> bool:
        """Whether the numbers and the legend stand under the rows."""
        return bool(self._below)

    @property
    def count(self) -> int:
        return len(self._text.board.nodes)

    @property
    def rows(self) -> int:
        return self._grid.lines

    def row_of(self, place: int) -> int:
        return self._grid.row_of(place) * self._grid.tall

    def moved(self) -> None:
        self.post_message(self.Moved(self._text.board.nodes[self._place].name))

    def show(self, text: MapText, numbers: str) -> None:
        """Show a map, and the numbers of its nodes. The cursor stays at its place."""
        self._text, self._numbers = text, numbers
        self._place = min(self._place, max(0, self.count - 1))
        self.measure()
        self.redraw()

    def measure(self) -> None:
        """Lay the rows out anew for other nodes, or another width."""
        width = self.scrollable_content_region.width
        names = tuple(self._text.board.places)
        words = [*texts(wrap(self._numbers, width)), *self._text.legend().split("  ")]
        below = [[(text, "dim")] for text in flowed(words, width)]
        room = width, self.size.height - len(below) - 1
        wanted = names, self._text.colouring, *room
        if width > 0 and self._grid_of != wanted:
            self._grid, self._grid_of = self._text.grid(*room), wanted
        self._below = below if self.rows + len(below) < self.size.height else ()
        self._explain()
        super().measure()

    def draw(self, y: int) -> Line:
        number, under = self.scroll_offset.y + y, y - self.size.height + len(self._below)
        if self._below and under >= 0:
            return self._below[under]
        if number >= self.rows:
            return [("the cluster has no nodes", "dim")] if number == 0 else ()
        return self._text.line(number, self._place, self._grid)

    def render_line(self, y: int) -> Strip:
        return self.pen.strip(self.drawn(y), self.scrollable_content_region.width)

    def on_click(self, event: Click) -> None:
        at = event.get_content_offset(self)
        if at is not None:
            beside = 0 if self._grid.cards else self._text.label + 1
            place = self._grid.at(at.y + self.scroll_offset.y, at.x - beside)
            if place is not None:
                self.go(place)

    def action_across(self, nodes: int) -> None:
        self.go(self._grid.moved(self._place, nodes, 0))

    def action_move(self, rows: int) -> None:
        self.go(self._grid.moved(self._place, 0, rows))
