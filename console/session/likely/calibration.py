"""Which level of the samples holds as often as it says: learned from how earlier forecasts came out."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from math import exp, log

import attrs

FADING = 400
"""Snapshots after which an outcome counts 1/e."""
PRETENDED = 5.0
"""Snapshots whose outcomes are as the samples say: what is believed before anything has been seen."""
GRID = 100
BOUNDS: Mapping[float, tuple[float, float]] = {0.1: (0.03, 0.2), 0.5: (0.3, 0.7), 0.9: (0.8, 0.97)}
"""A level that is shown -> the levels between which it may be moved."""
FARTHEST = 1.0
"""How far another level may be moved, in its logit."""


@attrs.frozen
class PastForecast:
    """How an earlier forecast came out."""

    snapshot: int
    """The snapshot in which it was made."""
    weight: float
    """1 over the forecasts of its snapshot: each snapshot counts the same."""
    level: float
    """Where among its samples the start was; while the job waits, the share of samples that have passed."""
    settled: bool
    """Whether the job has started."""


class Calibration:
    """A map from levels to levels, from the outcomes known at a snapshot: Kaplan and Meier's estimate."""

    def __init__(self, outcomes: Iterable[PastForecast], snapshot: int) -> None:
        weights = [(o.level, o.settled, o.weight * exp((o.snapshot - snapshot) / FADING)) for o in outcomes]
        weights += [((i + 0.5) / GRID, True, PRETENDED / GRID) for i in range(GRID)]
        # A forecast that waits at a level is at risk there: the settled ones come first.
        weights.sort(key=lambda row: (row[0], not row[1]))
        risk = sum(weight for _, _, weight in weights)
        surviving = 1.0
        self._levels: list[float] = []
        self._shares: list[float] = []
        for level, settled, weight in weights:
            if settled:
                surviving *= max(0.0, 1.0 - weight / risk) if risk > weight else 0.0
                self._levels.append(level)
                self._shares.append(1.0 - surviving)
            risk -= weight

    def level(self, wanted: float) -> float:
        """Return the level of the samples that is to be shown for a level, within its bounds."""
        at = bisect_left(self._shares, wanted)
        found = self._levels[min(at, len(self._levels) - 1)]
        low, high = BOUNDS.get(wanted) or (_moved(wanted, -FARTHEST), _moved(wanted, FARTHEST))
        return min(max(found, low), high)

    def levels(self, wanted: Iterable[float]) -> list[float]:
        """Return those of several ascending levels, ascending."""
        return sorted(map(self.level, wanted))


def _moved(level: float, by: float) -> float:
    return 1 / (1 + exp(-(log(level / (1 - level)) + by)))
