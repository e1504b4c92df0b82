"""The panel of a cluster's nodes: a table or a map, with one cursor for both."""

from collections.abc import Callable, Hashable, Sequence

from textual.app import ComposeResult
from textual.containers import Container

from shadowtime.console.screens.composed import panels
from shadowtime.console.screens.pages.page import Body
from shadowtime.console.screens.slurm.board_table import BoardTable
from shadowtime.console.session.slurm.board.facts import Board, NodeFact, PlanRow
from shadowtime.console.session.slurm.board.fields import BoardReading
from shadowtime.console.session.slurm.board.lists import NODES
from shadowtime.console.widgets.frame.ink import Line
from shadowtime.console.widgets.frame.letters import letters_of
from shadowtime.console.widgets.frame.panel import Panel
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.widgets.slurm.map import ClusterMap
from shadowtime.console.widgets.slurm.map_text import Colouring, MapText
from shadowtime.console.widgets.slurm.node_text import LEAST_NEXT, nodes_columns
from shadowtime.console.widgets.slurm.status_text import nodes_caption
from shadowtime.console.widgets.table.list_table import ListTable

ENOUGH = 56
"""Cells for the nodes with their jobs, and for when they are free."""


class Pointed(Body):
    """The row of the node under the cursor of the map."""


class Views(Container):
    """The table and the map, of which one is seen.

    A small screen, on which no other panel is about the node, shows its row under the map.
    """

    DEFAULT_CSS = """
    Views { height: 1fr; }
    Views > Pointed { dock: bottom; height: 2; display: none; overflow-y: hidden; }
    """

    def __init__(self, table: ListTable[Hashable, NodeFact], picture: ClusterMap, pointed: Pointed) -> None:
        super().__init__(id="node-views")
        self._table, self._picture, self._pointed = table, picture, pointed

    def compose(self) -> ComposeResult:
        yield self._table
        yield self._picture
        yield self._pointed


class NodeViews:
    """The nodes of a board. On the map the nodes of the job under the cursor of the plan stand out."""

    def __init__(
        self, board: Board, current: Callable[[], PlanRow | None], number: Callable[[str], int]
    ) -> None:
        """`number` returns the number of a job, by name, for its letter and its hue."""
        self._board, self._current, self._number = board, current, number
        self.rows = BoardTable(NODES, lambda node: node.name, nodes_columns, least=LEAST_NEXT, id="nodes")
        self.rows.seen = False
        self._dates = Dates()
        self._colouring = Colouring.STATE
        self.mapped = False
        """Whether the map is seen, not the table."""
        self._words = "", ""
        """What the letters of the map mean: its title, its legend."""
        self.table = self.rows.table
        self.table.enough = ENOUGH
        self.map = ClusterMap(MapText(board), self._explain, id="cluster-map")
        self.map.display = False
        self.pointed = Pointed(self._row_of_current, focus=False)
        self._views = Views(self.table, self.map, self.pointed)
        self.panel = Panel(panels.NODES, "NODES", self._views)
        self.panel.body = self.seen

    def show(self, reading: BoardReading, dates: Dates, measure: object) -> None:
        self._board, self._dates = reading.board, dates
        self.rows.show(reading, dates, lambda: reading.board.nodes, measure)
        self._draw()

    def tick(self, reading: BoardReading) -> None:
        self.rows.tick(reading)
        self.pointed.rebuild()

    def highlight(self) -> None:
        """Let the nodes of another job stand out on the map."""
        if self.mapped:
            self._draw()

    @property
    def current(self) -> NodeFact | None:
        return self.rows.current

    def _row_of_current(self, width: int) -> Sequence[Line]:
        node, table = self.current, self.table
        return () if node is None else (table.heading(width), table.line(node, width))

    def go(self, name: str) -> None:
        """Put the cursor on a node, in the table and on the map."""
        self.go_in_table(name)
        self.map.go(self._board.places[name])

    def go_in_table(self, name: str) -> None:
        """Put the cursor of the table on a node, in whatever order the nodes stand."""
        place = self.rows.place_of(lambda node: node.name == name)
        if place is not None:
            self.table.go(place)

    @property
    def seen(self) -> ListTable[Hashable, NodeFact] | ClusterMap:
        return self.map if self.mapped else self.table

    def toggle(self) -> None:
        """Show the map in place of the table, or the table again."""
        self.mapped = not self.mapped
        self.map.display, self.table.display = self.mapped, not self.mapped
        self.panel.body = self.seen
        self._views.set_class(self.mapped, "-mapped")
        self._draw()

    def map_by(self, colouring: Colouring | None) -> None:
        """Show the map, with letters of this meaning, by default as it was."""
        self._colouring = colouring or self._colouring
        if self.mapped:
            self._draw()
        else:
            self.toggle()

    def next_colouring(self) -> None:
        """Let the letters mean the next thing; a table becomes a map."""
        self.map_by(self._colouring.following if self.mapped else None)

    def _draw(self) -> None:
        self.pointed.rebuild()
        if self.mapped:
            row, node = self._current(), self.current
            chosen = frozenset(row.hosts if row is not None else ())
            held = letters_of(self.map).held
            text = MapText(self._board, self._colouring, chosen, self._number, held, self._dates)
            stand_out = f"; job {row.job} reversed" if row is not None and chosen else ""
            self._words = f"{self._colouring.value}{stand_out}", text.legend()
            self.map.show(text, nodes_caption(self._board))
            self.map.go(0 if node is None else self._board.places.get(node.name, 0))
        self._explain()

    def _explain(self) -> None:
        """Put on the border what is not under the rows of the map."""
        (meaning, legend), numbers = self._words, nodes_caption(self._board)
        if not self.mapped:
            meaning, legend = numbers, ""
        elif not self.map.explained:
            meaning = f"{meaning}   {numbers}"
        self.panel.caption(meaning)
        self.panel.foot("" if self.map.explained else legend)
