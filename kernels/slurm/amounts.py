"""How much of a resource counts for a limit: of jobs and of a choice (docs/slurm-cycle.md, section 10).

Resources are named as in limits: `cpu`, `node`, `mem`, `billing`, `gres/gpu`, `gres/gpu:a100`.
"""

from collections.abc import Callable, Mapping, Sequence

from shadowtime.kernels.slurm.records import Cluster, Devices, Entry, Holder

DEVICES = "gres/"


def counts(resource: str) -> bool:
    return resource in ("cpu", "node", "mem", "billing") or resource.startswith(DEVICES)


def held(cluster: Cluster, resource: str, holder: Holder) -> int:
    """Return how much a running job holds; memory in mebibytes, billing rounded down."""
    takes = holder.takes.values()
    if resource == "cpu":
        return sum(take.cpus for take in takes)
    if resource == "node":
        return len(takes)
    if resource == "mem":
        return sum(take.memory for take in takes)
    if resource == "billing":
        return int(billing(cluster, holder.partition, lambda name: held(cluster, name, holder)))
    return sum(devices(resource, take.devices) for take in takes)


def asked(cluster: Cluster, resource: str, entry: Entry, nodes: Sequence[int]) -> int:
    """Return how much an entry would hold of some nodes, by index."""
    wish, shape = entry.wish, cluster.nodes
    if resource == "cpu":
        return sum(shape.cpus[node] for node in nodes) if wish.exclusive else wish.cpus
    if resource == "node":
        return len(nodes)
    if resource == "mem":
        of_cpus = wish.memory_per_cpu and wish.memory_per_cpu * asked(cluster, "cpu", entry, nodes)
        return wish.memory_per_node * len(nodes) or of_cpus or sum(shape.memory[node] for node in nodes)
    if resource == "billing":
        return int(billing(cluster, entry.partition, lambda name: asked(cluster, name, entry, nodes)))
    return devices(resource, wish.devices) * len(nodes)


def devices(resource: str, held: Devices) -> int:
    """Return how many of the generic resources a limit names, with or without a type."""
    name, _, kind = resource.removeprefix(DEVICES).partition(":")
    return sum(count for (its, type_), count in held.items() if its == name and kind in ("", type_))


def billing(cluster: Cluster, partition: str, amount: Callable[[str], int]) -> float:
    """Return what a partition bills for resources, not rounded."""
    return billed(cluster.weights.get(partition, {}), cluster.greatest_billing, amount)


def billed(weights: Mapping[str, float], greatest: bool, amount: Callable[[str], int]) -> float:
    """Return the sum of the weighted resources, or the greatest of them; without weights the CPUs."""
    if not weights:
        return float(amount("cpu"))
    parts = [amount(name) * weight for name, weight in weights.items() if counts(name) and name != "billing"]
    return max(parts, default=0.0) if greatest else sum(parts)
