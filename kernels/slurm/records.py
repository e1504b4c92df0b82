"""What a cycle is given and what it returns. A set of nodes is a whole number: bit i is the node of index i.

Times are seconds, memory mebibytes. Devices are generic resources: (name, type) -> count, the type
empty if there is none.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum

import attrs

Devices = Mapping[tuple[str, str], int]
UNKNOWN = -1


class Outcome(StrEnum):
    """What becomes of an entry."""

    PLANNED = "planned"
    STARTED = "started"
    BEYOND = "beyond window"
    SKIPPED = "skipped"


class Stop(StrEnum):
    """The bound that ended a cycle or a pass before the end of the queue: the parameter that sets it."""

    TESTS = "bf_max_job_test"
    STARTS = "bf_max_job_start"
    RECORDS = "bf_node_space_size"
    DEPTH = "default_queue_depth"


@attrs.frozen
class Rules:
    """The parameters of the cycle (docs/slurm-cycle.md, section 4). 0 of a bound means no bound."""

    release: int
    """2205, 2411 or 2605: whose rules hold."""
    resolution: int
    window: int
    """Seconds."""
    max_job_test: int
    max_job_user: int
    max_job_part: int
    max_job_user_part: int
    max_job_assoc: int
    max_job_start: int
    most_records: int
    window_linear: int
    min_prio_reserve: int
    min_age_reserve: int
    running_job_reserve: bool
    busy_nodes: bool
    one_resv_per_job: bool
    licenses: bool
    memory_counts: bool
    whole_cores: bool
    """Whether CPUs are given by cores."""


@attrs.frozen
class Nodes:
    """The nodes, by index."""

    cpus: tuple[int, ...]
    threads: tuple[int, ...]
    memory: tuple[int, ...]
    weight: tuple[int, ...]
    devices: tuple[Devices, ...]
    up: int
    lines: tuple[int, ...] = ()
    """The sets of nodes that are configured alike, as one line of the configuration has them."""
    kept: list[object] = attrs.field(factory=list, init=False, eq=False, repr=False)
    """What the planner has made of the running jobs; the next cycle with the same jobs begins with it."""


@attrs.frozen
class Take:
    """What a job holds of one node."""

    cpus: int
    memory: int
    devices: Devices


Scope = tuple[str | int, ...]
"""Whose jobs a limit counts together."""


class Measure(StrEnum):
    """What a limit bounds."""

    JOBS = "jobs that run"
    HELD = "what jobs hold"
    MINUTES = "what jobs hold, times the minutes that are left to them"
    MOST = "what one job holds"
    MOST_MINUTES = "what one job holds, times the minutes of its limit"
    LEAST = "what one job holds at least"
    BY_NODE = "what one job holds of a node, on average"


@attrs.frozen
class Limit:
    """A limit of an account or a quality of service (docs/slurm-cycle.md, section 10)."""

    what: Measure
    resource: str
    """As `amounts` names it; empty for jobs."""
    bound: int
    scope: Scope


@attrs.frozen
class Near:
    """Whose nodes an entry with a limit on nodes prefers: the first of these counts that holds a node."""

    scopes: tuple[Scope, ...]
    instead: bool
    """Whether they are preferred instead of those before, not beside them."""


@attrs.frozen
class Holder:
    """A running job. `end` is its start and its limit, `leaves` when it is thought to be gone."""

    end: int
    leaves: int
    takes: Mapping[int, Take]
    nodes: int
    exclusive: bool
    user: str
    licenses: Mapping[str, int]
    partition: str = ""
    job: int = 0
    scopes: frozenset[Scope] = frozenset()
    """The counts of limits that it is in."""
    by_user: bool = False
    """Whether it shares its nodes with no other user."""
    ends_with: int = 0
    """Of a component of a heterogeneous job: the end of the first component; 0 of another job."""
    kept: list[object] = attrs.field(factory=list, init=False, eq=False, repr=False)
    """What the planner has made of `takes`; the next cycle on the same nodes begins with it."""


@attrs.frozen
class Wish:
    """What a job asks for (docs/slurm-cycle.md, section 6)."""

    least: int
    most: int
    wanted: int
    cpus: int
    cpus_per_task: int
    tasks_per_node: int
    least_cpus: int
    memory_per_cpu: int
    memory_per_node: int
    exclusive: bool
    contiguous: bool
    required: int
    excluded: int
    alternatives: tuple[int, ...]
    """The nodes that meet the features; several if one kind is wanted for all nodes. -1: every node. None: it
    requires a node that is gone."""
    devices: Devices
    licenses: Mapping[str, int]
    by_user: bool = False
    """Whether it shares its nodes with no other user."""
    terms: tuple[tuple[int, int], ...] = ()
    """Of features with counts: the nodes that have the feature, and how many are wanted."""
    tasks: int = 0
    most_cpus: int | None = None
    """What the jobs of its partition together may have of a node; None: all of it."""
    kept: list[object] = attrs.field(factory=list, init=False, eq=False, repr=False)
    """What the planner has made of it; the next cycle on the same nodes begins with it."""


@attrs.frozen
class Entry:
    """A waiting job in one of its partitions, in the order of the queue."""

    job: int
    user: str
    partition: str
    nodes: int
    """Those of the partition."""
    priority: int
    """Compared with `min_prio_reserve` alone."""
    eligible: int
    reservation: int | None
    """The index of the job's reservation, UNKNOWN if there is no such reservation."""
    tries: int
    limit: int
    """Seconds of the limit that it is planned with."""
    whole_limit: int
    """Seconds of the limit without a least limit."""
    wish: Wish
    starts: int = 1
    """How many of the tries may end in a start; 0: a start now is planned, and the job does not start."""
    plans: int = 1
    """How many of the tries a cycle may plan for later."""
    shares: int = 1
    """How many rows of jobs take turns in the partition."""
    suspends: tuple[int, ...] = ()
    """The holders, by index, that the job may suspend."""
    preempts: tuple[int, ...] = ()
    """The holders that it may have requeued or cancelled, in the order in which they are thought away."""
    association: int = 0
    """The account and the user, as an id; 0 without one."""
    limits: tuple[Limit, ...] = ()
    near: tuple[Near, ...] = ()
    scopes: frozenset[Scope] = frozenset()
    deadline: int = 0
    """Of a job with a least limit: when it must have ended, 0 for none. A start cuts its limit to that."""
    least_limit: int = 0
    """In seconds."""
    component: int = 0
    """Of a component of a heterogeneous job: the first component; 0 for another job."""
    components: int = 0
    """How many components of the job wait."""


@attrs.frozen
class Reservation:
    """A reservation of the operator."""

    begin: int
    end: int
    nodes: int
    all_nodes: bool
    maintenance: bool
    flexible: bool
    """Whether its own jobs may start anywhere and at any time."""
    any_nodes: bool
    """Whether it is of licences alone: its own jobs may have any nodes while it lasts."""
    licenses: Mapping[str, int]
    """What it keeps from jobs that are not its own."""
    noted_end: int
    """The end by which a later try is sought; of one that floats not the end in this cycle."""


@attrs.frozen
class Cluster:
    """A cluster as it stands when the cycle begins."""

    now: int
    nodes: Nodes
    holders: tuple[Holder, ...]
    entries: Sequence[Entry]
    reservations: tuple[Reservation, ...]
    rules: Rules
    licenses: Mapping[str, int]
    places: Mapping[int, int]
    """Job -> its place in the list of jobs."""
    capped: tuple[str, ...] = ()
    """The partitions whose jobs may not have all CPUs of a node."""
    weights: Mapping[str, Mapping[str, float]] = attrs.field(factory=dict)
    """Partition -> what it bills for a unit of each resource; nothing of one that bills CPUs."""
    greatest_billing: bool = False
    """Whether the greatest of the weighted resources is billed, not their sum."""


@attrs.frozen
class Excess:
    """What a try takes beyond a limit: `limit` is its place among those of the entry."""

    limit: int
    asked: int
    """How much the job would add; of a limit on one job, how much it would hold."""
    used: int | None = None
    """How much others use of it; None for a limit on one job, or if the job alone is beyond it."""


@attrs.frozen
class Place:
    """What becomes of one try of an entry: `entry` is its index, `end` that of the reservation."""

    entry: int
    outcome: Outcome
    start: int | None = None
    end: int | None = None
    nodes: int = 0
    reason: str = ""
    excess: Excess | None = None
    """The limit that keeps the job out, the first of several; None if none does."""


Begun = list[tuple[int, Holder]]
"""The jobs that start: the index of the entry, and what the job holds."""


@attrs.frozen
class CycleResult:
    """What a backfill cycle did."""

    places: list[Place]
    """One for each try of an entry, in the order of the queue."""
    begun: Begun
    tested: int
    """For how many entries a placement was tried; an array counts once a try."""
    stopped: Stop | None
    """The bound that ended it; None at the end of the queue."""
    preempted: list[int]
    """The holders, by index, that are requeued or cancelled for jobs that start later."""
    steady: int
    """Before this instant a cycle of the same jobs finds the same; not after now if nothing is known."""


@attrs.frozen
class PassResult:
    """What a main pass did."""

    begun: Begun
    tried: int
    closed: list[int]
    """The entries without a place: each closed its partition, or its reservation."""
    stopped: Stop | None
    preempted: list[int]
