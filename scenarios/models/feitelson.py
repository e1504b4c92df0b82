"""The workload models of Feitelson 1996 (`feitelson96`) and of Feitelson & Jette 1997 (`feitelson97`): many
small jobs and powers of two, runtimes that grow with the size, jobs that are run again and again.

**Reconstruction.** Only the structure of these models was found: sizes n as n^-1.5, with emphasis on small
ones and powers of two; runtimes of two (1996) or three (1997) exponential stages whose weights depend on the
size; numbers of runs r as r^-2.5; Poisson arrivals, a job that is run again being submitted when the run
before has ended. The published constants were not found: each is a parameter with a default of ours, and the
jobs that come out are not the authors' own. They are size_exponent (1.5), small_size (8), small_factor (1.5),
power_factor (4); run_exponent (2.5), longest_run (100); interarrival (150 s; 1997: 400 s); runtime_short
(300 s; 60 s), runtime_medium (1997: 900 s), runtime_long (7200 s; 14,400 s); long_least (0.05; 0.1),
long_most (0.25; 0.4), medium_least (1997: 0.3), medium_most (1997: 0.4). What each does stands in
scenarios/models/constants.py.

**Choices.** One node counts as small, not as a power of two. The weights of the stages are linear in the
size. Every run of a job has its size and its runtime. In an open loop submissions are fixed beforehand,
so a run is submitted at the instant at which the one before would end had it started at once. In a
closed loop (`arrivals = "closed"`) it is submitted when the one before has ended; a log written of these jobs
says which run that was.

The load is set by stretching the gaps between first runs of one generated sequence of jobs; no runtime and no
pause between runs changes. The workload is what is submitted first of that sequence: the higher the load, the
more of its jobs are in it, and the fewer runs of those that are run again for long.
"""

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from heapq import heappop, heappush
from itertools import accumulate
from math import floor, inf, log, sqrt
from random import Random
from typing import NamedTuple

from shadowtime.scenarios.models.constants import Constants, Means
from shadowtime.scenarios.models.generated import REPORTED_EVERY, Generated, LoadError, Progress
from shadowtime.scenarios.workload import Workload

# Two stretches as near as this select the same runs, but for a few at the end.
_NEAR = 1.01


class Session(NamedTuple):
    """A job and how often it is run: the first run's arrival (s), nodes, seconds, runs, estimate (s)."""

    arrival: float
    size: int
    runtime: int
    runs: int
    estimate: int


Run = tuple[int, int, int]
"""Submission (s), which session, how many runs of it came before."""


def feitelson(
    name: str,
    jobs: int,
    nodes: int,
    constants: Constants,
    *,
    seed: int = 1,
    load: Fraction | None = None,
    progress: Progress | None = None,
) -> Generated:
    """The first `jobs` runs that are submitted to a machine of so many nodes; estimates are the runtimes.

    `load` is sum(runtime * size) / (nodes * (last submission - first)); without it arrivals are the model's
    own. The same arguments give the same workload. LoadError where the load cannot be set: fewer than two
    submissions. `name` is what a note calls the model.
    """
    given = sessions(jobs, nodes, constants, seed, progress)
    note = f"{name} is a reconstruction: the published structure, with constants of our own"
    return submitted(given, nodes, load, note)


def submitted(given: Sequence[Session], nodes: int, load: Fraction | None, note: str) -> Generated:
    """As many runs as there are jobs in `given`, those that are submitted first, at a load if one is set.

    The jobs are in order of arrival. LoadError if the load cannot be set: fewer than two submissions, or
    all of them at once.
    """
    count = len(given)
    if load is None:
        runs = _first_runs(given, count, 1.0)
    elif count < 2:
        raise LoadError("a load needs at least two jobs")
    else:
        runs = _at_load(given, count, nodes, float(load))
    return _generated(given, runs, note)


def sessions(
    count: int, nodes: int, constants: Constants, seed: int = 1, progress: Progress | None = None
) -> list[Session]:
    """So many jobs in order of arrival; the first of them are the same, however many there are."""
    # Only random() gives the same numbers in every Python.
    draw = Random(seed).random
    sizes = sums(map(size_weight(constants, constants.size_exponent), range(1, nodes + 1)))
    runs = run_sums(constants)
    found: list[Session] = []
    arrival = 0.0
    for done in range(count):
        if progress is not None and done % REPORTED_EVERY == 0:
            progress(done, count)
        arrival += exponential(draw(), constants.interarrival)
        size = select(sizes, draw())
        mean = constants.stage(draw(), (size - 1) / max(1, nodes - 1))
        runtime = max(1, floor(exponential(draw(), mean) + 0.5))
        found.append(Session(arrival, size, runtime, select(runs, draw()), runtime))
    return found


def size_weight(constants: Constants | Means, exponent: float) -> Callable[[int], float]:
    """The weight of a size: size^-exponent, times the factors of small ones and of powers of two."""

    def weight(size: int) -> float:
        small = constants.small_factor if size <= constants.small_size else 1.0
        power = constants.power_factor if size > 1 and size & (size - 1) == 0 else 1.0
        weight: float = size**-exponent * small * power
        return weight

    return weight


def run_sums(constants: Constants | Means) -> "array[float]":
    """The sums of the weights of 1, 2, ... runs of a job."""
    return sums(n**-constants.run_exponent for n in range(1, int(constants.longest_run) + 1))


def exponential(u: float, mean: float) -> float:
    """The value that a uniform `u` selects of an exponential distribution."""
    return -mean * log(1.0 - u)


def sums(weights: Iterable[float]) -> "array[float]":
    """The sums of the weights up to each."""
    return array("d", accumulate(weights))


def select(totals: Sequence[float], u: float) -> int:
    """The number, counted from 1, of the weight into which `u` of their sum falls."""
    # Rounding may bring the product to the sum itself.
    return min(bisect_right(totals, u * totals[-1]), len(totals) - 1) + 1


def _first_runs(given: Sequence[Session], count: int, stretch: float) -> list[Run]:
    """The runs that are submitted first, in order, when the gaps between first runs are stretched."""
    runs: list[Run] = []
    again: list[Run] = []
    fresh = 0
    while len(runs) < count:
        first = floor(stretch * given[fresh].arrival), fresh, 0
        if again and again[0] < first:
            run = heappop(again)
        else:
            run, fresh = first, fresh + 1
        runs.append(run)
        submit, session, earlier = run
        if earlier + 1 < given[session].runs:
            heappush(again, (submit + given[session].runtime, session, earlier + 1))
    return runs


def _at_load(given: Sequence[Session], count: int, nodes: int, load: float) -> list[Run]:
    """The runs that are submitted first at a load: those of a stretch that gives a little more than it,
    stretched a little further.
    """
    begin = given[0].arrival
    if given[-1].arrival == begin:
        raise LoadError("a load needs jobs that arrive at different times")
    work = sum(session.size * session.runtime * session.runs for session in given)
    stretch = work / (nodes * load * given[-1].arrival)
    # At `dense` the load is passed (and a gap is there to be stretched), at `sparse` it is not.
    dense, sparse, chosen = 0.0, inf, None
    while chosen is None or sparse > dense * _NEAR:
        runs = _first_runs(given, count, stretch)
        span = _work(given, runs) / (nodes * load)
        if runs[-1][0] - runs[0][0] <= span and any(given[session].arrival > begin for _, session, _ in runs):
            dense, chosen = stretch, runs
        else:
            sparse = stretch
        if dense == 0.0:
            stretch /= 2
        else:
            stretch = sqrt(dense * sparse) if sparse < inf else 2 * stretch
    return _spread(given, chosen, _work(given, chosen) / (nodes * load))


def _work(given: Sequence[Session], runs: Iterable[Run]) -> int:
    return sum(given[session].size * given[session].runtime for _, session, _ in runs)


def _spread(given: Sequence[Session], runs: Sequence[Run], span: float) -> list[Run]:
    """The same runs, stretched as far as their submissions still lie within a span, to the second."""
    begin = given[0].arrival
    stretch = min(
        (span - earlier * given[session].runtime) / (given[session].arrival - begin)
        for _, session, earlier in runs
        if given[session].arrival > begin
    )
    return sorted(
        (floor(stretch * given[session].arrival) + earlier * given[session].runtime, session, earlier)
        for _, session, earlier in runs
    )


def _generated(given: Sequence[Session], runs: Sequence[Run], note: str) -> Generated:
    latest: dict[int, int] = {}
    preceding = array("q", bytes(8 * len(runs)))
    for index, (_, session, _) in enumerate(runs):
        preceding[index] = latest.get(session, 0)
        latest[session] = index + 1
    workload = Workload.modelled(
        submit=(submit for submit, _, _ in runs),
        runtime=(given[session].runtime for _, session, _ in runs),
        size=(given[session].size for _, session, _ in runs),
        estimate=(given[session].estimate for _, session, _ in runs),
        notes=(note,),
    )
    return Generated(workload, preceding)
