"""How many cases the tests take: a share of the random ones in the long tests, every so many in the short."""

import os
from collections.abc import Iterable

import pytest

SHARE = float(os.environ.get("SHADOWTIME_SHARE", "0.1"))
"""Of the random cases of the long tests, which take them all when there is time (1); more asks for more."""


def many(count: int) -> int:
    """Return the share of a count, at least one."""
    return max(1, round(count * SHARE))


def every(step: int, values: Iterable[object]) -> list[object]:
    """Return values for `parametrize`: every so many in the short tests, the others in the long ones."""
    return [
        value if place % step == 0 else pytest.param(value, marks=pytest.mark.proof)
        for place, value in enumerate(values)
    ]
