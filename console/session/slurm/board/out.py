"""The nodes that are out of service: why, since when, who said so, and who is still there."""

import attrs

from shadowtime.console.session.slurm.board.facts import Board


@attrs.frozen
class OutRow:
    """A node that is down, drained or draining, or otherwise not up. Instants are seconds since 1970."""

    node: str
    state: str
    """As Slurm writes it: `idle+drain`."""
    partitions: tuple[str, ...]
    reason: str
    by: str
    """Who gave the reason; empty if that is not known."""
    since: int | None
    """When the reason was given; None if that is not known."""
    age: int | None
    """Seconds since then."""
    jobs: tuple[str, ...]
    """The jobs that are still there, in the order in which they end."""
    empty_at: int | None
    """When the last of them ends at the latest."""


def out_rows(board: Board) -> tuple[OutRow, ...]:
    """Return the nodes that are not up, the newest reason first, those without an instant last."""
    found = [
        OutRow(
            node=node.name,
            state=node.state,
            partitions=node.partitions,
            reason=node.reason,
            by=node.reason_by,
            since=node.reason_at,
            age=None if node.reason_at is None else max(0, board.now - node.reason_at),
            jobs=node.jobs,
            empty_at=node.free_at,
        )
        for node in board.nodes
        if not node.up
    ]
    return tuple(sorted(found, key=lambda row: -(row.since or 0)))
