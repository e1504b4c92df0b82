"""Why a planned job does not start now on nodes that nobody uses."""

from collections import defaultdict

import attrs

from console.session.slurm.board.facts import Board, PlanRow
from console.session.slurm.board.fitting import fitting
from scenarios.slurm import format_hosts

YEAR = 365 * 24 * 3600
"""Seconds of a job without any limit."""


@attrs.frozen
class IdleNodes:
    """Idle nodes that a job fits on, and who comes there before it would end."""

    kind: str
    """`planned`, `started` or `reserved`; `free` if nobody comes."""
    who: str
    """A job, or a reservation of the operator; empty for nobody."""
    user: str
    nodes: tuple[str, ...]
    until: int
    """When they come, in seconds since 1970; if nobody comes, when the job would end."""

    @property
    def hosts(self) -> str:
        """The nodes as a list such as `n[1-4]`."""
        return format_hosts(self.nodes)


def idle_nodes(board: Board, row: PlanRow) -> tuple[IdleNodes, ...]:
    """Return the idle nodes that a job with a later start fits on, by who comes there before it would end.

    Jobs that are before it in the queue, and reservations; the most nodes first. Empty if so many nodes are
    free for long enough that something else keeps the job off them.
    """
    fits = fitting(board, row)
    if fits is None or row.order is None or row.start is None or row.start <= board.now:
        return ()
    found: dict[tuple[str, str, str, int], list[str]] = defaultdict(list)
    for name in fits.on:
        if not board.nodes[board.places[name]].jobs:
            found[_next(board, row, row.order, name)].append(name)
    if sum(len(names) for (kind, *_), names in found.items() if kind == "free") >= row.size:
        return ()
    order = sorted(found.items(), key=lambda each: (-len(each[1]), each[0]))
    return tuple(IdleNodes(kind, who, user, tuple(names), until) for (kind, who, user, until), names in order)


def _next(board: Board, row: PlanRow, order: int, name: str) -> tuple[str, str, str, int]:
    """Who comes to an idle node first, before a job that started there now would end."""
    # The time of a job that is planned begins up to a minute before its start.
    end = board.now + (YEAR if row.limit is None else row.limit) + board.capture.settings.backfill.resolution
    coming = [("free", "", "", end)]
    for place in board.planned_on.get(name, ()):
        other = board.rows[place]
        if other.order is not None and other.order < order and other.start is not None:
            coming.append((other.outcome, other.job, other.user, other.start))
    for each in board.capture.reservations:
        if name in each.nodes and each.name != row.reservation and each.end > board.now:
            coming.append(("reserved", each.name, "", each.begin))
    return min(coming, key=lambda each: each[3])
