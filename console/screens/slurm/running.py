"""The panel of the jobs that run: what is left of each, and who is planned next on its nodes."""

from collections.abc import Sequence

from shadowtime.console.screens.composed import panels
from shadowtime.console.screens.pages.page import Page
from shadowtime.console.screens.slurm.board_table import BoardTable
from shadowtime.console.session.slurm.board.fields import RUNNING, BoardReading
from shadowtime.console.session.slurm.board.running import RunningRow, running_rows
from shadowtime.console.widgets.frame.ink import Line
from shadowtime.console.widgets.frame.panel import Panel
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.widgets.slurm.running_text import running_columns, running_lines
from shadowtime.console.words import count

ENOUGH = 56
"""Cells for the jobs with their users, and for when they end."""
LEAST = 12
"""Cells of the nodes for which other columns give way."""


class RunningJobs(BoardTable[RunningRow]):
    """The running jobs of a board, and a page of each."""

    def __init__(self) -> None:
        super().__init__(RUNNING, lambda row: row.job, running_columns, least=LEAST, id="running")
        self.seen = False
        self.table.enough = ENOUGH
        self.panel = Panel(panels.RUNNING, "RUNNING", self.table)

    def show_running(self, reading: BoardReading, dates: Dates, measure: object) -> None:
        self.show(reading, dates, lambda: running_rows(reading.board), measure)

    def filter_by(self, text: str) -> None:
        self.table.nothing = (
            f"no running job is {text}; Esc shows all" if text and self.every else "no job runs"
        )
        super().filter_by(text)
        self.panel.caption(self.caption(count(len(self.every), "job")))

    def lines(self, row: RunningRow, width: int) -> Sequence[Line]:
        if self._reading is None:
            return ()
        return list(running_lines(self._reading.board, row, self._dates, width))

    def page(self) -> Page | None:
        row = self.current
        return None if row is None else Page(f"JOB {row.job}", lambda width: self.lines(row, width))

    def select(self, name: str) -> bool:
        """Put the cursor on a job, by name or number. Whether it runs and is shown."""
        self.freshen()
        place = self.place_of(lambda row: name in (row.job, str(row.number)))
        if place is not None:
            self.table.go(place)
        return place is not None
