"""The Gantt chart of a lane of a cluster: what is held, and once its course is known what is expected."""

from textual.screen import Screen

from shadowtime.console import words
from shadowtime.console.session.facts import Snapshot
from shadowtime.console.session.slurm.charting.bars import ClusterBars, unplanned
from shadowtime.console.session.slurm.lanes.cluster_lane import ClusterLane
from shadowtime.console.widgets.gantt.panel import GanttPanel
from shadowtime.console.widgets.gantt.subject import OF_A_CLUSTER


class ClusterLaneChart:
    """The chart of one lane, in the seconds of its case."""

    def __init__(self, screen: Screen[None], lane: ClusterLane) -> None:
        self._screen, self._lane = screen, lane
        self._history = lane.history
        self._bars = self._made()
        unit = words.unit_of(lane.case.scenario.machine, lane.clock)
        self.panel = GanttPanel(self._bars, unit, axis=self._bars.rows, terms=OF_A_CLUSTER, id="gantt")

    def _made(self) -> ClusterBars:
        history, jobs = self._lane.history, self._lane.jobs
        board = unplanned(history.begin, history.capture)
        return ClusterBars(history, board, enumerate(jobs.names), jobs.begin - 1)

    def show(self, snapshot: Snapshot, selected: int | None) -> None:
        lane = self._lane
        if lane.history is not self._history:
            self._history, self._bars = lane.history, self._made()
            self.panel.of(self._bars, self._bars.rows)
        history, number = lane.history, lane.number
        self._bars.look(unplanned(history.instant(number), history.capture_at(number)), number)
        self.panel.selected = selected
        self.panel.show(self._bars.stand(), self._bars.label, self._bars.job)

    def seek(self) -> None:
        """Nothing in sight is missing."""

    def stop(self) -> None:
        """Nothing is under way."""
