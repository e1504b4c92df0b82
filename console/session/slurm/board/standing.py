"""How users, accounts and partitions stand: what they hold, what they wait for, and when they start next.

And how the generic resources stand: how many there are, are held, are free, are waited for.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence

import attrs

from shadowtime.console.session.slurm.board.facts import Board, PlanRow
from shadowtime.console.session.slurm.board.running import RunningRow, running_rows
from shadowtime.console.session.slurm.devices import Kind, added, parse_devices
from shadowtime.scenarios.text.gate import printable

USERS, ACCOUNTS, PARTITIONS = "user", "account", "partition"
"""What can be counted by: facts of a job."""
CPUS, GPUS = "cpus", "gpus"
"""What those who hold most of it come first by."""


@attrs.frozen
class GroupStanding:
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
    gpus: int
    """GPUs that they hold."""
    gpus_wanted: int
    """GPUs that the waiting jobs ask for."""


@attrs.frozen
class PartitionRow(GroupStanding):
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


@attrs.frozen
class DeviceStanding:
    """How the devices of one kind stand."""

    name: str
    """The name and the type, such as `gpu:a100`; that a job asks for any type, `gpu` or `gpu:any`."""
    nodes: int
    """Nodes that have some."""
    there: int
    out: int
    """Those of nodes that are not up."""
    held: int
    free: int
    """Those that no job holds, of nodes that are up."""
    wanted: int
    """Those that waiting jobs ask for."""
    holders: tuple[tuple[str, int], ...]
    """Who holds how many, most first."""

    def as_dict(self) -> dict[str, object]:
        """Return the object of `users --json`."""
        return attrs.asdict(self) | {
            "holders": [{"user": user, "held": count} for user, count in self.holders]
        }


def device_standings(board: Board) -> tuple[DeviceStanding, ...]:
    """Return how the devices of each kind stand, in the order of the nodes.

    A wish for a device of any type counts for the one type that there is, or stands alone if there are more.
    """
    nodes, there, out, held, free = (Counter[Kind]() for _ in range(5))
    for node in board.nodes:
        has, taken = parse_devices(node.devices, shared=False), added([node.devices_held])
        nodes.update(has.keys())
        there.update(has)
        held.update(taken)
        if node.up:
            free.update({kind: max(0, count - taken.get(kind, 0)) for kind, count in has.items()})
        else:
            out.update(has)
    holders: dict[Kind, Counter[str]] = defaultdict(Counter)
    for row in running_rows(board):
        for kind, count in parse_devices(row.held).items():
            holders[kind][row.user] += count
    wanted = Counter[Kind]()
    for wish, count in added(row.devices for row in _waiting(board)).items():
        types = [each for each in there if each[0] == wish[0]]
        of_any = types[0] if len(types) == 1 else (wish[0], "any" if types else "")
        wanted[wish if wish[1] else of_any] += count
    return tuple(
        DeviceStanding(
            name=":".join(filter(None, kind)),
            nodes=nodes[kind],
            there=there[kind],
            out=out[kind],
            held=held[kind],
            free=free[kind],
            wanted=wanted[kind],
            holders=tuple(sorted(holders[kind].items(), key=lambda each: (-each[1], each[0]))),
        )
        for kind in dict.fromkeys((*there, *held, *wanted))
    )


def _waiting(board: Board) -> Sequence[PlanRow]:
    """A row of each job that waits; the tasks of an array that have not begun are one."""
    rows = (row for row in board.rows if not (board.begun and row.outcome == "started"))
    return tuple({row.job: row for row in rows}.values())


def standings(board: Board, by: str, most: str = CPUS) -> tuple[GroupStanding, ...]:
    """Return how all of them stand, who holds most CPUs, or GPUs, first.

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
    by_cpus = sorted(found, key=lambda each: (-each.cpus, -each.wanted, each.name))
    return tuple(
        by_cpus if most == CPUS else sorted(by_cpus, key=lambda each: (-each.gpus, -each.gpus_wanted))
    )


def _standing(
    board: Board, name: str, running: Sequence[RunningRow], waiting: Sequence[PlanRow]
) -> GroupStanding:
    jobs = {row.job: row for row in waiting}
    starts = ((row.start, row.job) for row in waiting if row.start is not None)
    start, job = min(starts, default=(None, ""))
    queued = ((board.now - row.submit, row.job) for row in waiting if row.could_start)
    longest, oldest = max(queued, default=(0, ""), key=lambda each: each[0])
    return GroupStanding(
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
        gpus=sum(row.gpus for row in running),
        gpus_wanted=sum(row.gpus for row in jobs.values()),
    )
