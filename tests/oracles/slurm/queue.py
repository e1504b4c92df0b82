"""Who is in the queue, and in which order (section 2)."""

from fractions import Fraction
from functools import cmp_to_key, partial
from math import floor
from typing import NamedTuple

import attrs

from shadowtime.scenarios.slurm import Capture, Job, Partition

REASONS = frozenset((
    "", "None", "Priority", "Resources", "Licenses", "ReqNodeNotAvail", "BeginTime", "Dependency",
    "DependencyNeverSatisfied", "JobArrayTaskLimit", "JobHeldAdmin", "JobHeldUser", "Reservation",
    "Cleaning", "Prolog", "SchedDefer",
))  # fmt: skip
"""Reasons that the rules give, or that say nothing of later tries."""


class Entry(NamedTuple):
    """A waiting job in one of its partitions.

    `tasks` is how many of an array may be tried, `may_start` how many of them may start; 1 otherwise.
    """

    job: Job
    partition: Partition
    priority: int
    tasks: int
    may_start: int

    @property
    def name(self) -> str:
        """How a row names it: `12`, `12_*`, `12_3`."""
        array = self.job.array
        if array is None:
            return str(self.job.id)
        return f"{array.job}_{'*' if array.task is None else array.task}"


def queue(capture: Capture, now: int) -> list[Entry]:
    """The entries in order."""
    partitions = {partition.name: partition for partition in capture.partitions}
    entries = [
        Entry(
            job,
            partitions[name],
            priority_at(capture, job, name, now),
            tasks,
            may_start(capture, job),
        )
        for job in capture.jobs
        if job.waiting and not left_out(capture, job, now)
        for name in job.partitions
        if (tasks := may_be_tried(capture, job)) > 0
    ]
    entries.sort(key=lambda entry: (not entry.job.reservation, -entry.partition.tier, -entry.priority,
                                    entry.job.submit, number(entry.job)))  # fmt: skip
    if capture.settings.preempt not in ("preempt/none", ""):
        entries.sort(key=cmp_to_key(partial(compared, capture)))
    return entries


def number(job: Job) -> tuple[int, int]:
    """The job id that decides between equals: that of the array first."""
    if job.array is None or job.array.task is None:
        return (job.array.job if job.array else job.id), -1
    return job.array.job, job.array.task


def compared(capture: Capture, one: Entry, other: Entry) -> int:
    """Below 0 if one job stands before another because it can preempt it."""
    return preempts(capture, other, one) - preempts(capture, one, other)


def preempts(capture: Capture, one: Entry, other: Entry) -> bool:
    """Whether a job can preempt another."""
    if capture.settings.preempt == "preempt/partition_prio":
        return one.partition.tier > other.partition.tier
    lists = {quality.name: quality.preempts for quality in capture.qualities}
    return other.job.qos in lists.get(one.job.qos, ())


def left_out(capture: Capture, job: Job, now: int) -> bool:
    """Whether a waiting job is not in the queue at all."""
    if job.priority == 0 or job.eligible > now or skipped_by_slurm(capture, job):
        return True
    if "unfulfilled" in job.dependency or "failed" in job.dependency:
        return True
    begins = {each.name: each.begin for each in capture.reservations}
    return bool(job.reservation) and begins.get(job.reservation, 0) > now


def may_start(capture: Capture, job: Job) -> int:
    """How many tasks of an array may start (section 7)."""
    array = job.array
    if array is None or not array.most_running:
        return max(1, capture.settings.backfill.max_job_array_resv)
    return array.most_running - running_tasks(capture, array.job)


def running_tasks(capture: Capture, array: int) -> int:
    """How many tasks of an array hold nodes."""
    return sum(
        other.holding and other.array is not None and other.array.job == array for other in capture.jobs
    )


def may_be_tried(capture: Capture, job: Job) -> int:
    """How often an entry is tried: for an array so many of its waiting tasks (section 7)."""
    array = job.array
    if array is None:
        return 1
    tries = 1
    if array.task is None:
        tries = min(capture.settings.backfill.max_job_array_resv, waiting_tasks(array.waiting))
    if array.most_running:
        running = running_tasks(capture, array.job)
        if running >= array.most_running:
            return 0
        if capture.generation.rules != "22.05":
            tries = min(tries, array.most_running - running)
    return tries


def waiting_tasks(text: str) -> int:
    """How many tasks `1-4,9-20:2%3` names."""
    count = 0
    for word in filter(None, text.partition("%")[0].split(",")):
        span, _, step = word.partition(":")
        first, _, last = span.partition("-")
        count += (int(last or first) - int(first)) // int(step or 1) + 1
    return count


def priority_at(capture: Capture, job: Job, partition: str, now: int) -> int:
    """The captured priority in a partition, and what the job's age has added to it since."""
    captured = job.priority_by_partition.get(partition, job.priority)
    ageing = capture.settings.ageing
    if captured == 0 or ageing is None or capture.calculated == 0:
        return captured
    last = capture.calculated
    while last + ageing.period <= now:
        last += ageing.period
    return captured + floor(ageing.weight * (age(capture, job, last) - age(capture, job, capture.calculated)))


def age(capture: Capture, job: Job, at: int) -> Fraction:
    """The age of a job, from 0 to 1."""
    ageing = capture.settings.ageing
    assert ageing is not None
    seconds = max(0, at - (job.accrued_since or job.eligible))
    return min(Fraction(1), Fraction(seconds, ageing.most))


def young(capture: Capture, job: Job, since: int) -> Job:
    """A job that is submitted anew: what its age had added is gone, and it grows older from `since` on."""
    ageing = capture.settings.ageing
    if ageing is None:
        return job
    added = floor(ageing.weight * age(capture, job, min(job.begin, capture.calculated)))
    parts = {name: max(1, priority - added) for name, priority in job.priority_by_partition.items()}
    return attrs.evolve(
        job, priority=max(1, job.priority - added), priority_by_partition=parts, accrued_since=since
    )


def skipped_by_slurm(capture: Capture, job: Job) -> bool:
    """Whether Slurm's own reason is one that the rules do not give, and holds in each of its partitions."""
    reason = job.reason.split(",")[0].strip()
    if reason in REASONS or (reason == "QOSMaxNodePerUserLimit" and any(
        "node" in quality.most_per_user for quality in capture.qualities
    )):  # fmt: skip
        return False
    parts = [each for each in capture.partitions if each.name in job.partitions]
    everywhere = reason.startswith("Assoc") or (
        reason.startswith("QOS") and reason != "QOSNotAllowed" and not any(part.qos for part in parts)
    )
    return everywhere or len(job.partitions) == 1
