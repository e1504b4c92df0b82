"""A machine that can be stepped instant by instant and handed from one scheduler to another.

In an instant all completions come first, then a change of scheduler if there is one, then the submissions in
trace order, then one pass; and a machine makes a pass only at an instant with an event of its own.
"""

from dataclasses import dataclass, field, replace
from typing import Protocol

from tests.oracles.jobs import Job
from tests.oracles.space.conservative import Hold


@dataclass
class State:
    """What stands on a machine, whoever schedules it. Jobs are named by their place in the list."""

    jobs: list[Job]
    nodes: int
    running: dict[int, int] = field(default_factory=dict)
    """Job -> start."""
    waiting: list[int] = field(default_factory=list)
    """In order of arrival."""
    waits: int = 0
    """Seconds waited by all jobs that have started."""
    started: int = 0
    submitted: int = 0
    """Jobs that have come, the first ones of the list."""

    def copy(self) -> "State":
        """The same state, to go on independently."""
        return replace(self, running=dict(self.running), waiting=list(self.waiting))

    def free(self) -> int:
        """Nodes that no running job has."""
        return self.nodes - sum(self.jobs[index].size for index in self.running)

    def holds(self) -> list[Hold]:
        """What the running jobs hold by their estimates."""
        return [hold(self.jobs[index], start) for index, start in self.running.items()]

    def end(self, index: int) -> int:
        """When a running job will be over."""
        return self.running[index] + self.jobs[index].runtime


def hold(job: Job, start: int) -> Hold:
    """The nodes and the time that a job takes in a plan if it starts at `start`."""
    return Hold(start, start + job.estimate, job.size)


class Scheduler(Protocol):
    """One that decides which waiting jobs of a state start."""

    def take_over(self, state: State, now: int) -> None:
        """Make a plan of its own for a state that another scheduler has left."""

    def completed(self, state: State, now: int) -> None:
        """Jobs have ended, all of them gone from the state already."""

    def submitted(self, state: State, now: int, index: int) -> None:
        """A job has come, the last of the waiting ones."""

    def starters(self, state: State, now: int) -> list[int]:
        """The pass: the jobs that start now."""

    def due(self) -> int | None:
        """The next instant at which it needs a pass without any other event, None if there is none."""


@dataclass
class Machine:
    """A state, its scheduler, and what has happened on it so far."""

    state: State
    scheduler: Scheduler
    completed: list[tuple[int, int]] = field(default_factory=list)
    """(job, start) of those that ended here, in the order of their ends, in an instant in trace order."""
    busy: int = 0
    """Node-seconds that jobs have had here up to `clock`, the instant of the last event anywhere."""
    clock: int = 0
    needs_pass: bool = False

    def next_event(self) -> int | None:
        """The next completion or the instant for which the scheduler asks, the earlier of both."""
        ends = [self.state.end(index) for index in self.state.running]
        due = self.scheduler.due()
        return min(ends + ([] if due is None else [due]), default=None)

    def complete(self, now: int) -> None:
        """All completions of an instant, and what the scheduler makes of them."""
        self.busy += (now - self.clock) * (self.state.nodes - self.state.free())
        self.clock = now
        ended = sorted(index for index in self.state.running if self.state.end(index) <= now)
        self.completed += [(index, self.state.running.pop(index)) for index in ended]
        if ended:
            self.scheduler.completed(self.state, now)
        self.needs_pass = bool(ended) or self.scheduler.due() == now

    def submit(self, index: int, now: int) -> None:
        """One submission."""
        self.state.waiting.append(index)
        self.state.submitted = index + 1
        self.scheduler.submitted(self.state, now, index)
        self.needs_pass = True

    def overwrite(self, state: State, now: int) -> None:
        """Forget the own state for another one, of which the scheduler makes its plan."""
        self.state, self.clock = state, now
        self.scheduler.take_over(state, now)
        self.needs_pass = True

    def schedule(self, now: int) -> None:
        """The pass of an instant, if it had an event."""
        if not self.needs_pass:
            return
        for index in self.scheduler.starters(self.state, now):
            job = self.state.jobs[index]
            assert job.size <= self.state.free(), "a job starts where it does not fit"
            self.state.waiting.remove(index)
            self.state.running[index] = now
            self.state.waits += now - job.submit
            self.state.started += 1
        self.needs_pass = False


def run(jobs: list[Job], machine: Machine) -> list[int]:
    """Start of every job of a workload on a machine that is empty."""
    coming, starts = list(range(len(jobs))), dict[int, int]()
    while coming or machine.state.waiting or machine.state.running:
        times = [machine.next_event(), jobs[coming[0]].submit if coming else None]
        now = min(time for time in times if time is not None)
        machine.complete(now)
        while coming and jobs[coming[0]].submit == now:
            machine.submit(coming.pop(0), now)
        machine.schedule(now)
        starts.update(machine.state.running)
    return [starts[index] for index in range(len(jobs))]
