"""A cluster over time: ends, submissions, passes and cycles, second by second (section 13)."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import attrs

from shadowtime.scenarios.slurm import ArrayPart, Capture, Job, Share
from tests.oracles.slurm.access.past import owners, used_up
from tests.oracles.slurm.access.sharing import begun, calculated, charged
from tests.oracles.slurm.cycle import Begun, Made, cycle_made, entries
from tests.oracles.slurm.gang import Gang
from tests.oracles.slurm.holding import Use, leaving
from tests.oracles.slurm.main_pass import main_pass
from tests.oracles.slurm.preemption import mode_of
from tests.oracles.slurm.queue import young


class Event(NamedTuple):
    """Something that happened.

    `what` is end, submission, main pass (a start), backfill (a start), suspend, resume, requeue or cancel.
    """

    at: int
    what: str
    job: str
    nodes: frozenset[str] = frozenset()


class Round(NamedTuple):
    """A pass or a cycle, also one that starts nobody."""

    at: int
    what: str
    started: tuple[str, ...]
    tried: int
    stopped: str
    closed: tuple[tuple[str, str], ...]
    planned: int


EndOf = Callable[[int, int], int | None]
"""When a job that starts at an instant will have ended; None: at its limit."""


NEVER = 1 << 60
REQUEUED_AFTER = 120
"""Seconds until a requeued job is eligible."""
SECOND = 10**6
"""Microseconds."""


def unknown(_job: int, _start: int) -> None:
    """Nobody knows when a job ends."""


class OverTime:
    """A cluster and its clock. `cycles`: the seconds of the cycles, if they are known."""

    cycles: frozenset[int] | None = None

    def __init__(self, capture: Capture, now: int, end_of: EndOf = unknown) -> None:
        if not capture.calculated:
            capture = attrs.evolve(capture, calculated=now)
        capture = begun(capture)
        self.capture, self.now, self.end_of = capture, now, end_of
        self.ends = {job.id: leaving(capture, job, now) for job in capture.jobs if job.holding}
        self.completing: set[int] = set()
        self.next_id = max((job.id for job in capture.jobs), default=0) + 1
        self.cycle_after = SECOND * now
        self.pass_asked: int | None = None
        self.passed = now - capture.settings.batch_delay
        self.whole_after = now + capture.settings.sched_interval
        self.changed = True
        self.preempted: set[int] = set()
        self.slice_after = now + capture.settings.time_slice
        self.stopped: dict[int, tuple[int, int]] = {}
        """Suspended job -> since when, and the seconds that are left to it."""
        self.gang = self.begin_gang()
        self.known = {entry.job.id for entry in entries(capture, now)}
        self.events: list[Event] = []
        self.rounds: list[Round] = []

    def run(self, until: int) -> list[Event]:
        """Follow the cluster, each second up to a time."""
        while self.now <= until:
            self.second()
            self.now += 1
        return self.events

    def second(self) -> None:
        """What happens in one second."""
        asked = self.complete_jobs()
        self.end_jobs()
        asked |= self.reservations_change()
        asked |= self.submissions()
        self.calculate()
        self.turn()
        if asked and self.pass_asked is None:
            self.pass_asked = self.now
        self.passes()
        settings = self.capture.settings
        if settings.scheduler == "sched/backfill" and settings.backfill.interval > 0:
            self.cycle()

    def passes(self) -> None:
        """The quick pass, or the whole one."""
        settings = self.capture.settings
        asked = self.pass_asked is not None and self.pass_asked < self.now
        whole = settings.sched_interval > 0 and self.now >= self.whole_after
        if not whole and not (asked and self.now >= self.passed + settings.batch_delay):
            return
        if whole:
            self.whole_after = self.now + settings.sched_interval
        if asked:
            self.pass_asked = None
        self.passed = self.now
        depth = None if whole else settings.queue_depth
        self.start(main_pass(self.capture, self.now, depth), "main pass")

    def cycle(self) -> None:
        """The backfill cycle, but not while a preempted job completes; `cycle_after` is in microseconds."""
        if self.cycles is not None:
            if self.now in self.cycles:
                self.start(cycle_made(self.capture, self.now), "backfill")
            return
        if self.preempted or self.cycle_after >= SECOND * (self.now + 1):
            return
        count = len(entries(self.capture, self.now))
        if count or self.changed:
            self.changed = False
            began = max(self.cycle_after, SECOND * self.now)
            taken = self.capture.entry_cost * count
            self.cycle_after = began + SECOND * self.capture.settings.backfill.interval + taken
            self.start(cycle_made(self.capture, self.now), "backfill")

    def calculate(self) -> None:
        """Priorities are calculated."""
        standing, share = self.capture.standing, self.capture.settings.fair_share
        if standing is not None and share is not None and self.now - standing.calculated == share.period:
            self.capture = calculated(self.capture, self.now)
            self.change()
            self.end_jobs()

    def change(self) -> None:
        """Something has changed."""
        self.changed = True

    def end_jobs(self) -> None:
        """Jobs end; they hold their nodes until the next second."""
        over = {
            job.id
            for job in self.capture.jobs
            if job.holding and job.id not in self.completing
            if self.ends[job.id] <= self.now or self.used_up(job)
        }
        self.completing |= over
        jobs = [
            attrs.evolve(job, states=("COMPLETING",)) if job.id in over else job for job in self.capture.jobs
        ]
        self.capture = attrs.evolve(self.capture, jobs=tuple(jobs))

    def used_up(self, job: Job) -> bool:
        """Whether a job runs under a limit on past usage that is reached."""
        reached = {each for each, _ in used_up(self.capture)} if self.capture.standing else set()
        counts = bool(reached) and "SUSPENDED" not in job.states
        return counts and not reached.isdisjoint(owners(self.capture, job, job.partitions[0]))

    def complete_jobs(self) -> bool:
        """Jobs that ended in the second before are gone, or wait again."""
        if not self.completing:
            return False
        gone = [job for job in self.capture.jobs if job.id in self.completing]
        for job in gone:
            self.capture = charged(self.capture, job, self.now - 1)
        jobs = [job for job in self.capture.jobs if job.id not in self.completing]
        jobs += [self.again(job) for job in gone if job.id in self.preempted and self.requeued(job)]
        if self.preempted:
            self.pass_asked, self.passed = self.now - 1, self.now - self.capture.settings.batch_delay
        self.completing, self.preempted = set(), set()
        self.capture = attrs.evolve(self.capture, jobs=tuple(jobs))
        self.events += [Event(self.now, "end", name_of(job)) for job in gone]
        self.change()
        self.satisfy()
        if self.gang is not None:
            for job in gone:
                self.gang.finish(job.id)
        self.follow_gang()
        return True

    def satisfy(self) -> None:
        """Dependencies on jobs that are over are satisfied."""
        jobs = []
        for job in self.capture.jobs:
            dependency = left(job, self.capture.jobs, self.present)
            since = job.accrued_since
            if "unfulfilled" in job.dependency and not dependency:
                since = since or self.now
            jobs.append(attrs.evolve(job, dependency=dependency, accrued_since=since))
        self.capture = attrs.evolve(self.capture, jobs=tuple(jobs))

    @property
    def present(self) -> set[int]:
        """The jobs, and the arrays of jobs, that are not over."""
        jobs = self.capture.jobs
        return {job.id for job in jobs} | {job.array.job for job in jobs if job.array}

    def reservations_change(self) -> bool:
        """Whether a reservation begins or ends in this second."""
        fixed = [each for each in self.capture.reservations if "TIME_FLOAT" not in each.flags]
        found = any(self.now in (each.begin, each.end) for each in fixed)
        if found:
            self.change()
        return found

    def submissions(self) -> bool:
        """Whether jobs come into the queue."""
        new = [entry.job.id for entry in entries(self.capture, self.now) if entry.job.id not in self.known]
        for job in dict.fromkeys(new):
            self.known.add(job)
            self.change()
            self.events.append(Event(self.now, "submission", str(job)))
        return bool(new)

    def start(self, made: Made, what: str) -> None:
        """Jobs start, and others are preempted for those that start later."""
        names = []
        for each in made.begun:
            self.change()
            job = self.started(each)
            names.append(name_of(job))
            self.events.append(Event(self.now, what, name_of(job), frozenset(job.nodes)))
            if self.gang is not None:
                self.gang.start(job.id, job.partitions[0], cpus_of(self.capture, job))
        self.rounds.append(
            Round(self.now, what, tuple(names), made.tried, made.stopped, made.closed, made.planned)
        )
        self.follow_gang()
        jobs = {job.id: job for job in self.capture.jobs}
        for gone in made.preempted:
            self.change()
            self.completing.add(gone.id)
            self.preempted.add(gone.id)
            what = "requeue" if self.requeued(jobs[gone.id]) else "cancel"
            self.events.append(Event(self.now, what, name_of(jobs[gone.id])))
            jobs[gone.id] = attrs.evolve(jobs[gone.id], states=("COMPLETING",))
        self.capture = attrs.evolve(self.capture, jobs=tuple(jobs.values()))

    def requeued(self, job: Job) -> bool:
        """Whether a job that is preempted waits again."""
        return mode_of(self.capture, job) == "REQUEUE"

    def again(self, job: Job) -> Job:
        """The job as it waits again: submitted anew, under priority/basic with the lowest priority."""
        self.known.discard(job.id)
        present = [each for each in self.capture.jobs if each.submit <= self.now]
        lowest = min((each.priority for each in present if each.priority), default=1)
        basic = self.capture.settings.priority == "priority/basic"
        eligible = self.now + REQUEUED_AFTER
        job = attrs.evolve(job, priority=max(1, lowest - 1)) if basic else young(self.capture, job, eligible)
        return attrs.evolve(
            job, states=("PENDING",), submit=self.now, eligible=eligible, begin=0, end=0, nodes=(), shares=()
        )

    def begin_gang(self) -> Gang | None:
        """The rows of the partitions, if the configuration has them."""
        capture = self.capture
        if "GANG" not in capture.settings.preempt_mode.split(","):
            return None
        gang = Gang(
            {partition.name: partition.tier for partition in capture.partitions},
            {node.name: node.cores * node.threads for node in capture.nodes},
        )
        holding = [job for job in capture.jobs if job.holding]
        for job in sorted(holding, key=lambda job: (job.begin, job.id)):
            stopped = "SUSPENDED" in job.states
            gang.stand(job.id, job.partitions[0], cpus_of(capture, job), stopped)
            if stopped:
                self.stopped[job.id] = (self.now, max(1, job.end - self.now))
                self.ends[job.id] = NEVER
        return gang

    def turn(self) -> None:
        """The time slicer."""
        if self.gang is not None and self.now >= self.slice_after:
            self.slice_after += self.capture.settings.time_slice
            self.gang.turn()
            self.follow_gang()

    def follow_gang(self) -> None:
        """Jobs are suspended and resumed; the end of a job is as much later as it was suspended."""
        if self.gang is None:
            return
        jobs = {job.id: job for job in self.capture.jobs}
        for what, number in self.gang.changes:
            job = jobs[number]
            self.change()
            self.events.append(Event(self.now, what, name_of(job)))
            if what == "suspend":
                self.stopped[number] = (self.now, self.ends[number] - self.now)
                self.ends[number] = NEVER
                jobs[number] = attrs.evolve(job, states=("SUSPENDED",))
            else:
                since, left = self.stopped.pop(number)
                self.ends[number] = self.now + left
                jobs[number] = attrs.evolve(job, states=("RUNNING",), end=job.end + self.now - since)
        self.gang.changes = []
        self.capture = attrs.evolve(self.capture, jobs=tuple(jobs.values()))

    def started(self, begun: Begun) -> Job:
        """Put a running job into the capture in place of the waiting one; other tasks of it go to the end."""
        job, held = begun.entry.job, begun.running
        waiting = next(each for each in self.capture.jobs if each.id == job.id)
        names = [node.name for node in self.capture.nodes]
        run = attrs.evolve(
            waiting,
            states=("RUNNING",),
            partitions=(begun.entry.partition.name,),
            begin=self.now,
            end=held.end,
            nodes=tuple(names[node] for node in held.nodes),
            shares=shares_of(self.capture, held.nodes),
            request=attrs.evolve(waiting.request, exclusive=held.exclusive),
        )
        rests = []
        if waiting.array is not None and waiting.array.task is None:
            task, rest = first_task(waiting.array.waiting)
            run = attrs.evolve(
                run, id=self.next_id, array=ArrayPart(waiting.array.job, task, "", waiting.array.most_running)
            )
            self.next_id += 1
            if rest:
                rests.append(attrs.evolve(waiting, array=attrs.evolve(waiting.array, waiting=rest)))
        known = self.end_of(job.id, self.now)
        self.ends[run.id] = held.end if known is None else min(known, held.end)
        jobs = [run if each.id == job.id else each for each in self.capture.jobs]
        self.capture = attrs.evolve(self.capture, jobs=(*jobs, *rests))
        return run


def cpus_of(capture: Capture, job: Job) -> dict[str, int]:
    """The CPUs that a job holds, by node."""
    threads = {node.name: node.threads for node in capture.nodes}
    return {share.node: share.cores * threads[share.node] for share in job.shares}


def name_of(job: Job) -> str:
    """How a job is named: `12`, `12_3`, `12+1`."""
    if job.het_job:
        return f"{job.het_job}+{job.het_offset}"
    return str(job.id) if job.array is None else f"{job.array.job}_{job.array.task}"


def shares_of(capture: Capture, nodes: Mapping[int, Use]) -> tuple[Share, ...]:
    """What a job holds, as a capture has it."""
    return tuple(
        Share(
            capture.nodes[node].name, use.cpus // capture.nodes[node].threads, use.memory, text(use.devices)
        )
        for node, use in nodes.items()
    )


def text(devices: Mapping[tuple[str, str], int]) -> str:
    """Devices as a job that holds them shows them."""
    return ",".join(":".join(filter(None, (*kind, str(count)))) for kind, count in devices.items())


def left(job: Job, jobs: Sequence[Job], present: set[int]) -> str:
    """The dependency of a job; empty once every job that it names, or waits for, is over."""
    dependency = job.dependency
    terms = [term for term in dependency.split(",") if "unfulfilled" in term]
    for term in terms:
        if term == "singleton(unfulfilled)":
            # No array with this dependency was recorded.
            if job.array or any(before(each, job) for each in jobs):
                return dependency
            continue
        found = re.match(r"(?:afterok|afterany):(\d+)(?:_\S+)?\(unfulfilled\)$", term)
        if found is None or int(found[1]) in present:
            return dependency
    return "" if terms else dependency


def before(other: Job, job: Job) -> bool:
    """Whether another job of the same name and user was submitted before, or holds nodes."""
    if other.id == job.id or (other.name, other.user) != (job.name, job.user):
        return False
    return other.holding or (other.waiting and number_of(other) < job.id)


def number_of(job: Job) -> int:
    """The id with which a job was submitted: of a task that of its array."""
    return job.array.job if job.array else job.id


def first_task(text: str) -> tuple[int, str]:
    """The first task of `1-4,9-20:2%3`, and the text of the others."""
    tasks: list[int] = []
    for word in filter(None, text.partition("%")[0].split(",")):
        span, _, step = word.partition(":")
        first, _, last = span.partition("-")
        tasks += range(int(first), int(last or first) + 1, int(step or 1))
    return tasks[0], ",".join(str(task) for task in tasks[1:])
