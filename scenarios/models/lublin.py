"""The workload model of Lublin and Feitelson (1999): sizes, runtimes that depend on them, and a daily cycle
of arrivals.

Batch and interactive jobs have constants of their own; `typed` mixes the two streams, `untyped` is the fit
to both together. The constants are those of a machine of 128 nodes, where the largest job has the log2 size
UHi. **Choice**: on another machine UMed and UHi move with log2(nodes), and no job is larger than the
machine. Second 0 is a midnight (**choice**). The load is set by stretching one generated sequence of
arrivals; nothing else changes.
"""

from array import array
from collections.abc import Iterator
from fractions import Fraction
from math import exp, floor, log2
from random import Random

import attrs

from shadowtime.scenarios.models.gamma import gamma_cdf
from shadowtime.scenarios.models.generated import REPORTED_EVERY, LoadError, Progress
from shadowtime.scenarios.traces.labels import Labels
from shadowtime.scenarios.workload import Workload

MODEL_NODES = 128
CLASSES = ("interactive", "batch")

_BUCKETS = 48
_BUCKET_SECONDS = 1800
# The daily cycle is a gamma distribution over the half hours from 05:00 on.
_FIRST_HALF_HOUR, _LAST_HALF_HOUR = 11, 58
_LONGEST_LOG_RUNTIME = 12
_LONGEST_LOG_GAP = 13


@attrs.frozen
class Constants:
    """One column of the published table, under its published names."""

    serial: float
    """Probability of a job of one node, and of a parallel job whose size is a power of two."""
    power_of_two: float
    u_low: float
    """log2 of the sizes: a two-stage uniform distribution, low to med with u_prob, else med to high."""
    u_med: float
    u_high: float
    u_prob: float
    a1: float
    """Runtimes: exp of a gamma(a1, b1) with probability pa * size + pb, else of a gamma(a2, b2)."""
    b1: float
    a2: float
    b2: float
    pa: float
    pb: float
    a_arr: float
    """Gaps between arrivals: exp of a gamma(a_arr * arar, b_arr), spent at the pace of the hour."""
    b_arr: float
    a_num: float
    """The pace of the half hours: a gamma(a_num, b_num)."""
    b_num: float
    arar: float


BATCH = Constants(
    0.2927, 0.6686, 1.2, 5, 7, 0.875, 6.57, 0.823, 639.1, 0.0156, -0.003, 0.6986,
    6.0415, 0.8531, 6.1271, 5.2740, 1.0519,
)  # fmt: skip
INTERACTIVE = Constants(
    0.1541, 0.625, 1, 3, 5.5, 0.705, 3.8351, 0.6605, 7.073, 0.6856, -0.0118, 0.9156,
    6.5510, 0.6621, 8.9186, 3.6680, 0.9797,
)  # fmt: skip
UNTYPED = Constants(
    0.244, 0.576, 0.8, 4.5, 7, 0.86, 4.2, 0.94, 312, 0.03, -0.0054, 0.78,
    10.2303, 0.4871, 8.1737, 3.9631, 1.0225,
)  # fmt: skip

Streams = tuple[Constants | None, Constants | None]
"""The constants of the interactive stream and of the batch stream."""

_STREAMS: dict[str, Streams] = {
    "typed": (INTERACTIVE, BATCH),
    "untyped": (None, UNTYPED),
    "batch": (None, BATCH),
    "interactive": (INTERACTIVE, None),
}
KINDS = tuple(_STREAMS)


def lublin99(
    jobs: int,
    nodes: int,
    *,
    seed: int = 1,
    kind: str = "typed",
    load: Fraction | None = None,
    progress: Progress | None = None,
) -> Workload:
    """A workload of so many jobs for a machine of so many nodes; estimates are the runtimes.

    Ids count from 1.

    `load` is sum(runtime * size) / (nodes * (last submission - first)); without it arrivals are the model's
    own. The same arguments give the same workload. ValueError where the load cannot be set: fewer than two
    submissions.
    """
    draw = Random(seed)
    rows = _merged(draw, _STREAMS[kind], jobs, nodes, progress)
    return _workload(rows, nodes, typed=kind != "untyped", load=load)


Row = tuple[float, int, int, int]
"""Arrival (s), size, runtime (s), and 0 for an interactive job, 1 for a batch job."""


def _merged(draw: Random, streams: Streams, jobs: int, nodes: int, progress: Progress | None) -> list[Row]:
    """The jobs of both streams in order of arrival; each stream draws its next arrival when its last is
    taken.
    """
    arrivals = [iter(()) if constants is None else _arrivals(draw, constants) for constants in streams]
    waiting = [next(stream, None) for stream in arrivals]
    rows: list[Row] = []
    for done in range(jobs):
        if progress is not None and done % REPORTED_EVERY == 0:
            progress(done, jobs)
        interactive, batch = waiting
        which = 1 if interactive is None or (batch is not None and batch < interactive) else 0
        time, constants = waiting[which], streams[which]
        assert time is not None and constants is not None
        size = _size(draw, constants, nodes)
        rows.append((time, size, _runtime(draw, constants, size), which))
        waiting[which] = next(arrivals[which])
    return rows


def _size(draw: Random, constants: Constants, nodes: int) -> int:
    """The nodes of one job, at most the machine's."""
    shift = log2(nodes / MODEL_NODES)
    high = max(constants.u_low, constants.u_high + shift)
    middle = min(max(constants.u_low, constants.u_med + shift), high)
    u = draw.random()
    if u <= constants.serial:
        return 1
    low_stage = draw.random() <= constants.u_prob
    low, top = (constants.u_low, middle) if low_stage else (middle, high)
    exponent = low + (top - low) * draw.random()
    if u <= constants.serial + constants.power_of_two:
        # The largest power of two in the machine, where rounding up would leave it.
        exponent = min(floor(exponent + 0.5), nodes.bit_length() - 1)
    return min(floor(2**exponent + 0.5), nodes)


def _runtime(draw: Random, constants: Constants, size: int) -> int:
    """Seconds, at least 1; larger jobs are more often of the long kind."""
    share = min(max(constants.pa * size + constants.pb, 0.0), 1.0)
    while True:
        if draw.random() <= share:
            exponent = draw.gammavariate(constants.a1, constants.b1)
        else:
            exponent = draw.gammavariate(constants.a2, constants.b2)
        if exponent <= _LONGEST_LOG_RUNTIME:
            return max(1, floor(exp(exponent)))


def _arrivals(draw: Random, constants: Constants) -> Iterator[float]:
    """Instants (s) for ever.

    A gap is an amount of arrival work; a half hour takes as much of it as its weight.
    """
    weights = daily_weights(constants)
    bucket, points = 0, 0.0
    while True:
        points += _gap(draw, constants) / _BUCKET_SECONDS
        while points >= weights[bucket % _BUCKETS]:
            points -= weights[bucket % _BUCKETS]
            bucket += 1
        yield _BUCKET_SECONDS * (bucket + points / weights[bucket % _BUCKETS])


def _gap(draw: Random, constants: Constants) -> float:
    while True:
        exponent = draw.gammavariate(constants.a_arr * constants.arar, constants.b_arr)
        if exponent <= _LONGEST_LOG_GAP:
            return exp(exponent)


def daily_weights(constants: Constants) -> list[float]:
    """The pace of arrivals in each half hour of the day, from midnight on; 1 on average."""
    weights = [0.0] * _BUCKETS
    for i in range(_FIRST_HALF_HOUR, _LAST_HALF_HOUR + 1):
        upper = gamma_cdf(i + 0.5, constants.a_num, constants.b_num)
        lower = gamma_cdf(i - 0.5, constants.a_num, constants.b_num)
        weights[(i - 1) % _BUCKETS] = upper - lower
    mean = sum(weights) / _BUCKETS
    return [weight / mean for weight in weights]


def _workload(rows: list[Row], nodes: int, *, typed: bool, load: Fraction | None) -> Workload:
    stretch = 1.0 if load is None else _stretch(rows, nodes, load)
    classes = Labels(array("q", (which for *_, which in rows)), CLASSES)
    return Workload.modelled(
        submit=(floor(time * stretch) for time, *_ in rows),
        runtime=(runtime for _, _, runtime, _ in rows),
        size=(size for _, size, _, _ in rows),
        klass=classes if typed else None,
    )


def _stretch(rows: list[Row], nodes: int, load: Fraction) -> float:
    """By what all times are multiplied so that the load becomes `load`."""
    span = rows[-1][0] - rows[0][0] if rows else 0.0
    if span <= 0:
        raise LoadError("a load needs at least two jobs")
    area = sum(size * runtime for _, size, runtime, _ in rows)
    return area / (nodes * span) / float(load)
