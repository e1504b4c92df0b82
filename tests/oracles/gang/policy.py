"""Gang scheduling with the Ousterhout matrix, buddy packing and alternates (FJ97, 3.1).

Where the text leaves room, these are the choices:
- The timer comes before the pass and after the completions, so the rotation passes over rows whose jobs have
  all just ended. If that leaves only the current row nothing happens.
- If at the instant of a switch the jobs of the current row have just ended, the rotation does nothing and the
  take-over in the pass is the one step; the next switch is a whole quantum later either way.
- Submissions come after the timer: a job that arrives at the instant at which a switch would have been due
  with a single row, and opens a second one, waits for the next switch.
- If the row that became current by rotation or take-over is united with another in the same pass, the switch
  still counts and still costs its overhead: unification adds nothing to it and takes nothing from it.
- A job that enters the matrix at the instant at which the last other job ended enters an empty matrix: a new
  quantum, no switch, no overhead.
- Rows are united only in a pass that follows a completion, before waiting jobs are placed in that pass.
- United rows keep what their jobs have taken: with `buddy` blocks of one row may then overlap, and nobody is
  packed where any of them reaches.
- A job may be preempted at most once in an instant: it ran before the one pass and does not after it.

A consequence of the text: since unification can move the turn back to a lower row, the rows between have a
second turn before those that still wait for theirs; jobs that keep arriving can hold a row back for ever.
Without unification everybody has a turn before anybody has a second one.
"""

from collections.abc import Iterator
from itertools import count
from typing import NamedTuple

from tests.oracles.gang.matrix import Matrix
from tests.oracles.jobs import Job


class GangOutcome(NamedTuple):
    """What became of a workload: lists by job, and how often another row took over."""

    starts: list[int]
    """First start."""
    finishes: list[int]
    preemptions: list[int]
    switches: int
    """How often another row became current, by rotation or because the current one had become empty."""
    placements: list[tuple[int, int]]
    """The number that the row had when the job was placed, from 0, and the job's lowest column."""


class Moment(NamedTuple):
    """The matrix after a pass."""

    now: int
    rows: list[list[tuple[int, tuple[int, ...]]]]
    """For each row its jobs in trace order, each with its columns, ascending."""
    current: int | None
    """Number of the current row."""
    running: set[int]
    utilization_slots: float


class Rules(NamedTuple):
    """The parameters that are no matter of the matrix."""

    quantum: int
    alternate: bool
    unify: bool
    overhead: int


class Gang:
    """The matrix, the waiting jobs and the clock of the rotation, and what an instant does to them."""

    def __init__(self, jobs: list[Job], matrix: Matrix, rules: Rules) -> None:
        self.jobs, self.matrix, self.rules = jobs, matrix, rules
        self.left = [job.runtime for job in jobs]  # seconds of progress to go
        self.arrived = 0  # how many jobs have come
        self.waiting: list[int] = []
        self.running: set[int] = set()
        self.next_switch: int | None = None  # none exactly when the matrix is empty
        self.stalled_until = 0  # nobody makes progress before this instant
        self.starts: dict[int, int] = {}
        self.finishes: dict[int, int] = {}
        self.preemptions = [0] * len(jobs)
        self.switches = 0
        self.placements: dict[int, tuple[int, int]] = {}

    @property
    def over(self) -> bool:
        """Whether every job has ended."""
        return len(self.finishes) == len(self.jobs)

    def events(self, now: int) -> tuple[bool, bool]:
        """Apply what happens by itself at an instant. Whether a job ended, and whether anything happened."""
        ended = {job for job in self.running if self.left[job] == 0}
        for job in ended:
            self.finishes[job] = now
            self.matrix.remove(job)
        self.running -= ended
        switched = False
        if self.next_switch == now:
            self.next_switch = now + self.rules.quantum
            switched = self.matrix.rotate()
        if switched:
            self.another_row(now)
        submitted = []
        while self.arrived < len(self.jobs) and self.jobs[self.arrived].submit == now:
            submitted.append(self.arrived)
            self.arrived += 1
        self.waiting += submitted
        return bool(ended), bool(ended or switched or submitted)

    def another_row(self, now: int) -> None:
        """Another row has become current, with a quantum that begins now."""
        self.switches += 1
        self.stalled_until = now + self.rules.overhead

    def make_pass(self, now: int, after_completion: bool) -> None:
        """One scheduling pass: empty rows go, rows are united, jobs are placed, and who runs is settled."""
        if after_completion:
            if self.matrix.drop_empty_rows():
                self.another_row(now)
                self.next_switch = now + self.rules.quantum
            if self.rules.unify:
                self.matrix.unify()
        while self.waiting:
            into_empty = not self.matrix.rows
            placement = self.matrix.place(self.waiting[0])
            if placement is None:
                break
            self.placements[self.waiting.pop(0)] = placement
            if into_empty:
                self.next_switch = now + self.rules.quantum
        if not self.matrix.rows:
            self.next_switch = None
        runs = self.matrix.runs(self.rules.alternate)
        for job in self.running - runs:
            self.preemptions[job] += 1
        for job in runs:
            self.starts.setdefault(job, now)
        self.running = runs

    def next_event(self, now: int) -> int:
        """The next instant at which a job ends or comes, or a switch is due."""
        instants = [max(now, self.stalled_until) + self.left[job] for job in self.running]
        instants += [job.submit for job in self.jobs[self.arrived : self.arrived + 1]]
        instants += [self.next_switch] if self.next_switch is not None else []
        return min(instants)

    def advance(self, since: int, until: int) -> None:
        """Those that run make progress, but for what the overhead takes."""
        progress = max(0, until - max(since, self.stalled_until))
        for job in self.running:
            self.left[job] -= progress

    def moment(self, now: int) -> Moment:
        """The matrix as it stands."""
        matrix = self.matrix
        rows = [
            [(job, tuple(sorted(place.columns))) for job, place in sorted(row.places.items())]
            for row in matrix.rows
        ]
        current = None if matrix.current is None else matrix.rows.index(matrix.current)
        usage = matrix.utilization_slots(self.rules.alternate)
        return Moment(now, rows, current, set(self.running), usage)

    def outcome(self) -> GangOutcome:
        """The outcome, when every job is over."""
        order = range(len(self.jobs))
        return GangOutcome(
            [self.starts[job] for job in order],
            [self.finishes[job] for job in order],
            self.preemptions,
            self.switches,
            [self.placements[job] for job in order],
        )


def gang_of(
    jobs: list[Job],
    nodes: int,
    quantum: int = 10,
    packing: str = "buddy",
    alternate: bool = True,
    unify: bool = True,
    overhead: int = 0,
    slots: int = 0,
) -> Gang:
    """The scheduler before its first instant."""
    if not 0 <= overhead < quantum:
        raise ValueError(f"overhead is {overhead}; expected 0 or more and less than the quantum, {quantum}")
    if packing not in ("buddy", "first", "best"):
        raise ValueError(f"packing is {packing!r}; expected buddy, first or best")
    matrix = Matrix([job.size for job in jobs], nodes, packing, slots)
    return Gang(jobs, matrix, Rules(quantum, alternate, unify, overhead))


def passes(state: Gang) -> Iterator[int]:
    """Go from event to event to the end; yield the instant of every pass, after it."""
    now = 0
    while not state.over:
        then = state.next_event(now)
        state.advance(now, then)
        now = then
        ended, happened = state.events(now)
        if happened:
            state.make_pass(now, ended)
            yield now


def gang(
    jobs: list[Job],
    nodes: int,
    quantum: int = 10,
    packing: str = "buddy",
    alternate: bool = True,
    unify: bool = True,
    overhead: int = 0,
    slots: int = 0,
) -> GangOutcome:
    """The schedule of a workload, from event to event."""
    state = gang_of(jobs, nodes, quantum, packing, alternate, unify, overhead, slots)
    for _ in passes(state):
        pass
    return state.outcome()


def moments(
    jobs: list[Job],
    nodes: int,
    quantum: int = 10,
    packing: str = "buddy",
    alternate: bool = True,
    unify: bool = True,
    overhead: int = 0,
    slots: int = 0,
) -> Iterator[Moment]:
    """The matrix after every pass of that run."""
    state = gang_of(jobs, nodes, quantum, packing, alternate, unify, overhead, slots)
    for now in passes(state):
        yield state.moment(now)


def gang_by_seconds(
    jobs: list[Job],
    nodes: int,
    quantum: int = 10,
    packing: str = "buddy",
    alternate: bool = True,
    unify: bool = True,
    overhead: int = 0,
    slots: int = 0,
) -> GangOutcome:
    """The same schedule, second by second, with a pass in every second whether anything happened or not."""
    state = gang_of(jobs, nodes, quantum, packing, alternate, unify, overhead, slots)
    for now in count(min((job.submit for job in jobs), default=0)):
        ended, _ = state.events(now)
        state.make_pass(now, ended)
        if state.over:
            break
        if now >= state.stalled_until:
            for job in state.running:
                state.left[job] -= 1
    return state.outcome()
