"""Jobs of given means (`means`): what can be made of a paper that publishes the means of its jobs alone.

docs/schedulers.md, section 12.2, defines the model. Sizes, runs, submissions and the load are those of
feitelson97 (scenarios/models/feitelson.py). Users ask first: an estimate is drawn, and a share of it is the
runtime. How loosely runtimes follow estimates, how long the longest estimate is, and how sizes and estimates
go together are parameters, since means do not settle them.

**Choices.** Estimates have the distribution of greatest entropy that their mean and their longest value
leave; the share has a beta distribution; the ranks of size and estimate are the same, or opposite, for a part
of the jobs, and independent for the rest.
"""

from array import array
from collections.abc import Callable
from fractions import Fraction
from math import ceil, expm1, floor, log1p
from random import Random

from shadowtime.scenarios.models.constants import STEEPEST, Means
from shadowtime.scenarios.models.feitelson import (
    Session,
    exponential,
    run_sums,
    select,
    size_weight,
    submitted,
    sums,
)
from shadowtime.scenarios.models.generated import REPORTED_EVERY, Generated, Progress

_HALVINGS = 40
_EXPONENTS = (-10.0, 10.0)


def means(
    jobs: int,
    nodes: int,
    constants: Means,
    *,
    seed: int = 1,
    load: Fraction | None = None,
    progress: Progress | None = None,
) -> Generated:
    """The first `jobs` runs that are submitted to a machine of so many nodes.

    `load` is sum(runtime * size) / (nodes * (last submission - first)); without it submissions have the mean
    gap of the constants. LoadError if the load cannot be set: fewer than two submissions. ValueError if no
    machine of so many nodes has jobs of the mean size. The same arguments give the same jobs.
    """
    given = sessions(jobs, nodes, constants, seed, progress)
    note = "means is a reconstruction: jobs of given means, the rest is our own"
    return submitted(given, nodes, load, note)


def sessions(
    count: int, nodes: int, constants: Means, seed: int = 1, progress: Progress | None = None
) -> list[Session]:
    """So many jobs in order of arrival; the first of them are the same, however many there are.

    ValueError if no machine of so many nodes has jobs of the mean size.
    """
    random = Random(seed)
    draw, share = random.random, _share_of(random, constants)
    sizes = sums(map(size_weight(constants, size_exponent(nodes, constants)), range(1, nodes + 1)))
    estimate_of = _estimates(constants)
    runs = run_sums(constants)
    gap = constants.interarrival * _mean(runs)
    found: list[Session] = []
    arrival = 0.0
    for done in range(count):
        if progress is not None and done % REPORTED_EVERY == 0:
            progress(done, count)
        arrival += exponential(draw(), gap)
        u = draw()
        size = select(sizes, u)
        alike, v = draw() < abs(constants.correlation), draw()
        if alike:
            v = u if constants.correlation > 0 else 1 - u
        estimate = estimate_of(v)
        runtime = max(1, floor(share() * estimate + 0.5))
        found.append(Session(arrival, size, runtime, select(runs, draw()), estimate))
    return found


def size_exponent(nodes: int, constants: Means) -> float:
    """The exponent that gives sizes their mean. ValueError if a machine of so many nodes has none."""

    def mean(exponent: float) -> float:
        return _mean(sums(map(size_weight(constants, exponent), range(1, nodes + 1))))

    least, most = (mean(exponent) for exponent in reversed(_EXPONENTS))
    if not least <= constants.mean_size <= most:
        machine = f"a machine of {nodes:,} node{'s' * (nodes > 1)}"
        # Rounded inward: what is shown is accepted.
        shown = f"from {ceil(100 * least) / 100:g} to {floor(100 * most) / 100:g}"
        raise ValueError(f"mean_size is {constants.mean_size:g}; expected {shown} on {machine}")
    return _halved(*_EXPONENTS, lambda exponent: mean(exponent) > constants.mean_size)


def cut_mean(rate: float, longest: float) -> float:
    """The mean of the exponential distribution of a rate, cut off at `longest`; a rate can be negative."""
    return 1 / rate - longest / expm1(rate * longest) if rate else longest / 2


def _estimates(constants: Means) -> Callable[[float], int]:
    """The estimate (s) that a uniform number selects."""
    longest = constants.longest_estimate
    steepest = STEEPEST / longest
    rate = _halved(-steepest, steepest, lambda rate: cut_mean(rate, longest) > constants.mean_estimate)
    part = expm1(-rate * longest)

    def estimate(v: float) -> int:
        seconds = -log1p(v * part) / rate if rate else v * longest
        return int(min(max(ceil(seconds), 1), longest))

    return estimate


def _share_of(random: Random, constants: Means) -> Callable[[], float]:
    """What draws the share of its estimate that a job runs."""
    mean = constants.mean_runtime / constants.mean_estimate
    if constants.looseness == 0 or mean == 1:
        return lambda: mean
    both = 1 / constants.looseness - 1
    return lambda: random.betavariate(mean * both, (1 - mean) * both)


def _mean(totals: "array[float]") -> float:
    """The mean of 1, 2, ... whose weights come to these totals."""
    # The sum of n * w(n) is the sum over n of what lies above n - 1.
    return (len(totals) * totals[-1] - sum(totals[:-1])) / totals[-1]


def _halved(low: float, high: float, too_low: Callable[[float], bool]) -> float:
    """Where `too_low` changes from true to false."""
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if too_low(middle):
            low = middle
        else:
            high = middle
    return low
