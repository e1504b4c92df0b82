"""Who is in the queue, and in which order (section 2)."""

from fractions import Fraction
from functools import cmp_to_key, partial
from math import floor
from typing import NamedTuple

import attrs

from shadowtime.scenarios.slurm import Capture, Job, Partition
from tests.oracles.slurm.access.admitted import has_entry, starts
from tests.oracles.slurm.access.past import past_limits
from tests.oracles.slurm.access.sharing import points

REASONS = frozenset((
    "", "None", "Priority", "Resources", "Licenses", "ReqNodeNotAvail", "BeginTime", "Dependency",
    "DependencyNeverSatisfied", "JobArrayTaskLimit", "JobHeldAdmin", "JobHeldUser", "Reservation",
    "Cleaning", "Prolog", "SchedDefer", "PartitionDown", "PartitionInactive", "PartitionTimeLimit",
    "PartitionNodeLimit", "PartitionConfig", "QOSNotAllowed", "AccountNotAllowed",
))  # fmt: skip
"""Reasons that the rules give, or that say nothing of later tries."""


class Entry(NamedTuple):
    """A waiting job in one of its partitions.

    `tasks` is how many of an array may be tried, `may_start` how many of them may start; 1 otherwise. An
    entry of which none may start is planned and does not start.
    """

    job: Job
    partition: Partition
    priority: int
    tasks: int
    may_start: int

    @property
    def name(self) -> str:
        """How a row names it: `12`, `12_*`, `12_3`, `12+1`."""
        if self.job.het_job:
            return f"{self.job.het_job}+{self.job.het_offset}"
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
            may_start(capture, job) if starts(capture, job, partitions[name]) and not job.het_job else 0,
        )
        for job in capture.jobs
        if job.waiting and not left_out(capture, job, now)
        for name in job.partitions
        if has_entry(capture, job, partitions[name])
        if (tasks := may_be_tried(capture, job)) > 0
    ]
    if capture.generation.rules == "22.05":
        entries.sort(key=lambda entry: list(partitions).index(entry.partition.name))
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
    own = next((each for each in capture.reservations if each.name == job.reservation), None)
    if own is None or "FLEX" in own.flags:
        return False
    return "TIME_FLOAT" in own.flags or own.begin > now


def may_start(capture: Capture, job: Job) -> int:
    """How many tasks of an array may start (section 7)."""
    array = job.array
    if array is None or not array.most_running:
        return may_be_tried(capture, job)
    return array.most_running - running_tasks(capture, array.job)


def running_tasks(capture: Capture, array: int) -> int:
    """How many tasks of an array hold nodes."""
    return sum(
        other.holding and other.array is not None and other.array.job == array for other in capture.jobs
    )


def may_be_tried(capture: Capture, job: Job) -> int:
    """How often an entry may be tried: for an array so many of its waiting tasks (section 7)."""
    array = job.array
    if array is None:
        return 1
    tries = 1
    if array.task is None:
        tries = waiting_tasks(array.waiting)
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
    """The captured priority in a partition, and what age and fair share have added to it since."""
    captured = job.priority_by_partition.get(partition, job.priority)
    moves = capture.settings.ageing or capture.settings.fair_share
    if captured == 0 or moves is None or capture.calculated == 0:
        return captured
    last = capture.calculated
    while last + moves.period <= now:
        last += moves.period
    if last == capture.calculated:
        return captured
    weight = capture.settings.ageing.weight if capture.settings.ageing else 0
    older = weight * (age(capture, job, last) - age(capture, job, capture.calculated))
    shared = points(capture, job, partition)
    return max(1, captured + floor(older + shared if shared else older))


def age(capture: Capture, job: Job, at: int) -> Fraction:
    """The age of a job, from 0 to 1; 0 if it does not count."""
    ageing = capture.settings.ageing
    if ageing is None:
        return Fraction(0)
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


SIZES = {
    f"{owner}{name}"
    for owner in ("Assoc", "QOS")
    for of in ("Cpu", "Node", "Mem", "GRES", "Billing")
    for name in (f"Grp{of}", f"Grp{of}Limit", f"Grp{of}RunMinutes", f"Max{of}PerJob", f"Max{of}PerJobLimit",
                 f"Max{of}PerNode", f"Max{of}MinutesPerJob", f"Max{of}MinutesPerJobLimit")
}  # fmt: skip
LIMITS = SIZES | {
    *("AssocGrpJobsLimit", "AssocMaxJobsLimit", "AssocMaxWallDurationPerJobLimit", "QOSGrpJobsLimit"),
    *("AssocGrpCPURunMinutesLimit", "QOSGrpCPURunMinutesLimit", "AssocGrpGRESRunMinutes"),
    *("QOSMaxCpuPerUserLimit", "QOSMaxNodePerUserLimit", "QOSMaxMemoryPerUser", "QOSMaxGRESPerUser"),
    *("QOSMaxMemoryPerJob", "QOSMaxMemoryPerNode", "QOSMaxBillingPerUser", "QOSMaxJobsPerUserLimit"),
    *("QOSMinCpuNotSatisfied", "QOSMinNodeNotSatisfied", "QOSMinMemory", "QOSMinGRES", "QOSMinBilling"),
    *("MaxCpuPerAccount", "MaxNodePerAccount", "MaxMemoryPerAccount", "MaxGRESPerAccount"),
    *("MaxBillingPerAccount", "MaxJobsPerAccount", "QOSMaxJobsPerAccountLimit"),
    *("QOSMaxWallDurationPerJobLimit",),
}
"""The reasons of squeue(1) for limits on jobs, CPUs, nodes and run times."""


def skipped_by_slurm(capture: Capture, job: Job) -> bool:
    """Whether Slurm's own reason is one that the rules do not give, and holds in each of its partitions."""
    reason = job.reason.split(",")[0].strip()
    tables = capture.associations if reason.startswith("Assoc") else capture.qualities
    if reason in REASONS:
        return False
    of_devices = "GRES" in reason and job.request.devices_otherwise
    if "Minutes" in reason and "Run" not in reason and "Per" not in reason and past_limits(capture):
        return False
    if "GrpWall" in reason and past_limits(capture):
        return False
    if reason in LIMITS and capture.settings.limits_enforced and tables and not of_devices:
        return False
    parts = [each for each in capture.partitions if each.name in job.partitions]
    everywhere = reason.startswith("Assoc") or (
        reason.startswith("QOS") and reason != "QOSNotAllowed" and not any(part.qos for part in parts)
    )
    return everywhere or len(job.partitions) == 1
