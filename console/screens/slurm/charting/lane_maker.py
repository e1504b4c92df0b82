"""What makes the lanes of a cluster for the compare view."""

from collections.abc import Callable, Sequence

from textual.screen import Screen

from shadowtime.console.screens.compare.makers import LaneChart, machine_chart
from shadowtime.console.screens.console.screen import ConsoleScreen
from shadowtime.console.screens.slurm.charting.lane_chart import ClusterLaneChart
from shadowtime.console.session import Case, Session, SessionError
from shadowtime.console.session.comparison.lane import Lane
from shadowtime.console.session.comparison.lockstep import Lockstep
from shadowtime.console.session.slurm.lanes.cluster_lane import ClusterLane
from shadowtime.console.session.slurm.lanes.making import ClusterLanes


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
