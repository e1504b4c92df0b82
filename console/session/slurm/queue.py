"""Who is in the queue, in which order, how often each is tried (docs/slurm-cycle.md, sections 2 and 7)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cmp_to_key
from pathlib import Path
from typing import Any

import attrs

from shadowtime.console.session.slurm.admission import Admission
from shadowtime.console.session.slurm.guard.reasons import believed
from shadowtime.console.session.slurm.priorities.standing import Priorities, grows_since
from shadowtime.kernels.slurm.over_time.lines import Known, Line, Lines
from shadowtime.scenarios.slurm import ArrayPart, Capture, Job, Partition, read_capture
from shadowtime.scenarios.slurm.errors import broken
from shadowtime.scenarios.slurm.tasks import task_ranges

MOST_GONE = 1000
"""Jobs that are over, and of which something is kept."""
MODES = frozenset(("SUSPEND", "REQUEUE", "CANCEL"))


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
        self._before = _Preemption(capture) if preempts else None
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


def read_summary(folder: Path) -> str:
    """Return what a captured folder has, in one line. CaptureError."""
    return summary(read_capture(folder))


def summary(capture: Capture) -> str:
    waiting = [job for job in capture.jobs if job.waiting]
    tasks = sum(tasks_of(capture, job) for job in waiting)
    arrays = f" ({tasks} with the tasks of arrays)" if tasks != len(waiting) else ""
    holding = sum(job.holding for job in capture.jobs)
    taken = datetime.fromtimestamp(capture.taken, UTC)
    return (
        f"Slurm {capture.settings.version}: {len(capture.nodes)} nodes, {holding} running and"
        f" {len(waiting)} waiting jobs{arrays} at {taken:%Y-%m-%d %H:%M:%S} UTC"
    )


class Preemption:
    """The rules of a cluster. What does not change with the jobs is made once."""

    def __init__(self, capture: Capture) -> None:
        self.capture = capture
        self.by_tier = capture.settings.preempt == "preempt/partition_prio"
        self.by_quality = capture.settings.preempt == "preempt/qos"
        words = capture.settings.preempt_mode.split(",")
        self.general = next((word for word in words if word in MODES), "OFF")
        self.lists = {quality.name: quality.preempts for quality in capture.qualities}
        groups = capture.partitions if self.by_tier else capture.qualities
        self.own = {each.name: each.preempt_mode for each in groups}
        """Partition, or quality of service -> its mode."""
        if self.by_tier:
            self.ranks = {each.name: each.tier for each in capture.partitions}
        else:
            self.ranks = {each.name: each.priority for each in capture.qualities}

    @property
    def on(self) -> bool:
        return self.by_tier or self.by_quality

    def mode(self, job: Job) -> str:
        """What happens to a job that is preempted: SUSPEND, REQUEUE, CANCEL or OFF."""
        return self.own.get(self._group(job), "") or self.general

    def victims(
        self, entry: Waiting, holding: Sequence[Job], now: int
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The jobs that an entry may suspend, and those that it may have requeued or cancelled, by index.

        The second ones are in the order in which they are thought away: rank, size, id.
        """
        suspends, preempts = [], []
        exempt = self.capture.settings.preempt_exempt
        for index, job in enumerate(holding):
            mode = self.mode(job)
            if mode not in MODES or "COMPLETING" in job.states:
                continue
            if not self._may(entry, job):
                continue
            if mode == "SUSPEND":
                suspends.append(index)
            elif "SUSPENDED" not in job.states and job.end > now >= job.begin + exempt:
                preempts.append((self.ranks.get(self._group(job), 0), len(job.nodes), job.id, index))
        return tuple(suspends), tuple(index for *_, index in sorted(preempts))

    def _group(self, job: Job) -> str:
        return job.partitions[0] if self.by_tier else job.qos

    def _may(self, entry: Waiting, job: Job) -> bool:
        if self.by_tier:
            return self.ranks[job.partitions[0]] < entry.partition.tier
        return job.qos in self.lists.get(entry.job.qos, ())
