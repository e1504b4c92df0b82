"""What a node can give to a job: CPUs, if its memory and devices suffice (section 6.1)."""

from collections.abc import Sequence
from typing import NamedTuple

from shadowtime.scenarios.slurm import Request
from tests.oracles.slurm.devices import Devices, enough_devices, free_devices
from tests.oracles.slurm.holding import Machine, Running


class Wish(NamedTuple):
    """What a job asks for, with what its partition and the settings make of it."""

    request: Request
    exclusive: bool
    least: int
    most: int
    wanted: int
    devices: Devices
    memory_counts: bool
    cores_count: bool
    """Whether memory by CPU is counted by cores (not CR_CPU)."""
    version: str
    partition: str
    user: str
    by_user: bool
    """Whether it shares its nodes with no other user."""
    most_cpus: int | None
    """What the jobs of the partition together may have of a node."""
    licenses: frozenset[str]
    """The licences that its start waits for: with `bf_licenses`."""


def room(here: Machine, wish: Wish, node: int, holders: Sequence[Running], in_full: bool) -> int:
    """CPUs that a node can give; 0 if it is not usable."""
    held = [job.nodes[node] for job in holders]
    if wish.exclusive and any(use.cpus for use in held):
        return 0
    if any(job.exclusive for job in holders):
        return 0
    cpus = here.cpus[node] - sum(use.cpus for use in held)
    if not enough_devices(free_devices(here.devices[node], [use.devices for use in held]), wish.devices):
        return 0
    if cpus <= 0:
        return 0
    cpus = by_tasks(wish, cpus, in_full)
    if wish.most_cpus is not None:
        if wish.exclusive and here.cpus[node] > wish.most_cpus:
            return 0
        taken = sum(job.nodes[node].cpus for job in holders if job.partition == wish.partition)
        cpus = min(cpus, wish.most_cpus - taken)
        if cpus <= 0:
            return 0
    if wish.memory_counts:
        cpus = by_memory(here, wish, node, cpus, sum(use.memory for use in held))
        if not wish.devices:
            cpus -= cpus % max(1, wish.request.cpus_per_task)
    if cpus < max(1, wish.request.least_cpus_per_node):
        return 0
    if wish.most == 1 and cpus < wish.request.cpus and not wish.devices:
        return 0
    return cpus


def by_tasks(wish: Wish, cpus: int, in_full: bool) -> int:
    """CPUs as tasks can use them; 0 if the tasks of a node do not fit."""
    request = wish.request
    each, tasks = max(1, request.cpus_per_task), request.tasks_per_node
    if wish.devices:
        if not tasks:
            return cpus
        return tasks * each if cpus >= tasks * each else 0
    if wish.version != "22.05" or not wish.cores_count:
        cpus -= cpus % each
    if tasks:
        if cpus < tasks * each:
            return 0
        if not in_full and wish.version != "22.05":
            cpus = min(cpus, tasks * each)
    return cpus


def by_memory(here: Machine, wish: Wish, node: int, cpus: int, taken: int) -> int:
    """CPUs for which the free memory suffices."""
    request, free = wish.request, here.memory[node] - taken
    if request.memory_per_node:
        return cpus if request.memory_per_node <= free else 0
    if request.memory_per_cpu:
        if wish.exclusive:
            return cpus if here.cpus[node] * request.memory_per_cpu <= free else 0
        step = here.threads[node] if wish.cores_count else 1
        while cpus > 0 and cpus * request.memory_per_cpu > free:
            cpus -= step
        return max(0, cpus)
    return cpus if taken == 0 else 0
