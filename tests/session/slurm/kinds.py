"""Random clusters with what partitions, limits and jobs can have beside the common, now and then."""

from collections.abc import Callable
from random import Random
from typing import Any

import attrs

from shadowtime.scenarios.slurm import Capture, Job, Partition
from tests.oracles.slurm.small import NOW

ACCOUNTS = "physics", "biology", ""
FEATURES = "(ib|old)&fast", "ib|(old&fast)", "ib&[old|fast]", "[(ib&fast)|old]", "[ib&(old|fast)]", "ib,(old)"


def with_kinds(capture: Capture, random: Random) -> Capture:
    """The cluster with some of the kinds."""
    kinds: list[Callable[[Capture, Random], Capture]] = [partitions, deadlines, features]
    for kind in kinds:
        if random.random() < 0.5:
            capture = kind(capture, random)
    return capture


def changed(capture: Capture, change: Callable[[Job], dict[str, Any]]) -> Capture:
    """The cluster with each job changed."""
    return attrs.evolve(capture, jobs=tuple(attrs.evolve(job, **change(job)) for job in capture.jobs))


def asking(job: Job, **changes: Any) -> dict[str, Any]:
    """A change of what a job asks for."""
    return {"request": attrs.evolve(job.request, **changes)}


def partitions(capture: Capture, random: Random) -> Capture:
    """Closed and small partitions, and lists of who may use them."""

    def one(partition: Partition) -> Partition:
        return attrs.evolve(
            partition,
            states=(random.choice(["UP", "UP", "UP", "DRAIN", "DOWN", "INACTIVE"]),),
            most_minutes=random.choice([None, 60, 300]),
            most_nodes=random.choice([None, None, 2, 5]),
            least_nodes=random.choice([0, 0, 2]),
            allowed_qos=random.choice([(), (), ("narrow",)]),
            denied_qos=random.choice([(), ("narrow",)]),
            allowed_accounts=random.choice([(), ("physics",)]),
            denied_accounts=random.choice([(), ("biology",)]),
        )

    found = attrs.evolve(capture, partitions=tuple(map(one, capture.partitions)))
    if random.random() < 0.3:
        flags = frozenset(("PARTITION_TIME_LIMIT", "PARTITION_MAXIMUM_NODE", "PARTITION_MINIMUM_NODE"))
        qualities = tuple(attrs.evolve(each, flags=flags) for each in capture.qualities)
        found = attrs.evolve(found, qualities=qualities)
    reasons = ["Priority", "Priority", "Priority", "PartitionConfig"]
    return changed(
        found,
        lambda job: {
            "account": random.choice(ACCOUNTS),
            "reason": random.choice(reasons) if job.waiting else job.reason,
        },
    )


def deadlines(capture: Capture, random: Random) -> Capture:
    """Jobs with deadlines and least limits."""
    return changed(
        capture,
        lambda job: {
            "deadline": random.choice([0, NOW + 900, NOW + 9000]),
            "least_limit": random.choice([0, 1, 5]),
        },
    )


def features(capture: Capture, random: Random) -> Capture:
    """Constraints with parentheses, and with brackets inside."""
    return changed(
        capture,
        lambda job: asking(job, features=random.choice(FEATURES)) if random.random() < 0.4 else {},
    )
