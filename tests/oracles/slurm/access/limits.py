"""Limits of a quality of service on what one user holds at once (section 10)."""

from tests.oracles.slurm.entry import Cycle
from tests.oracles.slurm.queue import Entry


def over_limit(cycle: Cycle, entry: Entry, nodes: frozenset[int]) -> bool:
    """Whether a user would hold more nodes than the quality of service allows."""
    job = entry.job
    for quality in cycle.capture.qualities:
        most = quality.most_per_user.get("node")
        if quality.name != job.qos or most is None:
            continue
        held = set(nodes)
        for other in cycle.running:
            if other.user == job.user and other.qos == job.qos:
                held |= other.nodes.keys()
        if len(held) > most:
            return True
    return False
