"""Large random clusters: tens of thousands of array tasks and a thousand jobs on shared nodes."""

from random import Random

import attrs

from shadowtime.scenarios.slurm import ArrayPart, Capture, Job, Share
from tests.oracles.slurm.small import NOW, cluster, waiting

CORES = 32


def large(
    nodes: int = 500, tasks: int = 80_000, jobs: int = 1_500, arrays: int = 8, seed: int = 1
) -> Capture:
    """A cluster of nodes with 32 cores each, so many tasks in so many arrays, and jobs of which some run."""
    random = Random(seed)
    plain = cluster(nodes, ())
    names = [node.name for node in plain.nodes]
    partition = attrs.evolve(plain.partitions[0], exclusive=False)
    free = dict.fromkeys(names, CORES)
    found: list[Job] = []
    for id_ in range(1, jobs + 1):
        wide = random.choice([1, 1, 1, 2, 4, 8, 16])
        cores = random.choice([4, 8, 16, CORES])
        job = shared(id_, wide, cores, random.choice([30, 60, 120, 240, 720]), random)
        room = [name for name in names if free[name] >= cores][:wide]
        if id_ % 3 == 0 and len(room) == wide:
            for name in room:
                free[name] -= cores
            end = NOW + random.randint(1, 60 * (job.limit or 0))
            job = attrs.evolve(
                job, states=("RUNNING",), begin=end - 60 * (job.limit or 0), end=end, nodes=tuple(room),
                shares=tuple(Share(name, cores, 0, "") for name in room),
            )  # fmt: skip
        found.append(job)
    each = tasks // arrays
    for place in range(arrays):
        job = shared(10_000 + place, 1, random.choice([1, 1, 2, 4]), random.choice([5, 10, 30, 60]), random)
        most = random.choice([0, 0, 0, 500])
        found.append(attrs.evolve(job, array=ArrayPart(job.id, None, f"1-{each}", most)))
    settings = attrs.evolve(plain.settings, select_parameters=frozenset(("CR_CORE",)))
    shape = [attrs.evolve(node, cores=CORES) for node in plain.nodes]
    return attrs.evolve(
        plain, nodes=tuple(shape), partitions=(partition,), settings=settings, jobs=tuple(found)
    )


def shared(id_: int, nodes: int, cores: int, minutes: int, random: Random) -> Job:
    """A waiting job of some cores of each of its nodes."""
    return waiting(
        id_, nodes, minutes, exclusive=False, cpus=nodes * cores, tasks=nodes, cpus_per_task=cores,
        least_cpus_per_node=cores, user=f"user{random.randint(1, 40)}", priority=random.randint(1, 9999),
        submit=NOW - random.randint(1, 90_000),
    )  # fmt: skip
