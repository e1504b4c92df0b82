"""Who is in the queue, in which order, how often each is tried (docs/slurm-cycle.md, sections 2 and 7)."""

from collections.abc import Iterator
from functools import cmp_to_key

import attrs

from shadowtime.console.session.slurm.admission import Admission, may_start
from shadowtime.console.session.slurm.guard.reasons import believed
from shadowtime.console.session.slurm.priorities import Priorities
from shadowtime.scenarios.slurm import Capture, Job, Partition
from shadowtime.scenarios.slurm.errors import broken
from shadowtime.scenarios.slurm.tasks import task_ranges


@attrs.frozen
class Waiting:
    """A waiting job in one of its partitions."""

    job: Job
    partition: Partition
    priority: int
    tries: int
    starts: int = 1
    """How many of the tries may end in a start; of one that none may, a start now is planned."""

    @property
    def name(self) -> str:
        """How Slurm names it."""
        return self.job.shown


def queue(
    capture: Capture, now: int, every_task: bool = False, priorities_of: int | None = None
) -> list[Waiting]:
    """Return the entries in order. CaptureError if the tasks of an array cannot be read.

    `every_task`: backfill's bound on the tasks of an array that are tried does not hold. `priorities_of`:
    with the priorities of another instant.
    """
    of = now if priorities_of is None else priorities_of
    entries = list(_entries(capture, now, every_task, of))
    if capture.generation.rules == "22.05":
        places = {partition.name: place for place, partition in enumerate(capture.partitions)}
        entries.sort(key=lambda entry: places[entry.partition.name])
    entries.sort(key=_order)
    if capture.settings.preempt not in ("", "preempt/none"):
        before = _Preemption(capture)
        entries.sort(key=cmp_to_key(before.compare))
    return entries


def moved_up(capture: Capture, now: int) -> tuple[str, ...]:
    """Return the jobs that the calculation of now takes past others, or across `bf_min_prio_reserve`."""
    before = queue(capture, now, priorities_of=now - 1)
    places = {(entry.job.id, entry.partition.name): place for place, entry in enumerate(before)}
    least = capture.settings.backfill.min_prio_reserve
    found = []
    for place, entry in enumerate(queue(capture, now)):
        old = places[entry.job.id, entry.partition.name]
        if place < old or (before[old].priority < least) != (entry.priority < least):
            found.append(entry.name)
    return tuple(dict.fromkeys(found))


def _entries(capture: Capture, now: int, every_task: bool, priorities_of: int) -> Iterator[Waiting]:
    partitions = {partition.name: partition for partition in capture.partitions}
    begins = {each.name: each.opens for each in capture.reservations}
    admission, priorities = Admission(capture), Priorities(capture, priorities_of)
    for job in capture.jobs:
        if not job.waiting or _left_out(job, now) or begins.get(job.reservation, 0) > now:
            continue
        if believed(capture, job):
            continue
        tries, starts = tries_of(capture, job, every_task)
        if tries > 0:
            for partition in map(partitions.__getitem__, job.partitions):
                if not admission.refusal(job, partition):
                    priority = priorities.of(job, partition.name)
                    yield Waiting(job, partition, priority, tries, starts * may_start(job, partition))


def _left_out(job: Job, now: int) -> bool:
    return job.priority == 0 or job.eligible > now or job.depends


def _order(entry: Waiting) -> tuple[bool, int, int, int, int, int]:
    job, array = entry.job, entry.job.array
    number, task = (array.job, array.task) if array else (job.id, None)
    first = not job.reservation
    return first, -entry.partition.tier, -entry.priority, job.submit, number, -1 if task is None else task


def tries_of(capture: Capture, job: Job, every_task: bool) -> tuple[int, int]:
    """How often an entry is tried, and how many of the tries may start."""
    array = job.array
    if array is None:
        return 1, 1
    tries = 1 if array.task is not None else _tasks(capture, array.waiting)
    if not every_task:
        tries = min(capture.settings.backfill.max_job_array_resv, tries)
    if not array.most_running:
        return tries, tries
    holding = (other.array.job for other in capture.jobs if other.holding and other.array is not None)
    left = max(0, array.most_running - sum(id_ == array.job for id_ in holding))
    # 22.05 only asks whether any task may run.
    return (min(tries, left) if capture.generation.rules != "22.05" else tries * (left > 0)), left


def _tasks(capture: Capture, text: str) -> int:
    """How many tasks `1-4,9-20:2%3` names."""
    try:
        return sum(map(len, task_ranges(text)))
    except ValueError as error:
        raise broken(capture.folder, f"has an array that {error}") from None


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
