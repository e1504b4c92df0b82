"""A captured cluster over time: when each waiting job is expected to start (docs/slurm.md, section 13).

From one event to the next; the queue and the cluster are read off the capture as it stands then.
"""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum

import attrs

from console.session.slurm.problem import Problem
from console.session.slurm.queue import queue
from console.session.slurm.rows import Change
from console.session.slurm.timing import Pass, Timing
from console.session.slurm.turns import NEVER, Turns
from kernels.slurm import Cluster, Holder, Made, main_pass, members, run_cycle
from scenarios.slurm import ArrayPart, Capture, Job, format_hosts
from scenarios.slurm.config import parse_licenses

_NAMED = re.compile(r"(?:afterok|afterany):(\d+)(?:_\S+)?\(unfulfilled\)")
REQUEUED_AFTER = 120
"""Seconds until a requeued job is eligible."""


class Happening(StrEnum):
    """What happens on a cluster."""

    END = "end"
    SUBMISSION = "submission"
    MAIN_PASS = "main pass"
    BACKFILL = "backfill"
    SUSPEND = "suspend"
    RESUME = "resume"
    REQUEUE = "requeue"
    CANCEL = "cancel"


@attrs.frozen
class Event:
    """What happens to a job at an instant; `nodes` of a start."""

    at: int
    what: Happening
    job: str
    nodes: str = ""

    @property
    def starts(self) -> bool:
        """Whether a job starts."""
        return self.what in (Happening.MAIN_PASS, Happening.BACKFILL)


class OverTime:
    """A cluster, its clock, and what is due on it; every job runs until its limit."""

    def __init__(self, capture: Capture, now: int) -> None:
        self.capture, self.now = capture, now
        self._settings = capture.settings
        self._problem = Problem(capture)
        self._jobs = {job.id: job for job in capture.jobs}
        self._names = [node.name for node in capture.nodes]
        self._held: dict[int, Holder] = {}
        self._ends = {job.id: self._problem.leaves(job, now) for job in capture.jobs if job.holding}
        self._next_id = max(self._jobs, default=0) + 1
        self._completing: set[int] = set()
        self._preempted: set[int] = set()
        self._turns = Turns(capture, now)
        for job in capture.jobs:
            if self._turns.stands(job):
                self._ends[job.id] = NEVER
        self._timing, self._seen = Timing(capture, now), now
        self._known = {entry.job.id for entry in queue(capture, now)}
        edges = {edge for each in capture.reservations for edge in (each.begin, each.end)}
        self._edges = edges | {job.eligible for job in capture.jobs if job.waiting}

    def events(self) -> Iterator[Event]:
        """Yield what happens, until nothing more can."""
        while True:
            yield from self._instant()
            following = self._following()
            if following is None:
                return
            self.now = following

    def _following(self) -> int | None:
        """The next second in which something is due; None if no job waits any more, or nothing is to come."""
        if not self._preempted and not any(job.waiting for job in self._jobs.values()):
            return None
        times = [end for job, end in self._ends.items() if job not in self._completing]
        times += [edge for edge in self._edges if edge > self.now]
        times += self._timing.due(self.now, self._waiting)
        times += self._turns.due()
        if self._completing:
            times.append(self.now + 1)
        return max(min(times), self.now + 1) if times else None

    def _instant(self) -> Iterator[Event]:
        """What happens in this second, in the order of the definition."""
        timing = self._timing
        timing.pass_over(self.now, self._waiting)
        self._seen = self.now
        asked = self._complete_jobs()
        yield from self._end_jobs()
        if any(self.now in (each.begin, each.end) for each in self.capture.reservations):
            asked = True
            timing.change()
        for event in self._submissions():
            asked = True
            yield event
        if asked:
            timing.ask_for_pass(self.now)
        yield from self._follow(self._turns.turn(self.now))
        kind = timing.take_pass(self.now)
        if kind is not None:
            cluster = self._cluster(every_task=True)
            depth = self._settings.queue_depth if kind is Pass.QUICK else None
            yield from self._start(cluster, main_pass(cluster, depth), Happening.MAIN_PASS)
        if not self._preempted and timing.cycle_due(self.now):
            cluster = self._cluster()
            if timing.take_cycle(self.now, len(cluster.entries)):
                yield from self._start(cluster, run_cycle(cluster)[1], Happening.BACKFILL)

    def _waiting(self) -> int:
        """How many entries there were in the last second that something happened in."""
        return len(queue(self.capture, self._seen))

    def _renew(self) -> None:
        self.capture = attrs.evolve(self.capture, jobs=tuple(self._jobs.values()))

    def _end_jobs(self) -> Iterator[Event]:
        """Jobs end; they hold their nodes until the next second."""
        changes: list[Change] = []
        for job in self._jobs.values():
            if job.holding and job.id not in self._completing and self._ends[job.id] <= self.now:
                self._completing.add(job.id)
                self._timing.stir(self.now)
                yield Event(self.now, Happening.END, name_of(job))
                changes += self._turns.finish(job)
        yield from self._follow(changes)

    def _complete_jobs(self) -> bool:
        """Whether jobs ended in the second before: they are gone."""
        if not self._completing:
            return False
        again = set()
        for number in self._completing:
            job = self._jobs.pop(number)
            del self._ends[number]
            self._held.pop(number, None)
            if number in self._preempted and self._requeued(job):
                again.add(number)
        for job in self.capture.jobs:
            if job.id in again:
                self._jobs[job.id] = self._again(job)
        if self._preempted:
            self._timing.ask_at_once(self.now)
        self._completing, self._preempted = set(), set()
        self._timing.change()
        self._satisfy()
        self._renew()
        return True

    def _satisfy(self) -> None:
        """Dependencies on jobs that are over are satisfied."""
        present = {*self._jobs, *(job.array.job for job in self._jobs.values() if job.array)}
        for job in self._jobs.values():
            terms = [term for term in job.dependency.split(",") if "unfulfilled" in term]
            found = [_NAMED.fullmatch(term) for term in terms]
            if terms and all(each and int(each[1]) not in present for each in found):
                self._jobs[job.id] = attrs.evolve(job, dependency="")

    def _submissions(self) -> Iterator[Event]:
        new = [entry.job.id for entry in queue(self.capture, self.now) if entry.job.id not in self._known]
        for job in dict.fromkeys(new):
            self._known.add(job)
            self._timing.change()
            yield Event(self.now, Happening.SUBMISSION, str(job))

    def _cluster(self, every_task: bool = False) -> Cluster:
        """The cluster as it stands; `every_task`: the tasks of an array that are tried are not bounded."""
        entries = queue(self.capture, self.now, every_task)
        return self._problem.cluster(entries, self.now, self.capture.jobs, self._held)

    def _start(self, cluster: Cluster, made: Made, what: Happening) -> Iterator[Event]:
        """Jobs start, and others are preempted for those that start later."""
        for index, holder in made.begun:
            entry = cluster.entries[index]
            job = self._started(self._jobs[entry.job], entry.partition, holder)
            self._timing.change()
            yield Event(self.now, what, name_of(job), format_hosts(job.nodes))
            yield from self._follow(self._turns.start(job, holder))
        changes: list[Change] = []
        for index in made.preempted:
            job = self._jobs[cluster.holders[index].job]
            self._timing.change()
            self._completing.add(job.id)
            self._preempted.add(job.id)
            yield Event(
                self.now, Happening.REQUEUE if self._requeued(job) else Happening.CANCEL, name_of(job)
            )
            changes += self._turns.finish(job)
            self._jobs[job.id] = attrs.evolve(job, states=("COMPLETING",))
        yield from self._follow(changes)
        if made.begun or made.preempted:
            self._renew()

    def _follow(self, changes: Sequence[Change]) -> Iterator[Event]:
        """Jobs are suspended and resumed; the end of a job is as much later as it was suspended."""
        for change in changes:
            job = self._jobs[change.job]
            self._timing.change()
            yield Event(self.now, Happening.RESUME if change.resumed else Happening.SUSPEND, name_of(job))
            if change.resumed:
                since, left = self._turns.resume(job.id)
                self._ends[job.id] = self.now + left
                end = job.end + self.now - since
                self._jobs[job.id] = attrs.evolve(job, states=("RUNNING",), end=end)
                if job.id in self._held:
                    self._held[job.id] = attrs.evolve(self._held[job.id], end=end, leaves=end)
            else:
                self._turns.suspend(job.id, self.now, self._ends[job.id] - self.now)
                self._ends[job.id] = NEVER
                self._jobs[job.id] = attrs.evolve(job, states=("SUSPENDED",))
        if changes:
            self._renew()

    def _requeued(self, job: Job) -> bool:
        """Whether a job that is preempted waits again."""
        return self._problem.preemption.mode(job) == "REQUEUE"

    def _again(self, job: Job) -> Job:
        """A job as it waits again: submitted anew, under priority/basic with the lowest priority."""
        self._known.discard(job.id)
        priority = job.priority
        if self._settings.priority == "priority/basic":
            there = self.capture.jobs
            known = [each.priority for each in there if each.priority and each.submit <= self.now]
            priority = max(1, min(known, default=1) - 1)
        eligible = self.now + REQUEUED_AFTER
        self._edges.add(eligible)
        return attrs.evolve(
            job, states=("PENDING",), priority=priority, submit=self.now, eligible=eligible, begin=0, end=0,
            nodes=(), shares=(),
        )  # fmt: skip

    def _started(self, waiting: Job, partition: str, holder: Holder) -> Job:
        """Put a running job in place of a waiting one, or of one task of it."""
        nodes = tuple(self._names[node] for node in members(holder.nodes))
        run = attrs.evolve(
            waiting, states=("RUNNING",), partitions=(partition,), begin=self.now, end=holder.end, nodes=nodes
        )
        del self._jobs[waiting.id]
        array = waiting.array
        if array is not None and array.task is None:
            task, rest = first_task(array.waiting)
            run = attrs.evolve(
                run, id=self._next_id, array=ArrayPart(array.job, task, "", array.most_running)
            )
            self._next_id += 1
            if rest:
                self._jobs[waiting.id] = attrs.evolve(waiting, array=attrs.evolve(array, waiting=rest))
        self._jobs[run.id] = run
        self._ends[run.id] = holder.end
        self._held[run.id] = attrs.evolve(
            holder, licenses=parse_licenses(waiting.request.licenses), job=run.id
        )
        return run


@attrs.frozen
class Expected:
    """When a waiting job, or a task of an array, is expected to start, and by what. None: it never does."""

    job_id: str
    start: int | None
    by: str
    nodes: str


def expected_starts(capture: Capture, now: int) -> tuple[Expected, ...]:
    """Return the starts in the order of time, then the jobs that do not start."""
    over_time = OverTime(capture, now)
    starts = [event for event in over_time.events() if event.starts]
    found = [Expected(event.job, event.at, event.what.value, event.nodes) for event in starts]
    found += [Expected(name_of(job), None, "", "") for job in over_time.capture.jobs if job.waiting]
    return tuple(found)


def name_of(job: Job) -> str:
    """How Slurm names a job: `12`, `12_3` for a task, `12_*` for the tasks that wait."""
    if job.array is None:
        return str(job.id)
    return f"{job.array.job}_{'*' if job.array.task is None else job.array.task}"


def first_task(text: str) -> tuple[int, str]:
    """Return the first task of a list such as `1-4,9-20:2%3`, and the list of the others."""
    word, _, others = text.partition("%")[0].partition(",")
    span, _, step = word.partition(":")
    first, _, last = span.partition("-")
    after = int(first) + int(step or 1)
    rest = f"{after}-{last}:{step or 1}" if last and after <= int(last) else ""
    return int(first), ",".join(filter(None, (rest, others)))
