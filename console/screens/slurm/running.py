"""The panel of the jobs that run: what is left of each, and who is planned next on its nodes."""

from collections.abc import Callable, Sequence

from shadowtime.console.screens.composed.panels import RUNNING
from shadowtime.console.screens.pages.page import Page
from shadowtime.console.session.slurm.board import Board, Changes, RunningRow, running_rows, shown_running
from shadowtime.console.widgets.frame.ink import Line
from shadowtime.console.widgets.frame.panel import Panel
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.widgets.slurm.running_text import RunningText, running_lines
from shadowtime.console.widgets.slurm.table import RowTable
from shadowtime.console.words import count

SORTS: dict[str, Callable[[RunningRow], tuple[object, ...]]] = {
    "ends": lambda row: (row.end, row.number),
    "job": lambda row: (row.number, row.job),
    "user": lambda row: (row.user, row.end),
    "size": lambda row: (-row.size, -row.cpus),
    "gpus": lambda row: (-row.gpus, row.end),
    "begin": lambda row: (row.begin, row.number),
}
"""What the running jobs can be sorted by, in the order in which `s` goes through it."""
FIRST = next(iter(SORTS))


class RunningJobs:
    """The running jobs of a board, their order, and a page of each. Rows are made while the panel is seen."""

    def __init__(self, board: Board, changes: Changes, dates: Dates) -> None:
        self._board, self._changes, self._dates, self._now = board, changes, dates, board.now
        self._filter = ""
        self._sort, self._reverse = FIRST, False
        self._text = RunningText(board, (), frozenset(), dates, board.now)
        self._stale = True
        self.seen = False
        """Whether the panel is seen."""
        self.table = RowTable(
            lambda width: self._text.layout(width).heading(),
            self.row,
            id="running",
        )
        self.panel = Panel(RUNNING, "RUNNING", self.table)

    def show(self, board: Board, changes: Changes, dates: Dates, now: int, filter_: str) -> None:
        """Show a board from an instant on, through a filter that is known to be one."""
        self._board, self._changes, self._dates, self._now = board, changes, dates, now
        self._filter, self._stale = filter_, True
        self.freshen()

    def freshen(self) -> None:
        """Make the rows, if they are old and the panel is seen."""
        if not (self._stale and self.seen):
            return
        self._stale = False
        every = running_rows(self._board)
        rows = sorted(shown_running(every, self._now, self._filter), key=SORTS[self._sort])
        if self._reverse:
            rows.reverse()
        started = frozenset(self._changes.started)
        self._text = RunningText(self._board, tuple(rows), started, self._dates, self._now)
        self.table.nothing = f"no running job is {self._filter}" if self._filter and every else "no job runs"
        self.table.show([row.job for row in rows])
        words = count(len(every), "job")
        if self._filter:
            words = f"{words}   /{self._filter}: {len(rows)}"
        if self._sort != FIRST or self._reverse:
            words = f"{words}   by {self._sort}{' reversed' if self._reverse else ''}"
        self.panel.caption(words)

    def tick(self, now: int) -> None:
        """Let the countdowns go on."""
        self._now = now
        if self.seen:
            self._text = self._text.at(now)
            self.table.redraw()

    def sort(self, step: int) -> None:
        """Sort by the next column."""
        names = list(SORTS)
        self._sort = names[(names.index(self._sort) + step) % len(names)]
        self._again()

    def turn(self) -> None:
        """Turn the order."""
        self._reverse = not self._reverse
        self._again()

    def _again(self) -> None:
        self._stale = True
        self.freshen()

    @property
    def current(self) -> RunningRow | None:
        """The job under the cursor."""
        place = self.table.place
        return None if place is None else self._text.rows[place]

    def row(self, place: int, width: int) -> Line:
        """The line of a job."""
        return self._text.layout(width).line(self._text.rows[place])

    def lines(self, row: RunningRow, width: int) -> Sequence[Line]:
        """The lines about a job, as the cluster stands."""
        return list(running_lines(self._board, row, self._dates, width))

    def page(self) -> Page | None:
        """A page with everything about the job under the cursor."""
        row = self.current
        if row is None:
            return None
        return Page(f"JOB {row.job}", lambda width: self.lines(row, width))

    def select(self, name: str) -> bool:
        """Put the cursor on a job, by name or number. Whether it runs and is shown."""
        self.freshen()
        rows = self._text.rows
        place = next((place for place, row in enumerate(rows) if name in (row.job, str(row.number))), None)
        if place is not None:
            self.table.go(place)
        return place is not None
