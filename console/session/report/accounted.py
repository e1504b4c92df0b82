"""The longest waits of a cluster's accounting, and what was so meanwhile."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import attrs

from shadowtime.scenarios.slurm import Capture
from shadowtime.scenarios.slurm.accounted.records import Accounted

LONGEST = 10
"""Waits that are listed."""


@attrs.frozen
class AccountedWait:
    """A job that waited long, and has started."""

    job: Accounted
    wait: int
    """Seconds from when it could first start to its start."""
    alike: int
    """Other jobs of its user that could start in the same second, and waited in the same partition."""
    busy: float
    """The share of the CPUs of the cluster that jobs held meanwhile, in the mean."""
    holders: Sequence[tuple[str, float]]
    """Users with their part of that, the largest first."""
    passed: int
    """Jobs of its partition that could start later, and started before it."""
    reasons: Mapping[str, int]
    """Slurm's reasons in the captures that were taken meanwhile, with how many captures have each."""


def longest_waits(
    capture: Capture, cpus: int, captures: Iterable[tuple[int, Mapping[int, str]]] = ()
) -> Sequence[AccountedWait]:
    """Return the longest waits of the jobs that have started, of several alike the longest.

    `captures` are the instants of earlier captures, each with Slurm's reasons of waiting jobs by id.
    """
    jobs, taken = _begun(capture), list(captures)
    alike = Counter(map(_kind, jobs))
    return [
        _explained(capture, cpus, jobs, job, alike[_kind(job)] - 1, taken) for job in longest_jobs(capture)
    ]


def longest_jobs(capture: Capture) -> Sequence[Accounted]:
    """Return the jobs of these waits."""
    longest: dict[tuple[str, str, int], Accounted] = {}
    for job in sorted(_begun(capture), key=lambda job: (job.eligible - job.start, job.id)):
        if job.start > job.eligible and len(longest) < LONGEST:
            longest.setdefault(_kind(job), job)
    return tuple(longest.values())


def _begun(capture: Capture) -> Sequence[Accounted]:
    return () if capture.past is None else [job for job in capture.past.jobs if job.start <= capture.taken]


def _kind(job: Accounted) -> tuple[str, str, int]:
    return job.user, job.partition, job.eligible


def _explained(
    capture: Capture,
    cpus: int,
    jobs: Sequence[Accounted],
    job: Accounted,
    alike: int,
    captures: Sequence[tuple[int, Mapping[int, str]]],
) -> AccountedWait:
    since, until = job.eligible, job.start
    held: Counter[str] = Counter()
    for other in jobs:
        end = capture.taken if other.end is None else other.end
        held[other.user] += other.given * max(0, min(end, until) - max(other.start, since))
    whole = cpus * (until - since)
    most = sorted(((user, each / whole) for user, each in held.items() if each), key=lambda each: -each[1])
    passed = sum(
        other.partition == job.partition and since < other.eligible and other.start < until for other in jobs
    )
    reasons = Counter(
        waiting[job.id] for at, waiting in captures if since <= at < until and waiting.get(job.id)
    )
    return AccountedWait(job, until - since, alike, sum(held.values()) / whole, most, passed, reasons)
