"""When the job looked at likely starts in each lane: sampled in a worker once the lanes stand still."""

from collections.abc import Callable
from typing import Protocol

from textual.timer import Timer

from shadowtime.console.screens.compare.divergence import CompareView
from shadowtime.console.session import PolicyError, SessionError
from shadowtime.console.session.comparison.lane_odds import LaneOdds, LaneOddsWork, odds_work
from shadowtime.console.session.comparison.lockstep import Lockstep

REST = 0.3
"""Seconds for which lanes stand and a job is looked at before it is sampled."""


class OddsView(CompareView, Protocol):
    """The screen of the lanes, which has timers."""

    def set_timer(self, delay: float, callback: Callable[[], None], /) -> Timer:
        """Call something once, in so many seconds."""


class LikelyLanes:
    """Samples the job that is looked at; `found` is called on the screen's thread."""

    def __init__(self, view: OddsView, lockstep: Lockstep, found: Callable[[], None]) -> None:
        self._view, self._lockstep, self._found = view, lockstep, found
        self._asked: tuple[int, int] | None = None
        self._timer: Timer | None = None
        self._work: LaneOddsWork | None = None
        self._odds: LaneOdds | None = None

    def of(self, index: int | None) -> LaneOdds | None:
        """Return the odds of a job where the lanes stand, if they are known; they are found soon."""
        if index is None or not self._lockstep.begun:
            return None
        asked = index, self._lockstep.time
        if asked != self._asked:
            self.stop()
            self._asked = asked
            self._timer = self._view.set_timer(REST, self._begin)
        return self._odds

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.stop()
        if self._work is not None:
            self._work.cancel()
        self._timer = self._work = self._odds = self._asked = None

    def _begin(self) -> None:
        if self._asked is None:
            return
        index, time = self._asked
        lanes = self._lockstep.lanes
        work = self._work = odds_work(lanes[0].id_of(index), time, [lane.samples_of(index) for lane in lanes])
        if work is None:
            return

        def run() -> None:
            try:
                odds = work.run()
            except (PolicyError, SessionError):
                odds = None
            if odds is not None and self._view.is_attached:
                self._view.app.call_from_thread(self._take, work, odds)

        self._view.run_worker(run, thread=True, group="odds")

    def _take(self, work: LaneOddsWork, odds: LaneOdds) -> None:
        if work is self._work:
            self._odds = odds
            self._found()
