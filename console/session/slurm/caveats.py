"""What a cluster, or a job of it, uses that the plan leaves out (docs/slurm.md, What is not modelled)."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from shadowtime.console.session.slurm.devices import parse_devices
from shadowtime.console.session.slurm.features import COUNTED, terms
from shadowtime.console.session.slurm.guard.caveat import Caveat, Left
from shadowtime.console.session.slurm.guard.reasons import doubted
from shadowtime.console.session.slurm.limits import SIZES, known
from shadowtime.console.session.slurm.preemption import Preemption
from shadowtime.console.session.slurm.priorities.standing import first_standing
from shadowtime.console.session.slurm.problem import reserved_licenses
from shadowtime.kernels.slurm.records import Measure
from shadowtime.scenarios.slurm import Capture, Job, Partition, format_hosts
from shadowtime.scenarios.slurm.capture import SHARED_UNKNOWN
from shadowtime.scenarios.slurm.config import parse_licenses
from shadowtime.scenarios.slurm.partitions import UNKNOWN
from shadowtime.scenarios.slurm.records import UNLISTED, Limits
from shadowtime.scenarios.text.gate import printable

FLAT = frozenset(("topology/default", "topology/none", "topology/flat", ""))
SHARES = frozenset(("shard", "mps"))
"""Generic resources that are shares of a GPU."""


def caveats(capture: Capture) -> tuple[Caveat, ...]:
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
        self._qualities: dict[str, tuple[Caveat, ...]] = {}
        self._accounts: dict[str, set[Caveat]] = defaultdict(set)
        if capture.settings.limits_enforced:
            self._qualities = {
                each.name: tuple(_limits(capture, [each.limits])) for each in capture.qualities
            }
            for association in capture.associations:
                self._accounts[association.account].update(_limits(capture, [association.limits]))
        self._later_licenses, self._sharing = _reserved_licenses(capture), _shared_devices(capture)
        self._powered = {node.name for node in capture.nodes if any("POWER" in word for word in node.states)}
        self._cloud = any("CLOUD" in node.states for node in capture.nodes)
        self._hidden = tuple(_hidden(capture))
        unlisted = {node.name for node in capture.nodes if UNLISTED in node.states}
        self._beside = {part.name for part in capture.partitions if not unlisted.isdisjoint(part.nodes)}

    def of(self, job: Job) -> tuple[Caveat, ...]:
        """Return the subjects in order, each once."""
        return tuple(dict.fromkeys(self._found(job)))

    def _found(self, job: Job) -> Iterator[Caveat]:
        parts = [self._parts[name] for name in job.partitions if name in self._parts]
        if not self._beside.isdisjoint(job.partitions):
            yield from self._hidden
        if reason := doubted(self._capture, job):
            yield Caveat(Left.SEVERAL, (reason,))
        yield from _job(job, self._threads, self._capture.generation.rules)
        if job.het_job and self._capture.settings.limits_enforced:
            yield Caveat(Left.COMPONENTS)
        if any(part.shares > 1 for part in parts):
            yield Caveat(Left.SHARING)
        if self._hides_users and len(job.partitions) > 1:
            yield Caveat(Left.HIDDEN_USERS)
        if any(part.least_loaded for part in parts):
            yield Caveat(Left.LOADED)
        yield from _lists(parts, self._tree)
        yield from self._of_nodes(job, parts)
        yield from self._of_reservations(job, parts)
        for name in (job.qos, *(part.qos for part in parts)):
            yield from self._qualities.get(name, ())
        if job.account in self._accounts:
            yield from sorted(self._accounts[job.account], key=lambda each: each.names)

    def _of_nodes(self, job: Job, parts: Sequence[Partition]) -> Iterator[Caveat]:
        """What of the nodes is not known: shared devices, and nodes that are powered down."""
        wanted = _names(job.request.devices_per_node)
        if not SHARES.isdisjoint(wanted) or ("gpu" in wanted and self._sharing):
            yield Caveat(Left.SHARES)
        rules = self._capture.generation.rules
        if rules == "26.05" and any(not self._powered.isdisjoint(part.nodes) for part in parts):
            yield Caveat(Left.POWER)
        if rules == "22.05" and self._cloud and any(part.unlisted for part in parts):
            yield Caveat(Left.CLOUD)

    def _of_reservations(self, job: Job, parts: Sequence[Partition]) -> Iterator[Caveat]:
        """What of reservations is not known: when they were made, and licences at later starts."""
        request, wanted = job.request, parse_licenses(job.request.licenses)
        for each in self._capture.reservations:
            beside = any(not set(each.nodes).isdisjoint(part.nodes) for part in parts)
            if each.floats and beside and each.name != job.reservation:
                yield Caveat(Left.FLOATS, (printable(each.name),))
            reserved = reserved_licenses(each.licenses)
            if self._later_licenses and (
                not wanted.keys().isdisjoint(reserved) or each.name == job.reservation
            ):
                yield Caveat(Left.LICENSES)
        estimated = request.nodes_wanted and 0 < request.most_nodes < request.tasks and not request.exclusive
        if job.reservation and estimated and self._capture.generation.rules == "24.11":
            yield Caveat(Left.MOST)


def _reserved_licenses(capture: Capture) -> bool:
    """Whether reservations hold licences that later starts count."""
    return capture.settings.backfill.licenses and any(each.licenses for each in capture.reservations)


def _shared_devices(capture: Capture) -> bool:
    """Whether the devices of some node can be shared."""
    return any(not SHARES.isdisjoint(_names(devices)) for devices in {node.devices for node in capture.nodes})


def _names(devices: str) -> set[str]:
    return {name for name, _ in parse_devices(devices)}


def _lists(partitions: Iterable[Partition], tree: bool) -> Iterator[Caveat]:
    """What of the lists of who may use partitions is not known; `tree`: which account is above which is."""
    for part in partitions:
        if part.allowed_groups:
            yield Caveat(Left.GROUPS, (printable(part.name),))
        if (part.allowed_accounts or part.denied_accounts) and not tree:
            yield Caveat(Left.ACCOUNTS, (printable(part.name),))


def _missing(capture: Capture) -> Iterator[Caveat]:
    """What the capture lacks: jobs that hold nodes, and what cannot be read."""
    yield from _hidden(capture)
    for each in capture.left_out:
        yield Caveat(Left.UNREADABLE, (each.kind, printable(each.name), each.fault))


def _hidden(capture: Capture) -> Iterator[Caveat]:
    """The nodes that jobs hold which are not listed."""
    nodes = [node.name for node in capture.nodes if UNLISTED in node.states]
    if nodes:
        yield Caveat(Left.HIDDEN, (format_hosts(nodes),))


def _preferred(capture: Capture) -> Iterator[Caveat]:
    """Of 22.05 with a limit on the nodes that jobs hold."""
    if capture.generation.rules != "22.05" or not capture.settings.limits_enforced:
        return
    limits = (limit for limits in capture.limits for limit in limits)
    if any(SIZES.get(name) == Measure.HELD and resource == "node" for name, resource in limits):
        yield Caveat(Left.PREFERRED)


def _settings(capture: Capture) -> Iterator[Caveat]:
    settings = capture.settings
    if settings.assumed:
        yield Caveat(Left.ASSUMED)
    if settings.scheduler != "sched/backfill":
        yield Caveat(Left.SCHEDULER, (settings.scheduler,))
    if settings.select != "select/cons_tres":
        yield Caveat(Left.SELECTION, (settings.select,))
    if settings.topology not in FLAT:
        yield Caveat(Left.TOPOLOGY, (settings.topology,))
    if "CR_LLN" in settings.select_parameters or any(part.least_loaded for part in capture.partitions):
        yield Caveat(Left.LOADED)
    if "CR_PACK_NODES" in settings.select_parameters or any(
        word.startswith("CR_SOCKET") for word in settings.select_parameters
    ):
        yield Caveat(Left.SOCKETS)
    preemption = Preemption(capture)
    if preemption.by_tier and any(part.preempt_mode == UNKNOWN for part in capture.partitions):
        yield Caveat(Left.MODE)
    if preemption.on and any(each.grace for each in preemption.groups):
        yield Caveat(Left.GRACE)
    share, standing = settings.fair_share, first_standing(capture)
    if share is not None and share.weight and (standing is None or standing.tree is None):
        yield Caveat(Left.OBLIVIOUS if share.oblivious else Left.USAGE)
    elif share is not None and share.reset and standing is not None:
        yield Caveat(Left.RESETS, (printable(share.reset),))
    if settings.limits_enforced and not capture.qualities:
        yield Caveat(Left.LIMITS)
    if "jobs" in settings.private:
        yield Caveat(Left.PRIVATE)
    if not capture.exclusive_known:
        yield Caveat(Left.EXCLUSIVE)


def _jobs(capture: Capture) -> Iterator[Caveat]:
    threads = _threads(capture)
    for job in capture.jobs:
        # Slurm shows a held job with its own estimate as a most; it has no entry.
        if job.waiting and job.priority:
            yield from _job(job, threads, capture.generation.rules)
            if reason := doubted(capture, job):
                yield Caveat(Left.SEVERAL, (reason,))


def _threads(capture: Capture) -> int:
    """The most threads of a core."""
    return max((node.threads for node in capture.nodes), default=1)


def _job(job: Job, threads: int, release: str) -> Iterator[Caveat]:
    request = job.request
    if request.devices_otherwise:
        yield Caveat(Left.DEVICES)
    if request.by_device:
        yield Caveat(Left.BY_DEVICE)
    if 0 < request.threads_per_core < threads:
        yield Caveat(Left.THREADS)
    if job.array is not None and job.array.cut:
        yield Caveat(Left.CUT)
    wider = release == "22.05" and request.cpus > request.least_nodes
    if COUNTED.search(request.features) and (wider or not terms(request)):
        yield Caveat(Left.COUNTED)
    if request.nodes_wanted and 0 < request.most_nodes != request.least_nodes:
        yield Caveat(Left.RANGES)


def _hides_users(capture: Capture) -> bool:
    """Whether partitions may give nodes to one user: the JSON of 24.11 shows that only of jobs."""
    lacking = capture.generation.parser < SHARED_UNKNOWN and capture.generation.rules != "22.05"
    return lacking and any(job.request.exclusive_user for job in capture.jobs if job.waiting or job.holding)


def _limits(capture: Capture, found: Iterable[Limits]) -> Iterator[Caveat]:
    """The limits that the plan does not know."""
    for limits in found:
        for name, resource in limits:
            if not known(capture, name, resource):
                yield Caveat(Left.LIMIT, (printable(name), printable(resource)))


def _cluster(capture: Capture) -> Iterator[Caveat]:
    if _hides_users(capture) and any(job.waiting and len(job.partitions) > 1 for job in capture.jobs):
        yield Caveat(Left.HIDDEN_USERS)
    newer = capture.generation.rules != "22.05"
    if any(part.shares > 1 for part in capture.partitions):
        yield Caveat(Left.SHARING)
    yield from _lists(capture.partitions, bool(capture.associations) or not newer)
    if capture.settings.limits_enforced:
        yield from _limits(capture, capture.limits)
    yield from _preferred(capture)
    if _reserved_licenses(capture):
        yield Caveat(Left.LICENSES)
    if any(not each.nodes and not each.licenses for each in capture.reservations):
        yield Caveat(Left.CORES)
    if any(each.floats for each in capture.reservations):
        yield Caveat(Left.FLOATS)
    lists = {job.request.devices_per_node for job in capture.jobs if job.waiting}
    asked = {name for devices in lists for name in _names(devices)}
    if not SHARES.isdisjoint(asked) or ("gpu" in asked and _shared_devices(capture)):
        yield Caveat(Left.SHARES)


def left_out_of_all(caveats: Iterable[Caveat], marks: Iterable[Sequence[Caveat]]) -> tuple[Caveat, ...]:
    """Return what is left out of every start: the caveats that are the mark of no job alone."""
    own = frozenset(mark for each in marks for mark in each)
    return tuple(caveat for caveat in caveats if caveat not in own)
