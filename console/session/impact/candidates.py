"""What may be done for a waiting job: candidates of one kind, and how they are searched."""

from collections.abc import Callable, Sequence

import attrs

PER_KIND = 3
"""Pieces of advice of one kind that are given, the cheapest."""


@attrs.frozen
class Each:
    """Changes, each tried by itself, in order."""

    lines: Sequence[str]
    enough: int = PER_KIND
    """No more is tried once so many help."""
    together: bool = False
    """Whether as few as possible of them are tried together if no single one helps."""


@attrs.frozen
class Largest:
    """The largest number from 1 to `most` that helps, sought by halving: a smaller one helps no less."""

    most: int
    line: Callable[[int], str]


Kind = Each | Largest


def largest_first(most: int, count: int) -> Sequence[int]:
    """Return numbers below `most`, the largest first, evenly spaced if there are more than `count`."""
    steps = min(count, most - 1)
    return sorted({(most - 1) * step // steps for step in range(1, steps + 1)} - {0}, reverse=True)
