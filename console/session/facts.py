"""Facts: the frozen values that the session hands to whoever shows or writes them.

Times are seconds of the scenario's clock, durations are seconds, sizes are nodes. Jobs are named by their id
(the number in the log or the scenario), never by their row in the kernel's table, unless a field says
`index`: `Row.index`, and the `waiting`, `running`, `holding`, `changed` and `owners` of a snapshot.
"""

from collections.abc import Iterable, Mapping, Sequence

import attrs

from shadowtime.console.session.values import StatusValue, Value
from shadowtime.scenarios import Action
from shadowtime.scenarios.nodes import NodeRanges

WAITING = frozenset("NHSOio")
"""The states of a job that waits, for nodes or for its turn."""
ASIDE = frozenset("HS")
"""The states of a job that waits for the operator."""
IDLE, DOWN = -1, -2
"""In the place of a job among the owners of nodes: nobody has the node; it is down."""


@attrs.frozen
class Reason:
    """Why a decision was taken, or why a job waits: a code and the numbers that settle it.

    `console/words` turns one into a sentence. Numbers whose key is `job`, `head`, `blocker` or `by` are ids.
    """

    code: str
    numbers: Mapping[str, Value]


@attrs.frozen
class Decision:
    """One decision: `kind` is start, backfill, reserve, move, ... (the fixed words).

    `switch` and `keep` are about the policy, not about a job.
    """

    kind: str
    job: int | None
    reason: Reason


@attrs.frozen
class Event:
    """One event: its number (the first is 1), its instant, its kind, and what it decided."""

    number: int
    time: int
    kind: str
    job: int | None
    decisions: Sequence[Decision] = ()
    action: Action | None = None
    """What the operator did, or tried to; of an action only."""
    nodes: NodeRanges = ()
    """The nodes that fail or come back, as far as one outage says."""


@attrs.frozen
class Prediction:
    """When a waiting job starts, and how sure that is.

    `guaranteed`: a reservation that only moves earlier. `planned`: it may move, but never past a deadline.
    `expected`: if all ran to their estimates and nothing else came. `settled`: it has its nodes already.
    """

    time: int
    promise: str
    event: int


@attrs.frozen
class TrackRecord:
    """How earlier forecasts have held: so many are settled, and so many of these between early and late."""

    settled: int
    held: int
    off: int | None = None
    """Half of the starts that came were within so many seconds of the likely ones; None without any."""


@attrs.frozen
class LikelyStart:
    """When a waiting job starts, with the odds: instants in seconds, None for never."""

    early: int | None
    """1 in 10 such jobs start before."""
    likely: int | None
    """Half of them start before."""
    late: int | None
    """9 in 10 start by then."""
    samples: int
    calibrated: bool
    """Whether the odds are corrected by how earlier forecasts came out."""
    event: int
    """At which it was found."""
    record: TrackRecord
    """How such forecasts have held by then."""


@attrs.frozen
class Row:
    """One job as the queue panel shows it, at one position of the simulation.

    `wait` counts all its stays in the queue so far, of a job that is over the first one. `start` is its first
    start, `since` when it entered its state, `terms` what the policy keeps for it until it is over.
    """

    index: int
    id: int
    user: str
    klass: str
    queue: str
    name: str
    state: str
    size: int
    submit: int
    estimate: int
    wait: int
    start: int | None = None
    end: int | None = None
    predicted: Prediction | None = None
    first_predicted: int | None = None
    likely: LikelyStart | None = None
    """When it is likely to start, if it waits and there are odds."""
    no_odds: str = ""
    """Why it waits without a likely start, if that is known: `few`, `history` or `failed`."""
    reason: Reason | None = None
    preemptions: int = 0
    since: int | None = None
    terms: Mapping[str, Value] = attrs.field(factory=dict)
    predicted_end: Prediction | None = None
    """When it ends, for jobs that take turns, if all need their estimates and nothing else comes."""
    nodes: NodeRanges = ()
    """The nodes that it holds now."""
    unforeseen: bool = False
    """Whether it waits, and the forecast of this very event has no start for it: it never starts."""
    outcome: str = ""
    """How it has left: completed, cancelled, or struck by a failure."""
    change: int | None = None
    """Seconds by which the last step moved its predicted start; None if it did not, or that is not known."""
    now: int = attrs.field()
    """The instant at which the row was read; of one that waits for the first time it need not be given."""

    @now.default
    def _now(self) -> int:
        return self.submit + self.wait

    @property
    def waits(self) -> bool:
        """Whether it waits, for the first time or again."""
        return self.state in WAITING

    @property
    def called(self) -> str:
        return str(self.id)

    @property
    def slip(self) -> int | None:
        """Seconds by which the predicted first start moved since submission; positive is later."""
        if self.predicted is None or self.first_predicted is None or self.start is not None:
            return None
        return self.predicted.time - self.first_predicted


@attrs.frozen
class Metrics:
    """Every metric so far, named as `run --json` names it; None if there is no value yet."""

    utilization_now: float
    utilization_slots: float
    queue_length: int
    running: int
    free_nodes: int
    mean_wait: float | None
    mean_response: float | None
    mean_slowdown: float | None
    mean_bounded_slowdown: float | None
    mean_bounded_slowdown_fw98: float | None
    mean_bounded_slowdown_n12: float | None
    utilization: float | None
    utilization_to_last_arrival: float | None
    mean_queue_length: float | None
    backfill_ratio: float | None
    preempt_ratio: float | None
    checkpoints_per_node_day: float | None
    wasted_ratio: float | None
    lost_capacity: float | None
    stability: float | None
    mean_prediction_error: float | None


@attrs.frozen(kw_only=True)
class Sample(Metrics):
    """The metrics as they were after one event: a point of a trend."""

    number: int
    time: int


@attrs.frozen
class Matrix:
    """The time slots of a policy that slices time: a row each, in the order in which they take turns."""

    current: int | None
    """The row that has the machine; None if there are no rows."""
    rows: tuple[tuple[int, ...], ...]
    """Indexes of the jobs of each row."""
    utilizations: tuple[float, ...]
    """The share of the nodes that run while each row is current, jobs of other rows beside it included."""
    utilization: float
    """Their mean; 0 without rows."""
    next_switch: int | None
    """None with a single row, and between an event and its pass."""
    quantum: int
    switches: int


@attrs.frozen
class Snapshot:
    """The machine at one position: what every panel repaints from."""

    number: int
    total: int | None
    time: int
    last: Event | None
    upcoming: tuple[int, str, int | None] | None
    nodes: int
    free: int
    waiting: tuple[int, ...]
    """Indexes of the waiting jobs, in queue order."""
    running: tuple[int, ...]
    """Indexes of the running jobs, in order of start."""
    submitted: int
    finished: int
    jobs: int
    metrics: Metrics
    changed: frozenset[int]
    """Indexes of the jobs that the last event touched."""
    owners: bytes
    """int32[nodes], native order: the index of the job that owns each node, IDLE or DOWN."""
    holding: Mapping[int, str] = attrs.field(factory=dict)
    """Jobs that hold nodes and do not run, by index: the letters of their states."""
    status: Mapping[str, StatusValue] = attrs.field(factory=dict)
    """What the policy goes by at this moment, in its own terms; empty if it has no terms."""
    matrix: Matrix | None = None
    """The time slots; None if the policy shares space."""
    draining: frozenset[int] = frozenset()
    """Nodes that go down as soon as their jobs leave them."""
    policy: str = ""
    """The policy in force, and all of its parameters."""
    parameters: Mapping[str, object] = attrs.field(factory=dict)

    @property
    def idle(self) -> tuple[int, ...]:
        """Indexes of those that do not run, in the same order."""
        running = frozenset(self.running)
        return tuple(job for job in self.everybody if job not in running)

    @property
    def everybody(self) -> tuple[int, ...]:
        """Indexes of all jobs on the machine, in the order of the queue panel."""
        return tuple(everybody(self.waiting, self.holding, self.running))

    @property
    def pending(self) -> bool:
        """Whether the pass of this instant has not been done yet."""
        return self.upcoming is not None and self.upcoming[:2] == (self.time, "pass")


def everybody(waiting: Iterable[int], holding: Mapping[int, str], running: Iterable[int]) -> list[int]:
    """Return all jobs on a machine, by index: first who waits, last who is held or suspended."""
    aside = [job for job, state in holding.items() if state in ASIDE]
    beside = [job for job, state in holding.items() if state not in ASIDE]
    return [*waiting, *beside, *running, *aside]


@attrs.frozen
class Checked:
    """One expectation of a scenario file beside what the simulation gave."""

    file: str
    line: int
    case: str
    what: str
    expected: str
    found: str
    passed: bool

    def __str__(self) -> str:
        """`file:line: what: expected E, found F`, as `shadowtime check` prints a failure."""
        return f"{self.file}:{self.line}: {self.what}: expected {self.expected}, found {self.found}"
