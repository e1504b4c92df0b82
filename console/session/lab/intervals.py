"""Values with confidence intervals: means of independent numbers, and batch means of one long simulation.

Feitelson & Jette 1997: the values of a simulation, in order of termination, are cut into batches; the first
one, in which the machine fills, is dropped, and the means of the others count as independent.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from math import atan, cos, hypot, pi, sin, sqrt, tan
from statistics import fmean, stdev

import attrs

CONFIDENCE, PRECISION = 0.90, 0.10
"""Of published values and of batch means: those of Feitelson & Jette 1997."""
BATCH = 3333
LEAST, MOST = 3, 100
TIE = 0.01
"""Two values that are no further apart than this part of the larger have no order."""


@attrs.frozen
class Value:
    """A number, or the mean of several with half the width of its confidence interval."""

    mean: float
    half: float | None = None
    count: int = 1
    """How many numbers, or batches, the mean is of."""
    parts: Mapping[str, float] = attrs.field(factory=dict, repr=False, eq=False)
    """The numbers by their labels on the axis that they were averaged over; empty if they have none."""

    @property
    def least(self) -> float:
        return self.mean - (self.half or 0.0)

    @property
    def most(self) -> float:
        return self.mean + (self.half or 0.0)


def mean_of(numbers: Sequence[float], level: float = CONFIDENCE) -> Value:
    """Return the mean of independent numbers with its interval (Student's t); without one of a single."""
    count = len(numbers)
    if count < 2:
        return Value(numbers[0])
    half = student(level, count - 1) * stdev(numbers) / count**0.5
    return Value(fmean(numbers), half, count)


def mean_over(numbers: Mapping[str, float], level: float = CONFIDENCE) -> Value:
    """Return the mean of independent numbers, which are known by their labels on an axis, such as seeds."""
    return attrs.evolve(mean_of(list(numbers.values()), level), parts=dict(numbers))


def at_level(value: Value, level: float) -> Value:
    """Return a mean that has the interval of `CONFIDENCE` with that of another level."""
    if not value.half or value.count < 2:
        return value
    wider = student(level, value.count - 1) / student(CONFIDENCE, value.count - 1)
    return attrs.evolve(value, half=value.half * wider)


def difference(one: Value, other: Value, level: float = CONFIDENCE) -> Value:
    """Return one less another: of the pairs of the labels that both are over (common seeds).

    Other values, whose intervals are of this level, count as independent. Numbers without an interval have
    none.
    """
    pairs = {label: it - other.parts[label] for label, it in one.parts.items() if label in other.parts}
    if pairs:
        return mean_over(pairs, level)
    halves = [value.half for value in (one, other) if value.half is not None]
    return Value(one.mean - other.mean, hypot(*halves) if halves else None)


def batch_means(values: Sequence[float], size: int = BATCH) -> Value | None:
    """Return the mean of the batches after the first; None if there are fewer than three whole ones.

    As few batches are used as bring half the interval below 10 % of the mean, else all that there are, 100 at
    most.
    """
    means = [fmean(values[first : first + size]) for first in range(size, len(values) - size + 1, size)]
    found = None
    for count in range(LEAST, min(len(means), MOST) + 1):
        found = mean_of(means[:count])
        if found.half is not None and found.half <= PRECISION * abs(found.mean):
            break
    return found


@cache
def student(confidence: float, freedom: int) -> float:
    """Return the two-sided quantile of Student's t: the value whose p is what the confidence leaves."""
    least, most = 0.0, pi / 2
    for _ in range(60):
        angle = (least + most) / 2
        if p_value(tan(angle) * sqrt(freedom), freedom) > 1 - confidence:
            least = angle
        else:
            most = angle
    return tan(least) * sqrt(freedom)


def p_value(t: float, freedom: int) -> float:
    """Return the two-sided p of Student's t (Abramowitz & Stegun 1964, 26.7.3 and 26.7.4)."""
    angle = atan(abs(t) / sqrt(freedom))
    first = freedom % 2
    term, total = cos(angle) ** first, 0.0
    for power in range(first, freedom - 1, 2):
        total += term
        term *= cos(angle) ** 2 * (power + 1) / (power + 2)
    total *= sin(angle)
    return max(0.0, 1 - (2 / pi * (angle + total) if first else total))


def paired_p(pairs: Value) -> float | None:
    """Return the two-sided p of the paired t test; None of a difference without pairs."""
    numbers = list(pairs.parts.values())
    if len(numbers) < 2:
        return None
    error = stdev(numbers) / sqrt(len(numbers))
    if not error:
        return float(not pairs.mean)
    return p_value(pairs.mean / error, len(numbers) - 1)


def holm(values: Sequence[float]) -> list[float]:
    """Return the p of several questions asked at once, in their order (Holm 1979)."""
    found, least = [0.0] * len(values), 0.0
    for place, at in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        least = max(least, min(1.0, (len(values) - place) * values[at]))
        found[at] = least
    return found


def are_tied(one: float, other: float) -> bool:
    """Whether two values have no order."""
    return abs(one - other) <= TIE * max(abs(one), abs(other))
