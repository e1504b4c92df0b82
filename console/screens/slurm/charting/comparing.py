"""The ways from a console over a cluster to the compare view, and what makes its lanes."""

from collections.abc import Callable, Sequence

from textual.screen import Screen

from shadowtime.console.clock import Clocked
from shadowtime.console.screens.compare.makers import LaneChart, machine_chart
from shadowtime.console.screens.compare.screen import CompareScreen
from shadowtime.console.screens.console.screen import ConsoleScreen
from shadowtime.console.screens.console.view import Opens
from shadowtime.console.screens.slurm.charting.lane_chart import ClusterLaneChart
from shadowtime.console.screens.slurm.time.captures import Captures
from shadowtime.console.session import Case, ScenarioError, Session, SessionError
from shadowtime.console.session.comparison.lane import Lane
from shadowtime.console.session.comparison.lockstep import Lockstep
from shadowtime.console.session.slurm.lanes.cluster_lane import ClusterLane
from shadowtime.console.session.slurm.lanes.making import ClusterLanes
from shadowtime.console.widgets.slurm.dates import Dates


class ClusterMaker:
    """Makes the lanes of a cluster for the compare view. Each lane is a case by its text."""

    def __init__(self, lanes: ClusterLanes) -> None:
        self._lanes = lanes

    def typed(self, case: Case, line: str, most: int) -> Sequence[Case]:
        """Return what a typed line names. SessionError."""
        return [self._lanes.named(text) for text in self._lanes.texts(line)]

    def offered(self, cases: Sequence[Case]) -> Sequence[Case]:
        """Return the lanes that there are, and others."""
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
        """Return the chart of a lane."""
        if isinstance(lane, ClusterLane):
            return ClusterLaneChart(screen, lane)
        return machine_chart(screen, lane, free)


class Comparing:
    """Opens the compare view over a cluster, where it stands."""

    def __init__(self, view: Opens, captures: Captures, dates: Callable[[], Dates]) -> None:
        self._view, self._captures, self._dates = view, captures, dates

    def _lanes(self) -> ClusterLanes:
        history = self._captures.travel.course
        return ClusterLanes(history.capture, history.begin, self._dates().zone)

    def here(self, part: bool = False) -> None:
        """Show the cluster beside another scheduler; `part`: at the next instant at which they part."""
        try:
            self.compare("", part)
        except (SessionError, ScenarioError) as error:
            self._view.say(" ".join(str(error).split()), "warn")

    def compare(self, line: str, part: bool = False) -> None:
        """Show what is typed side by side: parameters, schedulers, later captures.

        SessionError, ScenarioError.
        """
        lanes, travel = self._lanes(), self._captures.travel
        texts = lanes.texts(line)
        lockstep = lanes.lockstep(texts)
        instant = lanes.second(travel.course.time) if travel.stepped else None
        view = CompareScreen(lockstep, instant, ClusterMaker(lanes))
        self._open(view)
        if part:
            view.call_after_refresh(view.divergence.diverge, 1)

    def whatif(self, text: str) -> None:
        """Show the cluster beside another one with the same past, in which something is done now.

        SessionError.
        """
        if not text:
            raise SessionError("what if what? expected a change, as in whatif drain n[01-04]")
        lanes = self._lanes()
        self._open(
            CompareScreen(lanes.whatif(self._captures.travel.course.number, text), None, ClusterMaker(lanes))
        )

    def _open(self, view: CompareScreen) -> None:
        app = self._view.app
        if isinstance(app, Clocked):
            app.calendar = self._dates().since is None
        self._view.open_page(view)
