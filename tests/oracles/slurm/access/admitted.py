"""Which partitions let a waiting job in (section 2), and which let it start (section 4, rule 8)."""

from shadowtime.scenarios.slurm import Capture, Job, Partition


def closed(partition: Partition) -> bool:
    """Whether no job starts in a partition."""
    return partition.states[0] in ("DOWN", "INACTIVE") if partition.states else False


def has_entry(capture: Capture, job: Job, partition: Partition) -> bool:
    """Whether a job has an entry in a partition."""
    request = job.request
    refused = job.reason == "PartitionConfig" and len(job.partitions) == 1
    if refused and (capture.generation.rules == "22.05" or starts(capture, job, partition)):
        return False
    if partition.needs_reservation and not job.reservation:
        return False
    if closed(partition):
        return False
    free = {flag for quality in capture.qualities if quality.name == job.qos for flag in quality.flags}
    most = request.most_nodes if request.nodes_wanted and request.most_nodes else request.least_nodes
    if (
        partition.most_minutes is not None
        and job.limit is not None
        and job.limit > partition.most_minutes
        and "PARTITION_TIME_LIMIT" not in free
    ):
        return False
    if (
        partition.most_nodes is not None
        and request.least_nodes > partition.most_nodes
        and "PARTITION_MAXIMUM_NODE" not in free
    ):
        return False
    if most < partition.least_nodes and "PARTITION_MINIMUM_NODE" not in free:
        return False
    if not job.qos:
        return True
    if partition.allowed_qos:
        return job.qos in partition.allowed_qos
    return job.qos not in partition.denied_qos


def starts(capture: Capture, job: Job, partition: Partition) -> bool:
    """Whether the user and the account of a job may start jobs in a partition."""
    if partition.allowed_groups and job.reason == "AccountNotAllowed":
        return False
    if not job.account:
        return True
    accounts = [job.account]
    if capture.generation.rules != "22.05":
        accounts += above(capture, job.account)
    if partition.allowed_accounts:
        return any(account in partition.allowed_accounts for account in accounts)
    return not any(account in partition.denied_accounts for account in accounts)


def above(capture: Capture, account: str) -> list[str]:
    """The accounts above an account."""
    found: list[str] = []
    while True:
        parents = [each.parent for each in capture.associations if (each.account, each.user) == (account, "")]
        if not parents or not parents[-1] or parents[-1] in found:
            return found
        account = parents[-1]
        found.append(account)
