"""What the priority of a waiting job is made of, and who stands next to it in the queue."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from sys import maxsize

import attrs

from shadowtime.console.session.slurm.board.facts import Board, PlanRow
from shadowtime.console.session.slurm.priorities.standing import Priorities
from shadowtime.scenarios.slurm import Job
from shadowtime.scenarios.slurm.priorities import Factor


@attrs.frozen
class FactorPoints:
    """A factor of a priority."""

    factor: Factor
    weight: int | None
    """None for one that has no single weight."""
    points: int
    """What it adds to the priority now; what NICE takes away is below 0."""

    @property
    def raw(self) -> float | None:
        """The factor without its weight, from 0 to 1, as exact as the rounded points have it."""
        return self.points / self.weight if self.weight else None


@attrs.frozen
class Standpoint:
    """A priority, its factors, and the neighbours in the queue."""

    factors: tuple[FactorPoints, ...]
    """Those that count, the most points first; none if the capture does not have them."""
    grown: Mapping[Factor, int]
    """The points that age and fair share have added since the priorities were read; below 0 if taken away."""
    above: PlanRow | None
    """The row before it; None for the first, and for a job without an entry."""
    below: PlanRow | None


def standpoint(board: Board, row: PlanRow) -> Standpoint:
    """Return what is known of the priority of a row."""
    job = board.jobs.get(row.job)
    points = {} if job is None else job.factors.get(row.partition, {})
    weights = board.capture.settings.weights
    grown = {} if job is None or not points else _grown(board, job, row)
    factors = [
        FactorPoints(
            factor, weights.get(factor), (-count if factor is Factor.NICE else count) + grown.get(factor, 0)
        )
        for factor, count in points.items()
    ]
    counting = [each for each in factors if each.points or each.weight]
    return Standpoint(
        factors=tuple(sorted(counting, key=lambda each: (-each.points, each.factor))),
        grown=grown,
        above=_neighbour(board, row, -1),
        below=_neighbour(board, row, 1),
    )


def _grown(board: Board, job: Job, row: PlanRow) -> dict[Factor, int]:
    added = row.priority - job.priority_by_partition.get(row.partition, job.priority)
    shared = Priorities(board.capture, board.now).shared(job, row.partition) if added else None
    share = round(shared or 0)
    return {factor: by for factor, by in ((Factor.AGE, added - share), (Factor.FAIR_SHARE, share)) if by}


def _neighbour(board: Board, row: PlanRow, step: int) -> PlanRow | None:
    """Return the next entry of another job in the queue, before a row (-1) or behind it (1)."""
    if row.order is None:
        return None
    rows = board.rows
    if step < 0:
        place = bisect_left(rows, row.order, key=_queued) - 1
    else:
        place = bisect_right(rows, row.order, key=_queued)
    while 0 <= place < len(rows) and rows[place].job == row.job:
        place += step
    return rows[place] if 0 <= place < len(rows) and rows[place].order is not None else None


def _queued(row: PlanRow) -> int:
    """The place in the queue; that of a job without an entry is behind all others."""
    return maxsize if row.order is None else row.order
