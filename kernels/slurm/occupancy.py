"""What the running jobs hold of each node, and what a node can give (docs/slurm.md, section 6.1)."""

from collections.abc import Iterable

from kernels.slurm.bits import places
from kernels.slurm.records import Devices, Holder, Nodes, Rules, Wish


class Occupancy:
    """CPUs, memory and devices in use by node; the nodes in use, and those of an exclusive job."""

    def __init__(self, nodes: Nodes, rules: Rules, holders: Iterable[Holder]) -> None:
        self.nodes, self.rules = nodes, rules
        count = len(nodes.cpus)
        self.cpus, self.memory = [0] * count, [0] * count
        self.jobs, self.closing = [0] * count, [0] * count
        self.devices: list[dict[tuple[str, str], int]] = [{} for _ in range(count)]
        self.busy = self.closed = 0
        for holder in holders:
            self.add(holder)

    def add(self, holder: Holder) -> None:
        """A job holds its share."""
        self._change(holder, 1)

    def remove(self, holder: Holder) -> None:
        """A job is thought away."""
        self._change(holder, -1)

    def _change(self, holder: Holder, sign: int) -> None:
        for node, take in holder.takes.items():
            self.cpus[node] += sign * take.cpus
            self.memory[node] += sign * take.memory
            self.jobs[node] += sign
            self.closing[node] += sign * holder.exclusive
            for kind, count in take.devices.items():
                held = self.devices[node]
                held[kind] = held.get(kind, 0) + sign * count
            bit = 1 << node
            self.busy = self.busy | bit if self.jobs[node] else self.busy & ~bit
            self.closed = self.closed | bit if self.closing[node] else self.closed & ~bit

    def rooms(self, wish: Wish, available: int, capped: bool) -> dict[int, int]:
        """The CPUs that each usable node gives; `capped`: no more than the tasks of a node use."""
        free = available & ~(self.busy if wish.exclusive else self.closed)
        found = {}
        for node in places(free):
            cpus = self._room(wish, node, capped)
            if cpus > 0:
                found[node] = cpus
        return found

    def _room(self, wish: Wish, node: int, capped: bool) -> int:
        cpus = self.nodes.cpus[node] - self.cpus[node]
        if cpus <= 0 or (wish.devices and not self._has_devices(wish.devices, node)):
            return 0
        if cpus > 0:
            cpus = self._by_tasks(wish, cpus, capped)
        if self.rules.memory_counts and cpus > 0:
            cpus = self._by_memory(wish, node, cpus)
            if not wish.devices:
                cpus -= cpus % wish.cpus_per_task
        least = max(1, wish.least_cpus)
        if wish.most == 1 and not wish.devices:
            least = max(least, wish.cpus)
        return cpus if cpus >= least else 0

    def _by_tasks(self, wish: Wish, cpus: int, capped: bool) -> int:
        needed = wish.tasks_per_node * wish.cpus_per_task
        if wish.devices:
            return cpus if not needed else needed if cpus >= needed else 0
        cpus -= cpus % wish.cpus_per_task
        if cpus < needed:
            return 0
        return needed if needed and capped and self.rules.release != 2205 else cpus

    def _by_memory(self, wish: Wish, node: int, cpus: int) -> int:
        free = self.nodes.memory[node] - self.memory[node]
        if wish.memory_per_node:
            return cpus if wish.memory_per_node <= free else 0
        if not wish.memory_per_cpu:
            return cpus if not self.memory[node] else 0
        if wish.exclusive:
            return cpus if self.nodes.cpus[node] * wish.memory_per_cpu <= free else 0
        step = self.nodes.threads[node] if self.rules.whole_cores else 1
        over = cpus - max(0, free) // wish.memory_per_cpu
        return max(0, cpus - (-(-over // step)) * step) if over > 0 else cpus

    def _has_devices(self, wanted: Devices, node: int) -> bool:
        free = self.free_devices(node)
        return all(
            sum(have for (other, its), have in free.items() if other == name and kind in ("", its)) >= count
            for (name, kind), count in wanted.items()
        )

    def free_devices(self, node: int) -> dict[tuple[str, str], int]:
        """The devices of a node that nobody holds."""
        held = self.devices[node]
        return {kind: count - held.get(kind, 0) for kind, count in self.nodes.devices[node].items()}
