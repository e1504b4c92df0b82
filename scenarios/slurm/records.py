"""What a captured folder says: jobs, nodes, partitions, reservations, qualities of service, associations.

Instants are seconds since 1970, limits minutes, memory mebibytes, sizes nodes or CPUs. None: no limit.
"""

import math
from collections.abc import Collection, Mapping

import attrs

from shadowtime.scenarios.slurm.accounted.records import Past
from shadowtime.scenarios.slurm.config import Settings
from shadowtime.scenarios.slurm.generation import Generation
from shadowtime.scenarios.slurm.priorities import Factor


@attrs.frozen
class Request:
    """What a job asks for."""

    least_nodes: int
    """1 for a job that names no number of nodes."""
    most_nodes: int
    """0: the job does not bound them."""
    nodes_wanted: bool
    """Whether `most_nodes` is the user's own, and not what the number of tasks implies."""
    cpus: int
    tasks: int
    cpus_per_task: int
    tasks_per_node: int
    least_cpus_per_node: int
    memory_per_cpu: int
    """0: not asked for by CPU."""
    memory_per_node: int
    """0: not asked for by node."""
    exclusive: bool
    contiguous: bool
    required_nodes: tuple[str, ...] = ()
    excluded_nodes: tuple[str, ...] = ()
    features: str = ""
    devices_per_node: str = ""
    """Generic resources by node, such as `gres/gpu:h100:1`."""
    devices_otherwise: bool = False
    """Whether generic resources are asked for by job, socket or task."""
    devices_in_all: str = ""
    """Generic resources of the whole job as Slurm counts them, such as `gres/gpu=8`; empty if it does not."""
    licenses: str = ""
    threads_per_core: int = 0
    """The most threads that a job uses of a core; 0: all of them."""
    exclusive_user: bool = False
    """Whether its nodes go to no other user."""
    by_device: bool = False
    """Whether CPUs or memory are asked for by generic resource (`--cpus-per-gpu`, `--mem-per-gpu`)."""
    cpus_wanted: int = 0
    """CPUs that are asked for, also once whole nodes have been given; 0 if the file does not say it."""


@attrs.frozen
class Share:
    """What a running job holds of a node."""

    node: str
    cores: int
    memory: int
    devices: str
    """Such as `gpu:a100:2(IDX:0-1)`."""


@attrs.frozen
class ArrayPart:
    """The place of a job in an array; `waiting` lists the tasks that have not begun."""

    job: int
    task: int | None
    waiting: str
    most_running: int
    """0: no limit."""
    cut: bool = False
    """Whether there are more tasks than `waiting` lists."""


HOLDING = frozenset(("RUNNING", "SUSPENDED", "COMPLETING", "CONFIGURING"))
"""States of a job that holds nodes."""


@attrs.frozen
class Job:
    """A job of the queue: waiting, running, completing, suspended, or over but still shown."""

    id: int
    name: str
    user: str
    account: str
    states: tuple[str, ...]
    reason: str
    partitions: tuple[str, ...]
    priority: int
    priority_by_partition: Mapping[str, int]
    nice: int
    qos: str
    reservation: str
    dependency: str
    flags: frozenset[str]
    submit: int
    eligible: int
    begin: int
    """When a running job began, when a waiting one is expected to begin; 0 for none."""
    end: int
    limit: int | None
    least_limit: int
    """0: none."""
    request: Request
    array: ArrayPart | None
    nodes: tuple[str, ...]
    shares: tuple[Share, ...]
    accrued_since: int = 0
    """Since when the job grows older, for its priority; 0: not yet, or the file does not say it."""
    association: int = 0
    """The id of its association: an account, with the user and sometimes the partition; 0 without one."""
    deadline: int = 0
    """When it must have ended; 0 for none."""
    het_job: int = 0
    """Of a component of a heterogeneous job: the id of the first component; 0 for another job."""
    het_offset: int = 0
    """Which component it is."""
    can_requeue: bool = True
    """Whether it may be put back into the queue: the user can refuse that (`--no-requeue`)."""
    factors: Mapping[str, Mapping[Factor, int]] = attrs.field(factory=dict)
    """Of a job that waits, by partition: the points of each factor of its priority; empty if not known."""

    @property
    def shown(self) -> str:
        """How Slurm shows the job: `12`, `12_3` for a task, `12_*` for those that wait, `12+1` for a part."""
        if self.het_job:
            return f"{self.het_job}+{self.het_offset}"
        if self.array is None:
            return str(self.id)
        return f"{self.array.job}_{'*' if self.array.task is None else self.array.task}"

    @property
    def waiting(self) -> bool:
        return "PENDING" in self.states

    @property
    def depends(self) -> bool:
        """Whether a dependency of the job is not satisfied."""
        return "unfulfilled" in self.dependency or "failed" in self.dependency

    @property
    def holding(self) -> bool:
        """Whether the job holds nodes: it runs, is suspended or completes."""
        return not HOLDING.isdisjoint(self.states)

    @property
    def over(self) -> bool:
        """Whether the job neither waits nor holds nodes any more."""
        return not (self.waiting or self.holding)


Limits = Mapping[tuple[str, str], int]
"""Limits that are set: the name and the trackable resource, empty for none, as in (`GrpTRES`, `node`) -> 24.

The names are those of `scontrol show assoc_mgr`; a limit of a JSON file that has none there has its path.
Of limits on what has been submitted there are none: a job that waits has passed them.
"""

Used = Mapping[tuple[str, str], float]
"""What has been used, in minutes, of limits on that: by name and trackable resource, as those of `Limits`."""

UNLISTED = "UNLISTED"
"""Our own state of a node that is allocated to jobs which the queue does not show."""
GONE = frozenset(
    (
        *("DOWN", "DRAIN", "DRAINING", "DRAINED", "FAIL", "FAILING", "NOT_RESPONDING"),
        *("UNKNOWN", "FUTURE", "ERROR", "INVALID", "INVALID_REG", "POWERING_DOWN", UNLISTED),
    )
)
"""States of a node that is not up."""


def is_up(states: Collection[str]) -> bool:
    """Return whether jobs can be placed on a node, now or later: one that powers up does not respond yet."""
    gone = GONE - {"NOT_RESPONDING"} if "POWERING_UP" in states else GONE
    return gone.isdisjoint(states)


@attrs.frozen
class Node:
    """A node, as configured."""

    name: str
    cpus: int
    cores: int
    """In all sockets together, without those that the system keeps (`CoreSpecCount`, `CpuSpecList`)."""
    threads: int
    """Of a core, as jobs are given them: 1 where the configuration counts a core as one CPU."""
    memory: int
    """Without what the system keeps (`MemSpecLimit`)."""
    weight: int
    features: tuple[str, ...]
    devices: str
    """Such as `gpu:a100:4`."""
    states: tuple[str, ...]
    reason: str = ""
    """Why the node is drained or down, as an operator or slurmctld wrote it; empty for none."""
    allocated: int = 0
    """CPUs that Slurm has given to jobs; 0 if the file does not say it."""
    reason_by: str = ""
    """Who gave the reason; empty if the file does not say it."""
    reason_at: int = 0
    """When the reason was given, in seconds since 1970; 0 if the file does not say it."""

    @property
    def up(self) -> bool:
        """Whether jobs can be placed on the node, now or later."""
        return is_up(self.states)


@attrs.frozen
class Partition:
    """A partition."""

    name: str
    nodes: tuple[str, ...]
    tier: int
    job_factor: int
    most_minutes: int | None
    most_nodes: int | None
    least_nodes: int
    exclusive: bool
    shares: int
    """How many jobs may share a core: 1 without oversubscription."""
    least_loaded: bool
    qos: str
    states: tuple[str, ...]
    preempt_mode: str = ""
    """What befalls its jobs if they are preempted: SUSPEND, REQUEUE, CANCEL or OFF; empty: as in general."""
    forced: bool = False
    """Whether jobs share in any case (`OverSubscribe=FORCE`)."""
    grace: int = 0
    """`GraceTime`: seconds for which its jobs go on once they are preempted."""
    allowed_qos: tuple[str, ...] = ()
    """Of these lists an empty one allows everybody, or denies nobody."""
    denied_qos: tuple[str, ...] = ()
    allowed_accounts: tuple[str, ...] = ()
    denied_accounts: tuple[str, ...] = ()
    most_cpus_per_node: int | None = None
    """What all its jobs together may have of a node."""
    exclusive_user: bool = False
    """Whether its nodes go to the jobs of one user at a time."""
    allowed_groups: tuple[str, ...] = ()
    """As the lists above, of groups of users."""
    unlisted: bool = False
    """Whether it names nodes that are not listed: in the state FUTURE, or powered down in a cloud."""
    needs_reservation: bool = False
    """Whether it takes only jobs of a reservation (ReqResv)."""
    billing: Mapping[str, float] = attrs.field(factory=dict)
    """What a job is billed for a unit of each resource, a mebibyte of memory; empty: its CPUs."""


@attrs.frozen
class Reservation:
    """A reservation of nodes."""

    name: str
    begin: int
    end: int
    nodes: tuple[str, ...]
    flags: frozenset[str]
    users: tuple[str, ...]
    cores: int
    licenses: str
    """Empty for a reservation of nodes."""
    read_at: int = 0
    """Of one that floats: when it was read, in seconds since 1970; 0 if that is not known."""
    accounts: tuple[str, ...] = ()

    def moved(self, now: int) -> int:
        """Return how many seconds later than read it begins and ends, as of now."""
        return now - (self.read_at or now) if self.floats else 0

    @property
    def opens(self) -> float:
        """When its jobs come into the queue: one that floats never begins."""
        if self.flexible:
            return 0
        return math.inf if self.floats else self.begin

    @property
    def flexible(self) -> bool:
        """Whether its jobs may start anywhere and at any time (FLEX)."""
        return "FLEX" in self.flags

    @property
    def any_nodes(self) -> bool:
        """Whether it is of licences alone: its jobs may have any nodes while it lasts."""
        return bool(self.licenses) and not self.nodes

    @property
    def floats(self) -> bool:
        """Whether it never begins: its begin stays as far ahead as in the capture (TIME_FLOAT)."""
        return "TIME_FLOAT" in self.flags


@attrs.frozen
class Quality:
    """A quality of service."""

    name: str
    priority: int
    preempts: tuple[str, ...]
    limits: Limits
    preempt_mode: str = ""
    """As that of a partition."""
    grace: int = 0
    """As that of a partition."""
    flags: frozenset[str] = frozenset()
    """Such as `PARTITION_TIME_LIMIT`: in capitals, words joined."""
    usage_factor: float = 1.0
    """By which what its jobs use counts in the usage of their associations."""
    used: Used = attrs.field(factory=dict)


@attrs.frozen
class Association:
    """An account of a user, or an account itself (no user)."""

    id: int
    account: str
    user: str
    partition: str
    shares: int | None
    """None: those of the account above it."""
    limits: Limits
    parent: str = ""
    """Of an account: the one above it."""
    usage: float | None = None
    """What it and all below it have used: seconds times billing, the older the less; None: not known."""
    used: Used = attrs.field(factory=dict)


Quota = tuple[tuple[str | int, ...], str]
"""A limit on what has been used: whose it is, and the resource; `wall` is the time of jobs."""


@attrs.frozen
class Tree:
    """How the associations of a cluster share it, by their ids."""

    root: int
    children: Mapping[int, tuple[int, ...]]
    """Account -> who shares what it has; not an account that has the shares of its parent."""
    shares: Mapping[int, int | None]
    above: Mapping[int, tuple[int, ...]]
    """Association -> itself and the accounts above it, from below."""
    users: frozenset[int]
    """The associations of users."""


@attrs.frozen
class FairShareState:
    """What the associations of a cluster have used as of an instant, and their factors of fair share."""

    tree: Tree | None = attrs.field(repr=False)
    """None: fair share stays that of the capture."""
    calculated: int
    """When the factors were calculated, in seconds since 1970. Jobs that run have charged until then."""
    usage: Mapping[int, float]
    """Association -> seconds times billing."""
    factors: Mapping[int, float]
    """Association of a user -> from 0 to 1."""
    first: Mapping[int, float]
    """The factors of the capture."""
    moved: bool = False
    """Whether jobs have charged since the factors were calculated."""
    quotas: Mapping[Quota, int] = attrs.field(factory=dict)
    """Limits on what has been used, in minutes."""
    past: Mapping[Quota, float] = attrs.field(factory=dict)
    """What has been used of each: seconds times the amount."""

    @property
    def reached(self) -> frozenset[Quota]:
        """The limits on what has been used that are reached."""
        return frozenset(quota for quota, most in self.quotas.items() if self.past[quota] // 60 >= most)


@attrs.frozen
class LeftOut:
    """A job, a node or a reservation that cannot be read: the cluster is planned without it."""

    kind: str
    """`job`, `node` or `reservation`."""
    name: str
    """As Slurm names it; empty if that cannot be read."""
    fault: str
    """The file, the field, what is wrong, and what was expected."""
    partition: str = ""
    """Of a job."""
    nodes: tuple[str, ...] = ()
    """Of a job: the nodes that it holds, as far as they can be read."""
    waiting: bool = False
    """Whether it is a job that waits."""


@attrs.frozen
class Capture:
    """A captured cluster, as of one moment."""

    folder: str
    generation: Generation
    taken: int
    """When the queue was read, in seconds since 1970; 0 if the file does not say it."""
    settings: Settings
    jobs: tuple[Job, ...]
    nodes: tuple[Node, ...]
    """By index: in the order of the configuration."""
    partitions: tuple[Partition, ...]
    reservations: tuple[Reservation, ...]
    qualities: tuple[Quality, ...]
    associations: tuple[Association, ...]
    exclusive_known: bool
    """Whether the files say which jobs are exclusive: generation v0.0.45 alone does not."""
    calculated: int = 0
    """When the priorities were calculated, in seconds since 1970; 0 if that is not known."""
    entry_cost: int = 0
    """Microseconds that a backfill cycle takes for an entry of the queue; 0 if that is not known."""
    last_cycle: int = 0
    """When Slurm's last backfill cycle began, in seconds since 1970; 0 if that is not known."""
    left_out: tuple[LeftOut, ...] = ()
    """What cannot be read."""
    usage: Mapping[tuple[str | int, ...], Mapping[str, int]] = attrs.field(factory=dict)
    """What Slurm itself counts for limits (`accounting.py`); empty if that is not known."""
    counted: tuple[Job, ...] = ()
    """The jobs of the moment of that count."""
    standing: FairShareState | None = None
    """Over time; None: fair share stays that of the capture."""
    past: Past | None = None
    """What the accounting says; None if the capture has nothing of it."""

    @property
    def limits(self) -> tuple[Limits, ...]:
        """The limits of each quality of service and of each association."""
        return (*(each.limits for each in self.qualities), *(each.limits for each in self.associations))
