"""A cluster over time: ends, submissions, passes and cycles, second by second (section 13)."""

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

import attrs

from scenarios.slurm import ArrayPart, Capture, Job, Share
from tests.oracles.slurm.cycle import Begun, Made, cycle_made
from tests.oracles.slurm.holding import Use, leaving
from tests.oracles.slurm.main_pass import main_pass, submission_pass
from tests.oracles.slurm.queue import queue


class Event(NamedTuple):
    """Something that happened: `what` is end, submission, main pass (a start) or backfill (a start)."""

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


def unknown(_job: int, _start: int) -> None:
    """Nobody knows when a job ends."""


class OverTime:
    """A cluster and its clock. `cycles`: the seconds of the cycles, if they are known."""

    cycles: frozenset[int] | None = None

    def __init__(self, capture: Capture, now: int, end_of: EndOf = unknown) -> None:
        self.capture, self.now, self.end_of = capture, now, end_of
        self.ends = {job.id: leaving(capture, job, now) for job in capture.jobs if job.holding}
        self.next_id = max((job.id for job in capture.jobs), default=0) + 1
        self.cycle_after = now
        self.pass_after = now + capture.settings.sched_interval
        self.changed_for_cycle, self.changed_for_pass = True, True
        self.known = {entry.job.id for entry in queue(capture, now)}
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
        free = self.end_jobs()
        free |= self.reservations_change()
        self.submissions()
        settings = self.capture.settings
        if free:
            self.start(main_pass(self.capture, self.now, settings.queue_depth), "main pass")
        if settings.sched_interval and self.changed_for_pass and self.now >= self.pass_after:
            self.changed_for_pass = False
            self.pass_after = self.now + settings.sched_interval
            self.start(main_pass(self.capture, self.now), "main pass")
        backfill = settings.scheduler == "sched/backfill" and settings.backfill.interval > 0
        due = self.changed_for_cycle and self.now >= self.cycle_after
        if backfill and (due if self.cycles is None else self.now in self.cycles):
            self.changed_for_cycle = False
            self.cycle_after = self.now + settings.backfill.interval
            self.start(cycle_made(self.capture, self.now), "backfill")

    def change(self) -> None:
        """Something has changed."""
        self.changed_for_cycle = self.changed_for_pass = True

    def end_jobs(self) -> bool:
        """Jobs end."""
        over = [job for job in self.capture.jobs if job.holding and self.ends[job.id] <= self.now]
        if not over:
            return False
        for job in over:
            self.events.append(Event(self.now, "end", name_of(job)))
            self.change()
        ended = {job.id for job in over}
        self.capture = attrs.evolve(
            self.capture, jobs=tuple(job for job in self.capture.jobs if job.id not in ended)
        )
        self.satisfy()
        return True

    def satisfy(self) -> None:
        """Dependencies on jobs that are over are satisfied."""
        jobs = [attrs.evolve(job, dependency=left(job.dependency, self.present)) for job in self.capture.jobs]
        self.capture = attrs.evolve(self.capture, jobs=tuple(jobs))

    @property
    def present(self) -> set[int]:
        """The jobs, and the arrays of jobs, that are not over."""
        jobs = self.capture.jobs
        return {job.id for job in jobs} | {job.array.job for job in jobs if job.array}

    def reservations_change(self) -> bool:
        """Whether a reservation begins or ends in this second."""
        found = any(self.now in (each.begin, each.end) for each in self.capture.reservations)
        if found:
            self.change()
        return found

    def submissions(self) -> None:
        """Jobs come into the queue."""
        new = [entry.job.id for entry in queue(self.capture, self.now) if entry.job.id not in self.known]
        for job in dict.fromkeys(new):
            self.known.add(job)
            self.change()
            self.events.append(Event(self.now, "submission", str(job)))
            self.start(submission_pass(self.capture, self.now, job), "main pass")

    def start(self, made: Made, what: str) -> None:
        """Jobs start."""
        names = []
        for each in made.begun:
            self.change()
            job = self.started(each)
            names.append(name_of(job))
            self.events.append(Event(self.now, what, name_of(job), frozenset(job.nodes)))
        self.rounds.append(
            Round(self.now, what, tuple(names), made.tried, made.stopped, made.closed, made.planned)
        )

    def started(self, begun: Begun) -> Job:
        """Put a running job into the capture in place of the waiting one, or of a task of it."""
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
        others = [each for each in self.capture.jobs if each.id != job.id]
        if waiting.array is not None and waiting.array.task is None:
            task, rest = first_task(waiting.array.waiting)
            run = attrs.evolve(
                run, id=self.next_id, array=ArrayPart(waiting.array.job, task, "", waiting.array.most_running)
            )
            self.next_id += 1
            if rest:
                others.append(attrs.evolve(waiting, array=attrs.evolve(waiting.array, waiting=rest)))
        known = self.end_of(job.id, self.now)
        self.ends[run.id] = held.end if known is None else min(known, held.end)
        self.capture = attrs.evolve(self.capture, jobs=(*others, run))
        return run


def name_of(job: Job) -> str:
    """How a job is named: `12`, `12_3`."""
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


def left(dependency: str, present: set[int]) -> str:
    """A dependency; empty once every job that it names is over."""
    terms = [term for term in dependency.split(",") if "unfulfilled" in term]
    for term in terms:
        found = re.match(r"(?:afterok|afterany):(\d+)(?:_\S+)?\(unfulfilled\)$", term)
        if found is None or int(found[1]) in present:
            return dependency
    return "" if terms else dependency


def first_task(text: str) -> tuple[int, str]:
    """The first task of `1-4,9-20:2%3`, and the text of the others."""
    tasks: list[int] = []
    for word in filter(None, text.partition("%")[0].split(",")):
        span, _, step = word.partition(":")
        first, _, last = span.partition("-")
        tasks += range(int(first), int(last or first) + 1, int(step or 1))
    return tasks[0], ",".join(str(task) for task in tasks[1:])
