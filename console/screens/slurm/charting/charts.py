"""A cluster over time: its Gantt chart, its metrics, and the bar that shows where it stands."""

from collections.abc import Callable, Iterator, Mapping, Sequence

import attrs

from shadowtime.console import words
from shadowtime.console.clock import Clock
from shadowtime.console.screens.composed.panels import CHART, METRICS
from shadowtime.console.screens.slurm.time.captures import Captures
from shadowtime.console.session.slurm.charting.bars import ClusterBars
from shadowtime.console.session.slurm.charting.load import BARS, LOADS, Loads, load_rows
from shadowtime.console.widgets.frame.panel import Panel
from shadowtime.console.widgets.frame.timebar import TimeBar
from shadowtime.console.widgets.gantt.panel import GanttPanel
from shadowtime.console.widgets.gantt.subject import OF_A_CLUSTER
from shadowtime.console.widgets.metrics.panel import MetricsPanel
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.widgets.slurm.load_text import load_measures

GANTT = "gantt"
CHARTED: Mapping[str, Sequence[str]] = {GANTT: BARS, "metrics": LOADS}
"""What can be written of it, and the columns of that."""


@attrs.frozen
class _At:
    """A position, as the time bar takes it."""

    number: int
    total: int | None
    time: int


class Charts:
    """Paints a cluster over time. Everything follows the history that is stepped."""

    def __init__(self, captures: Captures, dates: Callable[[], Dates]) -> None:
        self._captures, self._dates = captures, dates
        self._history = captures.travel.course
        self.bars = ClusterBars(self._history, captures.board)
        self._loads = Loads(self._history)
        unit = self._unit()
        self.gantt = GanttPanel(self.bars, unit, axis=self.bars.rows, terms=OF_A_CLUSTER, id="gantt")
        self.metrics = MetricsPanel(unit, id="metrics")
        self.line = TimeBar(id="cluster-time")
        self.line.numbers = False
        self.gantt_panel = Panel(CHART, "GANTT", self.gantt)
        self.metrics_panel = Panel(METRICS, "METRICS", self.metrics)
        self.metrics_panel.caption("since the capture")

    def _unit(self) -> words.Unit:
        dates, board = self._dates(), self._captures.board
        clock = attrs.evolve(dates.calendar(board.now), yearless=True)
        if dates.since is not None:
            clock = Clock(clock.epoch, origin=dates.since)
        return attrs.evolve(words.NODES, clock=clock)

    def rows(self, kind: str) -> Iterator[tuple[object, ...]]:
        """Return the rows of one of `CHARTED`: the bars, or the loads up to here."""
        if kind == GANTT:
            return self.bars.table()
        return load_rows(self._loads.follow()[: self._captures.travel.course.stand.number + 1])

    def show(self, selected: str | None, marks: Mapping[str, int]) -> None:
        """Paint everything; a job stands out, and the time bar has marks."""
        course = self._captures.travel.course
        loads, number, unit = self._loads.follow(), course.stand.number, self._unit()
        self.gantt.use(unit)
        self.line.show(
            _At(number, course.total, course.instant(number)),
            loads,
            marks,
            unit.clock,
        )
        here = loads[number]
        self.metrics.show(here, loads[: number + 1], load_measures(here))
        self.bars.look(self._captures.board, number)
        self.gantt.selected = None if selected is None else self.bars.index(selected)
        self.gantt.show(self.bars.stand(), self.bars.label, self.bars.job)
        self.entitle()

    def follow(self) -> None:
        """Take the history of a new capture. Jobs that are still there keep indexes, letters and hues."""
        history = self._captures.travel.course
        if history is not self._history:
            self._history, self._loads = history, Loads(history)
            board = self._captures.board
            self.bars = ClusterBars(history, board, self.bars.present(board))
            self.gantt.of(self.bars, self.bars.rows)

    def place(self, selected: str | None) -> None:
        self.gantt.place(None if selected is None else self.bars.index(selected))

    def entitle(self) -> None:
        self.gantt_panel.caption(self.gantt.caption)
