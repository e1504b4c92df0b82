"""The fields of the jobs of a cluster: of the rows of the plan, and of those that hold nodes.

Both can be asked for the same, so that one filter is for both: `state` of a row of the plan is its outcome
(planned, started, skipped), of a job that holds nodes what it does (running, suspended, completing).
"""

from collections.abc import Callable, Mapping

import attrs

from shadowtime.console.session.clock import ELAPSED, Clock
from shadowtime.console.session.slurm.board.changes import NOTHING, Changes
from shadowtime.console.session.slurm.board.facts import Board, PlanRow
from shadowtime.console.session.slurm.board.running import RunningRow
from shadowtime.console.session.slurm.likely.odds import JobOdds
from shadowtime.console.session.table.field import Field, Fields, Kind, of


@attrs.frozen
class BoardReading:
    """What the tables of a cluster are read from: `now` moves on while the board stays."""

    board: Board
    now: int
    clock: Clock = ELAPSED
    changes: Changes = NOTHING
    expected: Mapping[str, int | None] = attrs.field(factory=dict)
    """Jobs without a start in the cycle -> their expected starts over time, where they are known."""
    odds: Mapping[str, JobOdds] = attrs.field(factory=dict)
    """Jobs -> their likely starts, where they are known."""


def _named(row: "Row") -> tuple[int, str]:
    return row.number, row.job


def _none(_: RunningRow) -> None:
    """What a job that holds nodes has no longer."""


def _waits(at: BoardReading) -> Callable[[PlanRow], int]:
    return lambda row: max(0, at.board.now - row.submit)


def _expected(at: BoardReading) -> Callable[[PlanRow], int | None]:
    return lambda row: at.expected.get(row.job) if row.start is None else None


def _likely(at: BoardReading) -> Callable[[PlanRow], int | None]:
    return lambda row: at.odds[row.job].likely if row.job in at.odds else None


def _late(at: BoardReading) -> Callable[[PlanRow], int | None]:
    return lambda row: at.odds[row.job].late if row.job in at.odds else None


def ahead(at: BoardReading) -> Callable[[PlanRow], int | None]:
    """Return the seconds until the start: the likely one if odds are known, else the planned one."""

    def left(row: PlanRow) -> int | None:
        instant = at.odds[row.job].likely if row.job in at.odds else row.start
        return None if instant is None else instant - at.now

    return left


def _runs(at: BoardReading) -> Callable[[RunningRow], int]:
    return lambda row: max(0, at.now - row.begin)


def _end(row: RunningRow) -> int | None:
    return None if row.limit is None else row.end


def _left(at: BoardReading) -> Callable[[RunningRow], int | None]:
    return lambda row: None if row.limit is None else row.end - at.now


Row = PlanRow | RunningRow
Shared = Field[BoardReading, Row]
ID = Shared("id", Kind.NUMBER, of(lambda row: row.number), "JOB", 0, 14, bare=True, keys=of(_named))
USER = Shared("user", Kind.TEXT, of(lambda row: row.user), "USER", 3, 10, bare=True)
ACCOUNT = Shared("account", Kind.TEXT, of(lambda row: row.account), "ACCOUNT", 12, 10, bare=True)
QOS = Shared("qos", Kind.TEXT, of(lambda row: row.qos), "QOS", 11, 10, bare=True)
PARTITION = Shared("partition", Kind.NAMES, of(lambda row: row.partition), "PARTITION", 4, 10, bare=True)
NAME = Shared("name", Kind.TEXT, of(lambda row: row.name), bare=True)
GRES = Shared("gres", Kind.NAMES, of(lambda row: row.gres))
PRIORITY = Shared("priority", Kind.NUMBER, of(lambda row: row.priority), "PRIO", 10, 10, falls=True)
SIZE = Shared("size", Kind.NUMBER, of(lambda row: row.size), "SIZE", 2, 6, falls=True)
CPUS = Shared("cpus", Kind.NUMBER, of(lambda row: row.cpus), "CPUS", 13, 7, falls=True)
GPUS = Shared("gpus", Kind.NUMBER, of(lambda row: row.gpus), "GPUS", 6, 6, falls=True)
LIMIT = Shared("limit", Kind.DURATION, of(lambda row: row.limit), "LIMIT", 7, 7, falls=True)
OLDER = {"job": "id", "begin": "runs", "start": "starts"}
"""Words that are understood, too."""

ABSENT = {
    "class": "jobs of a cluster have accounts and qualities of service: account, qos",
    "queue": "jobs of a cluster are submitted to partitions: partition",
    "submit": "wait shows how long ago a job was submitted",
    "stops": "the plan does not count how often a job is preempted",
    "slip": "change shows how far a start moved last",
    **dict.fromkeys(("base", "wire", "done", "slack"), "only some policies of a machine have it"),
}
"""Why jobs of a cluster lack what jobs of a machine have."""

PLAN = Fields[BoardReading, PlanRow](
    (
        Field("order", Kind.NUMBER, of(lambda row: row.order), "#", 8, 6, filtered=False),
        ID, USER, ACCOUNT, QOS, PARTITION, NAME, PRIORITY, SIZE, CPUS, GPUS, GRES,
        Field("wait", Kind.DURATION, _waits, "WAIT", 9, 7, falls=True),
        LIMIT,
        Field("state", Kind.TEXT, of(lambda row: row.outcome)),
        Field("starts", Kind.MOMENT, of(lambda row: row.start), "STARTS", 0, 15),
        Field("expected", Kind.MOMENT, _expected, "EXPECTED", 1, 15),
        Field("likely", Kind.MOMENT, _likely, "LIKELY", 1, 15),
        Field("by", Kind.MOMENT, _late, "9 IN 10 BY", 1, 15),
        Field("in", Kind.DURATION, ahead, "IN", 1, 7, filtered=False),
        Field("change", Kind.CHANGE, lambda at: lambda row: at.changes.shifts.get(row.key), "CHANGE", 2, 8),
        Field("ends", Kind.MOMENT, of(lambda row: row.end)),
        Field("slurm", Kind.MOMENT, lambda at: at.board.slurm_start, "SLURM SAYS", 6, 14),
        Field("reason", Kind.TEXT, of(lambda row: row.slurm_reason), "REASON", 9, 14),
        Field("nodes", Kind.TEXT, of(lambda row: row.nodes), "NODES", 0, wide=True),
    ),
    orders=("order", "starts", "id", "user", "size", "gpus", "priority", "wait", "limit", "partition"),
    rows="the plan",
    older=OLDER,
    absent=ABSENT | dict.fromkeys(("runs", "left", "next"), "only running jobs have it"),
)  # fmt: skip

RUNNING = Fields[BoardReading, RunningRow](
    (
        ID, USER, ACCOUNT, QOS, PARTITION, NAME, PRIORITY, SIZE, attrs.evolve(CPUS, rank=8), GPUS, GRES,
        Field("state", Kind.TEXT, of(lambda row: row.state), "STATE", 4, 11),
        Field("wait", Kind.DURATION, of(lambda row: max(0, row.begin - row.submit))),
        Field("runs", Kind.DURATION, _runs, "RUNS", 7, 7, filtered=False, falls=True),
        LIMIT,
        Field("ends", Kind.MOMENT, of(_end), "ENDS", 2, 14, keys=of(lambda row: (row.end, row.number))),
        Field("left", Kind.DURATION, _left, "LEFT", 0, 8, filtered=False),
        Field("next", Kind.TEXT, of(lambda row: row.next_job), "NEXT", 6, 22, filtered=False),
        Field("nodes", Kind.TEXT, of(lambda row: row.nodes), "NODES", 0, wide=True),
        # One filter is for the plan, too.
        *(Field(name, Kind.MOMENT, of(_none)) for name in ("starts", "expected", "likely", "by", "slurm")),
        Field("change", Kind.CHANGE, of(_none)),
        Field("reason", Kind.TEXT, of(lambda _: "")),
    ),
    orders=("ends", "id", "user", "size", "gpus", "runs", "limit", "partition"),
    rows="the running jobs",
    older=OLDER,
    absent=ABSENT | dict.fromkeys(("order", "in"), "only waiting jobs have it"),
)  # fmt: skip
"""What stands in the list of the jobs that hold nodes of a cluster, the first to end first."""
