"""How priorities grow with the age of the jobs and move with fair share (docs/slurm-cycle.md, section 13).

Instants are seconds since 1970.
"""

import math
from collections.abc import Iterable, Sequence

import attrs

from shadowtime.console.session.slurm.priorities.standing import (
    charges,
    fades,
    first_standing,
    last_calculation,
    standing_at,
)
from shadowtime.kernels.slurm.over_time.lines import Growth
from shadowtime.scenarios.slurm import Ageing, Capture, Job
from shadowtime.scenarios.slurm.priorities import Factor

NEVER = 1 << 60


def with_calculation(capture: Capture, now: int) -> Capture:
    """Return the cluster with an instant at which its priorities were calculated: now, if none is known."""
    capture = capture if capture.calculated else attrs.evolve(capture, calculated=now)
    return capture if capture.standing else attrs.evolve(capture, standing=first_standing(capture))


class Priorities:
    """The priorities of waiting jobs as of an instant: the captured ones, and what they have grown since."""

    def __init__(self, capture: Capture, now: int) -> None:
        settings = capture.settings
        self._first, self._last = capture.calculated, last_calculation(capture, now)
        self._moves = 0 < self._first < self._last
        self._ageing, self._share = settings.ageing, settings.fair_share
        self._standing = standing_at(capture, now) if self._moves else None
        self.calculation = self._last, self._standing and self._standing.factors
        """As of which calculation they are, and its factors: the priorities follow from these."""

    @property
    def growth(self) -> Growth:
        if not self._moves:
            return Growth(self.calculation)
        if self._standing is not None and self._share is not None:
            return Growth(self.calculation, of=self.of)
        ageing = self._ageing
        weight, most = (0, 1) if ageing is None else (ageing.weight, ageing.most)
        return Growth(self.calculation, self._first, self._last, weight, most)

    def of(self, job: Job, partition: str) -> int:
        """Return the priority of a job in a partition; that of a held job stays 0."""
        captured = job.priority_by_partition.get(partition, job.priority)
        if not captured or not self._moves:
            return captured
        ageing, most, grown = self._ageing, 1, 0
        if ageing is not None:
            most, begun = ageing.most, grows_since(job)
            grown = ageing.weight * (_age(ageing, begun, self._last) - _age(ageing, begun, self._first))
        shared = self.shared(job, partition)
        if shared is None:
            return captured + grown // most
        return max(1, captured + math.floor(grown / most + shared))

    def shared(self, job: Job, partition: str) -> float | None:
        """The points that fair share has added since the capture; None if it does not move."""
        standing, share = self._standing, self._share
        if standing is None or share is None or job.association not in standing.factors:
            return None
        points = job.factors.get(partition or job.partitions[0], {}).get(Factor.FAIR_SHARE)
        before = share.weight * standing.first[job.association] if points is None else points
        return share.weight * standing.factors[job.association] - before


def submitted_anew(capture: Capture, job: Job, since: int) -> Job:
    """Return a job that grows older from an instant on: what its age had added to its priority is gone."""
    ageing = capture.settings.ageing
    if ageing is None:
        return job
    added = ageing.weight * _age(ageing, grows_since(job), min(job.begin, capture.calculated)) // ageing.most
    parts = {name: max(1, priority - added) for name, priority in job.priority_by_partition.items()}
    return attrs.evolve(
        job, priority=max(1, job.priority - added), priority_by_partition=parts, accrued_since=since
    )


def next_calculation(capture: Capture, jobs: Iterable[Job], now: int) -> int | None:
    """Return the first instant after now at which a priority can move; None if none moves any more."""
    last = last_calculation(capture, now)
    if not last or not capture.settings.calculation_period:
        return None
    jobs, period, ageing = tuple(jobs), capture.settings.calculation_period, capture.settings.ageing
    following = last + period
    if _shares_move(capture, jobs, last):
        return following
    if ageing is None:
        return None
    first = NEVER
    for job in jobs:
        if job.waiting and job.priority:
            begun = grows_since(job)
            if begun < first and _age(ageing, begun, last) < ageing.most:
                if begun < following:
                    return following
                first = begun
    return None if first == NEVER else following - (following - first - 1) // period * period


def _shares_move(capture: Capture, jobs: Sequence[Job], last: int) -> bool:
    """Whether the next calculation can move fair share, or a limit on past usage, of a job that waits."""
    standing = capture.standing
    if standing is None or not any(job.waiting and job.priority for job in jobs):
        return False
    moved = standing.moved and standing.calculated == last
    return moved or any(map(charges, jobs)) or fades(capture)


def grows_since(job: Job) -> int:
    """Return since when a job grows older; one with an unsatisfied dependency does not yet."""
    return job.accrued_since or (NEVER if job.depends else job.eligible)


def _age(ageing: Ageing, since: int, at: int) -> int:
    """Seconds, at most those that count."""
    return min(ageing.most, max(0, at - since))
