"""Estimates as users give them, after Tsafrir, Etsion & Feitelson 2005: few values, all of them round.

Twenty popular values hold 89 % of the jobs. The most popular is the largest that is allowed; the share of
rank x = 2 .. 20 is 14.0491 e^(-0.177531 x) + 0.462513 %, and the largest value has what is left of the 89 %.
The others share 11 %, rank x having a part of it in proportion to x^-2.267. Estimates and runtimes are
matched so that no estimate is below its runtime.

**Choices.** Which of the popular values but the largest has which rank is drawn, anew for each seed, and
drawn again where the runtimes do not fit under the estimates that result. The published head values are
filled up to their number with multiples of a day, twelve, six and one hour, 30, 10, 5 and 1 minute, downward
from the largest. The tail has as many values as would have a job each at 795.6 x^-2.267 %; they are drawn
from the multiples of 5 minutes, of 1 minute where those are too few, or of a second. Shares become whole jobs
by the largest remainder. Each estimate goes to any job that it holds, each choice being as likely. Where the
longest runtimes leave no estimate that holds them, the job asks for the next popular value above.
"""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from math import ceil, exp, floor
from random import Random

import attrs

from shadowtime.scenarios.times import DAY, HOUR, MINUTE

HEAD = (
    *(minutes * MINUTE for minutes in (5, 10, 15, 20, 30)),
    *(hours * HOUR for hours in (1, 2, 3, 4, 5, 6, 8, 10, 12, 18)),
)
"""The popular values below the largest, in seconds."""

_FILLING = (DAY, 12 * HOUR, 6 * HOUR, HOUR, 30 * MINUTE, 10 * MINUTE, 5 * MINUTE, MINUTE, 1)
_TAIL_UNITS = (5 * MINUTE, MINUTE, 1)
_TAIL_EXPONENT = 2.267
_TAIL_FACTOR = 7.956
_MOST_DRAWS = 100


@attrs.frozen
class Matched:
    """An estimate for each job, in seconds, and how many jobs had to ask for another than the model gave."""

    estimates: "array[int]"
    misfits: int


def modal_estimates(
    runtimes: Sequence[int], longest: int, *, seed: int = 1, popular: int = 20, share: float = 0.89
) -> Matched:
    """Estimates of which `longest` (s) is the largest, and `popular` values hold a share of the jobs.

    `share` is at least `least_share(popular)`. ValueError where a runtime is longer than `longest`.
    """
    if max(runtimes, default=0) > longest:
        raise ValueError(f"max is {longest} seconds; the longest runtime is {max(runtimes)}")
    draw = Random(seed).random
    head = head_values(longest, popular)
    parts = head_shares(popular, share)[: len(head)]
    tail = tail_values(draw, longest, head, tail_length(len(runtimes), popular))
    parts += tail_shares(popular, len(tail), 1.0 - share)
    jobs = whole_jobs(parts, len(runtimes))
    ascending = sorted(runtimes)
    for _ in range(_MOST_DRAWS):
        values = [longest, *shuffled(draw, head[1:]), *tail]
        if fits(ascending, values, jobs):
            break
    return _matched(draw, runtimes, dict(zip(values, jobs, strict=True)), sorted(head))


def rank_share(rank: int) -> float:
    """The share of the jobs that the popular value of a rank from 2 on has."""
    return (14.0491 * exp(-0.177531 * rank) + 0.462513) / 100


def head_shares(popular: int, share: float) -> list[float]:
    """The shares of the popular values by rank, which come to `share` together."""
    ranks = [rank_share(rank) for rank in range(2, popular + 1)]
    return [share - sum(ranks), *ranks]


def least_share(popular: int) -> float:
    """The least share of so many popular values: the first rank is at least as popular as the second."""
    ranks = [rank_share(rank) for rank in range(2, popular + 1)]
    return ceil(1000 * sum([*ranks, ranks[0]])) / 1000 if ranks else 0.001


def head_values(longest: int, popular: int) -> list[int]:
    """The popular values: the largest first, then the others, whose order does not count.

    There are fewer where the largest has fewer whole seconds.
    """
    values = [longest, *(value for value in HEAD if value < longest)][:popular]
    for unit in _FILLING:
        for value in range((longest - 1) // unit * unit, 0, -unit):
            if len(values) == popular:
                return values
            if value not in values:
                values.append(value)
    return values


def tail_length(jobs: int, popular: int) -> int:
    """How many values so many jobs have beside the popular ones: to the last rank that has a whole job."""
    last: float = (_TAIL_FACTOR * jobs) ** (1 / _TAIL_EXPONENT)
    return max(1, floor(last) - popular)


def tail_values(draw: Callable[[], float], longest: int, head: Sequence[int], length: int) -> list[int]:
    """So many round values below `longest`, or as many as there are, none of them in `head`."""
    for unit in _TAIL_UNITS:
        grid = range(unit, longest, unit)
        if len(grid) - sum(value in grid for value in head) >= length:
            break
    return list(islice((value for value in shuffled(draw, grid) if value not in head), length))


def tail_shares(popular: int, length: int, share: float) -> list[float]:
    """The shares of the ranks behind the popular ones, which come to `share` together."""
    weights = [rank**-_TAIL_EXPONENT for rank in range(popular + 1, popular + 1 + length)]
    return [share * weight / sum(weights) for weight in weights]


def whole_jobs(shares: Sequence[float], jobs: int) -> list[int]:
    """So many jobs in proportion to the shares, by the largest remainder; of equal ones to the first."""
    exact = [jobs * share / sum(shares) for share in shares]
    counts = [floor(part) for part in exact]
    by_remainder = sorted(range(len(exact)), key=lambda i: counts[i] - exact[i])
    for i in by_remainder[: jobs - sum(counts)]:
        counts[i] += 1
    return counts


def shuffled(draw: Callable[[], float], items: Sequence[int]) -> Iterator[int]:
    """The items in an order that is drawn, each when it is asked for, however many there are."""
    moved: dict[int, int] = {}
    for left in range(len(items), 0, -1):
        # Rounding may bring the product to the bound.
        pick = min(int(draw() * left), left - 1)
        yield items[moved.get(pick, pick)]
        moved[pick] = moved.get(left - 1, left - 1)


def fits(runtimes: Sequence[int], values: Sequence[int], jobs: Sequence[int]) -> bool:
    """Whether runtimes, in ascending order, fit under the values that so many jobs have each."""
    above = 0
    for value, count in sorted(zip(values, jobs, strict=True), reverse=True):
        if len(runtimes) - bisect_right(runtimes, value) > above:
            return False
        above += count
    return True


def _matched(
    draw: Callable[[], float], runtimes: Sequence[int], jobs: Mapping[int, int], head: Sequence[int]
) -> Matched:
    """Give each job, from the longest on, any of the estimates left that hold it; `head` ascends."""
    estimates = array("q", runtimes)
    pending, held, misfits = sorted(jobs), list[int](), 0
    for job in sorted(range(len(runtimes)), key=lambda job: -runtimes[job]):
        while pending and pending[-1] >= runtimes[job]:
            value = pending.pop()
            held.extend([value] * jobs[value])
        if held:
            # The last estimate takes the place of the one that is given.
            pick = min(int(draw() * len(held)), len(held) - 1)
            estimates[job], held[pick] = held[pick], held[-1]
            held.pop()
        else:
            estimates[job] = head[bisect_left(head, runtimes[job])]
            misfits += 1
    return Matched(estimates, misfits)
