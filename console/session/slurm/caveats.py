"""What a captured cluster uses that the plan leaves out (docs/slurm.md, What is not modelled)."""

from collections.abc import Container, Iterator

from shadowtime.console.session.slurm.features import COUNTED
from shadowtime.console.session.slurm.reasons import doubted
from shadowtime.scenarios.slurm import Capture, Job, Quality, format_hosts
from shadowtime.scenarios.slurm.partitions import UNKNOWN
from shadowtime.scenarios.slurm.records import UNLISTED
from shadowtime.scenarios.text.gate import printable

FLAT = frozenset(("topology/default", "topology/none", "topology/flat", ""))
HIDDEN = "jobs that the queue does not show"
"""What holds nodes that are allocated to no job of the queue."""

SEVERAL = "Slurm's reason {}, which may be that of another partition of the job"
"""Of a reason that the plan does not model."""


def caveats(capture: Capture) -> tuple[str, ...]:
    """Return the subjects in order, each once."""
    found = *_missing(capture), *_settings(capture), *_jobs(capture), *_cluster(capture)
    return tuple(dict.fromkeys(found))


def caveats_of(capture: Capture, job: Job) -> tuple[str, ...]:
    """Return what the plan leaves out of one waiting job, beside what it leaves out of all."""
    parts = [part for part in capture.partitions if part.name in job.partitions]
    quality = next((each for each in capture.qualities if each.name == job.qos), None)
    found = [*_hidden(capture, frozenset(name for part in parts for name in part.nodes))]
    if reason := doubted(capture, job):
        found.append(SEVERAL.format(reason))
    found += _job(job, _threads(capture))
    if any(part.shares > 1 for part in parts):
        found.append("oversubscription")
    if any(part.least_loaded for part in parts):
        found.append("least loaded nodes first")
    if quality is not None and _limited(quality):
        found.append("limits of qualities of service other than nodes by user")
    if job.account and any(each.account == job.account and each.limits for each in capture.associations):
        found.append("limits of accounts")
    return tuple(dict.fromkeys(found))


def _missing(capture: Capture) -> Iterator[str]:
    """What the capture lacks: jobs that hold nodes, and what cannot be read."""
    yield from _hidden(capture)
    for each in capture.left_out:
        yield f"{each.kind} {printable(each.name)}".rstrip() + f" ({each.fault})"


def _hidden(capture: Capture, names: Container[str] | None = None) -> Iterator[str]:
    """The nodes that jobs hold which are not listed, if one of them has one of these names."""
    nodes = [node.name for node in capture.nodes if UNLISTED in node.states]
    if nodes and (names is None or any(name in names for name in nodes)):
        yield f"{HIDDEN} (they hold {format_hosts(nodes)}: taken as never free)"


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


def _limited(quality: Quality) -> bool:
    """Whether a quality of service has limits that the plan does not know: it knows that of nodes by user."""
    return bool(quality.other_limits) or not quality.most_per_user.keys() <= {"node"}


def _cluster(capture: Capture) -> Iterator[str]:
    if any(part.shares > 1 for part in capture.partitions):
        yield "oversubscription"
    if any(map(_limited, capture.qualities)):
        yield "limits of qualities of service other than nodes by user"
    if any(association.limits for association in capture.associations):
        yield "limits of accounts"
    if any(each.licenses or not each.nodes for each in capture.reservations):
        yield "reservations of licences or cores"
