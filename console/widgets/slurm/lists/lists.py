"""The lists of a cluster, and everything about a reservation."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from shadowtime.console.clock import duration
from shadowtime.console.session.slurm import format_hosts
from shadowtime.console.session.slurm.board import (
    Board,
    OutRow,
    PartitionRow,
    ReservationRow,
    out_rows,
    partition_rows,
    reservation_rows,
)
from shadowtime.console.session.slurm.board.reserving import ACTIVE
from shadowtime.console.widgets.frame.ink import Line, fact, wrap
from shadowtime.console.widgets.slurm.columns import Column
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.widgets.slurm.lists.listing import Listing
from shadowtime.console.widgets.slurm.why_text import summary_line

INDENT = 10


def _reservation_columns(board: Board, dates: Dates) -> Sequence[Column[ReservationRow]]:
    return (
        Column("NAME", 0, lambda row: row.name, most=16, role=lambda _: "strong"),
        Column("STATE", 2, lambda row: row.state, role=lambda row: "warn" if row.state == ACTIVE else "text"),
        Column("FROM", 0, lambda row: dates.brief(row.begin, board.now), most=14),
        Column("UNTIL", 0, lambda row: dates.brief(row.end, board.now), most=14),
        Column("N", 4, lambda row: f"{row.size}", right=True, most=6),
        Column("NODES", 1, lambda row: row.nodes, most=24),
        Column("USERS", 3, lambda row: ",".join(row.users), most=14),
        Column("ACCOUNTS", 5, lambda row: ",".join(row.accounts), most=14),
        Column("WAIT FOR IT", 6, lambda row: " ".join(row.waiting), most=14),
        Column("FLAGS", 7, lambda row: ",".join(row.flags), most=30),
        Column("DELAYS", 0, lambda row: " ".join(row.delays), most=10**6, role=lambda _: "plan"),
    )


RESERVATIONS = Listing[ReservationRow](
    name="reservations",
    kind=ReservationRow,
    nothing="no reservation",
    rows=reservation_rows,
    columns=_reservation_columns,
    key=lambda row: row.name,
    orders={
        "begin": None,
        "name": lambda row: (row.name,),
        "end": lambda row: (row.end, row.name),
        "size": lambda row: (-row.size, row.name),
        "delays": lambda row: (-len(row.delays), row.name),
    },
    words={
        "name": lambda row: row.name,
        "state": lambda row: row.state,
        "user": lambda row: ",".join(row.users),
        "account": lambda row: ",".join(row.accounts),
        "flags": lambda row: ",".join(row.flags),
        "nodes": lambda row: row.nodes,
    },
    numbers={"size": lambda row: row.size, "delays": lambda row: len(row.delays)},
)


def _out_columns(board: Board, dates: Dates) -> Sequence[Column[OutRow]]:
    return (
        Column("NODE", 0, lambda row: row.node, most=16, role=lambda _: "strong"),
        Column("STATE", 1, lambda row: row.state, most=24, role=lambda _: "bad"),
        Column("PARTITIONS", 5, lambda row: ",".join(row.partitions), most=16),
        Column("JOBS", 3, lambda row: " ".join(row.jobs), most=14),
        Column(
            "EMPTY AT", 6, lambda row: "" if row.empty_at is None else dates.brief(row.empty_at, board.now)
        ),
        Column("BY", 4, lambda row: row.by, most=10),
        Column(
            "SINCE", 2, lambda row: "" if row.since is None else dates.brief(row.since, board.now), most=14
        ),
        Column("AGE", 0, lambda row: "" if row.age is None else duration(row.age), right=True, most=7),
        Column("REASON", 0, lambda row: row.reason, most=10**6),
    )


OUT = Listing[OutRow](
    name="out",
    kind=OutRow,
    nothing="every node is in service",
    rows=out_rows,
    columns=_out_columns,
    key=lambda row: row.node,
    orders={
        "since": None,
        "node": lambda row: (row.node,),
        "reason": lambda row: (row.reason, row.node),
        "state": lambda row: (row.state, row.node),
        "by": lambda row: (row.by, row.node),
    },
    words={
        "node": lambda row: row.node,
        "state": lambda row: row.state,
        "partition": lambda row: ",".join(row.partitions),
        "reason": lambda row: row.reason,
        "by": lambda row: row.by,
    },
    numbers={"age": lambda row: row.age or 0, "jobs": lambda row: len(row.jobs)},
    durations=frozenset(("age",)),
)


def _partition_columns(board: Board, dates: Dates) -> Sequence[Column[PartitionRow]]:
    def following(row: PartitionRow) -> str:
        if row.next_start is None:
            return "none" if row.waiting else ""
        return "now" if row.next_start <= board.now else dates.brief(row.next_start, board.now)

    rows = {(row.job, row.partition): row for row in reversed(board.rows)}

    def why(row: PartitionRow) -> str:
        job = rows.get((row.longest_job, row.name))
        return "" if job is None else summary_line(board, job, dates)

    return (
        Column("PARTITION", 0, lambda row: row.name, most=16, role=lambda _: "strong"),
        Column(
            "STATE",
            5,
            lambda row: row.state,
            most=10,
            role=lambda row: "text" if row.state == "up" else "bad",
        ),
        Column("NODES", 6, lambda row: f"{row.up}/{row.size}", right=True),
        Column("IDLE", 4, lambda row: f"{row.idle}", right=True),
        Column("RUNNING", 3, lambda row: f"{row.running}", right=True),
        Column("WAITING", 0, lambda row: f"{row.waiting}", right=True),
        Column("WANT CPUS", 7, lambda row: f"{row.wanted}", right=True),
        Column(
            "WAIT UP TO", 0, lambda row: duration(row.longest_wait) if row.longest_job else "", right=True
        ),
        Column("NEXT START", 2, following, most=14, role=lambda _: "plan"),
        Column("THE LONGEST WAIT", 0, why, most=10**6),
    )


PARTITIONS = Listing[PartitionRow](
    name="partitions",
    kind=PartitionRow,
    nothing="no partition",
    rows=partition_rows,
    columns=_partition_columns,
    key=lambda row: row.name,
    orders={
        "wait": None,
        "name": lambda row: (row.name,),
        "waiting": lambda row: (-row.waiting, row.name),
        "idle": lambda row: (-row.idle, row.name),
        "starts": lambda row: (row.next_start is None, row.next_start or 0, row.name),
    },
    words={"name": lambda row: row.name, "state": lambda row: row.state},
    numbers={
        "idle": lambda row: row.idle,
        "running": lambda row: row.running,
        "waiting": lambda row: row.waiting,
        "wait": lambda row: row.longest_wait,
    },
    durations=frozenset(("wait",)),
)

LISTS: Mapping[str, Listing[Any]] = {each.name: each for each in (RESERVATIONS, OUT, PARTITIONS)}
"""The lists by name."""


def reservation_lines(board: Board, row: ReservationRow, dates: Dates, width: int) -> Iterator[Line]:
    """Yield the lines about a reservation, with the running jobs that are still there once it has begun."""
    yield from wrap(f"reservation {row.name}, {row.state}", width, "strong")
    length = duration(row.end - row.begin)
    begin, end = dates.whole(row.begin), dates.whole(row.end)
    yield from fact("from", f"{begin} until {end}, {length}", width, INDENT)
    yield from fact("nodes", f"{row.nodes or 'none'} ({row.size})", width, INDENT)
    for name, values in (("users", row.users), ("accounts", row.accounts), ("flags", row.flags)):
        if values:
            yield from fact(name, ", ".join(values), width, INDENT)
    yield from _there(board, row, dates, width)
    yield from fact("wait", f"for it: {', '.join(row.waiting) or 'nobody'}", width, INDENT)
    without = "would start earlier without it in the next cycle"
    yield from fact(
        "delays", f"{', '.join(row.delays)}: {without}" if row.delays else "nobody", width, INDENT
    )


def _there(board: Board, row: ReservationRow, dates: Dates, width: int) -> Iterator[Line]:
    """The jobs that run on its nodes past its begin, the last to end first."""
    own = next(
        (frozenset(each.nodes) for each in board.capture.reservations if each.name == row.name), frozenset()
    )
    jobs = [
        job
        for job in board.capture.jobs
        if job.holding
        and job.reservation != row.name
        and job.end > row.begin
        and not own.isdisjoint(job.nodes)
    ]
    when = "there now" if row.state == ACTIVE else "still there when it begins"
    for place, job in enumerate(sorted(jobs, key=lambda job: -job.end)):
        hosts = format_hosts(name for name in job.nodes if name in own)
        text = f"job {job.shown} of {job.user} on {hosts} until {dates.brief(job.end, board.now)}"
        yield from fact("jobs" if place == 0 else "", f"{text}, {when}", width, INDENT)
    if not jobs:
        yield from fact("jobs", f"no other job is {when}", width, INDENT)
