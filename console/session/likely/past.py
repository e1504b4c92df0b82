"""Forecasts that were made at earlier moments, and what has come of them by now."""

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence

import attrs

from shadowtime.console.session.likely.calibration import Calibration, PastForecast
from shadowtime.console.session.likely.quantiles import NEVER, level_of, share_until

SETTLED = 20
"""Forecasts that have to be settled before calibration begins."""


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
