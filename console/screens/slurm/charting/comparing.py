"""The compare view over a cluster, opened where the cluster stands."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from shadowtime.console.clock import KINDS, Clocked, calendar_of
from shadowtime.console.screens.slurm.time.captures import Captures
from shadowtime.console.screens.travel.view import TravelView
from shadowtime.console.session import ScenarioError, SessionError
from shadowtime.console.widgets.slurm.dates import Dates

if TYPE_CHECKING:
    from shadowtime.console.session.comparison.lockstep import Lockstep
    from shadowtime.console.session.slurm.lanes.making import ClusterLanes


class Comparing:
    """Opens the compare view over a cluster, where it stands."""

    def __init__(
        self,
        view: TravelView,
        captures: Captures,
        dates: Callable[[], Dates],
        letters: Callable[[], Mapping[str, str]],
    ) -> None:
        """`letters` gives the letters of jobs in the console, by their names."""
        self._view, self._captures, self._dates, self._letters = view, captures, dates, letters

    def _lanes(self) -> "ClusterLanes":
        from shadowtime.console.session.slurm.lanes.making import ClusterLanes

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
        instant = lanes.second(travel.course.time)
        self._open(lanes, lockstep, instant, part)

    def whatif(self, text: str) -> None:
        """Show the cluster beside another one with the same past, in which something is done now.

        SessionError.
        """
        if not text:
            raise SessionError("what if what? expected a change, as in whatif drain n[01-04]")
        lanes = self._lanes()
        self._open(lanes, lanes.whatif(self._captures.travel.course.number, text), None)

    def _open(
        self, lanes: "ClusterLanes", lockstep: "Lockstep", instant: int | None, part: bool = False
    ) -> None:
        from shadowtime.console.screens.compare.screen import CompareScreen
        from shadowtime.console.screens.slurm.charting.lane_maker import ClusterMaker

        app, dated = self._view.app, self._dates().since is None
        # The clock that is in force without a choice stays unchosen.
        if isinstance(app, Clocked) and calendar_of(app) != dated:
            app.clock = KINDS[dated]
        known = self._letters()
        letters = {place: known[name] for place, name in enumerate(lanes.names) if name in known}
        view = CompareScreen(lockstep, instant, ClusterMaker(lanes), letters)
        self._view.open_page(view)
        if part:
            view.call_after_refresh(view.divergence.diverge, 1)
