"""What a cluster would do with another weight of a factor of its priorities (docs/slurm.md)."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import attrs

from shadowtime.console.session.errors import SessionError
from shadowtime.scenarios.slurm.config import MULTIFACTOR, WEIGHTS
from shadowtime.scenarios.slurm.priorities import Factor

if TYPE_CHECKING:
    from shadowtime.scenarios.slurm import Capture, Job


def reweighed(capture: "Capture", factor: Factor, weight: int) -> "Capture":
    """Return the cluster with another weight of a factor, and the priorities that its jobs have then.

    SessionError in one line if the files do not have what the priorities are made of.
    """
    name, settings = WEIGHTS[factor], capture.settings
    before = settings.weights.get(factor, 0)
    if weight == before:
        return capture
    if settings.priority != MULTIFACTOR:
        raise SessionError(f"{name} is of {MULTIFACTOR}; the cluster has {settings.priority or 'none'}")
    waiting = [job for job in capture.jobs if job.waiting and job.priority]
    if waiting and not any(factor in points for job in waiting for points in job.factors.values()):
        raise SessionError(f"{name}: the capture has no factors of priorities; expected what sprio -l prints")
    if waiting and not before:
        raise SessionError(f"{name} is 0 on the cluster: sprio does not show what another weight would count")
    jobs = tuple(
        _job(job, factor, weight, before) if job.waiting and job.priority else job for job in capture.jobs
    )
    ageing = settings.ageing
    if factor is Factor.AGE and ageing is not None:
        ageing = attrs.evolve(ageing, weight=weight) if weight else None
    share = settings.fair_share
    if factor is Factor.FAIR_SHARE and share is not None:
        share = attrs.evolve(share, weight=weight)
    weights = {**settings.weights, factor: weight}
    settings = attrs.evolve(settings, weights=weights, ageing=ageing, fair_share=share)
    return attrs.evolve(capture, jobs=jobs, settings=settings)


def _job(job: "Job", factor: Factor, weight: int, before: int) -> "Job":
    """A job with another weight: its points of the factor change in proportion, rounded."""
    factors: dict[str, Mapping[Factor, int]] = dict(job.factors)
    priorities, priority = dict(job.priority_by_partition), job.priority
    for partition, points in job.factors.items():
        old = points.get(factor, 0)
        new = (2 * old * weight + before) // (2 * before)
        factors[partition] = {**points, factor: new}
        # A priority of 0 would hold the job.
        total = max(1, priorities.get(partition, job.priority) + new - old)
        if partition in priorities:
            priorities[partition] = total
        if partition == job.partitions[0]:
            priority = total
    return attrs.evolve(job, factors=factors, priority_by_partition=priorities, priority=priority)
