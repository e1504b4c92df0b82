"""A run that an operator steers and in which nodes fail, event by event, as docs/steering.md has it.

Where the page leaves room, these are the choices:
- What a numbered action makes due at its instant comes in the order of kinds with all else that is still due
  then; so a pass is the last event of its instant, unless a numbered action follows it.
- Numbered actions are taken in order of their numbers. One whose event was itself an action among several
  with a lower number follows right after those.
- An action done, and the beginning and the end of an outage, void whatever was planned, timers included. It
  is planned anew in the next pass, with the jobs that have come by then.
"""

from collections.abc import Iterator
from typing import NamedTuple

from tests.oracles.steered.actions import act_on_job, act_on_nodes, job_refusal, node_refusal
from tests.oracles.steered.case import KINDS, Action, Case, Event, Fate, Policy
from tests.oracles.steered.gang import GangPolicy
from tests.oracles.steered.orders import space_policy
from tests.oracles.steered.policies import Fcfs
from tests.oracles.steered.world import World


class Due(NamedTuple):
    """Something that will happen unless something else comes before it; the least comes first."""

    time: int
    rank: int
    """Of its kind."""
    place: int
    """Among those of its kind and time: the order of their creation."""
    subject: int
    """The number of the job, the outage or the action."""


class Steered:
    """A run and where it stands."""

    def __init__(self, case: Case) -> None:
        self.case, self.world = case, World(case)
        actions = list(enumerate(case.actions))
        self.numbered = sorted((action.after, i) for i, action in actions if action.after is not None)
        self.timed = sorted((action.at, i) for i, action in actions if action.at is not None)
        self.to_begin = [(outage.start, number) for number, outage in enumerate(case.outages)]
        self.to_end: list[tuple[int, int]] = []
        self.arrived = 0
        self.pass_due = False
        self.events: list[Event] = []
        self.acted: list[int] = []
        """The numbers of the actions that were done or refused, in this order."""
        self.refusals: list[tuple[int, str]] = []
        """The number of the event, and why."""
        self.gang: GangPolicy | None = None
        self.space: Fcfs = Fcfs()
        self.world.now = min([job.submit for job in case.jobs] + [at for at, _ in self.timed + self.to_begin])
        self.began = self.world.now
        self.put_in_force(case.policy)

    def put_in_force(self, policy: Policy) -> None:
        """Another policy takes the machine over as it is, with no past."""
        name, parameters = policy
        if self.gang is not None:
            self.gang.let_go(self.world)
            self.world.stalled_until = self.world.now
        self.gang = GangPolicy(self.world, parameters) if name == "gang" else None
        self.space = Fcfs() if name == "gang" else space_policy(name, parameters)

    def due(self) -> list[Due]:
        """All that would happen next, were it alone."""
        world, rank = self.world, KINDS.index
        ready = max(world.now, world.stalled_until)
        found = [
            Due(ready + world.records[job].left, rank("finish"), place, job)
            for place, job in enumerate(world.running)
        ]
        found += [Due(time, rank("node_down"), number, number) for time, number in self.to_begin]
        found += [Due(time, rank("node_up"), number, number) for time, number in self.to_end]
        if self.gang is not None and self.gang.next_switch is not None:
            found.append(Due(self.gang.next_switch, rank("switch_slot"), 0, -1))
        if self.space.timer is not None:
            found.append(Due(self.space.timer[0], rank("reservation_due"), 0, self.space.timer[1]))
        found += [Due(at, rank("action"), number, number) for at, number in self.timed]
        for job in range(self.arrived, len(world.jobs)):
            found.append(Due(world.jobs[job].submit, rank("submit"), job, job))
        if self.pass_due:
            found.append(Due(world.now, rank("pass"), 0, -1))
        return found

    def step(self) -> Event | None:
        """Let the next event happen; None at the end. The timer of a rotation with one row is no event."""
        while True:
            if self.numbered and self.numbered[0][0] <= len(self.events):
                return self.act(self.numbered.pop(0)[1])
            found = self.due()
            if not found:
                return None
            upcoming = min(found)
            self.world.advance(upcoming.time)
            kind = KINDS[upcoming.rank]
            if kind == "pass" and self.space.reconsider(self.world):
                return self.note("switch_policy", None)
            if kind == "switch_slot":
                assert self.gang is not None
                if not self.gang.rotate(self.world):
                    continue
                self.pass_due = True
                return self.note(kind, None)
            if kind == "action":
                self.timed.pop(0)
                return self.act(upcoming.subject)
            return self.happen(kind, upcoming.subject)

    def note(self, kind: str, job: int | None) -> Event:
        """An event has happened."""
        self.events.append(Event(len(self.events) + 1, self.world.now, kind, job))
        return self.events[-1]

    def happen(self, kind: str, subject: int) -> Event:
        """What comes by itself."""
        world, job = self.world, None
        self.pass_due = kind != "pass"
        if kind == "finish":
            job = subject
            world.records[job].finish = world.now
            self.leave(job, "F")
            self.space.completed()
        elif kind in ("node_down", "node_up"):
            self.strike_or_mend(kind, subject)
        elif kind == "reservation_due":
            job, self.space.timer = subject, None
        elif kind == "submit":
            job = subject
            self.arrived += 1
            world.enqueue(job)
        else:
            self.make_pass()
        return self.note(kind, job)

    def leave(self, job: int, state: str) -> None:
        """A job leaves its nodes."""
        self.world.leave(job, state)
        if self.gang is not None:
            self.gang.remove(job)

    def strike_or_mend(self, kind: str, number: int) -> None:
        """An outage begins or is over."""
        outage = self.case.outages[number]
        if kind == "node_down":
            self.to_begin.remove((outage.start, number))
            if outage.until is not None:
                self.to_end.append((outage.until, number))
            self.world.begin(outage)
        else:
            assert outage.until is not None
            self.to_end.remove((outage.until, number))
            self.world.end(outage)
        self.heed()

    def heed(self) -> None:
        """The policy hears that something was done to the machine or its jobs."""
        self.space.hear()
        if self.gang is not None:
            for row in self.gang.matrix.rows:
                for job in [job for job in row.places if not self.world.records[job].nodes]:
                    self.gang.remove(job)

    def make_pass(self) -> None:
        """One scheduling pass."""
        if self.gang is not None:
            self.gang.make_pass(self.world)
            return
        for job in self.space.decide(self.world):
            self.start(job)

    def start(self, job: int) -> None:
        """A job starts on the lowest idle nodes."""
        self.world.give(job, tuple(self.world.idle()[: self.world.jobs[job].size]))
        self.world.run(job)

    def act(self, number: int) -> Event:
        """The operator does something, or finds that it cannot be done."""
        action = self.case.actions[number]
        refusal = self.refusal(action)
        event = self.note("action", action.job)
        self.acted.append(number)
        if refusal is not None:
            self.refusals.append((event.number, refusal))
            return event
        self.do(action)
        self.heed()
        self.pass_due = True
        return event

    def refusal(self, action: Action) -> str | None:
        """Why an action cannot be done right here and now; None where it can."""
        if action.do == "policy":
            return None
        if action.job is None:
            return node_refusal(self.world, action)
        refusal = job_refusal(self.world, action)
        if refusal is None and action.do == "priority" and self.space.own_order:
            return "own_order"
        if refusal is None and action.do == "start" and not self.has_room(action.job):
            return "no_room"
        return refusal

    def has_room(self, job: int) -> bool:
        """Whether a job fits the idle nodes, or under `gang` a row."""
        if self.gang is None:
            return self.world.jobs[job].size <= len(self.world.idle())
        return self.gang.has_room(self.world, job)

    def do(self, action: Action) -> None:
        """What is not refused is done."""
        if action.do == "policy":
            assert action.policy is not None
            self.put_in_force(action.policy)
        elif action.job is None:
            act_on_nodes(self.world, action)
        elif action.do != "start":
            act_on_job(self.world, action)
        elif self.gang is not None:
            self.gang.drop_empty_rows(self.world)
            self.gang.place(self.world, action.job)
        else:
            self.start(action.job)


def steered(case: Case) -> Steered:
    """The run of a case, at its end."""
    run = Steered(case)
    for _ in steps(run):
        pass
    return run


def steps(run: Steered) -> Iterator[Event]:
    """Step to the end; the run stands after the event that is yielded."""
    while (event := run.step()) is not None:
        yield event


def fates(case: Case) -> list[Fate]:
    """What becomes of every job of a case."""
    return steered(case).world.fates()
