"""Who is in the queue, in which order, how often each is tried (docs/slurm-cycle.md, sections 2 and 7)."""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cmp_to_key

import attrs

from shadowtime.console.session.slurm.admission import Admission
from shadowtime.console.session.slurm.guard.reasons import believed
from shadowtime.console.session.slurm.priorities import Priorities
from shadowtime.scenarios.slurm import ArrayPart, Capture, Job, Partition
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
    plans: int = 1
    """How many of the tries a cycle may plan for later."""

    @property
    def name(self) -> str:
        """How Slurm names it."""
        return self.job.shown


Kept = dict[int, tuple[Job, tuple[Waiting, ...]]]
"""Job id -> the job, and its entries, if no other job decides on them."""


def queue(
    capture: Capture, now: int, priorities_of: int | None = None, kept: Kept | None = None
) -> list[Waiting]:
    """Return the entries in order. CaptureError if the tasks of an array cannot be read.

    `priorities_of`: with the priorities of another instant. `kept`: the entries of another queue of the same
    cluster, with other jobs, if no job came or grew older between the two instants; those of this one are
    added.
    """
    of = now if priorities_of is None else priorities_of
    entries = list(_entries(capture, now, of, {} if kept is None else kept))
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


def _entries(capture: Capture, now: int, priorities_of: int, kept: Kept) -> Iterator[Waiting]:
    partitions = {partition.name: partition for partition in capture.partitions}
    begins = {each.name: each.opens for each in capture.reservations}
    admission, priorities = Admission(capture), Priorities(capture, priorities_of)
    most, running = capture.settings.backfill.max_job_array_resv, _running_tasks(capture)

    def of(job: Job) -> Iterator[Waiting]:
        if not job.waiting or _left_out(job, now) or begins.get(job.reservation, 0) > now:
            return
        if believed(capture, job):
            return
        tries, starts = _tries(capture, job, running)
        if tries > 0:
            for partition in map(partitions.__getitem__, job.partitions):
                if not admission.refusal(job, partition):
                    priority = priorities.of(job, partition.name)
                    may = starts * admission.may_start(job, partition)
                    yield Waiting(job, partition, priority, tries, may, 1 if job.array is None else most)

    for job in capture.jobs:
        known, entries = kept.get(job.id, (None, ()))
        if known is not job:
            entries = tuple(of(job))
            if not admission.limits.on and not (job.array and job.array.most_running):
                kept[job.id] = job, entries
        yield from entries


def _left_out(job: Job, now: int) -> bool:
    return job.priority == 0 or job.eligible > now or job.depends


def _order(entry: Waiting) -> tuple[bool, int, int, int, int, int]:
    job, array = entry.job, entry.job.array
    number, task = (array.job, array.task) if array else (job.id, None)
    first = not job.reservation
    return first, -entry.partition.tier, -entry.priority, job.submit, number, -1 if task is None else task


def tries_of(capture: Capture, job: Job) -> tuple[int, int]:
    """How often an entry is tried, and how many of the tries may start."""
    return _tries(capture, job, _running_tasks(capture))


def _running_tasks(capture: Capture) -> Counter[int]:
    """How many tasks hold nodes, by array; nothing is counted if no array bounds how many may."""
    tasks = [job for job in capture.jobs if job.array is not None]
    if not any(job.array.most_running for job in tasks if job.array):
        return Counter()
    return Counter(job.array.job for job in tasks if job.array and job.holding)


def _tries(capture: Capture, job: Job, running: Mapping[int, int]) -> tuple[int, int]:
    array = job.array
    if array is None:
        return 1, 1
    tries = _tasks(capture, array)
    if not array.most_running:
        return tries, tries
    left = max(0, array.most_running - running[array.job])
    # 22.05 only asks whether any task may run.
    return (min(tries, left) if capture.generation.rules != "22.05" else tries * (left > 0)), left


def waiting_tasks(capture: Capture) -> int:
    """Return how many jobs wait, each task of an array counted. CaptureError as `queue`."""
    return sum(tasks_of(capture, job) for job in capture.jobs if job.waiting)


def tasks_of(capture: Capture, job: Job) -> int:
    """Return how many jobs a waiting job stands for: of an array the tasks that wait. CaptureError."""
    return 1 if job.array is None else _tasks(capture, job.array)


def _tasks(capture: Capture, array: ArrayPart) -> int:
    """How many tasks a job of an array stands for: `1-4,9-20:2%3` names ten."""
    if array.task is not None:
        return 1
    try:
        return sum(map(len, task_ranges(array.waiting)))
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
