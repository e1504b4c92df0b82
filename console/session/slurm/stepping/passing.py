"""Why a cycle may start a job ahead of others: whom it passes, and who needs its nodes next."""

import attrs

from shadowtime.console.session.slurm.board.facts import Board, PlanRow
from shadowtime.scenarios.slurm import parse_hosts


@attrs.frozen
class Passing:
    """A start ahead of entries that wait."""

    passed: int
    """Jobs with an entry before it, none of which starts."""
    next_job: str
    """Of those, the job that is planned first on one of its nodes; empty for none."""
    next_start: int | None
    """When it is planned to start, in seconds since 1970."""


def passing(board: Board, row: PlanRow) -> Passing:
    """Return whom a job that starts by a cycle passes."""
    before = [
        other for other in board.rows
        if other.order is not None and row.order is not None and other.order < row.order
    ]  # fmt: skip
    started = {other.job for other in before if other.outcome == "started"}
    wanted = frozenset(parse_hosts(row.nodes))
    planned = [
        (other.start, other.job)
        for other in before
        if other.outcome == "planned"
        and other.start is not None
        and wanted.intersection(parse_hosts(other.nodes))
    ]
    start, job = min(planned, default=(None, ""))
    return Passing(len({other.job for other in before} - started - {row.job}), job, start)
