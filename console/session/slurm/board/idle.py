"""Why a planned job does not start now on nodes that nobody uses."""

from collections import defaultdict

import attrs

from console.session.slurm.board.facts import Board, PlanRow
from console.session.slurm.board.fitting import bar_of
from scenarios.slurm import format_hosts

YEAR = 365 * 24 * 3600
"""Seconds of a job without any limit."""


@attrs.frozen
class Kept:
    """Idle nodes that are too short for a job: who comes there before it would end, and when."""

    kind: str
    """`planned`, `started` or `reserved`; `free` if nobody comes."""
    who: str
    """A job, or a reservation of the operator; empty for nobody."""
    user: str
    nodes: tuple[str, ...]
    since: int

    @property
    def hosts(self) -> str:
        """The nodes as a list such as `n[1-4]`."""
        return format_hosts(self.nodes)


def kept_idle(board: Board, row: PlanRow) -> tuple[Kept, ...]:
    """Return the idle nodes that a job with a later start fits on, by who comes there before it would end.

    Jobs that are before it in the queue, and reservations. Empty if so many nodes are free for long enough
    that something else keeps the job off them.
    """
    if row.order is None or row.start is None or row.start <= board.now:
        return ()
    key = "idle", row.order
    if key not in board.fittings:
        board.fittings[key] = _kept_idle(board, row)
    found = board.fittings[key]
    assert isinstance(found, tuple)
    return found


def _kept_idle(board: Board, row: PlanRow) -> tuple[Kept, ...]:
    job = board.jobs.get(row.job)
    if job is None:
        return ()
    bar, own = bar_of(job), frozenset(row.partition.split(","))
    excluded = frozenset(job.request.excluded_nodes)
    reserved = {
        name for each in board.capture.reservations if each.name == job.reservation for name in each.nodes
    }
    found: dict[tuple[str, str, str, int], list[str]] = defaultdict(list)
    for node, fact in zip(board.capture.nodes, board.nodes, strict=True):
        if fact.jobs or not node.up or node.name in excluded or own.isdisjoint(fact.partitions):
            continue
        if bar(node) is None and (not job.reservation or node.name in reserved):
            found[_next(board, row, node.name)].append(node.name)
    if sum(len(names) for (kind, *_), names in found.items() if kind == "free") >= row.least:
        return ()
    order = sorted(found, key=lambda key: (-len(found[key]), key))
    return tuple(
        Kept(kind, who, user, tuple(found[kind, who, user, at]), at) for kind, who, user, at in order
    )


def _next(board: Board, row: PlanRow, name: str) -> tuple[str, str, str, int]:
    """Who comes to an idle node first, before a job that started there now would end."""
    assert row.order is not None
    # The time of a job that is planned begins up to a minute before its start.
    end = board.now + (YEAR if row.limit is None else row.limit) + board.capture.settings.backfill.resolution
    first = ("free", "", "", end)
    for place in board.planned_on.get(name, ()):
        other = board.rows[place]
        if other.order is not None and other.order < row.order and other.start is not None:
            first = min(first, (other.outcome, other.job, other.user, other.start), key=lambda each: each[3])
    for each in board.capture.reservations:
        if name in each.nodes and each.name != row.reservation and each.end > board.now:
            first = min(first, ("reserved", each.name, "", each.begin), key=lambda found: found[3])
    return first
