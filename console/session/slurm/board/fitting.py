"""On which nodes a waiting job can run at all, whoever runs there now, and what keeps it off the others."""

from collections.abc import Callable, Mapping
from enum import StrEnum

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
    places = {
        board.places[name]
        for partition in board.capture.partitions
        if partition.name in row.partition.split(",")
        for name in partition.nodes
        if name in board.places
    }
    bar = _bar(board, job)
    barred: dict[Bar, list[str]] = {}
    for place in sorted(places):
        node = board.capture.nodes[place]
        found = bar(node)
        if found is not None:
            barred.setdefault(found, []).append(node.name)
    return Fitting(
        nodes=len(places),
        fits=len(places) - sum(map(len, barred.values())),
        least=job.request.least_nodes,
        barred={bar: format_hosts(names) for bar, names in barred.items()},
        counts={bar: len(names) for bar, names in barred.items()},
        wants=wants,
    )


def _bar(board: Board, job: Job) -> Callable[[Node], Bar | None]:
    """What keeps a job off a node; None if nothing does."""
    request = job.request
    reserved = {
        name for each in board.capture.reservations if each.name == job.reservation for name in each.nodes
    }
    excluded = frozenset(request.excluded_nodes)
    meet = meets("" if COUNTED.search(request.features) else request.features)
    wanted = parse_devices(request.devices_per_node)

    def bar(node: Node) -> Bar | None:
        if not node.up:
            return Bar.DOWN
        if job.reservation and node.name not in reserved:
            return Bar.OTHERS
        if node.name in excluded:
            return Bar.EXCLUDED
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
