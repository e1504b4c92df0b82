"""The figures of a report by their definitions in docs/report.md, second by second and job by job."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple


class Times(NamedTuple):
    """A job of a schedule without preemption."""

    submit: int
    start: int
    end: int
    size: int
    user: str


def busy(jobs: Sequence[Times], second: int) -> int:
    """Nodes that run jobs in the second from `second` on."""
    return sum(job.size for job in jobs if job.start <= second < job.end)


def waiting(jobs: Sequence[Times], second: int) -> int:
    """Jobs that wait in that second."""
    return sum(job.submit <= second < job.start for job in jobs)


def passed(jobs: Sequence[Times], place: int) -> int:
    """Jobs behind one in the order of submission that start before it."""
    return sum(job.start < jobs[place].start for job in jobs[place + 1 :])


def up_to(values: Sequence[float], level: float) -> float:
    """The quantile: value i of n, in order, stands for (i + 0.5) / n; in between lies a straight line."""
    ordered = sorted(values)
    points = [((place + 0.5) / len(ordered), value) for place, value in enumerate(ordered)]
    if level <= points[0][0]:
        return points[0][1]
    for (left, low), (right, high) in pairwise(points):
        if level <= right:
            return low + (level - left) / (right - left) * (high - low)
    return points[-1][1]
