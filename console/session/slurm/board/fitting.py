"""On which nodes a waiting job can run at all, whoever runs there now, and what keeps it off the others."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import cached_property

import attrs

from shadowtime.console.session.slurm.board.facts import Board, PlanRow
from shadowtime.console.session.slurm.devices import parse_devices
from shadowtime.console.session.slurm.features import COUNTED, meets
from shadowtime.scenarios.slurm import Job, Node, format_hosts
from shadowtime.scenarios.slurm.changes import can_resume


class Bar(StrEnum):
    """What keeps a job off a node: the first of these that holds."""

    DOWN = "down"
    UNLISTED = "unlisted"
    OTHERS = "outside of its reservation"
    EXCLUDED = "excluded"
    FEATURES = "features"
    CPUS = "CPUs"
    MEMORY = "memory"
    DEVICES = "devices"


@attrs.frozen
class Fitting:
    """The nodes of its partitions that a job fits on, and the others by what keeps it off."""

    nodes: int
    """Of its partitions."""
    on: tuple[str, ...]
    """Those that it fits on, in the order of the configuration."""
    least: int
    """Nodes that the job asks for, at least."""
    barred: Mapping[Bar, str]
    """What keeps it off -> these nodes, as a list such as `n[1-4]`."""
    counts: Mapping[Bar, int]
    wants: Mapping[Bar, str]
    """What keeps it off -> what the job asks for."""

    @cached_property
    def names(self) -> frozenset[str]:
        """Those that it fits on, to look one up."""
        return frozenset(self.on)

    @property
    def fits(self) -> int:
        return len(self.on)

    @property
    def short(self) -> bool:
        """Whether the job can start nowhere as the nodes are now."""
        return self.fits < self.least


def fitting(board: Board, row: PlanRow) -> Fitting | None:
    """Return where the job of a row fits; None for one that is no longer there."""
    job = board.jobs.get(row.job)
    if job is None:
        return None
    request = job.request
    wants = {
        Bar.OTHERS: job.reservation,
        Bar.EXCLUDED: "",
        Bar.FEATURES: request.features,
        Bar.CPUS: f"{request.least_cpus_per_node}",
        Bar.MEMORY: f"{request.memory_per_node}",
        Bar.DEVICES: request.devices_per_node,
        Bar.DOWN: "",
        Bar.UNLISTED: "",
    }
    key = (row.partition, request.least_nodes, request.excluded_nodes, *wants.values())
    if key not in board.fittings:
        board.fittings[key] = _fitting(board, row, job, wants)
    found = board.fittings[key]
    assert isinstance(found, Fitting)
    return found


def _fitting(board: Board, row: PlanRow, job: Job, wants: Mapping[Bar, str]) -> Fitting:
    reserved = {
        name for each in board.capture.reservations if each.name == job.reservation for name in each.nodes
    }
    excluded = frozenset(job.request.excluded_nodes)
    bar = _bar(job)
    found: dict[Bar | None, list[str]] = defaultdict(list)
    for node, names in _kinds(board, row.partition):
        if not node.up:
            found[Bar.DOWN if can_resume(node) else Bar.UNLISTED] += names
            continue
        left = names
        if job.reservation:
            found[Bar.OTHERS] += [name for name in left if name not in reserved]
            left = [name for name in left if name in reserved]
        if excluded:
            found[Bar.EXCLUDED] += [name for name in left if name in excluded]
            left = [name for name in left if name not in excluded]
        found[bar(node)] += left
    count = sum(map(len, found.values()))
    in_order = {bar: sorted(names, key=board.places.__getitem__) for bar, names in found.items() if names}
    on = tuple(in_order.pop(None, ()))
    barred = {bar: names for bar, names in in_order.items() if bar is not None}
    return Fitting(
        nodes=count,
        on=on,
        least=job.request.least_nodes,
        barred={bar: format_hosts(names) for bar, names in barred.items()},
        counts={bar: len(names) for bar, names in barred.items()},
        wants=wants,
    )


def _kinds(board: Board, partitions: str) -> Sequence[tuple[Node, Sequence[str]]]:
    """Return the nodes of partitions by what a job can ask of a node: one of each kind, and the names of all.

    Large clusters have thousands of nodes, and few kinds.
    """
    if partitions not in board.kinds:
        wanted = frozenset(partitions.split(","))
        inside = {name for each in board.capture.partitions if each.name in wanted for name in each.nodes}
        kinds: dict[object, tuple[Node, list[str]]] = {}
        for node in board.capture.nodes:
            if node.name in inside:
                has = node.cores * node.threads, node.memory, node.devices
                kind = (node.up, can_resume(node), node.features, has)
                kinds.setdefault(kind, (node, []))[1].append(node.name)
        board.kinds[partitions] = list(kinds.values())
    return board.kinds[partitions]


def _bar(job: Job) -> Callable[[Node], Bar | None]:
    """What a node lacks for a job; None for nothing."""
    request = job.request
    meet = meets("" if COUNTED.search(request.features) else request.features)
    wanted = parse_devices(request.devices_per_node)

    def bar(node: Node) -> Bar | None:
        if not meet(node.features):
            return Bar.FEATURES
        if node.cores * node.threads < request.least_cpus_per_node:
            return Bar.CPUS
        if node.memory < request.memory_per_node:
            return Bar.MEMORY
        has = parse_devices(node.devices)
        for (name, kind), count in wanted.items():
            held = sum(n for (other, type_), n in has.items() if other == name and kind in ("", type_))
            if held < count:
                return Bar.DEVICES
        return None

    return bar
