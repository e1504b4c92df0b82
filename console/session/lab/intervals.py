"""Values with confidence intervals: means of independent numbers, and batch means of one long simulation.

Feitelson & Jette 1997: the values of a simulation, in order of termination, are cut into batches; the first
one, in which the machine fills, is dropped, and the means of the others count as independent.
"""

from collections.abc import Mapping, Sequence
from math import hypot, pi, tan
from statistics import NormalDist, fmean, stdev

import attrs

CONFIDENCE, PRECISION = 0.90, 0.10
BATCH = 3333
LEAST, MOST = 3, 100
TIE = 0.01
"""Two values that are no further apart than this part of the larger have no order."""


@attrs.frozen
class Value:
    """A number, or the mean of several with half the width of its 90 % confidence interval."""

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


def mean_of(numbers: Sequence[float]) -> Value:
    """Return the mean of independent numbers with its interval (Student's t); without one of a single."""
    count = len(numbers)
    if count < 2:
        return Value(numbers[0])
    half = student(CONFIDENCE, count - 1) * stdev(numbers) / count**0.5
    return Value(fmean(numbers), half, count)


def mean_over(numbers: Mapping[str, float]) -> Value:
    """Return the mean of independent numbers, which are known by their labels on an axis, such as seeds."""
    return attrs.evolve(mean_of(list(numbers.values())), parts=dict(numbers))


def difference(one: Value, other: Value) -> Value:
    """Return one less another: of the pairs, if both are over the same labels (common seeds).

    Other values count as independent. Numbers without an interval have none.
    """
    if one.parts and one.parts.keys() == other.parts.keys():
        return mean_over({label: number - other.parts[label] for label, number in one.parts.items()})
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


def student(confidence: float, freedom: int) -> float:
    """Return the two-sided quantile of Student's t.

    Of one degree of freedom it is exact, of more the expansion around the normal one, good to 0.3 %.
    """
    if freedom == 1:
        return tan(pi * confidence / 2)
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return float(z + sum(term / freedom**power for power, term in enumerate(terms, 1)))


def are_tied(one: float, other: float) -> bool:
    """Whether two values have no order."""
    return abs(one - other) <= TIE * max(abs(one), abs(other))
