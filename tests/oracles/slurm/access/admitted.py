"""Which partitions let a waiting job in (section 2), and which let it start (section 4, rule 8)."""

from shadowtime.scenarios.slurm import Capture, Job, Partition


def closed(partition: Partition) -> bool:
    """Whether no job starts in a partition."""
    return partition.states[0] in ("DOWN", "INACTIVE") if partition.states else False


def has_entry(capture: Capture, job: Job, partition: Partition) -> bool:
    """Whether a job has an entry in a partition."""
    request = job.request
    if capture.generation.rules == "22.05" and job.reason == "PartitionConfig":
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


def account_starts(job: Job, partition: Partition) -> bool:
    """Whether the account of a job may start jobs in a partition."""
    if not job.account:
        return True
    if partition.allowed_accounts:
        return job.account in partition.allowed_accounts
    return job.account not in partition.denied_accounts
