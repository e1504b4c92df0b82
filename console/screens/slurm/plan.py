"""The panel of a cluster's plan: the rows that are shown, their order, and the job under the cursor."""

from collections.abc import Collection

from shadowtime.console.screens.composed.panels import QUEUE
from shadowtime.console.screens.slurm.board_table import BoardTable
from shadowtime.console.session.slurm.board.facts import PlanRow
from shadowtime.console.session.slurm.board.fields import PLAN, BoardReading
from shadowtime.console.widgets.frame.panel import Panel
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.widgets.slurm.plan_text import plan_columns
from shadowtime.console.widgets.slurm.status_text import plan_caption


class Plan(BoardTable[PlanRow]):
    """The plan of a board."""

    def __init__(self) -> None:
        super().__init__(PLAN, lambda row: row.key, plan_columns, id="plan")
        self.panel = Panel(QUEUE, "PLAN", self.table)

    def show_plan(self, reading: BoardReading, dates: Dates, measure: object) -> None:
        self.show(reading, dates, lambda: reading.board.rows, measure)

    def filter_by(self, text: str) -> None:
        self.table.nothing = f"no job of the plan is {text}; Esc shows all" if text else "no job waits"
        super().filter_by(text)
        if self._reading is not None:
            self.panel.caption(self.caption(plan_caption(self._reading.board, self._dates)))

    def place_of_job(self, names: Collection[str]) -> int | None:
        """Return the place of the first row that is shown of a job with one of these names."""
        return self.place_of(lambda row: row.job in names)
