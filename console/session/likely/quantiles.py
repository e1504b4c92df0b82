"""Quantiles of samples, and where among them a value lies."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

NEVER = float("inf")
"""A start that does not come."""


def quantile(ordered: Sequence[float], level: float) -> float:
    """Return the quantile of samples in ascending order: sample i of n stands for the level (i + 0.5) / n.

    In between it is interpolated; beyond the outermost samples it is theirs.
    """
    place = min(max(level * len(ordered) - 0.5, 0.0), len(ordered) - 1.0)
    below = int(place)
    low, high = ordered[below], ordered[min(below + 1, len(ordered) - 1)]
    return low if low == high or place == below else low + (place - below) * (high - low)


def level_of(ordered: Sequence[float], value: float) -> float:
    """Return the share of samples below a value, and half of those equal to it."""
    return (bisect_left(ordered, value) + bisect_right(ordered, value)) / (2 * len(ordered))


def share_until(ordered: Sequence[float], value: float) -> float:
    """Return the share of samples up to a value."""
    return bisect_right(ordered, value) / len(ordered)


def pinball(forecast: float, value: float, level: float) -> float:
    """Return the loss of a quantile forecast: the mean over many is least at the true quantile."""
    return (value - forecast) * level if value >= forecast else (forecast - value) * (1 - level)
