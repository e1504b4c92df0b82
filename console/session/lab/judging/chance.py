"""Bands: how near a value has to come; chance: how often what knows nothing of the paper would meet one.

A sceptic's question of every hit. What is returned is a share from 0 to 1, or None where nobody can say: a
table of one value, and a claim that values lie above or below a number.
"""

from decimal import Decimal
from math import ceil, comb, factorial, fsum, inf
from statistics import NormalDist, fmean

from shadowtime.console.session.lab.intervals import Value
from shadowtime.scenarios.experiment import Claim, Published


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


def of_value(table: Published, row: str, column: str, ours: Value | None) -> float | None:
    """Return the share of the other published values of a table that lie in the band around this one.

    A correlation is met by noise: by one of as many numbers that have nothing to do with each other, if its
    interval would be as wide as ours.
    """
    low, high = band_of(table, table.values[row, column])
    if table.correlated:
        if ours is None or not ours.half:
            return None
        noise = NormalDist(0.0, ours.half)
        return max(0.0, noise.cdf(high - ours.half) - noise.cdf(low + ours.half))
    others = [float(value) for place, value in table.values.items() if place != (row, column)]
    return fmean(low <= value <= high for value in others) if others else None


def of_claim(claim: Claim, comparisons: int, groups: int) -> float | None:
    """Return how often a claim would hold if each order of its labels were as likely as any other.

    `comparisons` are those that were made at all labels of its axis, `groups` is the number of these labels.
    A claim of which a part has to hold is one of comparisons of which each is as likely as not.
    """
    if comparisons == 0 or claim.above is not None or claim.below is not None:
        return None
    if claim.share < 1:
        fewest = ceil(round(claim.share * comparisons, 9))
        # Of three values each is as likely to be the middle one.
        each = 1 / 3 if claim.between else 1 / 2
        numbers = range(fewest, comparisons + 1)
        return fsum(
            comb(comparisons, held) * each**held * (1 - each) ** (comparisons - held) for held in numbers
        )
    if claim.order:
        return float((1 / factorial(len(claim.order))) ** groups)
    if claim.between:
        return float((1 / 3) ** comparisons)
    return float((1 / (comparisons / groups + 1)) ** groups)
