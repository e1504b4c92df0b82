"""How priorities grow with the age of the jobs (docs/slurm-cycle.md, section 13).

Instants are seconds since 1970.
"""

from collections.abc import Iterable

import attrs

from shadowtime.scenarios.slurm import Ageing, Capture, Job

NEVER = 1 << 60


def with_calculation(capture: Capture, now: int) -> Capture:
    """Return the cluster with an instant at which its priorities were calculated: now, if none is known."""
    return capture if capture.calculated else attrs.evolve(capture, calculated=now)


def last_calculation(capture: Capture, now: int) -> int:
    """When the priorities that hold now were calculated."""
    ageing, first = capture.settings.ageing, capture.calculated
    if ageing is None or not first or now < first:
        return first
    return now - (now - first) % ageing.period


def priority_at(capture: Capture, job: Job, partition: str, now: int) -> int:
    """Return the priority of a waiting job in a partition: the captured one, and what its age adds since."""
    captured = job.priority_by_partition.get(partition, job.priority)
    ageing = capture.settings.ageing
    if not captured or ageing is None or not capture.calculated:
        return captured
    grown = _age(ageing, job, last_calculation(capture, now)) - _age(ageing, job, capture.calculated)
    return captured + ageing.weight * grown // ageing.most


def submitted_anew(capture: Capture, job: Job, since: int) -> Job:
    """Return a job that grows older from an instant on: what its age had added to its priority is gone."""
    ageing = capture.settings.ageing
    if ageing is None:
        return job
    added = ageing.weight * _age(ageing, job, min(job.begin, capture.calculated)) // ageing.most
    parts = {name: max(1, priority - added) for name, priority in job.priority_by_partition.items()}
    return attrs.evolve(
        job, priority=max(1, job.priority - added), priority_by_partition=parts, accrued_since=since
    )


def next_calculation(capture: Capture, jobs: Iterable[Job], now: int) -> int | None:
    """Return the first instant after now at which a priority can grow; None if none grows any more."""
    ageing, last = capture.settings.ageing, last_calculation(capture, now)
    if ageing is None or not last:
        return None
    following = last + ageing.period
    first = min(
        (
            max(following, _since(job) + 1)
            for job in jobs
            if job.waiting and job.priority and _since(job) < NEVER and _age(ageing, job, last) < ageing.most
        ),
        default=None,
    )
    return None if first is None else following - (following - first) // ageing.period * ageing.period


def _since(job: Job) -> int:
    """Since when a job grows older; one with an unsatisfied dependency does not yet."""
    return job.accrued_since or (NEVER if job.depends else job.eligible)


def _age(ageing: Ageing, job: Job, at: int) -> int:
    """Seconds, at most those that count."""
    return min(ageing.most, max(0, at - _since(job)))
