"""The answers to questions, from the naive schedulers alone: what is known at an instant is a workload.

Jobs that have come by then; of those that are over the real runtimes, of all others the estimates. Decisions
up to that instant depend on nothing else, and what follows is the run in which every job lasts as long as its
estimate and no other job comes.
"""

from collections.abc import Callable
from typing import NamedTuple

from tests.oracles.jobs import Job

Naive = Callable[[list[Job], int], list[int]]
"""Starts of a workload on a machine of so many nodes."""


class Known(NamedTuple):
    """What is known at an instant: jobs in order of arrival, and their starts, past and expected."""

    now: int
    jobs: list[Job]
    starts: list[int]


def known(jobs: list[Job], nodes: int, now: int, naive: Naive) -> Known:
    """What is known of a workload (in order of arrival) at an instant."""
    real = naive(jobs, nodes)
    seen = [
        job if start + job.runtime <= now else job._replace(runtime=job.estimate)
        for job, start in zip(jobs, real, strict=True)
        if job.submit <= now
    ]
    return Known(now, seen, naive(seen, nodes))


def next_starts(here: Known) -> set[int]:
    """The jobs that this pass starts; if it starts none, those that start first after it."""
    later = [start for start in here.starts if start >= here.now]
    first = min(later, default=None)
    return {job for job, start in enumerate(here.starts) if start == first}


def next_ends(here: Known) -> set[int]:
    """The jobs that end next, of those that have nodes after the pass; none if no job has any."""
    ends = {
        job: start + it.runtime
        for job, (it, start) in enumerate(zip(here.jobs, here.starts, strict=True))
        if start <= here.now < start + it.runtime
    }
    return {job for job, end in ends.items() if end == min(ends.values())}


def state(here: Known, job: int) -> str:
    """The letter of a job after the pass."""
    start = here.starts[job]
    if start > here.now:
        return "N"
    return "R" if start + here.jobs[job].runtime > here.now else "F"
