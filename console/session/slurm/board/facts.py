"""The facts of a cluster and of the plan of its next cycle, joined. Instants are seconds since 1970."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache

import attrs

from shadowtime.console.session.slurm.caveats import left_out_of_all
from shadowtime.console.session.slurm.devices import count_devices, format_devices, kinds_of, wanted_devices
from shadowtime.console.session.slurm.forecasting import ForecastRow
from shadowtime.console.session.slurm.guard.beside import Beside, kept_by_slurm
from shadowtime.console.session.slurm.guard.caveat import Caveat
from shadowtime.console.session.slurm.limits import Reached
from shadowtime.console.session.slurm.preemption import Preemption
from shadowtime.scenarios.slurm import Capture, Job, Node, format_hosts, parse_hosts
from shadowtime.scenarios.slurm.changes import is_called
from shadowtime.scenarios.slurm.records import UNLISTED, is_up
from shadowtime.scenarios.text.gate import printable

LEFT_OUT = "not queued"
"""The outcome of a waiting job that the cycle does not take up."""

ENDED = "the cycle ends before it"
"""The note of a row that the cycle does not reach."""

COVERED = "covered"
"""The outcome of a row whose plan may not be seen yet."""


@lru_cache(maxsize=1 << 14)
def _count(hosts: str) -> int:
    """How many names a list has; most plans have the lists of the plan before."""
    return len(parse_hosts(hosts))


@attrs.frozen
class JobRow:
    """A job of the queue as it is shown: what is printed of it, and what it asks for.

    Texts are not kept: to print one again takes less than to keep it, and a first screen measures all.
    """

    record: Job

    @property
    def job(self) -> str:
        """The name that Slurm shows."""
        return self.record.shown

    @property
    def number(self) -> int:
        """The id of the job, of an array that of the array."""
        return self.record.array.job if self.record.array else self.record.id

    def is_called(self, name: str) -> bool:
        """Whether a text names it: its name, the number of it or its array, or a task that waits in it."""
        return is_called(self.record, name)

    @property
    def name(self) -> str:
        return printable(self.record.name)

    @property
    def user(self) -> str:
        return printable(self.record.user)

    @property
    def account(self) -> str:
        return printable(self.record.account)

    @property
    def qos(self) -> str:
        return printable(self.record.qos)

    @property
    def limit(self) -> int | None:
        """Seconds; None without a limit."""
        return None if self.record.limit is None else 60 * self.record.limit

    @property
    def submit(self) -> int:
        return self.record.submit


@attrs.frozen
class PlanRow(JobRow):
    """An entry of the plan, or a waiting job that has no entry."""

    entry: ForecastRow
    place: int
    """Its place among entries of the same job and partition."""

    @cached_property
    def key(self) -> tuple[str, str, int]:
        """What is the same in the next capture: the job, the partition, and the place among equals."""
        return self.job, self.entry.partition, self.place

    @property
    def order(self) -> int | None:
        """The place in the queue; None for a job that has no entry."""
        return self.entry.order or None

    @property
    def could_start(self) -> bool:
        """Whether it waits for its turn: it has an entry, or the cycle ends before it would have one."""
        return self.order is not None or self.note == ENDED

    @property
    def partition(self) -> str:
        """The partition, of a job without an entry all that it asks for."""
        return self.entry.partition

    @property
    def reservation(self) -> str:
        return self.entry.reservation

    @property
    def priority(self) -> int:
        """The priority in this partition."""
        return self.entry.priority

    @property
    def outcome(self) -> str:
        """`planned`, `started`, `skipped`, `beyond window` or `not queued`."""
        return self.entry.outcome

    @property
    def start(self) -> int | None:
        return self.entry.start

    @property
    def end(self) -> int | None:
        """When it ends at the latest if it starts then."""
        return self.entry.end

    @property
    def nodes(self) -> str:
        """The nodes that it is planned on, as a list such as `n[1-4]`."""
        return self.entry.nodes

    @property
    def note(self) -> str:
        return self.entry.note

    @property
    def caveats(self) -> tuple[Caveat, ...]:
        """What this prediction leaves out, beside what all of them leave out."""
        return self.entry.marks

    @property
    def slurm_start(self) -> int | None:
        """The start that Slurm showed when the queue was read: the plan of a cycle before."""
        return self.entry.slurm_start

    @property
    def slurm_reason(self) -> str:
        """The reason that Slurm showed when the queue was read."""
        return printable(self.record.reason)

    @property
    def least(self) -> int:
        """Nodes that it asks for, at least."""
        return self.record.request.least_nodes

    @property
    def cpus(self) -> int:
        return self.record.request.cpus

    @cached_property
    def devices(self) -> str:
        """What it asks for in all, such as `gpu:a100:8`."""
        return format_devices(wanted_devices(self.record.request))

    @property
    def gpus(self) -> int:
        """How many GPUs it asks for in all."""
        return count_devices(self.devices)

    @cached_property
    def gres(self) -> str:
        """The kinds of its devices, such as `gpu,gpu:a100`."""
        return kinds_of(self.devices)

    @property
    def hosts(self) -> tuple[str, ...]:
        return parse_hosts(self.nodes)

    @property
    def size(self) -> int:
        """How many nodes it is planned on; those that it asks for at least without a plan."""
        return _count(self.nodes) or self.least


@attrs.frozen
class NodeFact:
    """A node, who runs on it, and who is planned next."""

    name: str
    states: tuple[str, ...]
    partitions: tuple[str, ...]
    cpus: int
    cpus_taken: int
    memory: int
    memory_taken: int
    jobs: tuple[str, ...]
    """The running jobs, in the order in which they end."""
    free_at: int | None
    """When the last of them ends at the latest."""
    next_job: str
    next_start: int | None
    features: tuple[str, ...] = ()
    devices: str = ""
    """Such as `gpu:a100:4`."""
    weight: int = 1
    reason: str = ""
    """Why it is drained or down; empty for none."""
    reason_by: str = ""
    """Who gave the reason; empty if that is not known."""
    reason_at: int | None = None
    """When it was given; None if that is not known."""
    devices_held: str = ""
    """What jobs hold of the devices, such as `gpu:a100:3`."""

    @property
    def gpus(self) -> int:
        return count_devices(self.devices)

    @property
    def gpus_held(self) -> int:
        return count_devices(self.devices_held)

    @property
    def up(self) -> bool:
        """Whether jobs can be placed on the node, now or later."""
        return is_up(self.states)

    @property
    def unlisted(self) -> bool:
        """Whether jobs hold the node that the queue does not show."""
        return UNLISTED in self.states

    @property
    def state(self) -> str:
        """The state as Slurm writes it: `idle`, `mixed`, `drained+idle`."""
        return "+".join(self.states).lower() or "unknown"


@attrs.frozen
class Blocker:
    """Who holds some of the nodes of a planned job, and until when."""

    kind: str
    """`runs`, `planned` or `reserved`."""
    who: str
    """A job, or a reservation of the operator."""
    user: str
    nodes: tuple[str, ...]
    until: int

    @property
    def hosts(self) -> str:
        """The nodes as a list such as `n[1-4]`."""
        return format_hosts(self.nodes)


@attrs.frozen
class Board:
    """A cluster at one moment and the plan of the cycle that begins then."""

    now: int
    cluster: str
    release: str
    rules: str
    rows: tuple[PlanRow, ...]
    """The plan in the order of the queue, then the waiting jobs without an entry."""
    nodes: tuple[NodeFact, ...]
    running: tuple[str, ...]
    """The jobs that hold nodes."""
    caveats: tuple[Caveat, ...]
    """What the plan leaves out."""
    capture: Capture = attrs.field(repr=False)
    begun: bool = False
    """Whether the starts of the plan have been made: nodes and capture are those after its cycle."""
    tried: int = 0
    """For how many entries the cycle tried a placement."""
    stopped: str = ""
    """The parameter that ends the cycle before the end of the queue; empty if none does."""
    beside: Beside = attrs.field(factory=Beside)
    """The plan beside Slurm's own."""
    limits: Mapping[int, Reached] = attrs.field(factory=dict)
    """The place of a row -> the limit that keeps its job out in the cycle."""

    @cached_property
    def places(self) -> Mapping[str, int]:
        """Node -> its place in the configuration."""
        return {node.name: place for place, node in enumerate(self.nodes)}

    @cached_property
    def idle(self) -> Mapping[str, int]:
        """Node without a job -> its place in the configuration."""
        return {node.name: place for place, node in enumerate(self.nodes) if not node.jobs}

    @cached_property
    def open(self) -> frozenset[str]:
        """The nodes with a free CPU."""
        return frozenset(node.name for node in self.nodes if node.cpus_taken < node.cpus)

    @cached_property
    def jobs(self) -> Mapping[str, Job]:
        """The waiting jobs, by the name that Slurm shows."""
        return {job.shown: job for job in self.capture.jobs if job.waiting}

    @cached_property
    def kept_by_slurm(self) -> frozenset[str]:
        """The waiting jobs that Slurm's reason keeps out of its plan."""
        return frozenset(name for name, job in self.jobs.items() if kept_by_slurm(self.capture, job))

    @cached_property
    def fittings(self) -> dict[object, object]:
        """Where jobs fit, by what they ask for: kept, for many jobs ask for the same."""
        return {}

    @cached_property
    def kinds(self) -> dict[str, Sequence[tuple[Node, Sequence[str]]]]:
        """Partitions -> their nodes by kind, those that were asked for: one of each, and the names of all."""
        return {}

    @cached_property
    def runs_on(self) -> Mapping[str, Sequence[Job]]:
        """Node -> the jobs that run on it."""
        found: dict[str, list[Job]] = defaultdict(list)
        for job in self.capture.jobs:
            for name in job.nodes if job.holding else ():
                found[name].append(job)
        return found

    @cached_property
    def last_on(self) -> Mapping[str, Job]:
        """Node with running jobs -> the one that ends last."""
        return {name: max(jobs, key=lambda job: (job.end, job.id)) for name, jobs in self.runs_on.items()}

    @cached_property
    def ending(self) -> Mapping[int, Sequence[Job]]:
        """Instant -> the jobs that hold nodes until then."""
        found: dict[int, list[Job]] = defaultdict(list)
        for job in self.capture.jobs:
            if job.holding:
                found[job.end].append(job)
        return found

    @cached_property
    def components(self) -> Mapping[int, Job]:
        """Heterogeneous job -> its first component, if it holds nodes: the others are gone with it."""
        return {job.id: job for job in self.capture.jobs if job.holding and job.het_job == job.id}

    @cached_property
    def preempts(self) -> bool:
        return Preemption(self.capture).on

    @cached_property
    def entries(self) -> Sequence[PlanRow]:
        """The rows of the queue."""
        return [row for row in self.rows if row.order is not None]

    @cached_property
    def next_up(self) -> PlanRow | None:
        """The first row that starts after now; of equal ones the first in the queue."""
        later = (row for row in self.entries if (row.start or 0) > self.now)
        return min(later, key=lambda row: row.start or 0, default=None)

    @cached_property
    def planned_on(self) -> Mapping[str, Sequence[int]]:
        """Node -> the places of the rows that have it from their start on, in their order."""
        found: dict[str, list[int]] = defaultdict(list)
        for place, row in enumerate(self.rows):
            if row.start is not None and row.order is not None and row.outcome in ("planned", "started"):
                for name in parse_hosts(row.nodes):
                    found[name].append(place)
        return found

    @cached_property
    def first_on(self) -> Mapping[str, Sequence[PlanRow]]:
        """Node without a job -> the rows planned on it that start before all ahead of them in the queue."""
        found: dict[str, list[PlanRow]] = {}
        for name in self.idle:
            first: list[PlanRow] = []
            for place in self.planned_on.get(name, ()):
                row = self.rows[place]
                if not first or (row.start or 0) < (first[-1].start or 0):
                    first.append(row)
            found[name] = first
        return found

    @cached_property
    def shared_caveats(self) -> tuple[Caveat, ...]:
        """What is left out of every prediction: the caveats that are of no row alone."""
        return left_out_of_all(self.caveats, (row.caveats for row in self.rows))

    @cached_property
    def _outcomes(self) -> Mapping[str, int]:
        return Counter(row.outcome for row in self.rows)

    def rows_on(self, nodes: Iterable[str]) -> Mapping[int, list[str]]:
        """Return the places of the rows that have some of these nodes from their start on, with the nodes."""
        found: dict[int, list[str]] = defaultdict(list)
        for name in nodes:
            for place in self.planned_on.get(name, ()):
                found[place].append(name)
        return found

    def jobs_on(self, nodes: Iterable[str]) -> Iterable[tuple[Job, list[str]]]:
        """Return the jobs that run on some of these nodes, with the nodes, in the order of the nodes."""
        found: dict[int, tuple[Job, list[str]]] = {}
        for name in nodes:
            for job in self.runs_on.get(name, ()):
                found.setdefault(job.id, (job, []))[1].append(name)
        return found.values()

    def limit_of(self, row: PlanRow) -> Reached | None:
        """Return the limit that keeps the job of a row out in the cycle; None if none does."""
        return None if row.order is None else self.limits.get(row.order)

    def slurm_start(self, row: PlanRow) -> int | None:
        """Return the start that Slurm showed, of its last cycle; None if its reason keeps the job out."""
        return None if row.job in self.kept_by_slurm else row.slurm_start

    def count(self, outcome: str) -> int:
        return self._outcomes.get(outcome, 0)
