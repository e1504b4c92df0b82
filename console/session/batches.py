"""Batch means: the mean of a steady simulation with a confidence interval (Feitelson & Jette 1997).

Values in order of termination are cut into batches; the first one, in which the machine fills, is dropped.
The means of the others count as independent, and as many are taken as make the interval narrow enough.
"""

from collections.abc import Sequence
from statistics import NormalDist, fmean, stdev

import attrs

from kernels.jobs import Jobs
from kernels.simulation import Simulation

BATCH = 3333
LEAST, MOST = 3, 100
CONFIDENCE, PRECISION = 0.90, 0.10


@attrs.frozen
class Interval:
    """A mean, half the width of its confidence interval, and the batches that it rests on."""

    mean: float
    half: float
    batches: int

    @property
    def low(self) -> float:
        return self.mean - self.half

    @property
    def high(self) -> float:
        return self.mean + self.half

    @property
    def precise(self) -> bool:
        """Whether the interval is within 10 % of the mean."""
        return self.half <= PRECISION * abs(self.mean)


def batch_means(values: Sequence[float], size: int = BATCH) -> Interval | None:
    """Return the mean of the batches after the first; None where there are fewer than three whole ones.

    As few batches are used as make the 90 % interval narrower than 10 % of the mean to either side, else all
    that there are, 100 at most.
    """
    means = [fmean(values[first : first + size]) for first in range(size, len(values) - size + 1, size)]
    found = None
    for count in range(LEAST, min(len(means), MOST) + 1):
        used = means[:count]
        half = student(CONFIDENCE, count - 1) * stdev(used) / count**0.5
        found = Interval(fmean(used), half, count)
        if found.precise:
            break
    return found


def student(confidence: float, freedom: int) -> float:
    """Return the two-sided quantile of Student's t; the expansion around the normal one, good to 2 %."""
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return float(z + sum(term / freedom**power for power, term in enumerate(terms, 1)))


def slowdowns(jobs: Jobs, simulation: Simulation) -> list[float]:
    """Return response over runtime of the jobs that are over, in order of their ends, ties in trace order."""
    finishes = simulation.results()["finish"]
    ended = sorted((finish, job) for job, finish in enumerate(finishes) if finish >= 0)
    rows = ((finish, *jobs.row(job)[:2]) for finish, job in ended)
    return [(finish - submit) / runtime for finish, submit, runtime in rows]
