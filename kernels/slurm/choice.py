"""Which nodes a job gets: the best fit over neighbouring nodes (docs/slurm.md, sections 6.2 and 6.3)."""

from kernels.slurm.bits import places
from kernels.slurm.records import Nodes, Wish

Rooms = dict[int, int]


class Choice:
    """One choice among usable nodes, `rooms` by index; `busy` are the nodes that section 6.3 puts first."""

    def __init__(self, nodes: Nodes, wish: Wish, rooms: Rooms, release: int, busy: int | None) -> None:
        self.nodes, self.wish, self.rooms, self.release, self.busy = nodes, wish, rooms, release, busy
        self.required = places(wish.required)

    def result(self) -> Rooms | None:
        """The nodes with the CPUs that each gives, or None."""
        if len(self.rooms) < self.wish.least or any(node not in self.rooms for node in self.required):
            return None
        if self.release == 2605 and self.wish.most == 1 and not self.required and self.busy is None:
            return self._first()
        found = self._one()
        if found is None and len(self.rooms) > self.wish.least:
            found = self._without_the_poorest()
        return found

    def _first(self) -> Rooms | None:
        able = [node for node, cpus in self.rooms.items() if cpus >= self.wish.cpus]
        if not able:
            return None
        node = min(able, key=lambda node: (self.nodes.weight[node], node))
        return {node: self.rooms[node] if self.wish.exclusive else self.wish.cpus}

    def _without_the_poorest(self) -> Rooms | None:
        """Drop the poorest nodes one by one until a choice succeeds."""
        required = set(self.required)
        poorest = sorted(
            (node for node in self.rooms if node not in required), key=lambda node: (self.rooms[node], node)
        )
        self.rooms = dict(self.rooms)
        for node in poorest[: len(self.rooms) - self.wish.least]:
            del self.rooms[node]
            if not self._hopeless() and (found := self._one()) is not None:
                return found
        return None

    def _hopeless(self) -> bool:
        """Whether all nodes together give too few CPUs."""
        return sum(self.rooms.values()) < self.wish.cpus

    def _one(self) -> Rooms | None:
        taking = _Taking(self.nodes, self.wish, self.rooms)
        for node in self.required:
            taking.take(node)
        if self.busy is None:
            _Sets(taking, self.nodes, self.required).use()
        else:
            self._in_turn(taking, self.busy)
        if taking.cpus > 0 or len(taking.taken) < self.wish.least:
            return None
        return taking.taken

    def _in_turn(self, taking: "_Taking", busy: int) -> None:
        weight = self.nodes.weight
        for node in sorted(self.rooms, key=lambda node: (weight[node], not busy >> node & 1, node)):
            if taking.done:
                break
            if node not in taking.taken:
                taking.take(node)


class _Taking:
    """What was taken, and what is still needed."""

    def __init__(self, nodes: Nodes, wish: Wish, rooms: Rooms) -> None:
        self.threads, self.wish, self.rooms = nodes.threads, wish, rooms
        self.taken: Rooms = {}
        self.cpus, self.nodes, self.left = wish.cpus, wish.wanted, wish.most

    @property
    def done(self) -> bool:
        """Whether nodes and CPUs suffice, or no more nodes may be taken."""
        return self.left <= 0 or (self.cpus <= 0 and self.nodes <= 0)

    def take(self, node: int) -> None:
        """Take a node."""
        cpus = self.rooms[node]
        if not self.wish.exclusive:
            others = max(0, self.nodes - 1) * self.threads[node]
            cpus = max(min(cpus, self.cpus - others), self.wish.least_cpus, 1)
        self.taken[node] = cpus
        self.cpus -= cpus
        self.nodes -= 1
        self.left -= 1


class _Set:
    """Neighbours of one weight that were not taken, with the sum of their CPUs."""

    __slots__ = "cpus", "nodes", "required", "weight"

    def __init__(self, weight: int) -> None:
        self.nodes: list[int] = []
        self.weight, self.cpus = weight, 0
        self.required: int | None = None


class _Sets:
    """The sets of a choice."""

    def __init__(self, taking: _Taking, nodes: Nodes, required: list[int]) -> None:
        self.taking = taking
        self.contiguous = taking.wish.contiguous
        self.sets: list[_Set] = []
        wanted, before = set(required), -2
        for node in sorted(taking.rooms):
            weight = 0 if self.contiguous else nodes.weight[node]
            if before != node - 1 or self.sets[-1].weight != weight:
                self.sets.append(_Set(weight))
            each = self.sets[-1]
            if node in wanted:
                each.required = node if each.required is None else each.required
            else:
                each.nodes.append(node)
                each.cpus += taking.rooms[node]
            before = node

    def use(self) -> None:
        """Take nodes, set by set, the best first."""
        taking = self.taking
        while self.sets and not taking.done:
            best = self._best()
            if self.contiguous and not self._enough(best):
                return
            for node in self._order(best):
                if taking.done:
                    break
                if taking.left > 1 or taking.rooms[node] >= taking.cpus:
                    taking.take(node)
            self.sets.remove(best)

    def _enough(self, each: _Set) -> bool:
        return each.cpus >= self.taking.cpus and len(each.nodes) >= self.taking.nodes

    def _best(self) -> _Set:
        best = self.sets[0]
        for each in self.sets:
            if each is not best and self._better(each, best):
                best = each
        return best

    def _better(self, each: _Set, best: _Set) -> bool:
        if each.required is not None and best.required is None:
            return True
        if each.weight != best.weight:
            return each.weight < best.weight
        if self._enough(each):
            return not self._enough(best) or each.cpus < best.cpus
        return each.cpus > best.cpus

    def _order(self, each: _Set) -> list[int]:
        nodes, first = each.nodes, each.required
        if first is not None:
            return [node for node in nodes if node > first] + [
                node for node in reversed(nodes) if node < first
            ]
        taking = self.taking
        if taking.nodes <= 1 and self._enough(each):
            able = [node for node in nodes if taking.rooms[node] >= taking.cpus]
            if able:
                return [min(able, key=lambda node: (taking.rooms[node], node))]
        return nodes
