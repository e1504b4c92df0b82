"""What a captured cluster uses that the plan leaves out (docs/slurm.md, What is not modelled)."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from shadowtime.console.session.slurm.features import COUNTED
from shadowtime.console.session.slurm.guard.reasons import doubted
from shadowtime.console.session.slurm.limits import SIZES, known
from shadowtime.kernels.slurm import Measure
from shadowtime.scenarios.slurm import Capture, Job, format_hosts
from shadowtime.scenarios.slurm.partitions import UNKNOWN
from shadowtime.scenarios.slurm.records import UNLISTED, Limits
from shadowtime.scenarios.text.gate import printable

FLAT = frozenset(("topology/default", "topology/none", "topology/flat", ""))
HIDDEN = "jobs that the queue does not show"
"""What holds nodes that are allocated to no job of the queue."""

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
        self._newer = capture.generation.rules != "22.05"
        self._qualities: dict[str, tuple[str, ...]] = {}
        self._accounts: dict[str, set[str]] = defaultdict(set)
        if capture.settings.limits_enforced:
            self._qualities = {each.name: tuple(_limits([each.limits])) for each in capture.qualities}
            for association in capture.associations:
                self._accounts[association.account].update(_limits([association.limits]))
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
        yield from _job(job, self._threads)
        if any(part.shares > 1 for part in parts):
            yield "oversubscription"
        if self._newer and (job.request.exclusive_user or any(part.exclusive_user for part in parts)):
            yield "nodes to one user (--exclusive=user)"
        if any(part.least_loaded for part in parts):
            yield "least loaded nodes first"
        for name in (job.qos, *(part.qos for part in parts)):
            yield from self._qualities.get(name, ())
        if job.account in self._accounts:
            yield from sorted(self._accounts[job.account])


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
        yield "preemption: the JSON of this release has no mode of partitions"
    by_tier, by_quality = settings.preempt == "preempt/partition_prio", settings.preempt == "preempt/qos"
    if (by_tier and any(each.grace for each in capture.partitions)) or (
        by_quality and any(each.grace for each in capture.qualities)
    ):
        yield "preemption: GraceTime"
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
            yield from _job(job, threads)
            if reason := doubted(capture, job):
                yield SEVERAL.format(reason)


def _threads(capture: Capture) -> int:
    """The most threads of a core."""
    return max((node.threads for node in capture.nodes), default=1)


def _job(job: Job, threads: int) -> Iterator[str]:
    request = job.request
    if request.devices_otherwise:
        yield "generic resources by job, socket or task"
    if request.by_device:
        yield "CPUs or memory by generic resource"
    if 0 < request.threads_per_core < threads:
        yield "fewer threads of a core than it has"
    if job.array is not None and job.array.cut:
        yield "tasks that squeue cut off (it lists all with SLURM_BITSTR_LEN=0)"
    if COUNTED.search(request.features):
        yield "counted features"
    if request.nodes_wanted and 0 < request.most_nodes != request.least_nodes:
        yield "ranges of nodes"


def _limits(found: Iterable[Limits]) -> Iterator[str]:
    """The limits that the plan does not know."""
    for limits in found:
        for name, resource in limits:
            if not known(name, resource):
                yield printable(f"the limit {name} of {resource}" if resource else f"the limit {name}")


def _cluster(capture: Capture) -> Iterator[str]:
    asked = any(job.request.exclusive_user for job in capture.jobs if job.waiting or job.holding)
    newer = capture.generation.rules != "22.05"
    if newer and (asked or any(part.exclusive_user for part in capture.partitions)):
        yield "nodes to one user (--exclusive=user)"
    if any(part.shares > 1 for part in capture.partitions):
        yield "oversubscription"
    if capture.settings.limits_enforced:
        yield from _limits(capture.limits)
    yield from _preferred(capture)
    if any(each.licenses or not each.nodes for each in capture.reservations):
        yield "reservations of licences or cores"
