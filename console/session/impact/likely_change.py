"""How far a job moves in samples of what may come, each with and without something done."""

from array import array
from bisect import bisect_right
from collections.abc import Sequence

import attrs

from shadowtime.console.session.likely.quantiles import NEVER, quantile

EARLY, MIDDLE, LATE = 0.1, 0.5, 0.9


@attrs.frozen
class LikelyChange:
    """How far the start of a waiting job, or the end of another, moves: seconds, `inf` from or to never."""

    before: float
    """The likely instant if nothing is done: of a waiting job the likely start that WHEN shows."""
    after: float
    change: float
    """The median of the changes of the samples."""
    tenth: float
    """What 1 in 10 samples exceed, in the direction of the change; later if there is no change."""
    agreeing: int
    """The samples that move in the direction of the change, or stay if it is 0."""
    samples: int
    times: "tuple[array[float], array[float]]" = attrs.field(repr=False)
    """Its instants in the samples before and after, ascending."""
    waits: bool
    """Whether it has not started: its start is what moves, otherwise its end."""

    @property
    def moves(self) -> bool:
        """Whether it moves in 1 of 10 samples at least."""
        return self.change != 0 or self.tenth != 0

    def in_time(self, by: int) -> tuple[int, int]:
        """Return in how many samples it comes by an instant, before and after."""
        before, after = self.times
        return bisect_right(before, by), bisect_right(after, by)

    def as_dict(self) -> dict[str, object]:
        """Return what a row of `impact --json` has of it; null for never."""
        return {
            "likely_before": _whole(self.before),
            "likely_after": _whole(self.after),
            "likely_change": _whole(self.change),
            "tenth_change": _whole(self.tenth),
            "agreeing": self.agreeing,
            "samples": self.samples,
        }


def _whole(value: float) -> int | None:
    return None if abs(value) == NEVER else round(value)


def likely_change(
    before: Sequence[float],
    after: Sequence[float],
    waits: bool,
    level: float = MIDDLE,
    shown: float | None = None,
) -> LikelyChange:
    """Return how far a job moves, from its instant in each sample before and after; whether it waits.

    `level` is the one of the samples that is shown as the likely instant, `shown` the likely instant before
    if it is known from more samples.
    """
    changes = sorted(0.0 if one == other else other - one for one, other in zip(before, after, strict=True))
    change = quantile(changes, MIDDLE)
    tenth = quantile(changes, EARLY if change < 0 else LATE)
    if change == 0 and tenth == 0:
        tenth = quantile(changes, EARLY)
    return LikelyChange(
        quantile(sorted(before), level) if shown is None else shown,
        quantile(sorted(after), level),
        change,
        tenth,
        sum(each > 0 if change > 0 else each < 0 if change < 0 else each == 0 for each in changes),
        len(changes),
        (array("d", sorted(before)), array("d", sorted(after))),
        waits,
    )
