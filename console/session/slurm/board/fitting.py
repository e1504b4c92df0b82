"""On which nodes a waiting job can run at all, and what keeps it off the others, idle ones included."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cached_property

import attrs

from shadowtime.console.session.slurm.board.facts import Blocker, Board, PlanRow
from shadowtime.console.session.slurm.devices import parse_devices
from shadowtime.console.session.slurm.features import COUNTED, meets
from shadowtime.scenarios.slurm import Job, Node, format_hosts
from shadowtime.scenarios.slurm.changes import can_resume

YEAR = 365 * 24 * 3600
"""Seconds of a job without any limit."""

Coming = tuple[str, str, str, int]
"""Who comes to a node, and when: kind, name and user as in `IdleNodes`, seconds since 1970."""


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


class IdleNodes(Blocker):
    """Idle nodes that a job fits on, and who comes there before it would end.

    `kind` is `planned`, `started` or `reserved`; `free` if nobody comes: `who` is empty then.
    `until` is when they come, in seconds since 1970; if nobody comes, when the job would end.
    """


def idle_nodes(board: Board, row: PlanRow) -> tuple[IdleNodes, ...]:
    """Return the idle nodes that a job with a later start fits on, by who comes there before it would end.

    Jobs that are before it in the queue, and reservations; the most nodes first. Nobody, if the nodes with
    a free CPU are fewer than it asks for. Empty if so many nodes are free for long enough that something else
    keeps the job off them.
    """
    fits = fitting(board, row)
    if fits is None or row.order is None or row.start is None or row.start <= board.now:
        return ()
    names = [name for name in board.idle if name in fits.names]
    # The time of a job that is planned begins up to a minute before its start.
    end = board.now + (YEAR if row.limit is None else row.limit) + board.capture.settings.backfill.resolution
    if names and len(board.open & fits.names) < row.least:
        return (IdleNodes("free", "", "", tuple(names), end),)
    reserved = [
        (("reserved", each.name, "", each.begin), frozenset(each.nodes))
        for each in board.capture.reservations
        if each.name != row.reservation and each.end > board.now
    ]
    found: dict[Coming, list[str]] = defaultdict(list)
    for name in names:
        coming = [("free", "", "", end), *_planned(board, row.order, name)]
        coming += (who for who, nodes in reserved if name in nodes)
        found[min(coming, key=lambda each: each[3])].append(name)
    if sum(len(names) for (kind, *_), names in found.items() if kind == "free") >= row.least:
        return ()
    order = sorted(found.items(), key=lambda each: (-len(each[1]), each[0]))
    return tuple(IdleNodes(kind, who, user, tuple(names), until) for (kind, who, user, until), names in order)


def _planned(board: Board, order: int, name: str) -> Iterator[Coming]:
    """Yield the job that is planned first on a node of those before a place of the queue, if there is one."""
    for other in reversed(board.first_on[name]):
        if other.order is not None and other.order < order and other.start is not None:
            yield other.outcome, other.job, other.user, other.start
            return
