"""The panel of a cluster's plan: the rows that are shown, their order, and the job under the cursor."""

from collections.abc import Collection, Mapping

from shadowtime.console.screens.command_table import CLUSTER_SORTS
from shadowtime.console.screens.composed.panels import QUEUE
from shadowtime.console.session.slurm.board import Board, Changes, PlanRow, shown_rows
from shadowtime.console.session.slurm.board.changes import NOTHING
from shadowtime.console.widgets.frame.ink import Line
from shadowtime.console.widgets.frame.panel import Panel
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.widgets.slurm.plan_text import PlanText
from shadowtime.console.widgets.slurm.status_text import plan_caption, plan_foot
from shadowtime.console.widgets.slurm.table import RowTable


class Plan:
    """The plan of a board, through a filter and in an order."""

    def __init__(self, board: Board, dates: Dates) -> None:
        self._board = board
        self.rows: tuple[PlanRow, ...] = board.rows
        """The rows that are shown."""
        self.filter = ""
        self._sort, self._reverse = CLUSTER_SORTS[0], False
        self._text = PlanText(board, NOTHING, dates, board.now)
        self.table = RowTable(lambda width: self._text.layout(width).heading(), self.row, id="plan")
        self.table.nothing = "no job waits"
        self.panel = Panel(QUEUE, "PLAN", self.table)

    def show(
        self, board: Board, changes: Changes, dates: Dates, now: int, expected: Mapping[str, int | None]
    ) -> None:
        """Show a board from an instant on, with the expected starts that are known."""
        self._board = board
        self._text = PlanText(board, changes, dates, now, expected=expected)
        self._choose(self.filter)
        self.panel.foot(plan_foot(board))

    def tick(self, now: int) -> None:
        """Let the countdowns go on."""
        self._text = self._text.at(now)
        self.table.redraw()

    def _choose(self, filter_: str) -> None:
        """Show the rows of a filter, in the order of the sort."""
        rows = list(shown_rows(self._board, filter_))
        self.filter = filter_
        if self._sort != CLUSTER_SORTS[0]:
            rows.sort(key=lambda row: _sort_key(row, self._sort))
        if self._reverse:
            rows.reverse()
        self.rows = tuple(rows)
        self.table.nothing = f"no job of the plan is {self.filter}" if self.filter else "no job waits"
        self.table.show([row.key for row in rows])
        words = plan_caption(self._board, len(rows), self.filter)
        if self._sort != CLUSTER_SORTS[0] or self._reverse:
            words += f"   by {self._sort}{' reversed' if self._reverse else ''}"
        # The table says that its cursor moved, and then the reason is written anew.
        self.panel.caption(words)

    def filter_by(self, text: str) -> None:
        """Show only the rows that match; all for an empty text. SessionError if it is no filter."""
        self._choose(text)

    def sort(self, step: int) -> None:
        """Sort by the next column."""
        place = CLUSTER_SORTS.index(self._sort) + step
        self.sort_by(CLUSTER_SORTS[place % len(CLUSTER_SORTS)], self._reverse)

    def turn(self) -> None:
        """Turn the order."""
        self.sort_by(self._sort, not self._reverse)

    def sort_by(self, column: str, reverse: bool) -> None:
        """Sort by a column."""
        self._sort, self._reverse = column, reverse
        self._choose(self.filter)

    @property
    def current(self) -> PlanRow | None:
        """The row under the cursor."""
        place = self.table.place
        return None if place is None else self.rows[place]

    def row(self, place: int, width: int) -> Line:
        """The line of a row."""
        return self._text.layout(width).line(self.rows[place])

    def place_of(self, names: Collection[str]) -> int | None:
        """Return the place of the first row that is shown of a job with one of these names."""
        return next((place for place, row in enumerate(self.rows) if row.job in names), None)


def _sort_key(row: PlanRow, sort: str) -> tuple[object, ...]:
    """The place of a row in an order; what has no value comes last."""
    if sort == "starts":
        return (row.start is None, row.start or 0)
    if sort == "size":
        return (-row.size,)
    if sort == "priority":
        return (-row.priority,)
    if sort == "gpus":
        return (-row.gpus,)
    return (row.user,) if sort == "user" else (row.number, row.key)
