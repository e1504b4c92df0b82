"""The filter of a plan: the words of the queue's filter, over what Slurm knows of a job."""

from collections.abc import Callable, Sequence

from console.session.jobs.filters import Fields, Number, Vocabulary, parse_filter
from console.session.slurm.board.facts import Board, PlanRow

CLUSTER = Vocabulary(
    words=("user", "account", "partition", "qos", "name", "state", "reason"),
    numbers=("id", "size", "cpus", "priority", "wait", "limit"),
    moments=("starts",),
    changes=(),
    expected={
        "id": "a number",
        "size": "a number",
        "cpus": "a number",
        "priority": "a number",
        "wait": "a duration, as in 1h30m",
        "limit": "a duration, as in 1h30m",
        "starts": "a duration from now, as in 1h30m",
    },
    anywhere=("user", "account", "partition", "qos", "name"),
)
"""What the filter of a plan can ask for; `state` is the outcome: planned, started, skipped."""


def cluster_fields(board: Board) -> Fields:
    """Return what a filter can ask of the rows of a board, by their places."""
    rows = board.rows

    def starts() -> Number:
        return lambda place: rows[place].start

    return Fields(
        texts={
            "user": lambda place: rows[place].user,
            "account": lambda place: rows[place].account,
            "partition": lambda place: rows[place].partition,
            "qos": lambda place: rows[place].qos,
            "name": lambda place: rows[place].name,
            "state": lambda place: rows[place].outcome,
            "reason": lambda place: rows[place].slurm_reason,
        },
        numbers={
            "id": lambda place: rows[place].number,
            "size": lambda place: rows[place].size,
            "cpus": lambda place: rows[place].cpus,
            "priority": lambda place: rows[place].priority,
            "wait": lambda place: max(0, board.now - rows[place].submit),
            "limit": _limit(rows),
        },
        moments={"starts": starts},
        changes={},
        now=board.now,
    )


def _limit(rows: Sequence[PlanRow]) -> Callable[[int], int]:
    return lambda place: rows[place].limit or 0


def shown_rows(board: Board, text: str) -> tuple[PlanRow, ...]:
    """Return the rows that a filter lets through. SessionError in one line if it is no filter."""
    tests = parse_filter(text, cluster_fields(board), CLUSTER)
    places: Sequence[int] = range(len(board.rows))
    for test in tests:
        places = [place for place in places if test(place)]
    return tuple(board.rows[place] for place in places)
