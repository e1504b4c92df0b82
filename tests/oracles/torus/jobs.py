"""What the T3D's gang scheduler is given and what it leaves: jobs, operator actions, and the record of both.

States are written as the machine's operators knew them: N new, W a block is assigned but not free yet,
i being loaded, R running, o being saved, O saved, S suspended by the user; and F for a job that has finished,
C for one that was cancelled. A job that is not in the scheduler's hands yet has the empty state.
"""

from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from tests.oracles.torus.machine import Block


class T3DJob(NamedTuple):
    """What a trace says of a job: times in seconds, size in processors, runtime <= estimate."""

    submit: int
    runtime: int
    size: int
    estimate: int
    klass: str
    user: int = 0
    wire: int | None = None
    """The barrier wire that it asks for."""
    base: tuple[int, int, int] | None = None
    """The base of the block that it asks for."""
    locked: bool = False
    """Whether nobody may preempt it."""


class Action(NamedTuple):
    """What an operator asks for: suspend, resume, class (to another one) or cancel."""

    at: int
    do: str
    job: int
    to: str | None = None


class Change(NamedTuple):
    """A job enters a state."""

    at: int
    job: int
    state: str


class Load(NamedTuple):
    """A job's loading, or the restoring of its state, begins."""

    at: int
    block: Block
    wire: int


class Save(NamedTuple):
    """The saving of a job's state begins."""

    at: int
    job: int
    by: int | None
    """The job for which it is preempted; None if the user suspends it."""


class T3DOutcome(NamedTuple):
    """What became of a workload, by job and in order of time."""

    starts: list[int | None]
    """First instant in state R; None where that never came."""
    finishes: list[int | None]
    """None where a job was cancelled or never ended."""
    preemptions: list[int]
    """How often the scheduler, not the user, had it saved."""
    loads: list[list[Load]]
    history: list[Change]
    """In order of time; in an instant what its events did, then what the pass did, by job."""
    saves: list[Save]
    refused: list[Action]
    releases: list[int | None]
    """When it came into the scheduler's hands: its submission, or later if NQS held it."""
    turned_away: dict[int, str]
    """Jobs that no queue of NQS takes, with the reason."""

    @property
    def relocations(self) -> int:
        """How often a saved job was restored into another block."""
        pairs = (pair for loads in self.loads for pair in pairwise(loads))
        return sum(later.block != earlier.block for earlier, later in pairs)


class Moment(NamedTuple):
    """The machine after the pass of an instant, by job."""

    now: int
    states: list[str]
    blocks: list[Block | None]
    """What a job in i, R or o holds, and what a job in W has been assigned."""
    wires: list[int | None]
    classes: list[str]
    reserved: int | None
    """The job with the reservation."""
    held: list[int]
    """Jobs that NQS has not released yet."""


@dataclass
class Record:
    """What has become of one job so far."""

    job: T3DJob
    klass: str
    state: str = ""
    since: int = 0
    """The instant from which its waiting time counts."""
    entered: int = 0
    """The instant at which it last entered state R."""
    done: int = 0
    """Seconds of progress in the runs that are over."""
    block: Block | None = None
    wire: int | None = None
    loaded: bool = False
    """Whether loading ever began."""
    saved: bool = False
    """Whether its state takes room in the storage: from the start of a save to the end of the restore."""
    suspending: bool = False
    """Whether it becomes S, not O, when it is saved."""
    unpreemptable: bool = False
    """Whether a save of it once had no room in the storage."""
    released: int | None = None
    start: int | None = None
    finish: int | None = None
    preemptions: int = 0
    loads: list[Load] = field(default_factory=list)

    @property
    def size(self) -> int:
        """Its processors."""
        return self.job.size

    @property
    def waits(self) -> bool:
        """Whether it is one of the waiting jobs."""
        return self.state in ("N", "O", "W")

    @property
    def waiting_state(self) -> str:
        """The state in which it waits without a block."""
        return "O" if self.loaded else "N"

    @property
    def end(self) -> int:
        """When a running job will be over if nobody stops it."""
        return self.entered + self.job.runtime - self.done
