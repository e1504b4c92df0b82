"""Who has what on the T3D: blocks, wires, storage and limits, and what a block would cost.

Where the text leaves room, these are the choices:
- A job that would take the reservation from another is tested as if the other had lost it already: then it
  is new, and counts nowhere, or saved, and counts for the system limit alone.
- Wires are numbered from 0.
- With transfers one at a time, the rest of a transfer lasts until its turn has come and it is done; a save
  that is still to be asked for counts with its bare length.
"""

from collections.abc import Callable
from typing import NamedTuple

from tests.oracles.torus.classes import NEVER_PREEMPTED, Rules
from tests.oracles.torus.jobs import Load, Record, Save, T3DJob
from tests.oracles.torus.machine import (
    WIRES,
    Block,
    adjacent,
    blocks,
    enclosing,
    larger_sizes,
    loading_time,
    overlap,
    saving_time,
)
from tests.oracles.torus.transfers import Transfers


class Cost(NamedTuple):
    """What it takes to clear a block, compared from left to right."""

    priority: int
    """The highest among the jobs that run or are loaded in it, 0 if there are none."""
    size: int
    """The whole sizes of these jobs together."""
    time: int
    """Seconds until the last occupant can be gone."""
    base: tuple[int, int, int]


class Floor:
    """The records of all jobs and what they have; jobs are named by their place in the list."""

    def __init__(self, jobs: list[T3DJob], rules: Rules) -> None:
        self.rules = rules
        self.records = [Record(job, job.klass) for job in jobs]
        self.transfers = Transfers(rules.io == "serial")
        self.reservation: int | None = None
        self.assigned: list[int] = []
        """Jobs with a block that pass 2 assigned."""
        self.saves: list[Save] = []
        self.now = 0

    def priority(self, job: int) -> int:
        """The priority of a job's class now."""
        return self.rules.priority(self.records[job].klass, self.now)

    def has_waited_too_long(self, job: int) -> bool:
        """Whether a waiting job has waited for its class's maximum."""
        record = self.records[job]
        return self.now - record.since >= self.rules.rule(record.klass).max_wait

    def undisturbed_until(self, job: int) -> int:
        """When the do-not-disturb time of a running job is over."""
        record = self.records[job]
        return record.entered + self.rules.rule(record.klass).do_not_disturb * record.size

    def may_be_preempted(self, job: int) -> bool:
        """Whether a job may ever be preempted, its do-not-disturb time aside."""
        record = self.records[job]
        return record.klass not in NEVER_PREEMPTED and not record.unpreemptable and not record.job.locked

    def sizes(self, job: int, states: str, loser: int | None, counts: Callable[[Record], bool]) -> int:
        """The size of a job and of all others in these states that count, when `loser` has lost its block."""
        total = self.records[job].size
        for other, record in enumerate(self.records):
            state = record.waiting_state if other == loser else record.state
            if other != job and state and state in states and counts(record):
                total += record.size
        return total

    def fits_system(self, job: int, loser: int | None) -> bool:
        """Job limit and system limit."""
        record = self.records[job]
        if record.size > self.rules.job_limit:
            return False
        return record.loaded or self.sizes(job, "WiRoOS", loser, lambda _: True) <= self.rules.system_limit

    def fits_class(self, job: int, loser: int | None) -> bool:
        """Class limit and, for a large job, the large limit."""
        record, rules = self.records[job], self.rules
        of_class = self.sizes(job, "WiRo", loser, lambda other: other.klass == record.klass)
        if of_class > rules.rule(record.klass).limit:
            return False
        of_large = self.sizes(job, "WiRo", loser, lambda other: other.size >= rules.large)
        return record.size < rules.large or of_large <= rules.large_limit_at(self.now)

    def occupants(self, block: Block, states: str) -> list[int]:
        """Jobs in these states with nodes in a block, in order of submission."""
        return [
            job
            for job, record in enumerate(self.records)
            if record.state in states and record.block is not None and overlap(record.block, block)
        ]

    def is_idle(self, block: Block) -> bool:
        """Whether nobody has a node of a block."""
        return not self.occupants(block, "iRo")

    def is_unclaimed(self, block: Block) -> bool:
        """Whether a block keeps clear of the reserved block and of those assigned in this pass."""
        claims = [*self.assigned, *([] if self.reservation is None else [self.reservation])]
        taken = [self.records[job].block for job in claims]
        return not any(other is not None and overlap(other, block) for other in taken)

    def is_free(self, block: Block) -> bool:
        """Whether a job without the reservation may be loaded into a block, or the reserved one elsewhere."""
        return self.is_unclaimed(block) and self.is_idle(block)

    def held_by_the_lasting(self, block: Block) -> int:
        """How many processors of a block debug and benchmark jobs have."""
        held = [
            self.records[job].block
            for job in self.occupants(block, "iRo")
            if self.records[job].klass in NEVER_PREEMPTED
        ]
        return sum(min(block.size, other.size) for other in held if other is not None)

    def considered(self, job: int) -> list[Block]:
        """The blocks that are considered for a job, by base."""
        record = self.records[job]
        if record.job.locked and record.saved:
            places = [record.loads[-1].block]
        else:
            places = [block for block in blocks(record.size) if record.job.base in (None, block.base)]
        return [block for block in places if self.wires_for(job, block)]

    def wires_for(self, job: int, block: Block) -> list[int]:
        """The wires that a job can have in a block."""
        record = self.records[job]
        wires = list(range(WIRES)) if record.job.wire is None else [record.job.wire]
        if record.loaded:
            assert record.wire is not None
            wires = [record.wire]
        if self.rules.wires == "shared":
            return wires
        taken = {
            other.wire
            for number, other in enumerate(self.records)
            if number != job
            and other.state
            and other.state in "iRo"
            and other.block
            and adjacent(other.block, block)
        }
        return [wire for wire in wires if wire not in taken]

    def best_fit(self, job: int, usable: Callable[[Block], bool]) -> Block | None:
        """The usable block that suits a job best; None if there is none."""
        record = self.records[job]
        considered = self.considered(job)
        if self.rules.restore == "same" and record.saved:
            before = record.loads[-1].block
            if usable(before) and before in considered:
                return before
        gathers = record.klass in NEVER_PREEMPTED

        def key(block: Block) -> tuple[list[int], int, tuple[int, int, int]]:
            larger = [enclosing(block, size) for size in larger_sizes(block.size)]
            around = [wide for wide in reversed(larger) if gathers and wide.size <= 128]
            room = max([block.size, *(wide.size for wide in larger if usable(wide))])
            return [-self.held_by_the_lasting(wide) for wide in around], room, block.base

        return min(filter(usable, considered), key=key, default=None)

    def time_until_gone(self, job: int) -> int:
        """Seconds until an occupant of a block can be gone."""
        record = self.records[job]
        rest = self.transfers.ends.get(job, self.now) - self.now
        if record.state == "o":
            return rest
        save = saving_time(record.size)
        if record.state == "R":
            return max(0, self.undisturbed_until(job) - self.now) + save
        return rest + self.rules.rule(record.klass).do_not_disturb * record.size + save

    def cost(self, block: Block) -> Cost:
        """What it takes to clear a block."""
        active = self.occupants(block, "iR")
        return Cost(
            max((self.priority(job) for job in active), default=0),
            sum(self.records[job].size for job in active),
            max((self.time_until_gone(job) for job in self.occupants(block, "iRo")), default=0),
            block.base,
        )

    def give_wire(self, job: int, block: Block) -> None:
        """A job without a wire gets, of those that it can have in a block, the one that the fewest have."""
        if self.rules.wires == "apart" and not self.records[job].loaded:
            self.records[job].wire = None
        if self.records[job].wire is None:
            held = [record.wire for record in self.records if record.state not in ("F", "C")]
            self.records[job].wire = min(self.wires_for(job, block), key=held.count)

    def assign(self, job: int, block: Block) -> None:
        """A waiting job gets a block that is not free yet."""
        self.give_wire(job, block)
        self.records[job].block, self.records[job].state = block, "W"

    def unassign(self, job: int) -> None:
        """A job in W loses its block, the reservation with it, and its wire if it was never loaded."""
        record = self.records[job]
        record.block, record.state = None, record.waiting_state
        if not record.loaded:
            record.wire = None
        if job == self.reservation:
            self.reservation = None
        if job in self.assigned:
            self.assigned.remove(job)

    def load(self, job: int, block: Block) -> None:
        """The loading of a job, or the restoring of its state, begins."""
        record = self.records[job]
        if job == self.reservation:
            self.reservation = None
        self.give_wire(job, block)
        assert record.wire is not None
        record.block, record.state, record.loaded = block, "i", True
        record.loads.append(Load(self.now, block, record.wire))
        length = saving_time(record.size) if record.saved else loading_time(record.size)
        self.transfers.ask(job, length, self.now)

    def has_room_for(self, job: int) -> bool:
        """Whether a job's state still goes into the storage."""
        stored = sum(record.size for record in self.records if record.saved)
        return stored + self.records[job].size <= self.rules.storage

    def save(self, job: int, by: int | None) -> None:
        """The saving of a running job's state begins, for another job or, without one, at the user's wish."""
        record = self.records[job]
        record.done += self.now - record.entered
        record.state, record.saved, record.suspending = "o", True, by is None
        record.preemptions += by is not None
        self.saves.append(Save(self.now, job, by))
        self.transfers.ask(job, saving_time(record.size), self.now)

    def preempt(self, job: int, by: int) -> None:
        """Save a running job for another one, if there is room for its state; else it is never preempted."""
        if self.has_room_for(job):
            self.save(job, by)
        else:
            self.records[job].unpreemptable = True
