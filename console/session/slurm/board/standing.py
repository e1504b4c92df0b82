"""How users, accounts and partitions stand: what they hold, what they wait for, and when they start next."""

from collections import defaultdict
from collections.abc import Sequence

import attrs

from shadowtime.console.session.slurm.board.facts import Board, PlanRow
from shadowtime.console.session.slurm.board.running import RunningRow, running_rows
from shadowtime.scenarios.text.gate import printable

USERS, ACCOUNTS, PARTITIONS = "user", "account", "partition"
"""What can be counted by: facts of a job."""


@attrs.frozen
class Standing:
    """What a user, an account or a partition holds and waits for."""

    name: str
    running: int
    """Jobs that hold nodes."""
    nodes: int
    """Different nodes that they hold."""
    cpus: int
    waiting: int
    """Jobs that wait; the tasks of an array that have not begun are one."""
    wanted: int
    """CPUs that the waiting jobs ask for."""
    next_job: str
    """The waiting job that is planned first; empty for none."""
    next_start: int | None
    longest_wait: int
    """Seconds since the first submission of a job in the queue (not held, not dependent); 0 without one."""
    longest_job: str
    """The job that waits so long; empty for none."""


@attrs.frozen
class PartitionRow(Standing):
    """A partition, with its nodes."""

    state: str = ""
    """As Slurm writes it: `up`."""
    size: int = 0
    """Its nodes."""
    up: int = 0
    """Those on which jobs can be placed."""
    idle: int = 0
    """Those of them without a job."""


def partition_rows(board: Board) -> tuple[PartitionRow, ...]:
    """Return the partitions, the one in which a job waits longest first."""
    found = {each.name: each for each in standings(board, PARTITIONS)}
    facts = {node.name: node for node in board.nodes}
    rows = []
    for each in board.capture.partitions:
        up = [name for name in each.nodes if facts[name].up]
        name = printable(each.name)
        standing = attrs.asdict(found.get(name) or found[each.name])
        rows.append(
            PartitionRow(
                **standing,
                state="+".join(each.states).lower(),
                size=len(each.nodes),
                up=len(up),
                idle=sum(name in board.idle for name in up),
            )
        )
    return tuple(sorted(rows, key=lambda row: (-row.longest_wait, row.name)))


def standings(board: Board, by: str) -> tuple[Standing, ...]:
    """Return how all of them stand, who holds most CPUs first.

    A job that waits in several partitions is counted in each. Every partition is listed, also without jobs.
    """
    running: dict[str, list[RunningRow]] = defaultdict(list)
    waiting: dict[str, list[PlanRow]] = defaultdict(list)
    for holder in running_rows(board):
        running[getattr(holder, by)].append(holder)
    for row in board.rows:
        if not (board.begun and row.outcome == "started"):
            for name in getattr(row, by).split(","):
                waiting[name].append(row)
    names = {*running, *waiting}
    if by == PARTITIONS:
        names.update(each.name for each in board.capture.partitions)
    found = (_standing(board, name, running[name], waiting[name]) for name in names)
    return tuple(sorted(found, key=lambda each: (-each.cpus, -each.wanted, each.name)))


def _standing(board: Board, name: str, running: Sequence[RunningRow], waiting: Sequence[PlanRow]) -> Standing:
    jobs = {row.job: row for row in waiting}
    starts = ((row.start, row.job) for row in waiting if row.start is not None)
    start, job = min(starts, default=(None, ""))
    queued = ((board.now - row.submit, row.job) for row in waiting if row.order is not None)
    longest, oldest = max(queued, default=(0, ""), key=lambda each: each[0])
    return Standing(
        name=name,
        running=len(running),
        nodes=len({node for row in running for node in row.names}),
        cpus=sum(row.cpus for row in running),
        waiting=len(jobs),
        wanted=sum(row.cpus for row in jobs.values()),
        next_job=job,
        next_start=start,
        longest_wait=max(0, longest),
        longest_job=oldest,
    )
