"""Which nodes a job gets: the best fit over neighbouring nodes (section 6.2)."""

from functools import partial
from typing import NamedTuple

from tests.oracles.slurm.holding import Machine
from tests.oracles.slurm.room import Wish


class Set(NamedTuple):
    """Usable nodes that are neighbours and have one weight."""

    nodes: list[int]
    weight: int


def choose(
    here: Machine, wish: Wish, rooms: dict[int, int], busy: frozenset[int] | None = None
) -> dict[int, int] | None:
    """The nodes with the CPUs that each gives, or None. `rooms` has the CPUs of each usable node.

    `busy`: the nodes in use, where they go before idle ones.
    """
    needed = [here.places[name] for name in wish.request.required_nodes]
    if any(node not in rooms for node in needed):
        return None
    if wish.version == "26.05" and wish.most == 1 and not needed and busy is None:
        return first_node(here, wish, rooms)
    one = best_fit if busy is None else partial(one_by_one, busy)
    found = one(here, wish, rooms)
    left = dict(rooms)
    while found is None and len(left) > wish.least:
        others = [node for node in left if node not in needed]
        if not others:
            return None
        del left[min(others, key=lambda node: (left[node], node))]
        found = one(here, wish, left)
    return found if found is None or holds_tasks(wish, found) else None


def holds_tasks(wish: Wish, given: dict[int, int]) -> bool:
    """Whether the CPUs are enough for the tasks, where `MaxCPUsPerNode` has cut them."""
    if wish.most_cpus is None or wish.version == "22.05" or wish.devices:
        return True
    each = max(1, wish.request.cpus_per_task)
    return sum(cpus // each for cpus in given.values()) >= wish.request.tasks


def first_node(here: Machine, wish: Wish, rooms: dict[int, int]) -> dict[int, int] | None:
    """The first node that can take a job of one node."""
    for node in sorted(rooms, key=lambda node: (here.weight[node], node)):
        if rooms[node] >= wish.request.cpus:
            return {node: rooms[node] if wish.exclusive else wish.request.cpus}
    return None


def sets_of(here: Machine, wish: Wish, rooms: dict[int, int]) -> list[Set]:
    """The sets, by the lowest index."""
    sets: list[Set] = []
    before = None
    for node in sorted(rooms):
        weight = 0 if wish.request.contiguous else here.weight[node]
        if before == node - 1 and sets[-1].weight == weight:
            sets[-1].nodes.append(node)
        else:
            sets.append(Set([node], weight))
        before = node
    return sets


class Taking:
    """The state of a choice: who was taken, what is still needed."""

    def __init__(self, here: Machine, wish: Wish, rooms: dict[int, int]) -> None:
        self.here, self.wish, self.rooms = here, wish, rooms
        self.taken: dict[int, int] = {}
        self.cpus = wish.request.cpus
        self.nodes = wish.wanted
        self.room = wish.most

    def satisfied(self) -> bool:
        """Whether nodes and CPUs suffice."""
        return self.cpus <= 0 and self.nodes <= 0

    def take(self, node: int) -> None:
        """Take a node."""
        cpus = self.rooms[node]
        if not self.wish.exclusive:
            others = max(0, self.nodes - 1) * self.here.threads[node]
            cpus = max(min(cpus, self.cpus - others), self.wish.request.least_cpus_per_node, 1)
        self.taken[node] = cpus
        self.cpus -= cpus
        self.nodes -= 1
        self.room -= 1


def best_fit(here: Machine, wish: Wish, rooms: dict[int, int]) -> dict[int, int] | None:
    """One try to choose."""
    state = Taking(here, wish, rooms)
    needed = {here.places[name] for name in wish.request.required_nodes}
    sets = sets_of(here, wish, rooms)
    if wish.request.contiguous:
        sets = [each for each in sets if needed <= set(each.nodes)]
    else:
        for node in sorted(needed):
            state.take(node)
        sets = [each for each in sets if members(state, each)]
    while sets and not state.satisfied() and state.room > 0:
        best = best_set(state, sets, needed)
        if wish.request.contiguous and not enough(state, best):
            break
        for node in order_within(state, best, needed):
            if state.satisfied() or state.room <= 0:
                break
            if state.room > 1 or rooms[node] >= state.cpus:
                state.take(node)
        sets.remove(best)
    if state.cpus > 0 or len(state.taken) < wish.least:
        return None
    return state.taken


def members(state: Taking, each: Set) -> list[int]:
    """The nodes of a set that were not taken."""
    return [node for node in each.nodes if node not in state.taken]


def enough(state: Taking, each: Set) -> bool:
    """Whether a set has what is still needed."""
    nodes = members(state, each)
    return sum(state.rooms[node] for node in nodes) >= state.cpus and len(nodes) >= state.nodes


def best_set(state: Taking, sets: list[Set], needed: set[int]) -> Set:
    """The set that is used next."""
    best = sets[0]
    for each in sets[1:]:
        if better(state, each, best, needed):
            best = each
    return best


def better(state: Taking, each: Set, best: Set, needed: set[int]) -> bool:
    """Whether a later set replaces the best so far."""
    has, had = not needed.isdisjoint(each.nodes), not needed.isdisjoint(best.nodes)
    if has and not had:
        return True
    if each.weight != best.weight:
        return each.weight < best.weight
    cpus = sum(state.rooms[node] for node in members(state, each))
    most = sum(state.rooms[node] for node in members(state, best))
    if enough(state, each):
        return not enough(state, best) or cpus < most
    return cpus > most


def order_within(state: Taking, each: Set, needed: set[int]) -> list[int]:
    """The nodes of a set in the order in which they are taken."""
    nodes = members(state, each)
    inside = [node for node in each.nodes if node in needed]
    if inside:
        first = inside[0]
        return [node for node in nodes if node >= first] + [node for node in reversed(nodes) if node < first]
    if state.nodes <= 1 and enough(state, each):
        fitting = [node for node in nodes if state.rooms[node] >= state.cpus]
        if fitting:
            return [min(fitting, key=lambda node: (state.rooms[node], node))]
    return nodes


def one_by_one(
    busy: frozenset[int], here: Machine, wish: Wish, rooms: dict[int, int]
) -> dict[int, int] | None:
    """With `bf_busy_nodes`: nodes in use before idle ones, one after the other (section 6.3)."""
    needed = [here.places[name] for name in wish.request.required_nodes]
    state = Taking(here, wish, rooms)
    for node in needed:
        state.take(node)
    for node in sorted(rooms, key=lambda node: (here.weight[node], node not in busy, node)):
        if state.satisfied() or state.room <= 0:
            break
        if node not in state.taken:
            state.take(node)
    return state.taken if state.cpus <= 0 and len(state.taken) >= wish.least else None
