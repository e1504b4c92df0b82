"""Why a planned job does not start now on nodes that nobody uses."""

from collections import defaultdict
from collections.abc import Iterator

import attrs

from shadowtime.console.session.slurm.board.facts import Board, PlanRow
from shadowtime.console.session.slurm.board.fitting import fitting
from shadowtime.scenarios.slurm import format_hosts

YEAR = 365 * 24 * 3600
"""Seconds of a job without any limit."""

Coming = tuple[str, str, str, int]
"""Who comes to a node, and when: kind, name and user as in `IdleNodes`, seconds since 1970."""


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
