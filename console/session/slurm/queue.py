"""Who is in the queue, in which order, and how often each may be tried (docs/slurm.md, sections 2 and 7)."""

import re
from collections.abc import Iterator
from functools import cmp_to_key

import attrs

from scenarios.slurm import Capture, CaptureError, Job, Partition
from scenarios.slurm.errors import broken

_TASKS = re.compile(r"(\d{1,9})(?:-(\d{1,9})(?::(\d{1,9}))?)?", re.ASCII)


@attrs.frozen
class Waiting:
    """A waiting job in one of its partitions."""

    job: Job
    partition: Partition
    priority: int
    tries: int

    @property
    def name(self) -> str:
        """How Slurm names it: `12`; `12_*` for an array; `12_3` for a task that stands alone."""
        array = self.job.array
        if array is None:
            return str(self.job.id)
        return f"{array.job}_{'*' if array.task is None else array.task}"


def queue(capture: Capture, now: int) -> list[Waiting]:
    """Return the entries in order. CaptureError if the tasks of an array cannot be read."""
    entries = sorted(_entries(capture, now), key=_order)
    if capture.settings.preempt not in ("", "preempt/none"):
        before = _Preemption(capture)
        entries.sort(key=cmp_to_key(before.compare))
    return entries


def _entries(capture: Capture, now: int) -> Iterator[Waiting]:
    partitions = {partition.name: partition for partition in capture.partitions}
    begins = {each.name: each.begin for each in capture.reservations}
    for job in capture.jobs:
        if not job.waiting or _left_out(job, now) or begins.get(job.reservation, 0) > now:
            continue
        tries = _tries(capture, job)
        if tries > 0:
            for name in job.partitions:
                yield Waiting(job, partitions[name], job.priority_by_partition.get(name, job.priority), tries)


def _left_out(job: Job, now: int) -> bool:
    unsatisfied = "unfulfilled" in job.dependency or "failed" in job.dependency
    return job.priority == 0 or job.eligible > now or unsatisfied


def _order(entry: Waiting) -> tuple[bool, int, int, int, int, int]:
    job, array = entry.job, entry.job.array
    number, task = (array.job, array.task) if array else (job.id, None)
    first = not job.reservation
    return first, -entry.partition.tier, -entry.priority, job.submit, number, -1 if task is None else task


def _tries(capture: Capture, job: Job) -> int:
    array = job.array
    if array is None or array.task is not None:
        return 1
    tries = min(capture.settings.backfill.max_job_array_resv, _tasks(capture, array.waiting))
    if not array.most_running:
        return tries
    running = (other for other in capture.jobs if other.holding and other.array is not None)
    return min(
        tries, array.most_running - sum(other.array.job == array.job for other in running if other.array)
    )


def _tasks(capture: Capture, text: str) -> int:
    """How many tasks `1-4,9-20:2%3` names."""
    count = 0
    for word in filter(None, text.partition("%")[0].split(",")):
        found = _TASKS.fullmatch(word)
        if found is None or not int(found[3] or 1):
            raise _no_tasks(capture, text)
        count += max(0, int(found[2] or found[1]) - int(found[1])) // int(found[3] or 1) + 1
    return count


def _no_tasks(capture: Capture, text: str) -> CaptureError:
    return broken(capture.folder, f"has an array with the tasks {text[:40]!r}; expected a list such as 1-4,9")


@attrs.frozen
class _Preemption:
    capture: Capture

    def compare(self, one: Waiting, other: Waiting) -> int:
        return self._may(other, one) - self._may(one, other)

    def _may(self, one: Waiting, other: Waiting) -> bool:
        if self.capture.settings.preempt == "preempt/partition_prio":
            return one.partition.tier > other.partition.tier
        lists = {quality.name: quality.preempts for quality in self.capture.qualities}
        return other.job.qos in lists.get(one.job.qos, ())
