"""Tables of the rows of a board: the plan, and the jobs that run. Each has a filter, an order, a cursor."""

from collections.abc import Callable, Collection, Hashable, Sequence
from typing import Generic, TypeVar

from shadowtime.console.screens.composed import panels
from shadowtime.console.screens.composed.panels import QUEUE
from shadowtime.console.screens.pages.page import Page
from shadowtime.console.session.slurm.board.facts import PlanRow
from shadowtime.console.session.slurm.board.fields import PLAN, RUNNING, BoardReading
from shadowtime.console.session.slurm.board.running import RunningRow
from shadowtime.console.session.table.field import Fields
from shadowtime.console.session.table.ordering import Order
from shadowtime.console.widgets.frame.ink import Line
from shadowtime.console.widgets.frame.panel import Panel
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.widgets.slurm.plan_text import plan_columns, running_columns, running_lines
from shadowtime.console.widgets.slurm.status_text import plan_caption
from shadowtime.console.widgets.table.columns import Column
from shadowtime.console.widgets.table.list_table import LEAST, ListTable
from shadowtime.console.words import count

T = TypeVar("T")
ENOUGH = 56
"""Cells for the jobs with their users, and for when they end."""
LEAST_NODES = 12
"""Cells of the nodes of running jobs for which other columns give way."""
MOST_PLANNED = 40
"""Cells at most that other columns of the plan leave to the nodes, and to why there are none."""


class BoardTable(Generic[T]):
    """Rows of a board. They have room for what all rows of the first board show, and of a new capture.

    Rows are made and measured while they are seen.
    """

    def __init__(
        self,
        fields: Fields[BoardReading, T],
        key: Callable[[T], Hashable],
        columns: Callable[[BoardReading, Dates], Sequence[Column[T]]],
        *,
        least: int | Callable[[int], int] = LEAST,
        id: str | None = None,
    ) -> None:
        self.fields = fields
        self._key, self._columns = key, columns
        self._reading: BoardReading | None = None
        self._dates = Dates()
        self.seen = True
        """Whether the table is seen."""
        self._stale: Callable[[], None] | None = None
        """What shows the last board, if the table has not been seen since."""
        self._measured: object = None
        """What the columns have been measured for: a capture, and how its instants are written."""
        self.every: Sequence[T] = ()
        self.rows: Sequence[T] = ()
        """Those that are shown."""
        self.filter = ""
        self.order = Order(fields)
        wanted = (lambda _: least) if isinstance(least, int) else least
        self.table = ListTable[Hashable, T](self._some, wanted, id=id)

    def _some(self, _: Sequence[Hashable], first: int, count: int) -> Sequence[T]:
        return self.rows[first : first + count]

    def show(
        self,
        reading: BoardReading,
        dates: Dates,
        every: Callable[[], Sequence[T]],
        measure: object,
    ) -> None:
        """Show the rows of a board that pass the filter. Columns are measured anew for another `measure`."""
        self._stale = lambda: self._show(reading, dates, every(), measure)
        self.freshen()

    def freshen(self) -> None:
        """Show the last board, if another one is shown and the table is seen."""
        if self._stale is not None and self.seen:
            show, self._stale = self._stale, None
            show()

    def _show(self, reading: BoardReading, dates: Dates, every: Sequence[T], measure: object) -> None:
        self._reading, self._dates, self.every = reading, dates, every
        columns = self._columns(reading, dates)
        if (measure, dates) != self._measured:
            self._measured = measure, dates
            self.table.fit(columns, every)
        else:
            self.table.take(columns)
        self.filter_by(self.filter)

    def filter_by(self, text: str) -> None:
        """Show the rows that pass a filter, all for an empty text; once they are seen.

        SessionError if it is no filter, and the table is seen.
        """
        if not self.seen:
            self.filter, self._stale = text, self._stale or (lambda: self.filter_by(self.filter))
        elif self._reading is not None:
            self.rows = self.order.of(self.every, self._reading, text)
            self.filter = text
            order = "" if self.order.plain else self.order.name
            self.table.put([self._key(row) for row in self.rows], order, self.order.reverse)

    def tick(self, reading: BoardReading) -> None:
        """Let the countdowns go on, if they are seen."""
        if not self.seen:
            return
        self._reading = reading
        self.table.take(self._columns(reading, self._dates))
        self.table.redraw()

    def sort_by(self, order: Order) -> None:
        self.order = order
        self.filter_by(self.filter)

    @property
    def next_order(self) -> Order:
        """The next column in which rows differ."""
        assert self._reading is not None, "what is sorted is shown"
        return self.order.next(self.order.differs(self.every, self._reading))

    @property
    def current(self) -> T | None:
        place = self.table.place
        return None if place is None else self.rows[place]

    def place_of(self, wanted: Callable[[T], bool]) -> int | None:
        """Return the place of the first such row that is shown."""
        return next((place for place, row in enumerate(self.rows) if wanted(row)), None)

    def caption(self, words: str, always: bool = False) -> str:
        """Return words with the filter, and with the order: if it is not the first one, or in any case."""
        filtered = f"/{self.filter}: {len(self.rows):,}" if self.filter else ""
        order = str(self.order) if always or not self.order.plain else ""
        return "   ".join(filter(None, (words, filtered, order)))


class Plan(BoardTable[PlanRow]):
    """The plan of a board."""

    def __init__(self) -> None:
        least = lambda width: max(LEAST, min(width // 3 - 4, MOST_PLANNED))  # noqa: E731
        super().__init__(PLAN, lambda row: row.key, plan_columns, least=least, id="plan")
        self.panel = Panel(QUEUE, "PLAN", self.table)

    def filter_by(self, text: str) -> None:
        self.table.nothing = f"no job of the plan is {text}; Esc shows all" if text else "no job waits"
        super().filter_by(text)
        if self._reading is not None:
            self.panel.caption(self.caption(plan_caption(self._reading.board, self._dates)))

    def place_of_job(self, names: Collection[str]) -> int | None:
        """Return the place of the first row that is shown of a job with one of these names."""
        return self.place_of(lambda row: row.job in names)


class RunningJobs(BoardTable[RunningRow]):
    """The running jobs of a board, and a page of each."""

    def __init__(self) -> None:
        super().__init__(RUNNING, lambda row: row.job, running_columns, least=LEAST_NODES, id="running")
        self.seen = False
        self.table.enough = ENOUGH
        self.panel = Panel(panels.RUNNING, "RUNNING", self.table)

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
