"""On which nodes a waiting job can run at all, whoever runs there now, and what keeps it off the others."""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import cast

import attrs

from console.session.slurm.board.facts import Board, PlanRow
from console.session.slurm.devices import parse_devices
from console.session.slurm.features import COUNTED, meets
from scenarios.slurm import Job, Node, format_hosts


class Bar(StrEnum):
    """What keeps a job off a node: the first of these that holds."""

    DOWN = "down"
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
    fits: int
    least: int
    """Nodes that the job asks for, at least."""
    barred: Mapping[Bar, str]
    """What keeps it off -> these nodes, as a list such as `n[1-4]`."""
    counts: Mapping[Bar, int]
    wants: Mapping[Bar, str]
    """What keeps it off -> what the job asks for."""

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
    }
    key = (row.partition, request.least_nodes, request.excluded_nodes, *wants.values())
    if key not in board.fittings:
        board.fittings[key] = _fitting(board, row, job, wants)
    found = board.fittings[key]
    assert isinstance(found, Fitting)
    return found


def _fitting(board: Board, row: PlanRow, job: Job, wants: Mapping[Bar, str]) -> Fitting:
    alike = _alike(board, row.partition)
    reserved = {
        name for each in board.capture.reservations if each.name == job.reservation for name in each.nodes
    }
    excluded = frozenset(job.request.excluded_nodes)
    bar = bar_of(job)
    barred: dict[Bar, list[str]] = {}
    for node, names in alike:
        if not node.up:
            barred.setdefault(Bar.DOWN, []).extend(names)
            continue
        left = names
        if job.reservation:
            barred.setdefault(Bar.OTHERS, []).extend(name for name in left if name not in reserved)
            left = [name for name in left if name in reserved]
        if excluded:
            barred.setdefault(Bar.EXCLUDED, []).extend(name for name in left if name in excluded)
            left = [name for name in left if name not in excluded]
        found = bar(node)
        if found is not None:
            barred.setdefault(found, []).extend(left)
    barred = {bar: sorted(names, key=board.places.__getitem__) for bar, names in barred.items() if names}
    count = sum(len(names) for _, names in alike)
    return Fitting(
        nodes=count,
        fits=count - sum(map(len, barred.values())),
        least=job.request.least_nodes,
        barred={bar: format_hosts(names) for bar, names in barred.items()},
        counts={bar: len(names) for bar, names in barred.items()},
        wants=wants,
    )


def _alike(board: Board, partitions: str) -> Sequence[tuple[Node, Sequence[str]]]:
    """Return the nodes of partitions by what a job can ask of a node: one of each kind, and the names of all.

    Large clusters have thousands of nodes, and few kinds.
    """
    key = ("alike", partitions)
    if key not in board.fittings:
        wanted = frozenset(partitions.split(","))
        inside = {name for each in board.capture.partitions if each.name in wanted for name in each.nodes}
        kinds: dict[object, tuple[Node, list[str]]] = {}
        for node in board.capture.nodes:
            if node.name in inside:
                kind = (node.up, node.features, node.cores * node.threads, node.memory, node.devices)
                kinds.setdefault(kind, (node, []))[1].append(node.name)
        board.fittings[key] = list(kinds.values())
    return cast(Sequence[tuple[Node, Sequence[str]]], board.fittings[key])


def bar_of(job: Job) -> Callable[[Node], Bar | None]:
    """What keeps a job off a kind of nodes; None if nothing does."""
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
