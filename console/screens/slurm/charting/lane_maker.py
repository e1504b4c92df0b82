"""The lanes of a cluster in the compare view: what makes them, and their Gantt charts."""

from collections.abc import Callable, Sequence

import attrs
from textual.screen import Screen

from shadowtime.console import words
from shadowtime.console.screens.compare.makers import LaneChart, machine_chart
from shadowtime.console.screens.console.screen import ConsoleScreen
from shadowtime.console.session import Case, Session, SessionError
from shadowtime.console.session.comparison.lane import Lane
from shadowtime.console.session.comparison.lockstep import Lockstep
from shadowtime.console.session.facts import Snapshot
from shadowtime.console.session.slurm.charting.bars import BarJob, ClusterBars, unplanned
from shadowtime.console.session.slurm.lanes.cluster_lane import ClusterLane
from shadowtime.console.session.slurm.lanes.making import ClusterLanes
from shadowtime.console.widgets.gantt.panel import GanttPanel
from shadowtime.console.widgets.gantt.subject import OF_A_CLUSTER


class ClusterMaker:
    """Makes the lanes of a cluster for the compare view. Each lane is a case by its text."""

    def __init__(self, lanes: ClusterLanes) -> None:
        self._lanes = lanes

    def typed(self, case: Case, line: str, most: int) -> Sequence[Case]:
        return [self._lanes.named(text) for text in self._lanes.texts(line)]

    def offered(self, cases: Sequence[Case]) -> Sequence[Case]:
        names = dict.fromkeys((*(case.name for case in cases), *self._lanes.offered()))
        return [self._lanes.named(name) for name in names]

    def lockstep(self, cases: Sequence[Case]) -> Lockstep:
        """Return lanes at the capture. SessionError, ScenarioError."""
        return self._lanes.lockstep([case.name for case in cases])

    def opens(self, lane: Lane) -> Screen[None]:
        """Return the console of a lane of another scheduler. SessionError for one of the cluster."""
        if isinstance(lane, Session):
            return ConsoleScreen(lane)
        raise SessionError("a lane of a cluster has no console; Esc returns to that of the capture")

    def chart(self, screen: Screen[None], lane: Lane, free: Callable[[], bool]) -> LaneChart:
        if isinstance(lane, ClusterLane):
            return ClusterLaneChart(screen, lane)
        return machine_chart(screen, lane, free)


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
        self.panel.show(self._bars.stand(), self._bars.label, self._job)

    def _job(self, index: int) -> BarJob | None:
        """A job, as large as in the other lanes."""
        found, sizes = self._bars.job(index), self._lane.case.columns.size
        return (
            found if found is None or not 0 <= index < len(sizes) else attrs.evolve(found, size=sizes[index])
        )

    def seek(self) -> None:
        """Nothing in sight is missing."""

    def stop(self) -> None:
        """Nothing is under way."""
