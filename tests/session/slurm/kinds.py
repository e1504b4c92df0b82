"""Random clusters with what partitions, limits and jobs can have beside the common, now and then."""

from collections.abc import Callable
from random import Random
from typing import Any

import attrs

from shadowtime.scenarios.slurm import Association, Capture, Job, Partition, Quality
from tests.oracles.slurm.small import NOW, reserved

ACCOUNTS = "physics", "biology", ""
OF_QUALITIES = (
    "GrpTRES", "MaxTRESPU", "MaxTRESPA", "MaxTRESPJ", "MaxTRESPN", "MinTRESPJ", "GrpTRESRunMins",
    "GrpJobs", "MaxJobsPU", "MaxJobsPA", "MaxWallPJ", "MaxTRESMinsPJ",
    "MaxTRESRunMinsPU", "MaxTRESRunMinsPA",
)  # fmt: skip
OF_ACCOUNTS = (
    "GrpTRES", "GrpTRESRunMins", "GrpJobs", "MaxTRESPJ", "MaxTRESPN", "MaxJobs", "MaxWallPJ", "MaxTRESMinsPJ",
)  # fmt: skip
RESOURCES = "cpu", "cpu", "node", "node", "mem", "billing", "gres/gpu"
COUNTED = "ib*1", "ib*2", "[ib*1&old*1]", "[fast*1&ib*2]", "[ib*1&fast*1&old*1]", "ib*1&old"
FEATURES = "(ib|old)&fast", "ib|(old&fast)", "ib&[old|fast]", "[(ib&fast)|old]", "[ib&(old|fast)]", "ib,(old)"


def with_kinds(capture: Capture, random: Random) -> Capture:
    """The cluster with some of the kinds."""
    for kind in KINDS:
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
            denied_accounts=random.choice([(), ("biology",), ("science",)]),
            allowed_groups=random.choice([(), (), ("staff",)]),
            needs_reservation=random.random() < 0.1,
        )

    found = attrs.evolve(capture, partitions=tuple(map(one, capture.partitions)))
    if random.random() < 0.3:
        flags = frozenset(("PARTITION_TIME_LIMIT", "PARTITION_MAXIMUM_NODE", "PARTITION_MINIMUM_NODE"))
        qualities = tuple(attrs.evolve(each, flags=flags) for each in capture.qualities)
        found = attrs.evolve(found, qualities=qualities)
    reasons = ["Priority", "Priority", "Priority", "PartitionConfig", "AccountNotAllowed"]
    return changed(
        found,
        lambda job: {
            "account": random.choice(ACCOUNTS),
            "reason": random.choice(reasons) if job.waiting else job.reason,
        },
    )


def bounds(random: Random, names: tuple[str, ...]) -> dict[tuple[str, str], int]:
    """One or two limits."""
    found = {}
    for name in random.sample(names, random.choice([0, 1, 1, 2])):
        resource = random.choice(RESOURCES) if "TRES" in name else ""
        most = {
            "GrpTRESRunMins": 900,
            "MaxTRESRunMinsPU": 900,
            "MaxTRESRunMinsPA": 900,
            "MaxTRESMinsPJ": 300,
            "MaxWallPJ": 80,
            "MinTRESPJ": 3,
        }.get(name, 14)
        most = 4 if "Jobs" in name else most
        found[name, resource] = random.randint(1, most) * (1000 if resource == "mem" else 1)
    return found


def limits(capture: Capture, random: Random) -> Capture:
    """Limits of qualities of service, of a partition's own too, and of a tree of accounts."""
    flags = frozenset(("OVERRIDE_PARTITION_QOS",) if random.random() < 0.5 else ())
    qualities = [
        Quality(name, 0, (), bounds(random, OF_QUALITIES), flags=flags if name == "narrow" else frozenset())
        for name in ("narrow", "wide", "part")
    ]
    associations = [
        Association(1, "science", "", "", 1, bounds(random, OF_ACCOUNTS)),
        Association(2, "physics", "", "", 1, bounds(random, OF_ACCOUNTS), "science"),
        Association(3, "biology", "", "", 1, bounds(random, OF_ACCOUNTS), "science"),
        Association(4, "physics", "ada", "", 1, bounds(random, OF_ACCOUNTS)),
        Association(5, "biology", "ada", "", 1, {}),
    ]
    accounts = {4: "physics", 5: "biology", 0: ""}
    own = random.choice(["", "part"])
    weights = random.choice([{}, {"cpu": 0.5, "mem": 0.001, "gres/gpu": 2.0}])
    parts = tuple(
        attrs.evolve(each, qos=own if each.name == "small" else "", billing=weights)
        for each in capture.partitions
    )
    settings = attrs.evolve(capture.settings, greatest_billing=random.random() < 0.5)
    capture = attrs.evolve(
        capture,
        qualities=tuple(qualities),
        associations=tuple(associations),
        partitions=parts,
        settings=settings,
    )

    def one(job: Job) -> dict[str, Any]:
        number = random.choice([0, 4, 4, 5])
        qos = random.choice(["", "narrow", "narrow", "wide"])
        return {"association": number, "account": accounts[number], "qos": qos}

    return changed(capture, one)


def deadlines(capture: Capture, random: Random) -> Capture:
    """Jobs with deadlines and least limits."""
    return changed(
        capture,
        lambda job: {
            "deadline": random.choice([0, NOW + 900, NOW + 9000]),
            "least_limit": random.choice([0, 1, 5]),
        },
    )


def reservations(capture: Capture, random: Random) -> Capture:
    """Reservations with FLEX and TIME_FLOAT, their jobs, and jobs that require a node that is gone."""
    flags: list[frozenset[str]] = [frozenset(("FLEX",)), frozenset(("TIME_FLOAT",)), frozenset()]
    found = [
        reserved(name, sorted(random.sample(range(1, len(capture.nodes) + 1), 1)), begin, begin + 3000)
        for name, begin in (("r0", random.randint(-900, 6000)), ("r1", random.randint(0, 3000)))
    ]
    flagged = [attrs.evolve(each, flags=random.choice(flags), read_at=NOW - 40) for each in found]
    if random.random() < 0.3:
        flagged[0] = attrs.evolve(flagged[0], licenses="matlab:2", nodes=random.choice([(), found[0].nodes]))

    def one(job: Job) -> dict[str, Any]:
        gone = random.random() < 0.1 and job.waiting
        required = (*job.request.required_nodes, "gone") if gone else job.request.required_nodes
        named = random.choice(["", "", "r0", "r1"]) if job.waiting else job.reservation
        return asking(job, required_nodes=required) | {"reservation": named}

    return changed(attrs.evolve(capture, reservations=tuple(flagged)), one)


def by_user(capture: Capture, random: Random) -> Capture:
    """Jobs, or a partition, whose nodes go to one user."""
    parts = [attrs.evolve(each, exclusive_user=random.random() < 0.3) for each in capture.partitions]
    return changed(
        attrs.evolve(capture, partitions=tuple(parts)),
        lambda job: asking(job, exclusive_user=random.random() < 0.3),
    )


def neighbours(capture: Capture, random: Random) -> Capture:
    """Jobs that require nodes, some of them next to each other, and jobs that want neighbours."""

    def one(job: Job) -> dict[str, Any]:
        first = random.randint(1, len(capture.nodes))
        places = {first, min(first + random.randint(0, 2), len(capture.nodes))}
        required = tuple(f"n{place}" for place in places) if random.random() < 0.5 else ()
        return asking(job, required_nodes=required, contiguous=random.random() < 0.5)

    return changed(capture, lambda job: one(job) if random.random() < 0.4 else {})


def capped(capture: Capture, random: Random) -> Capture:
    """Partitions whose jobs may not have all CPUs of a node."""
    parts = [
        attrs.evolve(each, most_cpus_per_node=random.choice([None, 2, 3, 6])) for each in capture.partitions
    ]
    return attrs.evolve(capture, partitions=tuple(parts))


def components(capture: Capture, random: Random) -> Capture:
    """Heterogeneous jobs of two or three components, waiting and running."""
    jobs: list[Job] = []
    leader = left = 0
    for job in capture.jobs:
        if job.array is None and left:
            left -= 1
            offset = jobs[-1].het_offset + 1 if jobs[-1].het_job == leader else 1
            partition = random.choice(["batch", "batch", "small"]) if job.waiting else job.partitions[0]
            jobs.append(attrs.evolve(job, het_job=leader, het_offset=offset, partitions=(partition,)))
        elif job.array is None and random.random() < 0.4:
            leader, left = job.id, random.choice([1, 1, 2])
            jobs.append(attrs.evolve(job, het_job=job.id, partitions=job.partitions[:1]))
        else:
            jobs.append(job)
    return attrs.evolve(capture, jobs=tuple(jobs))


def features(capture: Capture, random: Random) -> Capture:
    """Constraints with parentheses, and with brackets inside."""
    return changed(
        capture,
        lambda job: asking(job, features=random.choice(FEATURES)) if random.random() < 0.4 else {},
    )


def counted(capture: Capture, random: Random) -> Capture:
    """Features with counts, of jobs that are small enough to find nodes."""

    def one(job: Job) -> dict[str, Any]:
        nodes, tasks = random.choice([1, 2, 3]), random.choice([1, 3, 3, 4, 7])
        return asking(
            job, features=random.choice(COUNTED), least_nodes=nodes, most_nodes=nodes, nodes_wanted=True,
            cpus=tasks, tasks=tasks, cpus_per_task=1, tasks_per_node=0, least_cpus_per_node=1,
            memory_per_cpu=0, memory_per_node=random.choice([0, 100]), devices_per_node="",
            exclusive=random.random() < 0.5, contiguous=random.random() < 0.1,
            required_nodes=("n1",) if random.random() < 0.1 else (),
        )  # fmt: skip

    return changed(capture, lambda job: one(job) if job.waiting and random.random() < 0.4 else {})


KINDS = (
    partitions,
    limits,
    deadlines,
    features,
    reservations,
    components,
    capped,
    by_user,
    neighbours,
    counted,
)
