"""What is known of a captured cluster: its plan, and the plans of other clusters like it."""

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cached_property

import attrs

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.slurm.board.facts import COVERED, Board, PlanRow
from shadowtime.console.session.slurm.board.making import board
from shadowtime.console.session.slurm.forecasting import forecast_of
from shadowtime.console.session.slurm.weights import reweighed
from shadowtime.scenarios.slurm import Capture, Job
from shadowtime.scenarios.slurm.changes import changed
from shadowtime.scenarios.slurm.lesson import WEIGH, supposed_change
from shadowtime.scenarios.slurm.priorities import Factor

STARTS = ("planned", "started", "beyond window")
"""The outcomes of a row that has a start."""


class ClusterScene:
    """A captured cluster at the instant of its capture; nothing here changes it."""

    def __init__(self, capture: Capture, do: str = "") -> None:
        """`do` is a change that is supposed to be made first. ValueError in one line if it cannot be made."""
        self.capture = _supposed(capture, do) if do else capture
        self.now = capture.taken
        self.do = do
        self._known = dict[tuple[int, bool, bool], tuple[int | None, str]]()

    @cached_property
    def board(self) -> Board:
        """The plan of the next cycle, row by row, and what it leaves out."""
        return board(self.capture)

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """The waiting jobs by number, in the order of the plan, each once."""
        return tuple(dict.fromkeys(row.number for row in self.board.rows))

    def job(self, number: int) -> Job:
        """The waiting job, or the entry of tasks, of the row of a number. KeyError if none waits."""
        name = self.row(number).job
        return next(job for job in self.capture.jobs if job.waiting and job.shown == name)

    def row(self, number: int) -> PlanRow:
        """The row of a job that starts first; its first row if none has a start. KeyError if none waits."""
        rows = [row for row in self.board.rows if row.number == number]
        if not rows:
            raise KeyError(number)
        return min(rows, key=lambda row: (row.start is None, row.start or 0))

    def start(self, number: int) -> int | None:
        """When a job is planned to start; None without a plan."""
        row = self.row(number)
        return row.start if row.outcome in STARTS else None

    def alone(self, number: int, *, running: bool = True, reserved: bool = True) -> tuple[int | None, str]:
        """Return the start and the nodes of a job if no other job waited; None if the plan has no start.

        What keeps it out of the queue is left aside. Without `running` no job runs, without `reserved`
        the operator has no reservations.
        """
        key = number, running, reserved
        if key not in self._known:
            self._known[key] = self._planned_alone(self.job(number), running, reserved)
        return self._known[key]

    def _planned_alone(self, job: Job, running: bool, reserved: bool) -> tuple[int | None, str]:
        free = attrs.evolve(
            job,
            array=None,
            dependency="",
            eligible=min(job.eligible, self.now),
            priority=max(1, job.priority),
        )
        holding = [each for each in self.capture.jobs if each.holding and running]
        reservations = self.capture.reservations if reserved else ()
        like = attrs.evolve(self.capture, jobs=(*holding, free), reservations=reservations)
        rows = [row for row in forecast_of(like, self.now).rows if row.outcome in STARTS]
        first = min(rows, key=lambda row: row.start or 0, default=None)
        return (None, "") if first is None else (first.start, first.nodes)

    def others(self, number: int | None) -> Sequence[PlanRow]:
        """The rows of other jobs, each job once: that of its earliest start."""
        return [self.row(other) for other in self.numbers if other != number]


def _supposed(capture: Capture, do: str) -> Capture:
    """The cluster after a change. ValueError in one line if it cannot be made."""
    change = supposed_change(do, capture.taken)
    if change.what != WEIGH:
        return changed(capture, change)
    try:
        return reweighed(capture, Factor(change.subject), int(change.value))
    except SessionError as error:
        raise ValueError(str(error)) from None


def written_instant(seconds: int) -> str:
    """Return an instant as the questions write it: `11-24 01:30:00`, in UTC."""
    return f"{datetime.fromtimestamp(seconds, UTC):%m-%d %H:%M:%S}"


def covered(board: Board) -> Board:
    """Return a board without its plan, and without what Slurm itself expected: rows, nodes, reasons stay."""
    return attrs.evolve(
        board,
        rows=tuple(
            attrs.evolve(
                row,
                entry=attrs.evolve(
                    row.entry, outcome=COVERED, start=None, end=None, nodes="", note="", slurm_start=None
                ),
            )
            for row in board.rows
        ),
        nodes=tuple(attrs.evolve(node, next_job="", next_start=None) for node in board.nodes),
    )
