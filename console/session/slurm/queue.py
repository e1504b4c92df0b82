"""Who is in the queue, in which order, how often each is tried (docs/slurm-cycle.md, sections 2 and 7)."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cmp_to_key
from typing import Any

import attrs

from shadowtime.console.session.slurm.admission import Admission
from shadowtime.console.session.slurm.guard.reasons import believed
from shadowtime.console.session.slurm.priorities import Priorities
from shadowtime.scenarios.slurm import ArrayPart, Capture, Job, Partition
from shadowtime.scenarios.slurm.errors import broken
from shadowtime.scenarios.slurm.tasks import task_ranges

MOST_GONE = 1000
"""Jobs that are over, and of which something is kept."""


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
    kept: list[Any] = attrs.field(factory=list, init=False, eq=False, repr=False)
    """The problem that it was last asked for in, and the entry that was made of it there."""

    @property
    def name(self) -> str:
        """How Slurm names it."""
        return self.job.shown


@attrs.define(eq=False)
class _Candidate:
    """A waiting job in a partition that lets it in, and the entry that it had last."""

    partition: Partition
    may_start: bool
    refusable: bool
    """Whether a limit may keep it out."""
    first: tuple[bool, int]
    """What goes before its priority in the order of the queue, and what comes after it."""
    last: tuple[int, int, int, int]
    entry: Waiting | None = None
    key: tuple[tuple[bool, int], int, tuple[int, int, int, int]] = (False, 0), 0, (0, 0, 0, 0)
    """Its place in the order of the queue."""
    calculation: tuple[int, object] = (0, None)
    """That of its priority."""


@attrs.frozen
class _Known:
    """What of a job does not change while the job stays as it is."""

    job: Job
    since: float = 0
    """Before this instant it is not in the queue."""
    tasks: int = 0
    candidates: tuple[_Candidate, ...] = ()


class Queue:
    """The queue of a cluster whose jobs and priorities change: what a job alone decides is made once."""

    def __init__(self, capture: Capture) -> None:
        self._admission = Admission(capture)
        self._partitions = {each.name: each for each in capture.partitions}
        self._begins = {each.name: each.opens for each in capture.reservations}
        self._known: dict[int, _Known] = {}
        self._old = old = capture.generation.rules == "22.05"
        self._places = {name: place * old for place, name in enumerate(self._partitions)}
        preempts = capture.settings.preempt not in ("", "preempt/none")
        self._before = _Preemption(capture) if preempts else None

    def at(self, capture: Capture, now: int, priorities_of: int | None = None) -> list[Waiting]:
        """Return the entries in order. CaptureError if the tasks of an array cannot be read.

        `capture`: the cluster with other jobs or another standing. `priorities_of`: with the priorities of
        another instant.
        """
        priorities = Priorities(capture, now if priorities_of is None else priorities_of)
        self._admission.count(capture)
        found = list(self._found(capture, now, priorities))
        found.sort(key=_key)
        entries = [each.entry for each in found if each.entry is not None]
        if self._before is not None:
            entries.sort(key=cmp_to_key(self._before.compare))
        return entries

    def _found(self, capture: Capture, now: int, priorities: Priorities) -> Iterator[_Candidate]:
        """The candidates that are in the queue, each with its entry."""
        limits, known, calculation = self._admission.limits, self._known, priorities.calculation
        most, running = capture.settings.backfill.max_job_array_resv, _running_tasks(capture)
        if len(known) > 2 * len(capture.jobs) + MOST_GONE:
            known.clear()
        for job in capture.jobs:
            found = known.get(job.id)
            if found is None or found.job is not job:
                found = known[job.id] = self._know(capture, job)
            if not found.candidates or found.since > now:
                continue
            tries = starts = found.tasks
            if job.array is not None:
                tries, starts = _tries(self._old, job, tries, running)
                if tries <= 0:
                    continue
            for each in found.candidates:
                if each.refusable and limits.refusal(job, each.partition):
                    continue
                last, may = each.entry, starts if each.may_start else 0
                if last is not None and each.calculation == calculation:
                    priority = last.priority
                else:
                    priority = priorities.of(job, each.partition.name)
                    each.calculation = calculation
                if last is None or last.priority != priority or last.tries != tries or last.starts != may:
                    plans = 1 if job.array is None else most
                    each.entry = Waiting(job, each.partition, priority, tries, may, plans)
                    each.key = each.first, -priority, each.last
                yield each

    def _know(self, capture: Capture, job: Job) -> _Known:
        if not job.waiting or job.priority == 0 or job.depends or believed(capture, job):
            return _Known(job)
        since = max(job.eligible, self._begins.get(job.reservation, 0))
        candidates = (
            self._candidate(job, partition)
            for partition in map(self._partitions.__getitem__, job.partitions)
            if not self._admission.shuts_out(job, partition)
        )
        return _Known(job, since, 1 if job.array is None else _tasks(capture, job.array), tuple(candidates))

    def _candidate(self, job: Job, partition: Partition) -> _Candidate:
        array, admission = job.array, self._admission
        number, task = (job.id, None) if array is None else (array.job, array.task)
        return _Candidate(
            partition,
            admission.may_start(job, partition),
            admission.limits.may_refuse(job, partition),
            (not job.reservation, -partition.tier),
            (job.submit, number, -1 if task is None else task, self._places[partition.name]),
        )

    def moved_up(self, capture: Capture, now: int) -> tuple[str, ...]:
        """Return the jobs that the calculation of now takes past others, or across `bf_min_prio_reserve`."""
        before = self.at(capture, now, priorities_of=now - 1)
        return passed(before, self.at(capture, now), capture.settings.backfill.min_prio_reserve)


def _key(candidate: _Candidate) -> tuple[tuple[bool, int], int, tuple[int, int, int, int]]:
    return candidate.key


def passed(before: Sequence[Waiting], after: Sequence[Waiting], least: int) -> tuple[str, ...]:
    """Return the jobs that have passed others between two orders of the same entries, or a priority."""
    places = {(entry.job.id, entry.partition.name): place for place, entry in enumerate(before)}
    found = []
    for place, entry in enumerate(after):
        old = places[entry.job.id, entry.partition.name]
        if place < old or (before[old].priority < least) != (entry.priority < least):
            found.append(entry.name)
    return tuple(dict.fromkeys(found))


def queue(capture: Capture, now: int) -> list[Waiting]:
    """Return the entries in order. CaptureError if the tasks of an array cannot be read."""
    return Queue(capture).at(capture, now)


def tries_of(capture: Capture, job: Job) -> tuple[int, int]:
    """How often an entry is tried, and how many of the tries may start."""
    tasks = 1 if job.array is None else _tasks(capture, job.array)
    return _tries(capture.generation.rules == "22.05", job, tasks, _running_tasks(capture))


def _running_tasks(capture: Capture) -> Counter[int]:
    """How many tasks hold nodes, by array; nothing is counted if no array bounds how many may."""
    if not any(job.array is not None and job.array.most_running for job in capture.jobs):
        return Counter()
    return Counter(job.array.job for job in capture.jobs if job.array and job.holding)


def _tries(old: bool, job: Job, tasks: int, running: Mapping[int, int]) -> tuple[int, int]:
    array = job.array
    if array is None or not array.most_running:
        return tasks, tasks
    left = max(0, array.most_running - running[array.job])
    # 22.05 only asks whether any task may run.
    return (tasks * (left > 0) if old else min(tasks, left)), left


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
