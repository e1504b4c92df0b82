"""Which level of the samples holds as often as it says: learned from how earlier forecasts came out."""

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import exp, log

import attrs

from shadowtime.console.session.likely.quantiles import NEVER, level_of, share_until

FADING = 400
"""Snapshots after which an outcome counts 1/e."""
PRETENDED = 5.0
"""Snapshots whose outcomes are as the samples say: what is believed before anything has been seen."""
GRID = 100
BOUNDS: Mapping[float, tuple[float, float]] = {0.1: (0.03, 0.2), 0.5: (0.3, 0.7), 0.9: (0.8, 0.97)}
"""A level that is shown -> the levels between which it may be moved."""
FARTHEST = 1.0
"""How far another level may be moved, in its logit."""
SETTLED = 20
"""Forecasts that have to be settled before calibration begins."""


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


@attrs.frozen
class PastMoment:
    """The forecasts of one moment."""

    number: int
    """Of the moment: ages are counted in these."""
    instant: int
    jobs: Sequence[int]
    """The waiting jobs, by index."""
    samples: Sequence[Sequence[float]]
    """The starts of each in ascending order."""

    def outcomes(self, now: int, start_of: Callable[[int], int | None]) -> Iterator[PastForecast]:
        """Yield how each forecast came out, as far as it is known at an instant."""
        for job, ordered in zip(self.jobs, self.samples, strict=True):
            start = start_of(job)
            settled = start is not None and start <= now
            level = level_of(ordered, start) if settled and start is not None else share_until(ordered, now)
            yield PastForecast(self.number, 1 / len(self.jobs), level, settled)


def snapshot(number: int, instant: int, jobs: Sequence[int], found: Sequence[int]) -> PastMoment:
    """Return the snapshot of starts as `Odds.starts` gives them."""
    samples = [
        array("d", sorted(NEVER if start < 0 else start for start in found[place :: len(jobs)]))
        for place in range(len(jobs))
    ]
    return PastMoment(number, instant, jobs, samples)


def calibration(
    past: Iterable[PastMoment], number: int, now: int, start_of: Callable[[int], int | None]
) -> Calibration | None:
    """Return the calibration at a moment from what is known then; None while too little is settled."""
    outcomes = [outcome for earlier in past for outcome in earlier.outcomes(now, start_of)]
    enough = sum(outcome.settled for outcome in outcomes) >= SETTLED
    return Calibration(outcomes, number) if enough else None
