"""The model `means`, as docs/schedulers.md, section 12.2, defines it: job by job, without any shortcut."""

from collections.abc import Callable, Mapping
from math import ceil, expm1, floor, log, log1p
from random import Random

Job = tuple[int, int, int, int, int]
"""Submission (s), nodes, runtime (s), estimate (s), which job it is a run of (from 0)."""


def jobs_of(count: int, nodes: int, constants: Mapping[str, float], seed: int) -> list[Job]:
    """The first `count` runs that are submitted to a machine of so many nodes, in order."""
    random = Random(seed)
    runs = [r ** -constants["run_exponent"] for r in range(1, int(constants["longest_run"]) + 1)]
    mean_runs = sum(r * weight for r, weight in enumerate(runs, 1)) / sum(runs)
    exponent = halved(
        -10.0, 10.0, lambda a: mean_of(size_weights(nodes, constants, a)) > constants["mean_size"]
    )
    weights = size_weights(nodes, constants, exponent)
    rate = rate_of(constants["mean_estimate"], constants["longest_estimate"])
    everything = []
    arrival = 0.0
    for number in range(count):
        arrival -= constants["interarrival"] * mean_runs * log(1 - random.random())
        u = random.random()
        size = chosen(weights, u)
        w = random.random()
        v = random.random()
        if w < abs(constants["correlation"]):
            v = u if constants["correlation"] > 0 else 1 - u
        longest = constants["longest_estimate"]
        estimate = ceil(-log1p(v * expm1(-rate * longest)) / rate if rate else v * longest)
        estimate = int(min(max(estimate, 1), longest))
        runtime = max(1, floor(share(random, constants) * estimate + 0.5))
        submit = floor(arrival)
        for again in range(chosen(runs, random.random())):
            everything.append((submit + again * runtime, number, again, size, runtime, estimate))
    everything.sort()
    return [
        (submit, size, runtime, estimate, number)
        for submit, number, _, size, runtime, estimate in everything[:count]
    ]


def share(random: Random, constants: Mapping[str, float]) -> float:
    """The part of its estimate that a job runs."""
    mean = constants["mean_runtime"] / constants["mean_estimate"]
    looseness = constants["looseness"]
    if looseness == 0 or mean == 1:
        return mean
    return random.betavariate(mean * (1 / looseness - 1), (1 - mean) * (1 / looseness - 1))


def size_weights(nodes: int, constants: Mapping[str, float], exponent: float) -> list[float]:
    """The weights of the sizes from 1 on."""
    weights = []
    for n in range(1, nodes + 1):
        weight = n**-exponent
        if n <= constants["small_size"]:
            weight *= constants["small_factor"]
        if n in [2**k for k in range(1, 25)]:
            weight *= constants["power_factor"]
        weights.append(weight)
    return weights


def mean_of(weights: list[float]) -> float:
    """The mean of 1, 2, ... with these weights."""
    return sum(n * weight for n, weight in enumerate(weights, 1)) / sum(weights)


def rate_of(mean: float, longest: float) -> float:
    """The rate of the exponential distribution, cut off at `longest`, that has a mean."""

    def mean_with(rate: float) -> float:
        if rate == 0:
            return longest / 2
        return 1 / rate - longest / expm1(rate * longest)

    return halved(-200 / longest, 200 / longest, lambda rate: mean_with(rate) > mean)


def halved(low: float, high: float, too_low: Callable[[float], bool]) -> float:
    """Where `too_low` changes from true to false."""
    for _ in range(40):
        middle = (low + high) / 2
        if too_low(middle):
            low = middle
        else:
            high = middle
    return low


def chosen(weights: list[float], u: float) -> int:
    """The first number, from 1 on, up to which the weights come to more than `u` of their sum."""
    total = sum(weights)
    so_far = 0.0
    for number, weight in enumerate(weights, 1):
        so_far += weight
        if so_far > u * total:
            return number
    return len(weights)
