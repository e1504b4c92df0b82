"""Who is in the queue, in which order, how often each is tried (docs/slurm-cycle.md, sections 2 and 7)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cmp_to_key
from typing import Any

import attrs

from shadowtime.console.session.slurm.admission import Admission
from shadowtime.console.session.slurm.guard.reasons import believed
from shadowtime.console.session.slurm.preemption import Preemption
from shadowtime.console.session.slurm.priorities.standing import Priorities, grows_since
from shadowtime.kernels.slurm.over_time.lines import Known, Line, Lines
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
    kept: list[tuple[Any, Any]] = attrs.field(factory=list, init=False, eq=False, repr=False)
    """One pair: the nodes of the problem that last asked for it, and the entry that was made of it there."""

    @property
    def name(self) -> str:
        return self.job.shown


class EntryQueue:
    """The queue of a cluster whose jobs and priorities change: what a job alone decides is made once."""

    def __init__(self, capture: Capture) -> None:
        self._admission = Admission(capture)
        self._partitions = {each.name: each for each in capture.partitions}
        self._begins = {each.name: each.opens for each in capture.reservations}
        self._old = old = capture.generation.rules == "22.05"
        self._places = {name: place * old for place, name in enumerate(self._partitions)}
        preempts = capture.settings.preempt not in ("", "preempt/none")
        self._before = Preemption(capture) if preempts else None
        self._capture = capture
        compared = capture.settings.backfill.min_prio_reserve > 0
        self._lines = Lines(self._know, self._admission.limits.refusal, Waiting, compared)

    def at(self, capture: Capture, now: int, priorities_of: int | None = None) -> list[Waiting]:
        """Return the entries in order; the same list as before, if nothing has changed.

        `capture`: the cluster with other jobs or another standing. `priorities_of`: with the priorities of
        another instant. Entries are made anew for another priority only if priorities are compared with
        `bf_min_prio_reserve`. CaptureError if the tasks of an array cannot be read.
        """
        growth = Priorities(capture, now if priorities_of is None else priorities_of).growth
        self._capture = capture
        self._admission.limits.count(capture)
        running: list[Counter[int]] = []

        def tries(job: Job, tasks: int) -> tuple[int, int]:
            if job.array is not None and job.array.most_running and not running:
                running.append(_running_tasks(capture))
            return _tries(self._old, job, tasks, running[0] if running else {})

        entries = self._lines.listed(capture.jobs, now, growth, tries, MOST_GONE)
        if self._before is not None:
            entries = sorted(entries, key=cmp_to_key(self._before.compare))
        return entries

    def _know(self, job: Job) -> Known:
        capture = self._capture
        if not job.waiting or job.priority == 0 or job.depends or believed(capture, job):
            return Known(job)
        since = max(job.eligible, self._begins.get(job.reservation, 0))
        lines = [
            self._line(job, partition)
            for partition in map(self._partitions.__getitem__, job.partitions)
            if not self._admission.shuts_out(job, partition)
        ]
        return Known(job, since, 1 if job.array is None else _tasks(capture, job.array), lines)

    def _line(self, job: Job, partition: Partition) -> Line:
        array, admission = job.array, self._admission
        number, task = (job.id, None) if array is None else (array.job, array.task)
        return Line(
            job,
            partition,
            may_start=admission.may_start(job, partition),
            refusable=admission.limits.may_refuse(job, partition),
            first=(not job.reservation, -partition.tier),
            last=(job.submit, number, -1 if task is None else task, self._places[partition.name]),
            captured=job.priority_by_partition.get(partition.name, job.priority),
            since=grows_since(job),
            plans=1 if array is None else self._capture.settings.backfill.max_job_array_resv,
        )

    def moved_up(self, capture: Capture, now: int) -> tuple[str, ...]:
        """Return the jobs that the calculation of now takes past others, or across `bf_min_prio_reserve`."""
        before = self.at(capture, now, priorities_of=now - 1)
        return passed(before, self.at(capture, now), capture.settings.backfill.min_prio_reserve)


def passed(before: Sequence[Waiting], after: Sequence[Waiting], least: int) -> tuple[str, ...]:
    """Return the jobs that have passed others between two orders of the same entries, or a priority."""
    if before is after:
        return ()
    places = {(entry.job.id, entry.partition.name): place for place, entry in enumerate(before)}
    found = []
    for place, entry in enumerate(after):
        old = places[entry.job.id, entry.partition.name]
        if place < old or (before[old].priority < least) != (entry.priority < least):
            found.append(entry.name)
    return tuple(dict.fromkeys(found))


def queue(capture: Capture, now: int) -> list[Waiting]:
    """Return the entries in order. CaptureError if the tasks of an array cannot be read."""
    made = EntryQueue(capture)
    found = made.at(capture, now)
    del made._lines  # They lead back to the queue.
    return found


def tries_of(capture: Capture, job: Job) -> tuple[int, int]:
    """How often an entry is tried, and how many of the tries may start."""
    tasks = 1 if job.array is None else _tasks(capture, job.array)
    return _tries(capture.generation.rules == "22.05", job, tasks, _running_tasks(capture))


def _running_tasks(capture: Capture) -> Counter[int]:
    """How many tasks hold nodes, by array."""
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
