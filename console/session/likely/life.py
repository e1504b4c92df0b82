"""How the forecast of one job moved while it waited, and its odds at some of these moments."""

from collections.abc import Mapping, Sequence

import attrs

from shadowtime.console.session.facts import LikelyStart, Prediction, TrackRecord
from shadowtime.console.session.jobs.history import HistoryWork, thinned
from shadowtime.console.session.likely.past import snapshot
from shadowtime.console.session.likely.starts import ENDED, FIRST, Likely, odds_of
from shadowtime.console.session.travel.scout import Places, Scout
from shadowtime.kernels.core.simulation import Simulation

MOMENTS = 12
"""Moments of a wait that are sampled: its first and its last are among them."""


@attrs.frozen
class Life:
    """How the forecast of a job moved up to its start, or up to now."""

    predicted: Sequence[Prediction]
    """Each the first of its value, in order of event."""
    instants: Mapping[int, int]
    """When each of these events was."""
    odds: Mapping[int, LikelyStart] = attrs.field(factory=dict)
    """Event -> the likely start then, not calibrated, where there are odds."""


class LifeWork:
    """Follows one job. `run` and `cancel` are for any thread."""

    def __init__(
        self, history: HistoryWork, likely: Likely, simulation: Simulation, places: Places, job: int
    ) -> None:
        """The simulation becomes its own; `job` is an index."""
        self._history, self._likely = history, likely
        self._scout, self._places, self._job = Scout(simulation), places, job
        self._cancelled = False

    def cancel(self) -> None:
        """Stop at the next moment; `run` then returns what it has."""
        self._cancelled = True
        self._history.cancel()

    def predicted(self) -> Life:
        """Return the life without odds."""
        return Life(self._history.run(), self._history.instants)

    def odds(self, life: Life) -> Life:
        """Return the life with odds at some of its moments."""
        found: dict[int, LikelyStart] = {}
        for event in thinned([made.event for made in life.predicted], MOMENTS):
            if self._cancelled:
                break
            there = self._scout.at_event(self._places, event)
            if there.finished >= ENDED:
                starts = self._likely.sampled(there, [self._job], samples=FIRST)
                made = snapshot(0, there.now, [self._job], starts)
                found |= {event: odds_of(made, None, TrackRecord(0, 0), event)[self._job]}
        return attrs.evolve(life, odds=found)
