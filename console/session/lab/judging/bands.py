"""Bands: how near a simulated value has to come to a published one."""

from decimal import Decimal
from math import inf

from shadowtime.console.session.lab.intervals import Value
from shadowtime.scenarios.experiment import Published


def unit_of(table: Published) -> float:
    """Return what one stands for: correlations count in their own unit, all others in per cent."""
    return 1.0 if table.correlated else 100.0


def band_of(table: Published, said: Decimal) -> tuple[float, float]:
    """Return the ends of the band around a published value; a bound leaves one side open."""
    published = float(said)
    allowed = unit_of(table) * table.within if table.in_points else table.within * abs(published)
    low = -inf if table.bound == "at most" else published - allowed
    return low, inf if table.bound == "at least" else published + allowed


def is_inside(ours: Value, band: tuple[float, float]) -> bool:
    """Whether the whole interval of a value lies in a band: a wide one proves nothing."""
    return band[0] <= ours.least and ours.most <= band[1]


def reaches(ours: Value, band: tuple[float, float]) -> bool:
    """Whether a part of the interval of a value lies in a band: more runs may decide."""
    return band[0] <= ours.most and ours.least <= band[1]
