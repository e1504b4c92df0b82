"""Which partitions let a job into the queue, and which let it start (docs/slurm-cycle.md, section 2)."""

from collections.abc import Container, Mapping

import attrs

from shadowtime.console.session.slurm.features import terms
from shadowtime.console.session.slurm.limits import Limits
from shadowtime.scenarios.slurm import Capture, Job, Partition
from shadowtime.scenarios.text.gate import printable

CLOSED = frozenset(("DOWN", "INACTIVE"))
"""States of a partition from which no job starts."""
REFUSED = "PartitionConfig"
"""The reason of a job whose partition refused it to a main pass."""


NEVER = "never starts: "
"""Begins the mark of a row that is planned and does not start."""


@attrs.define
class Admission:
    """The rules of a cluster's partitions. What does not change with the jobs is made once."""

    capture: Capture
    flags: Mapping[str, Container[str]] = attrs.field(init=False)
    """Quality of service -> its flags."""
    limits: Limits = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.limits = Limits(self.capture)
        self.flags = {quality.name: quality.flags for quality in self.capture.qualities}

    def refusal(self, job: Job, partition: Partition) -> str:
        """Return why a job has no entry in a partition; empty if it has one."""
        name = f"partition {printable(partition.name)}"
        state = next((state for state in partition.states if state in CLOSED), "")
        if state:
            return f"{name} is {state}"
        if job.reason == REFUSED and self.capture.generation.rules == "22.05":
            return f"{name} refuses it ({REFUSED})"
        return (
            self._size(job, partition, name)
            or self._quality(job, partition, name)
            or self.limits.refusal(job, partition)
        )

    def kept_out(self, job: Job) -> str:
        """Return why no partition of a job lets it into the queue, by the first; empty if one does."""
        refusals = [
            self.refusal(job, each) for each in self.capture.partitions if each.name in job.partitions
        ]
        return refusals[0] if refusals and all(refusals) else ""

    def _size(self, job: Job, partition: Partition, name: str) -> str:
        request, flags = job.request, self.flags.get(job.qos, ())
        most = request.most_nodes if request.nodes_wanted else 0
        minutes, nodes = partition.most_minutes, partition.most_nodes
        long = minutes is not None and job.limit is not None and job.limit > minutes
        if long and "PARTITION_TIME_LIMIT" not in flags:
            return f"{name} allows {minutes} minutes (MaxTime)"
        if nodes is not None and request.least_nodes > nodes and "PARTITION_MAXIMUM_NODE" not in flags:
            return f"{name} allows {nodes} nodes (MaxNodes)"
        if (most or request.least_nodes) < partition.least_nodes and "PARTITION_MINIMUM_NODE" not in flags:
            return f"{name} needs {partition.least_nodes} nodes (MinNodes)"
        return ""

    def _quality(self, job: Job, partition: Partition, name: str) -> str:
        if not job.qos or _listed(job.qos, partition.allowed_qos, partition.denied_qos):
            return ""
        return f"{name} does not allow the quality of service {printable(job.qos)}"


def may_start(job: Job, partition: Partition) -> bool:
    """Return whether an entry may start by itself; one that may not is planned all the same.

    A component of a heterogeneous job starts with the others; a job whose account the partition does not let
    start jobs does not start at all.
    """
    return not job.het_job and not barred(job, partition)


def barred(job: Job, partition: Partition) -> str:
    """Return why an entry that is planned does not start, whenever its turn is; empty if it does."""
    if not job.account or _listed(job.account, partition.allowed_accounts, partition.denied_accounts):
        return ""
    return f"partition {printable(partition.name)} does not start jobs of account {printable(job.account)}"


def kept_waiting(job: Job, partition: Partition, release: str) -> list[str]:
    """Return why an entry that is planned never starts; nothing if it does."""
    shares = release != "22.05" and not (partition.exclusive or job.request.exclusive)
    counted = (
        "it asks for features with counts, and shares its nodes" if shares and terms(job.request) else ""
    )
    return [why for why in (barred(job, partition), counted) if why]


def _listed(name: str, allowed: Container[str], denied: Container[str]) -> bool:
    """Whether a name is allowed: the list of who is denied counts only without one of who is allowed."""
    return name in allowed if allowed else name not in denied
