"""The LLNL T3D gang scheduler (FJ97 4), to the second, with or without NQS in front of it.

In an instant: completions, transfers done, what becomes due by itself, operator actions, submissions in trace
order, releases by NQS; then one pass. Where the text leaves room, these are the choices:
- A refused action is no event. A change to the class that a job already has is accepted.
- Actions come before the submissions of their instant: an action on a job that is submitted then is refused.
- A job in W that is suspended or cancelled loses its block at once.
- To suspend a job that is already becoming S is refused, and so is a suspend without room in the storage.
- A do-not-disturb time runs out, with a pass, also for jobs that are never preempted.
- For the machine a job that NQS holds is submitted when it is released. Before that it can be cancelled and
  its class changed, nothing else. A boundary of NQS's periods at which nobody is released makes no pass.
- When nothing but the clock, with its changes of the table and of NQS's periods, has lain ahead for a week,
  it is over.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from tests.oracles.torus.classes import Rules
from tests.oracles.torus.floor import Floor
from tests.oracles.torus.jobs import Action, Change, Load, Moment, Save, T3DJob, T3DOutcome
from tests.oracles.torus.machine import SHAPES, Block
from tests.oracles.torus.nqs import LIMITS, Front, is_batch
from tests.oracles.torus.passes import make_pass

__all__ = [
    "Action",
    "Block",
    "Change",
    "Load",
    "Moment",
    "Save",
    "T3DJob",
    "T3DOutcome",
    "moments",
    "t3d",
    "watch",
]


WEEK = 7 * 86400


class Scheduler:
    """The floor, what happens on it in the course of time, and the history of that."""

    def __init__(
        self, jobs: Sequence[T3DJob], actions: Sequence[Action], rules: Rules, nqs: str | None
    ) -> None:
        for job in jobs:
            if job.size not in SHAPES:
                raise ValueError(f"size is {job.size}; expected one of {list(SHAPES)}")
        self.floor = Floor(list(jobs), rules)
        self.coming = list(range(len(jobs)))
        self.actions = sorted(actions, key=lambda action: action.at)
        self.front = None if nqs is None else Front(jobs, LIMITS[nqs], rules.epoch)
        self.history: list[Change] = []
        self.refused: list[Action] = []

    def due(self, now: int) -> set[int]:
        """All instants after `now` at which something happens by itself, but for changes of the table."""
        floor, times = self.floor, set(self.floor.transfers.ends.values())
        for job, record in enumerate(floor.records):
            if record.state == "R":
                times |= {record.end, floor.undisturbed_until(job)}
            if record.waits:
                times.add(record.since + floor.rules.rule(record.klass).max_wait)
        return {at for at in times if at > now}

    def announced(self) -> set[int]:
        """The next submission and the next action."""
        submissions = {self.floor.records[job].job.submit for job in self.coming[:1]}
        return submissions | {action.at for action in self.actions[:1]}

    def clock(self, now: int) -> set[int]:
        """The next change of the table, and of NQS's periods if they matter to anybody."""
        switch = self.floor.rules.next_switch(now)
        boundaries = {self.front.next_boundary(now)} if self.front is not None and self.front.held else set()
        return boundaries | ({switch} if switch is not None else set())

    def run(self) -> Iterator[int]:
        """Go from instant to instant and name each that had a pass, after it."""
        now, last = -1, 0
        while True:
            due, announced, clock = self.due(now), self.announced(), self.clock(now)
            switch = self.floor.rules.next_switch(now)
            if not due | announced | clock:
                return
            now = self.floor.now = min(due | announced | clock)
            if due | announced:
                last = now
            elif now > last + WEEK:
                return
            happened = self.happen(now)
            if happened or now in due or now == switch:
                self.settle(now)
                yield now

    def happen(self, now: int) -> bool:
        """All events of an instant but those that only fall due; whether there were any."""
        happened = self.complete(now) | self.finish_transfers(now) | self.act(now) | self.submit(now)
        return happened | self.release(now)

    def settle(self, now: int) -> None:
        """The pass of an instant."""
        before = [record.state for record in self.floor.records]
        make_pass(self.floor)
        for job, state in enumerate(before):
            if self.floor.records[job].state != state:
                self.note(job)

    def note(self, job: int) -> None:
        """Write a change of state down."""
        self.history.append(Change(self.floor.now, job, self.floor.records[job].state))

    def leave(self, job: int, state: str) -> None:
        """A job is over: what it had is free."""
        record = self.floor.records[job]
        if record.state == "W":
            self.floor.unassign(job)
        self.floor.transfers.drop(job, self.floor.now)
        record.state, record.block, record.saved = state, None, False
        self.note(job)
        if self.front is not None:
            self.front.leave(job)

    def complete(self, now: int) -> bool:
        """Completions."""
        ended = [
            job for job, record in enumerate(self.floor.records) if record.state == "R" and record.end == now
        ]
        for job in ended:
            self.floor.records[job].finish = now
            self.leave(job, "F")
        return bool(ended)

    def finish_transfers(self, now: int) -> bool:
        """Saves, loadings and restorings that are done."""
        done = self.floor.transfers.finish(now)
        for job in sorted(done):
            record = self.floor.records[job]
            if record.state == "o":
                record.block, record.since = None, now
                record.state = "S" if record.suspending else "O"
            else:
                record.state, record.entered, record.saved = "R", now, False
                record.start = now if record.start is None else record.start
            self.note(job)
        return bool(done)

    def submit(self, now: int) -> bool:
        """Submissions: batch jobs to NQS if there is one, the others to the machine."""
        happened = False
        while self.coming and self.floor.records[self.coming[0]].job.submit == now:
            job = self.coming.pop(0)
            if self.front is not None and is_batch(self.floor.records[job].job):
                self.front.arrive(job)
            else:
                self.enter(job, now)
                happened = True
        return happened

    def release(self, now: int) -> bool:
        """What NQS lets through."""
        released = [] if self.front is None else self.front.release(now)
        for job in released:
            self.enter(job, now)
        return bool(released)

    def enter(self, job: int, now: int) -> None:
        """A job comes into the scheduler's hands."""
        record = self.floor.records[job]
        record.state, record.since, record.released = "N", now, now
        self.note(job)

    def act(self, now: int) -> bool:
        """All actions of an instant; whether any was accepted."""
        accepted = False
        while self.actions and self.actions[0].at == now:
            action = self.actions.pop(0)
            if self.is_accepted(action):
                accepted = True
            else:
                self.refused.append(action)
        return accepted

    def is_accepted(self, action: Action) -> bool:
        """Do what the operator asks for, if it can be done."""
        record = self.floor.records[action.job]
        held = self.front is not None and action.job in self.front.held
        if record.state in ("F", "C") or (record.state == "" and not held):
            return False
        if action.do == "cancel":
            self.leave(action.job, "C")
            return True
        if action.do == "class":
            if not self.floor.rules.knows(action.to):
                return False
            assert action.to is not None
            record.klass = action.to
            return True
        return self.suspend(action.job) if action.do == "suspend" else self.resume(action.job)

    def suspend(self, job: int) -> bool:
        """Take a job off the machine until it is resumed."""
        record = self.floor.records[job]
        if record.state == "R" and self.floor.has_room_for(job):
            self.floor.save(job, None)
            self.note(job)
            return True
        if record.state == "o" and not record.suspending:
            record.suspending = True
            return True
        if record.state in ("O", "W") and record.loaded:
            if record.state == "W":
                self.floor.unassign(job)
            record.state = "S"
            self.note(job)
            return True
        return False

    def resume(self, job: int) -> bool:
        """Let a suspended job wait again, or one that is being saved to be suspended."""
        record = self.floor.records[job]
        if record.state == "S":
            record.state, record.since = "O", self.floor.now
            self.note(job)
            return True
        if record.state == "o" and record.suspending:
            record.suspending = False
            return True
        return False

    def moment(self) -> Moment:
        """The machine as it is."""
        records = self.floor.records
        return Moment(
            self.floor.now,
            [record.state for record in records],
            [record.block for record in records],
            [record.wire for record in records],
            [record.klass for record in records],
            self.floor.reservation,
            [] if self.front is None else list(self.front.held),
        )

    def outcome(self) -> T3DOutcome:
        """What became of the workload."""
        records = self.floor.records
        return T3DOutcome(
            [record.start for record in records],
            [record.finish for record in records],
            [record.preemptions for record in records],
            [record.loads for record in records],
            self.history,
            self.floor.saves,
            self.refused,
            [record.released for record in records],
            {} if self.front is None else self.front.turned_away,
        )


def moments(
    jobs: Sequence[T3DJob], actions: Sequence[Action] = (), nqs: str | None = None, **rules: Any
) -> Iterator[Moment]:
    """The machine after each pass; parameters as for `t3d`."""
    scheduler = Scheduler(jobs, actions, Rules(**rules), nqs)
    for _ in scheduler.run():
        yield scheduler.moment()


def watch(
    jobs: Sequence[T3DJob], actions: Sequence[Action] = (), nqs: str | None = None, **rules: Any
) -> tuple[T3DOutcome, list[Moment]]:
    """Both: what becomes of a workload, and the machine after each pass."""
    scheduler = Scheduler(jobs, actions, Rules(**rules), nqs)
    seen = [scheduler.moment() for _ in scheduler.run()]
    return scheduler.outcome(), seen


def t3d(
    jobs: Sequence[T3DJob], actions: Sequence[Action] = (), nqs: str | None = None, **rules: Any
) -> T3DOutcome:
    """What becomes of a workload, submissions ascending, and of what the operator asks for.

    `rules` are the parameters of `Rules`: table, strict_limits, restore, io, storage, job_limit,
    system_limit, large, large_limit, classes, epoch. `nqs` is before, after, or nothing without NQS.
    """
    scheduler = Scheduler(jobs, actions, Rules(**rules), nqs)
    for _ in scheduler.run():
        pass
    return scheduler.outcome()
