"""Which partitions let a job into the queue, and which let it start (docs/slurm-cycle.md, section 2)."""

from collections.abc import Iterable, Set

from shadowtime.console.session.slurm.features import terms
from shadowtime.console.session.slurm.limits import Limits
from shadowtime.scenarios.slurm import Capture, Job, Partition
from shadowtime.scenarios.text.gate import printable

CLOSED = frozenset(("DOWN", "INACTIVE"))
"""States of a partition from which no job starts."""
REFUSED = "PartitionConfig"
"""The reason of a job whose partition refused it to a main pass."""
NOT_STARTED = "AccountNotAllowed"
"""The reason of a job whose partition does not start it: for its account, or for the groups of its user."""


class Admission:
    """The rules of a cluster's partitions. What does not change with the jobs is made once."""

    def __init__(self, capture: Capture) -> None:
        self.capture, self.limits = capture, Limits(capture)
        self.names = {each.name: f"partition {printable(each.name)}" for each in capture.partitions}
        """Partition -> how a reason names it."""
        self.parents = {each.account: each.parent for each in capture.associations if not each.user}
        """Account -> the one above it."""
        self.flags = {quality.name: quality.flags for quality in capture.qualities}
        """Quality of service -> its flags."""

    def refusal(self, job: Job, partition: Partition) -> str:
        """Return why a job has no entry in a partition; empty if it has one."""
        return self.shuts_out(job, partition) or self.limits.refusal(job, partition)

    def shuts_out(self, job: Job, partition: Partition) -> str:
        """Return why a job has no entry in a partition, whoever else is there; empty if it has one."""
        name = self.names[partition.name]
        state = next((state for state in partition.states if state in CLOSED), "")
        if state:
            return f"{name} is {state}"
        if partition.needs_reservation and not job.reservation:
            return f"{name} takes jobs of reservations alone (ReqResv)"
        if (
            job.reason == REFUSED
            and len(job.partitions) == 1
            and not self._planned_all_the_same(job, partition)
        ):
            return f"{name} refuses it ({REFUSED})"
        return self._size(job, partition, name) or self._quality(job, partition, name)

    def _planned_all_the_same(self, job: Job, partition: Partition) -> bool:
        """Whether the account of a job is what a pass refuses it for: from 24.11 on a cycle plans it."""
        return self.capture.generation.rules != "22.05" and bool(self.barred(job, partition))

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
        if not job.qos or _listed({job.qos}, partition.allowed_qos, partition.denied_qos):
            return ""
        return f"{name} does not allow the quality of service {printable(job.qos)}"

    def may_start(self, job: Job, partition: Partition) -> bool:
        """Return whether an entry may start by itself; one that may not is planned all the same.

        A component of a heterogeneous job starts with the others; a job whose account or user the partition
        does not let start jobs does not start at all.
        """
        return not job.het_job and not self.barred(job, partition)

    def barred(self, job: Job, partition: Partition) -> str:
        """Return why an entry that is planned does not start, whenever its turn is; empty if it does."""
        name = f"{self.names[partition.name]} does not start jobs of"
        if partition.allowed_groups and job.reason == NOT_STARTED:
            return f"{name} the groups of user {printable(job.user)}"
        own = self._accounts(job.account) if job.account else set()
        if not own or _listed(own, partition.allowed_accounts, partition.denied_accounts):
            return ""
        return f"{name} account {printable(job.account)}"

    def kept_waiting(self, job: Job, partition: Partition, start: int | None) -> list[str]:
        """Return why an entry that is planned for then never starts; nothing if it does."""
        shares = not (partition.exclusive or job.request.exclusive)
        found = [self.barred(job, partition), too_late(job, start)]
        if shares and self.capture.generation.rules != "22.05" and terms(job.request):
            found.append("it asks for features with counts, and shares its nodes")
        return [why for why in found if why]

    def _accounts(self, name: str) -> set[str]:
        """The account of a job and those above it, whose place in a list counts for it (22.05: it alone)."""
        found = {name}
        while self.capture.generation.rules != "22.05" and (name := self.parents.get(name, "")):
            if name in found:
                break
            found.add(name)
        return found


def too_late(job: Job, start: int | None) -> str:
    """Return why an entry does not start where it is planned: its deadline comes first; empty if it may."""
    least = job.least_limit or job.limit
    if not job.deadline or start is None or least is None or start + 60 * least <= job.deadline:
        return ""
    return "it is removed once it cannot end before its deadline"


def _listed(names: Set[str], allowed: Iterable[str], denied: Iterable[str]) -> bool:
    """Whether one of these names is allowed: who is denied counts only without a list of who is allowed."""
    return not names.isdisjoint(allowed) if allowed else names.isdisjoint(denied)
