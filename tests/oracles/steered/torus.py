"""The T3D's gang scheduler on a machine whose nodes fail, and which an operator drains (docs/steering.md).

What the naive program of the T3D knows of jobs stays as it is. Where the page leaves room, these are the
choices:
- A job that is struck while it is loaded for the first time has been loaded, for the system limit, its wire
  and its letter.
- A reservation of a block that has a node out of service is dropped in step 0 of the next pass.
- A transfer that is broken off counts, as far as it went, as one that is done does: to save and to restore is
  a waste of nodes, to load for the first time is none.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from tests.oracles.steered.case import Outage
from tests.oracles.torus.classes import Rules
from tests.oracles.torus.floor import Floor
from tests.oracles.torus.jobs import T3DJob
from tests.oracles.torus.machine import Block, processors
from tests.oracles.torus.t3d import Scheduler

HOLDING = "iRo"
"""The states in which a job has the nodes of its block."""
WALL = -1
"""Stands in a block that has a node out of service, as a job would that nobody may preempt."""


class Deed(NamedTuple):
    """What the operator does at an instant: to a job, or to nodes."""

    at: int
    do: str
    job: int = -1
    to: str | None = None
    nodes: tuple[int, ...] = ()


class TorusCase(NamedTuple):
    """All that a run is made from; `rules` are the parameters of `t3d`."""

    jobs: list[T3DJob]
    deeds: list[Deed]
    outages: list[Outage]
    on_failure: str
    interval: int
    rules: dict[str, Any]


@cache
def nodes_of(block: Block) -> frozenset[int]:
    """The numbers of a block's nodes."""
    return frozenset(x + 8 * y + 32 * z for z, y, x in processors(block))


class FailingFloor(Floor):
    """A floor on which some nodes are out of service: down, or to go down when their job has left them."""

    def __init__(self, jobs: list[T3DJob], rules: Rules) -> None:
        super().__init__(jobs, rules)
        self.out: set[int] = set()
        self.kept: set[int] = set()  # those of them that the operator keeps out, whatever outage ends

    def is_idle(self, block: Block) -> bool:
        """Nobody has a node of it, and all are in service."""
        return super().is_idle(block) and not self.out & nodes_of(block)

    def is_unclaimed(self, block: Block) -> bool:
        """A block with a node out of service is taken for nobody, as if it were claimed."""
        return super().is_unclaimed(block) and not self.out & nodes_of(block)

    def occupants(self, block: Block, states: str) -> list[int]:
        """Where it is asked who would have to be preempted, the wall is named too."""
        found = super().occupants(block, states)
        return [*found, WALL] if states == "iR" and self.out & nodes_of(block) else found

    def may_be_preempted(self, job: int) -> bool:
        """The wall never is."""
        return job != WALL and super().may_be_preempted(job)

    def holder(self, node: int) -> int | None:
        """The job that has a node."""
        for job, record in enumerate(self.records):
            if record.state and record.state in HOLDING and record.block and node in nodes_of(record.block):
                return job
        return None


class SteeredTorus(Scheduler):
    """A run with failures and with an operator who drains nodes."""

    def __init__(self, case: TorusCase) -> None:
        rules = dict(case.rules)
        nqs = rules.pop("nqs", None)
        super().__init__(case.jobs, (), Rules(**rules), nqs)
        self.floor: FailingFloor = FailingFloor(list(case.jobs), Rules(**rules))
        self.case = case
        self.actions: list[Any] = sorted(case.deeds, key=lambda deed: deed.at)
        changes = [(outage.start, 0, number) for number, outage in enumerate(case.outages)]
        changes += [(o.until, 1, number) for number, o in enumerate(case.outages) if o.until is not None]
        self.changes = sorted(changes)
        self.under_way: list[Outage] = []
        self.asked: dict[int, int] = {}
        """When the transfer of each job in i or o was asked for."""
        self.wasted = 0
        """Node-seconds held without progress, and those of progress that a failure undid."""

    def announced(self) -> set[int]:
        """Outages too, their beginnings and ends."""
        return super().announced() | {self.changes[0][0] for _ in self.changes[:1]}

    def happen(self, now: int) -> bool:
        """Failures come after transfers, and before what the operator does."""
        happened = self.complete(now) | self.finish_transfers(now) | self.fail(now)
        happened = happened | self.act(now) | self.submit(now)
        return happened | self.release(now)

    def note(self, job: int) -> None:
        """Also remember when a transfer begins to be waited for."""
        super().note(job)
        if self.floor.records[job].state in ("i", "o"):
            self.asked[job] = self.floor.now

    def finish_transfers(self, now: int) -> bool:
        """What a transfer takes, but for a first loading, is lost to the machine."""
        for job, end in self.floor.transfers.ends.items():
            if end == now:
                self.count_transfer(job)
        return super().finish_transfers(now)

    def count_transfer(self, job: int) -> None:
        """A save or a restore ends here."""
        record = self.floor.records[job]
        if record.state == "o" or (record.state == "i" and record.saved):
            self.wasted += (self.floor.now - self.asked[job]) * record.size

    def leave(self, job: int, state: str) -> None:
        """A job is over, perhaps in the middle of a transfer."""
        self.count_transfer(job)
        super().leave(job, state)

    def fail(self, now: int) -> bool:
        """Outages begin and end."""
        happened = False
        while self.changes and self.changes[0][0] == now:
            _, ends, number = self.changes.pop(0)
            outage, happened = self.case.outages[number], True
            if ends:
                self.under_way.remove(outage)
                covered = {node for other in self.under_way for node in other.nodes}
                self.floor.out -= set(outage.nodes) - covered - self.floor.kept
            else:
                self.under_way.append(outage)
                self.put_out(outage.nodes, outage.kill)
        return happened

    def put_out(self, nodes: Sequence[int], strikes: bool) -> None:
        """Nodes go out of service, and with `strikes` the jobs on them are struck, in order of submission."""
        self.floor.out |= set(nodes)
        hit = {self.floor.holder(node) for node in nodes} if strikes else set()
        for job in sorted(job for job in hit if job is not None):
            self.strike(job)

    def strike(self, job: int) -> None:
        """A node of a job fails."""
        record = self.floor.records[job]
        done = record.done + (self.floor.now - record.entered if record.state == "R" else 0)
        kept = done // self.case.interval * self.case.interval if self.case.on_failure == "checkpoint" else 0
        self.wasted += (done - kept) * record.size
        if self.case.on_failure == "kill":
            record.finish = self.floor.now
            self.leave(job, "C")
            return
        self.count_transfer(job)
        self.floor.transfers.drop(job, self.floor.now)
        record.done, record.saved, record.suspending, record.block = kept, False, False, None
        record.state, record.since = "O", self.floor.now
        self.note(job)

    def is_accepted(self, action: Any) -> bool:
        """Actions on nodes, too."""
        record = self.floor.records[action.job] if action.job >= 0 else None
        if record is not None:
            return super().is_accepted(action)
        out = self.floor.out & set(action.nodes)
        if action.do == "up":
            self.floor.out -= out
            self.floor.kept -= out
            return bool(out)
        down = [node for node in action.nodes if node in out and self.floor.holder(node) is None]
        refused = out if action.do == "drain" else set(down)
        if len(refused & self.floor.kept) == len(action.nodes):
            return False
        self.floor.kept |= set(action.nodes)
        self.put_out(action.nodes, action.do == "down")
        return True
