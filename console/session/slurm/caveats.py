"""What a captured cluster uses that the plan leaves out (docs/slurm.md, What is not modelled)."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from shadowtime.console.session.slurm.devices import parse_devices
from shadowtime.console.session.slurm.features import COUNTED, terms
from shadowtime.console.session.slurm.guard.reasons import doubted
from shadowtime.console.session.slurm.limits import SIZES, known
from shadowtime.console.session.slurm.priorities.standing import first_standing
from shadowtime.console.session.slurm.problem import reserved_licenses
from shadowtime.kernels.slurm import Measure
from shadowtime.scenarios.slurm import Capture, Job, Partition, format_hosts
from shadowtime.scenarios.slurm.capture import SHARED_UNKNOWN
from shadowtime.scenarios.slurm.config import parse_licenses
from shadowtime.scenarios.slurm.partitions import UNKNOWN
from shadowtime.scenarios.slurm.records import UNLISTED, Limits
from shadowtime.scenarios.text.gate import printable

FLAT = frozenset(("topology/default", "topology/none", "topology/flat", ""))
HIDDEN = "jobs that the queue does not show"
"""What holds nodes that are allocated to no job of the queue."""

HIDDEN_USERS = "which of the job's partitions give nodes to one user (ExclusiveUser)"
"""The JSON shows that of a job, as one of its partitions has it."""
SHARES = frozenset(("shard", "mps"))
"""Generic resources that are shares of a GPU."""
SHARED = "shares of GPUs (gres/shard, gres/mps)"
LICENSES = "licences of a reservation at later starts (bf_licenses)"
COMPONENTS = "components of a heterogeneous job under limits"
"""Which of them a cycle skips, and where those start that do, is not known on a busy cluster."""
PREFERRED = "nodes that 22.05 still prefers after a start under a limit on nodes"
"""The last start is not in a capture, and every later choice of nodes depends on it."""

SEVERAL = "Slurm's reason {}, which may be that of another partition of the job"
"""Of a reason that the plan does not model."""


def caveats(capture: Capture) -> tuple[str, ...]:
    """Return the subjects in order, each once."""
    found = *_missing(capture), *_settings(capture), *_jobs(capture), *_cluster(capture)
    return tuple(dict.fromkeys(found))


class CaveatsOfJobs:
    """What the plan leaves out of a waiting job, beside what it leaves out of all."""

    def __init__(self, capture: Capture) -> None:
        self._capture, self._threads = capture, _threads(capture)
        self._parts = {part.name: part for part in capture.partitions}
        self._hides_users = _hides_users(capture)
        self._tree = bool(capture.associations) or capture.generation.rules == "22.05"
        self._qualities: dict[str, tuple[str, ...]] = {}
        self._accounts: dict[str, set[str]] = defaultdict(set)
        if capture.settings.limits_enforced:
            self._qualities = {
                each.name: tuple(_limits(capture, [each.limits])) for each in capture.qualities
            }
            for association in capture.associations:
                self._accounts[association.account].update(_limits(capture, [association.limits]))
        self._later_licenses, self._sharing = _reserved_licenses(capture), _shared_devices(capture)
        self._powered = {node.name for node in capture.nodes if any("POWER" in word for word in node.states)}
        self._cloud = any("CLOUD" in node.states for node in capture.nodes)
        self._hidden = next(_hidden(capture), "")
        unlisted = {node.name for node in capture.nodes if UNLISTED in node.states}
        self._beside = {part.name for part in capture.partitions if not unlisted.isdisjoint(part.nodes)}

    def of(self, job: Job) -> tuple[str, ...]:
        """Return the subjects in order, each once."""
        return tuple(dict.fromkeys(self._found(job)))

    def _found(self, job: Job) -> Iterator[str]:
        parts = [self._parts[name] for name in job.partitions if name in self._parts]
        if not self._beside.isdisjoint(job.partitions):
            yield self._hidden
        if reason := doubted(self._capture, job):
            yield SEVERAL.format(reason)
        yield from _job(job, self._threads, self._capture.generation.rules)
        if job.het_job and self._capture.settings.limits_enforced:
            yield COMPONENTS
        if any(part.shares > 1 for part in parts):
            yield "oversubscription"
        if self._hides_users and len(job.partitions) > 1:
            yield HIDDEN_USERS
        if any(part.least_loaded for part in parts):
            yield "least loaded nodes first"
        yield from _lists(parts, self._tree)
        yield from self._of_nodes(job, parts)
        yield from self._of_reservations(job, parts)
        for name in (job.qos, *(part.qos for part in parts)):
            yield from self._qualities.get(name, ())
        if job.account in self._accounts:
            yield from sorted(self._accounts[job.account])

    def _of_nodes(self, job: Job, parts: Sequence[Partition]) -> Iterator[str]:
        """What of the nodes is not known: shared devices, and nodes that are powered down."""
        wanted = _names(job.request.devices_per_node)
        if not SHARES.isdisjoint(wanted) or ("gpu" in wanted and self._sharing):
            yield SHARED
        rules = self._capture.generation.rules
        if rules == "26.05" and any(not self._powered.isdisjoint(part.nodes) for part in parts):
            yield "nodes that are powered down or up"
        if rules == "22.05" and self._cloud and any(part.unlisted for part in parts):
            yield "nodes of the cloud that sinfo does not list"

    def _of_reservations(self, job: Job, parts: Sequence[Partition]) -> Iterator[str]:
        """What of reservations is not known: when they were made, and licences at later starts."""
        request, wanted = job.request, parse_licenses(job.request.licenses)
        for each in self._capture.reservations:
            beside = any(not set(each.nodes).isdisjoint(part.nodes) for part in parts)
            if each.floats and beside and each.name != job.reservation:
                yield f"when reservation {printable(each.name)} was made (TIME_FLOAT)"
            reserved = reserved_licenses(each.licenses)
            if self._later_licenses and (
                not wanted.keys().isdisjoint(reserved) or each.name == job.reservation
            ):
                yield LICENSES
        estimated = request.nodes_wanted and 0 < request.most_nodes < request.tasks and not request.exclusive
        if job.reservation and estimated and self._capture.generation.rules == "24.11":
            yield "the most nodes of a job of a reservation, which may be an estimate"


def _reserved_licenses(capture: Capture) -> bool:
    """Whether reservations hold licences that later starts count."""
    return capture.settings.backfill.licenses and any(each.licenses for each in capture.reservations)


def _shared_devices(capture: Capture) -> bool:
    """Whether the devices of some node can be shared."""
    return any(not SHARES.isdisjoint(_names(node.devices)) for node in capture.nodes)


def _names(devices: str) -> set[str]:
    """The kinds of devices of a list."""
    return {name for name, _ in parse_devices(devices)}


def _lists(partitions: Iterable[Partition], tree: bool) -> Iterator[str]:
    """What of the lists of who may use partitions is not known; `tree`: which account is above which is."""
    for part in partitions:
        if part.allowed_groups:
            yield f"who is in AllowGroups of partition {printable(part.name)}"
        if (part.allowed_accounts or part.denied_accounts) and not tree:
            yield f"accounts below those that partition {printable(part.name)} lists: no assoc_mgr.txt"


def _missing(capture: Capture) -> Iterator[str]:
    """What the capture lacks: jobs that hold nodes, and what cannot be read."""
    yield from _hidden(capture)
    for each in capture.left_out:
        yield f"{each.kind} {printable(each.name)}".rstrip() + f" ({each.fault})"


def _hidden(capture: Capture) -> Iterator[str]:
    """The nodes that jobs hold which are not listed."""
    nodes = [node.name for node in capture.nodes if UNLISTED in node.states]
    if nodes:
        yield f"{HIDDEN} (they hold {format_hosts(nodes)}: taken as never free)"


def _preferred(capture: Capture) -> Iterator[str]:
    """Of 22.05 with a limit on the nodes that jobs hold."""
    if capture.generation.rules != "22.05" or not capture.settings.limits_enforced:
        return
    limits = (limit for limits in capture.limits for limit in limits)
    if any(SIZES.get(name) == Measure.HELD and resource == "node" for name, resource in limits):
        yield PREFERRED


def _settings(capture: Capture) -> Iterator[str]:
    settings = capture.settings
    if settings.assumed:
        yield "the cluster's own parameters and limits, which REST does not give: defaults of slurm.conf"
    if settings.scheduler != "sched/backfill":
        yield f"scheduler {settings.scheduler}"
    if settings.select != "select/cons_tres":
        yield f"node selection {settings.select}"
    if settings.topology not in FLAT:
        yield f"topology {settings.topology}"
    if "CR_LLN" in settings.select_parameters or any(part.least_loaded for part in capture.partitions):
        yield "least loaded nodes first"
    if "CR_PACK_NODES" in settings.select_parameters or any(
        word.startswith("CR_SOCKET") for word in settings.select_parameters
    ):
        yield "selection by sockets"
    if settings.preempt == "preempt/partition_prio" and any(
        part.preempt_mode == UNKNOWN for part in capture.partitions
    ):
        yield "preemption: the JSON of this release has no mode of partitions, and there is no partitions.txt"
    by_tier, by_quality = settings.preempt == "preempt/partition_prio", settings.preempt == "preempt/qos"
    if (by_tier and any(each.grace for each in capture.partitions)) or (
        by_quality and any(each.grace for each in capture.qualities)
    ):
        yield "preemption: GraceTime"
    share, standing = settings.fair_share, first_standing(capture)
    if share is not None and share.weight and (standing is None or standing.tree is None):
        why = "DEPTH_OBLIVIOUS" if share.oblivious else "no usage of the associations (assoc_mgr.txt)"
        yield f"fair share over time: it stays that of the capture ({why})"
    elif share is not None and share.reset and standing is not None:
        yield f"the reset of usage over time (PriorityUsageResetPeriod={printable(share.reset)})"
    if settings.limits_enforced and not capture.qualities:
        yield "limits of accounts and qualities of service: no qos.json"
    if "jobs" in settings.private:
        yield "jobs of other users, which the cluster hides (PrivateData)"
    if not capture.exclusive_known:
        yield "jobs of whole nodes: no squeue_v0.0.44.json"


def _jobs(capture: Capture) -> Iterator[str]:
    threads = _threads(capture)
    for job in capture.jobs:
        # Slurm shows a held job with its own estimate as a most; it has no entry.
        if job.waiting and job.priority:
            yield from _job(job, threads, capture.generation.rules)
            if reason := doubted(capture, job):
                yield SEVERAL.format(reason)


def _threads(capture: Capture) -> int:
    """The most threads of a core."""
    return max((node.threads for node in capture.nodes), default=1)


def _job(job: Job, threads: int, release: str) -> Iterator[str]:
    request = job.request
    if request.devices_otherwise:
        yield "generic resources by job, socket or task"
    if request.by_device:
        yield "CPUs or memory by generic resource"
    if 0 < request.threads_per_core < threads:
        yield "fewer threads of a core than it has"
    if job.array is not None and job.array.cut:
        yield "tasks that squeue cut off (it lists all with SLURM_BITSTR_LEN=0)"
    wider = release == "22.05" and request.cpus > request.least_nodes
    if COUNTED.search(request.features) and (wider or not terms(request)):
        yield "counted features"
    if request.nodes_wanted and 0 < request.most_nodes != request.least_nodes:
        yield "ranges of nodes"


def _hides_users(capture: Capture) -> bool:
    """Whether partitions may give nodes to one user: the JSON of 24.11 shows that only of jobs."""
    lacking = capture.generation.parser < SHARED_UNKNOWN and capture.generation.rules != "22.05"
    return lacking and any(job.request.exclusive_user for job in capture.jobs if job.waiting or job.holding)


def _limits(capture: Capture, found: Iterable[Limits]) -> Iterator[str]:
    """The limits that the plan does not know."""
    for limits in found:
        for name, resource in limits:
            if not known(capture, name, resource):
                yield printable(f"the limit {name} of {resource}" if resource else f"the limit {name}")


def _cluster(capture: Capture) -> Iterator[str]:
    if _hides_users(capture) and any(job.waiting and len(job.partitions) > 1 for job in capture.jobs):
        yield HIDDEN_USERS
    newer = capture.generation.rules != "22.05"
    if any(part.shares > 1 for part in capture.partitions):
        yield "oversubscription"
    yield from _lists(capture.partitions, bool(capture.associations) or not newer)
    if capture.settings.limits_enforced:
        yield from _limits(capture, capture.limits)
    yield from _preferred(capture)
    if _reserved_licenses(capture):
        yield LICENSES
    if any(not each.nodes and not each.licenses for each in capture.reservations):
        yield "reservations of cores"
    if any(each.floats for each in capture.reservations):
        yield "when a reservation with TIME_FLOAT was made"
    asked = {name for job in capture.jobs for name in _names(job.request.devices_per_node) if job.waiting}
    if not SHARES.isdisjoint(asked) or ("gpu" in asked and _shared_devices(capture)):
        yield SHARED
