"""The lists of a cluster beside its plan: nodes, reservations, nodes out of service, partitions."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic

import attrs

from shadowtime.console.session.slurm.board.facts import COVERED, Board, NodeFact
from shadowtime.console.session.slurm.board.fields import BoardReading
from shadowtime.console.session.slurm.board.standing import PartitionRow, partition_rows
from shadowtime.console.session.slurm.problem import problem
from shadowtime.console.session.slurm.queue import queue
from shadowtime.console.session.table.field import Field, Fields, Kind, R, of
from shadowtime.kernels.slurm.cycle import run_cycle
from shadowtime.scenarios.slurm import Capture, format_hosts
from shadowtime.scenarios.text.gate import printable

ACTIVE, COMING = "active", "coming"


@attrs.frozen
class ReservationRow:
    """A reservation that is not over. Instants are seconds since 1970."""

    name: str
    state: str
    """`active` or `coming`."""
    begin: int
    end: int
    nodes: str
    """As a list such as `n[1-4]`."""
    size: int
    """How many nodes."""
    users: tuple[str, ...]
    accounts: tuple[str, ...]
    flags: tuple[str, ...]
    waiting: tuple[str, ...]
    """The waiting jobs that ask for it."""
    delays: tuple[str, ...]
    """The waiting jobs that the next cycle would start earlier without it."""


def reservation_rows(board: Board) -> tuple[ReservationRow, ...]:
    """Return the reservations, the first to begin first."""
    capture, now = board.capture, board.now
    waiting: dict[str, list[str]] = defaultdict(list)
    for job in capture.jobs:
        if job.waiting and job.reservation:
            waiting[job.reservation].append(job.shown)
    there = [each for each in capture.reservations if each.end + each.moved(now) > now]
    # The questions of a lesson ask for the starts that this would show.
    covered = bool(board.count(COVERED))
    planned = _starts(capture, now) if there and not covered else {}
    rows = []
    for each in there:
        begin, end = each.begin + each.moved(now), each.end + each.moved(now)
        others = tuple(other for other in capture.reservations if other is not each)
        without = {} if covered else _starts(attrs.evolve(capture, reservations=others), now)
        own = waiting[each.name]
        rows.append(
            ReservationRow(
                name=printable(each.name),
                state=ACTIVE if begin <= now else COMING,
                begin=begin,
                end=end,
                nodes=format_hosts(each.nodes),
                size=len(each.nodes),
                users=tuple(map(printable, each.users)),
                accounts=tuple(map(printable, each.accounts)),
                flags=tuple(sorted(each.flags)),
                waiting=tuple(own),
                delays=tuple(
                    job
                    for job, start in without.items()
                    if job not in own and (job not in planned or start < planned[job])
                ),
            )
        )
    return tuple(sorted(rows, key=lambda row: (row.begin, row.name)))


def _starts(capture: Capture, now: int) -> Mapping[str, int]:
    """Waiting job -> its first start in the plan of a cycle."""
    entries = queue(capture, now)
    found: dict[str, int] = {}
    for place in run_cycle(problem(capture, entries, now)).places:
        if place.start is not None:
            name = entries[place.entry].name
            found[name] = min(place.start, found.get(name, place.start))
    return found


@attrs.frozen
class Listing(Generic[R]):
    """A list: its rows, what they have, and what stands in it without any."""

    name: str
    """As it is typed."""
    nothing: str
    rows: Callable[[Board], Sequence[R]]
    fields: Fields[BoardReading, R]
    key: Callable[[R], str]


def _left(at: BoardReading) -> Callable[[NodeFact], int | None]:
    return lambda node: None if node.free_at is None else node.free_at - at.now


def _age(at: BoardReading) -> Callable[[NodeFact], int | None]:
    return lambda node: None if node.reason_at is None else max(0, at.board.now - node.reason_at)


def out_of_service(board: Board) -> tuple[NodeFact, ...]:
    """Return the nodes that are not up, the newest reason first, those without an instant last."""
    found = (node for node in board.nodes if not node.up)
    return tuple(sorted(found, key=lambda node: -(node.reason_at or 0)))


NODES = Fields[BoardReading, NodeFact](
    (
        Field("node", Kind.TEXT, of(lambda node: node.name), "NODE", 0, 16, bare=True),
        Field("state", Kind.TEXT, of(lambda node: node.state), "STATE", 1, 21, bare=True),
        Field("cpus", Kind.NUMBER, of(lambda node: node.cpus - node.cpus_taken), "CPUS", 5, falls=True),
        Field("gpus", Kind.NUMBER, of(lambda node: node.gpus - node.gpus_held), "GPUS", 3, falls=True),
        Field("memory", Kind.NUMBER, of(lambda node: node.memory - node.memory_taken), "MEM", 7, 13),
        Field("partition", Kind.NAMES, of(lambda node: node.partitions), bare=True),
        Field("jobs", Kind.NAMES, of(lambda node: node.jobs), "JOBS", 2, 14),
        Field("free", Kind.MOMENT, of(lambda node: node.free_at), "FREE AT", 4, 14),
        Field("in", Kind.DURATION, _left, "IN", 6, 7, filtered=False),
        Field("starts", Kind.MOMENT, of(lambda node: node.next_start), "NEXT", 0, wide=True),
    ),
    orders=("node", "free", "starts", "cpus", "gpus", "state"),
    rows="the nodes",
)
"""The nodes of a cluster: of CPUs, GPUs and memory what no job holds."""

RESERVATIONS = Listing(
    "reservations",
    "no reservation",
    reservation_rows,
    Fields[BoardReading, ReservationRow](
        (
            Field("name", Kind.TEXT, of(lambda row: row.name), "NAME", 0, 16, bare=True),
            Field("state", Kind.TEXT, of(lambda row: row.state), "STATE", 2, bare=True),
            Field("from", Kind.MOMENT, of(lambda row: row.begin), "FROM", 0, 14, header="begin"),
            Field("until", Kind.MOMENT, of(lambda row: row.end), "UNTIL", 0, 14, header="end"),
            Field("nodes", Kind.TEXT, of(lambda row: row.nodes), "NODES", 1, 24, bare=True),
            Field("size", Kind.NUMBER, of(lambda row: row.size), "SIZE", 4, 6, falls=True),
            Field("users", Kind.NAMES, of(lambda row: row.users), "USERS", 3, 14, bare=True),
            Field("accounts", Kind.NAMES, of(lambda row: row.accounts), "ACCOUNTS", 5, 14, bare=True),
            Field("flags", Kind.NAMES, of(lambda row: row.flags), "FLAGS", 7, 30, bare=True),
            Field("waiting", Kind.NAMES, of(lambda row: row.waiting), "WAIT FOR IT", 6, 14),
            Field("delays", Kind.NAMES, of(lambda row: row.delays), "DELAYS", 0, wide=True, falls=True),
        ),
        orders=("from", "name", "until", "size", "delays"),
        rows="reservations",
        older={"user": "users", "account": "accounts", "begin": "from", "end": "until"},
    ),
    lambda row: row.name,
)

OUT = Listing(
    "out",
    "every node is in service",
    out_of_service,
    Fields[BoardReading, NodeFact](
        (
            Field("node", Kind.TEXT, of(lambda node: node.name), "NODE", 0, 16, bare=True),
            Field("state", Kind.TEXT, of(lambda node: node.state), "STATE", 1, 24, bare=True),
            Field("partitions", Kind.NAMES, of(lambda node: node.partitions), "PARTITIONS", 5, 16, bare=True),
            Field("reason", Kind.TEXT, of(lambda node: node.reason), "REASON", 0, wide=True, bare=True),
            Field("by", Kind.TEXT, of(lambda node: node.reason_by), "BY", 4, 10, bare=True),
            Field("since", Kind.INSTANT, of(lambda node: node.reason_at), "SINCE", 2, 14, instead="age"),
            Field("age", Kind.DURATION, _age, "AGE", 0, 7),
            Field("jobs", Kind.NAMES, of(lambda node: node.jobs), "JOBS", 3, 14, falls=True),
            Field("empty", Kind.MOMENT, of(lambda node: node.free_at), "EMPTY AT", 6, header="empty_at"),
        ),
        orders=("age", "node", "reason", "state", "by", "jobs"),
        rows="the nodes out of service",
        older={"partition": "partitions"},
    ),
    lambda node: node.name,
)
PARTITIONS = Listing(
    "partitions",
    "no partition",
    partition_rows,
    Fields[BoardReading, PartitionRow](
        (
            Field("name", Kind.TEXT, of(lambda row: row.name), "PARTITION", 0, 16, bare=True),
            Field("running", Kind.NUMBER, of(lambda row: row.running), "RUNNING", 3, falls=True),
            Field("nodes", Kind.NUMBER, of(lambda row: row.nodes), falls=True),
            Field("cpus", Kind.NUMBER, of(lambda row: row.cpus), falls=True),
            Field("waiting", Kind.NUMBER, of(lambda row: row.waiting), "WAITING", 0, falls=True),
            Field("wanted", Kind.NUMBER, of(lambda row: row.wanted), "WANT CPUS", 7, falls=True),
            Field("next", Kind.TEXT, of(lambda row: row.next_job), header="next_job"),
            Field(
                "starts", Kind.MOMENT, of(lambda row: row.next_start), "NEXT START", 2, 14,
                header="next_start",
            ),
            Field(
                "wait", Kind.DURATION, of(lambda row: row.longest_wait), "WAIT UP TO", 0,
                falls=True, header="longest_wait",
            ),
            Field(
                "longest", Kind.TEXT, of(lambda row: row.longest_job), "THE LONGEST WAIT", 0,
                wide=True, header="longest_job",
            ),
            Field("gpus", Kind.NUMBER, of(lambda row: row.gpus), falls=True),
            Field("wantgpus", Kind.NUMBER, of(lambda row: row.gpus_wanted), header="gpus_wanted", falls=True),
            Field("state", Kind.TEXT, of(lambda row: row.state), "STATE", 5, 10, bare=True),
            Field("size", Kind.NUMBER, of(lambda row: row.size), "NODES", 6, falls=True),
            Field("up", Kind.NUMBER, of(lambda row: row.up), falls=True),
            Field("idle", Kind.NUMBER, of(lambda row: row.idle), "IDLE", 4, falls=True),
        ),
        orders=("wait", "name", "waiting", "idle", "starts"),
        rows="the partitions",
    ),
    lambda row: row.name,
)  # fmt: skip

LISTS: Mapping[str, Listing[Any]] = {each.name: each for each in (RESERVATIONS, OUT, PARTITIONS)}
