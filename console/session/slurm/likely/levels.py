"""Levels between the quantiles that a ledger keeps, and quantiles between their levels."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from shadowtime.console.session.likely.quantiles import NEVER
from shadowtime.console.session.likely.score import QUANTILES


def level_among(quantiles: Sequence[float], value: float) -> float:
    """Return the level of a value: interpolated, the middle one where several quantiles are equal to it.

    Below the first quantile it is half of its level; above the last one it is the middle of what is left.
    """
    below, until = bisect_left(quantiles, value), bisect_right(quantiles, value)
    if until > below:
        return (QUANTILES[below] + QUANTILES[until - 1]) / 2
    if below == 0:
        return QUANTILES[0] / 2
    if below == len(QUANTILES):
        return (1 + QUANTILES[-1]) / 2
    low, high = quantiles[below - 1], quantiles[below]
    share = 0.5 if high == NEVER else (value - low) / (high - low)
    return QUANTILES[below - 1] + share * (QUANTILES[below] - QUANTILES[below - 1])


def quantile_among(quantiles: Sequence[float], level: float) -> float:
    """Return the quantile at a level, interpolated; beyond the outermost ones it is theirs."""
    place = bisect_left(QUANTILES, level)
    if place == 0:
        return quantiles[0]
    if place == len(QUANTILES):
        return quantiles[-1]
    low, high = quantiles[place - 1], quantiles[place]
    share = (level - QUANTILES[place - 1]) / (QUANTILES[place] - QUANTILES[place - 1])
    return high if low == high or share == 1 else NEVER if high == NEVER else low + share * (high - low)
