"""The filter of a plan: the words of the queue's filter, over what Slurm knows of a job."""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from shadowtime.console.session.jobs.filters import Fields, Number, Vocabulary, parse_filter
from shadowtime.console.session.slurm.board.facts import Board, PlanRow
from shadowtime.console.session.slurm.board.running import RunningRow

Row = TypeVar("Row")

CLUSTER = Vocabulary(
    words=("user", "account", "partition", "qos", "name", "state", "reason", "gres"),
    numbers=("id", "size", "cpus", "gpus", "priority", "wait", "limit"),
    moments=("starts",),
    changes=(),
    expected={
        "id": "a number",
        "size": "a number",
        "cpus": "a number",
        "gpus": "a number",
        "priority": "a number",
        "wait": "a duration, as in 1h30m",
        "limit": "a duration, as in 1h30m",
        "starts": "a duration from now, as in 1h30m",
    },
    anywhere=("user", "account", "partition", "qos", "name"),
    lists=("partition", "gres"),
)
"""What the filter of a plan can ask for; `state` is the outcome (planned, started, skipped),
of a job that holds nodes what it does (running, suspended, completing)."""


class Filtered(Protocol):
    """What a filter asks of a row of the plan, and of a job that runs."""

    @property
    def user(self) -> str:
        """The user."""

    @property
    def account(self) -> str:
        """The account."""

    @property
    def partition(self) -> str:
        """The partition."""

    @property
    def qos(self) -> str:
        """The quality of service."""

    @property
    def name(self) -> str:
        """The name of the job."""

    @property
    def number(self) -> int:
        """The id of the job."""

    @property
    def size(self) -> int:
        """Nodes."""

    @property
    def cpus(self) -> int:
        """CPUs."""

    @property
    def gpus(self) -> int:
        """GPUs: held, or asked for in all."""

    @property
    def gres(self) -> str:
        """Kinds of devices, such as `gpu,gpu:a100`."""

    @property
    def priority(self) -> int:
        """The priority."""

    @property
    def limit(self) -> int | None:
        """Seconds."""


def cluster_fields(board: Board) -> Fields:
    """Return what a filter can ask of the rows of a board, by their places."""
    rows = board.rows
    return _fields(
        rows,
        board.now,
        state=lambda place: rows[place].outcome,
        reason=lambda place: rows[place].slurm_reason,
        wait=lambda place: max(0, board.now - rows[place].submit),
        starts=lambda place: rows[place].start,
    )


def running_fields(rows: Sequence[RunningRow], now: int) -> Fields:
    """Return what a filter can ask of the jobs that run, by their places; none has a start to come."""
    return _fields(
        rows,
        now,
        state=lambda place: rows[place].state,
        reason=lambda _: "",
        wait=lambda place: max(0, rows[place].begin - rows[place].submit),
        starts=lambda _: None,
    )


def _fields(
    rows: Sequence[Filtered],
    now: int,
    *,
    state: Callable[[int], str],
    reason: Callable[[int], str],
    wait: Callable[[int], int],
    starts: Number,
) -> Fields:
    return Fields(
        texts={
            "user": lambda place: rows[place].user,
            "account": lambda place: rows[place].account,
            "partition": lambda place: rows[place].partition,
            "qos": lambda place: rows[place].qos,
            "name": lambda place: rows[place].name,
            "state": state,
            "reason": reason,
            "gres": lambda place: rows[place].gres,
        },
        numbers={
            "id": lambda place: rows[place].number,
            "size": lambda place: rows[place].size,
            "cpus": lambda place: rows[place].cpus,
            "gpus": lambda place: rows[place].gpus,
            "priority": lambda place: rows[place].priority,
            "wait": wait,
            "limit": lambda place: rows[place].limit or 0,
        },
        moments={"starts": lambda: starts},
        changes={},
        now=now,
    )


def shown_rows(board: Board, text: str) -> tuple[PlanRow, ...]:
    """Return the rows that a filter lets through. SessionError in one line if it is no filter."""
    return _let_through(board.rows, cluster_fields(board), text)


def shown_running(rows: Sequence[RunningRow], now: int, text: str) -> tuple[RunningRow, ...]:
    """Return the running jobs that a filter lets through. SessionError in one line if it is no filter."""
    return _let_through(rows, running_fields(rows, now), text)


def _let_through(rows: Sequence[Row], fields: Fields, text: str) -> tuple[Row, ...]:
    places: Sequence[int] = range(len(rows))
    for test in parse_filter(text, fields, CLUSTER):
        places = [place for place in places if test(place)]
    return tuple(rows[place] for place in places)
