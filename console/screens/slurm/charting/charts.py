"""A cluster over time: its Gantt chart, its metrics, and the bar that shows where it stands."""

from collections.abc import Mapping, Sequence

import attrs

from shadowtime.console import words
from shadowtime.console.screens.slurm.time.captures import Captures
from shadowtime.console.session.slurm.charting.bars import ClusterBars
from shadowtime.console.session.slurm.charting.load import Load, Loads
from shadowtime.console.session.slurm.stepping import SteppedCluster
from shadowtime.console.widgets.frame.panel import Panel
from shadowtime.console.widgets.frame.timebar import TimeBar
from shadowtime.console.widgets.gantt.panel import GanttPanel
from shadowtime.console.widgets.gantt.subject import OF_A_CLUSTER
from shadowtime.console.widgets.metrics.panel import MetricsPanel
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.widgets.slurm.load_text import load_measures


@attrs.frozen
class _At:
    """A position, as the time bar takes it."""

    number: int
    total: int | None
    time: int


class Charts:
    """Paints a cluster over time. Everything follows the history that is stepped."""

    def __init__(self, captures: Captures, dates: Dates, gantt: int, metrics: int) -> None:
        """`gantt` and `metrics` are the numbers of the panels."""
        self._captures, self._dates = captures, dates
        self._history = captures.travel.course
        self.bars = ClusterBars(self._history, captures.board)
        self._loads = Loads(self._history)
        unit = self._unit()
        self.gantt = GanttPanel(self.bars, unit, axis=self.bars.rows, terms=OF_A_CLUSTER, id="gantt")
        self.metrics = MetricsPanel(unit, id="metrics")
        self.line = TimeBar(id="cluster-time")
        self.line.numbers = False
        self.gantt_panel = Panel(gantt, "GANTT", self.gantt)
        self.metrics_panel = Panel(metrics, "METRICS", self.metrics)

    def _unit(self) -> words.Unit:
        clock = attrs.evolve(self._dates.calendar(self._captures.board.now), yearless=True)
        return attrs.evolve(words.NODES, clock=clock)

    @property
    def loads(self) -> Sequence[Load]:
        """The loads up to the position, the capture first."""
        return self._loads.follow()[: self._captures.travel.course.stand.number + 1]

    def write_in(self, dates: Dates) -> None:
        """Write instants otherwise from the next painting on."""
        self._dates = dates
        self.gantt.use(self._unit())

    def show(self, selected: str | None, marks: Mapping[str, int]) -> None:
        """Paint everything; a job stands out, and the time bar has marks."""
        course = self._captures.travel.course
        if course is not self._history:
            self._begin(course)
        loads, number = self._loads.follow(), course.stand.number
        self.line.show(
            _At(number, course.total, course.instant(number)),
            loads,
            marks,
            self._unit().clock,
        )
        here = loads[number]
        self.metrics.show(here, loads[: number + 1], load_measures(here))
        self.bars.look(self._captures.board, number)
        self.gantt.selected = None if selected is None else self.bars.index(selected)
        self.gantt.show(self.bars.stand(), self.bars.label, self.bars.job)
        self.entitle()

    def _begin(self, history: SteppedCluster) -> None:
        self._history = history
        self.bars, self._loads = ClusterBars(history, self._captures.board), Loads(history)
        self.gantt.of(self.bars, self.bars.rows)

    def place(self, selected: str | None) -> None:
        """Let a job stand out."""
        self.gantt.place(None if selected is None else self.bars.index(selected))

    def entitle(self) -> None:
        """Say what a cell of the chart is."""
        self.gantt_panel.caption(self.gantt.caption)
