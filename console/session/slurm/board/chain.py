"""The chain of a planned job: what happens on the nodes that it gets until its planned start.

`docs/slurm.md` says what a link is. Instants are seconds since 1970.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, zip_longest

import attrs

from shadowtime.console.session.facts import Reason
from shadowtime.console.session.jobs.chain import START, WAITS, Chain, Link
from shadowtime.console.session.slurm.board.facts import Board, PlanRow
from shadowtime.console.session.slurm.board.fitting import YEAR
from shadowtime.console.session.slurm.board.holding import short_licenses
from shadowtime.console.session.slurm.problem import leaves
from shadowtime.scenarios.slurm import Job, Partition, format_hosts, parse_hosts
from shadowtime.scenarios.text.gate import printable


@attrs.frozen
class Stay:
    """Somebody has nodes until an instant that is not after the start of the job."""

    who: str
    """A job, or a reservation of the operator."""
    nodes: tuple[str, ...]
    begin: int | None
    """When it takes them; None if it has them."""
    end: int
    comes: str
    """The kind of the link with which it takes them."""
    goes: str
    rounded: bool = False
    """Whether the end is not that of its limit, but one of the steps of the plan."""


def chain(board: Board, row: PlanRow) -> Chain | None:
    """Return the chain of a row with a planned start; None for another row.

    A node is free once everybody who leaves it by the start has left: who runs on beside the job shares it.
    """
    if row.start is None or row.order is None or row.outcome == "started":
        return None
    wanted = tuple(name for name in row.hosts if name in board.places)
    stays = [*_running(board, row, wanted), *_planned(board, row, wanted), *_reserved(board, row, wanted)]
    held = Counter(name for stay in stays if stay.begin is None for name in stay.nodes)
    free = len(wanted) - len(held)
    moved = list(_moved(stays, held, free))
    links = list(_with_waits(board, row, moved, len(wanted), free))
    last = [stay.rounded for stay in stays if stay.end == row.start]
    step = Reason("rounded_end", {"step": board.capture.settings.backfill.resolution})
    reason = step if last and all(last) else None
    links.append(Link(row.start, START, -len(wanted), 0, row.job, reason, row.nodes))
    return Chain(row.job, len(wanted), board.now, free, tuple(links))


def _moved(stays: Iterable[Stay], held: Counter[str], free: int) -> Iterator[Link]:
    """Yield who takes nodes and leaves them; of an instant who leaves first. `held`: how many have a node."""
    moves = [(stay.end, False, stay) for stay in stays]
    moves += [(stay.begin, True, stay) for stay in stays if stay.begin is not None]
    for at, takes, stay in sorted(moves, key=lambda move: move[:2]):
        if not takes:
            held.subtract(stay.nodes)
        changed = [name for name in stay.nodes if not held[name]]
        if takes:
            held.update(stay.nodes)
        if changed:
            change = -len(changed) if takes else len(changed)
            free += change
            yield Link(
                at, stay.comes if takes else stay.goes, change, free, stay.who, nodes=format_hosts(changed)
            )


def _with_waits(board: Board, row: PlanRow, moved: Sequence[Link], needs: int, free: int) -> Iterator[Link]:
    """Yield the links, and why the job does not start whenever all its nodes are free."""
    assert row.start is not None
    groups = [(at, list(links)) for at, links in groupby(moved, key=lambda link: link.at)]
    if not groups or groups[0][0] > board.now:
        groups.insert(0, (board.now, []))
    for (at, links), following in zip_longest(groups, groups[1:]):
        yield from links
        free = links[-1].free or 0 if links else free
        until, comes = (row.start, []) if following is None else following
        if free == needs and at < row.start:
            yield Link(at, WAITS, 0, free, row.job, _reason(board, row, at, comes, until))


def _running(board: Board, row: PlanRow, wanted: tuple[str, ...]) -> Iterator[Stay]:
    assert row.start is not None
    for job, nodes in board.jobs_on(wanted):
        # The components of a heterogeneous job count as gone once the first is over.
        end = min(job.end, board.components.get(job.het_job, job).end)
        stopped = end > row.start
        if stopped and not (board.preempts and _whole(board, row, job)):
            continue
        gone = min(row.start, leaves(board.capture, job, board.now))
        yield Stay(job.shown, tuple(nodes), None, gone, "starts", "leaves" if stopped else "ends")


def _whole(board: Board, row: PlanRow, job: Job) -> bool:
    """Whether the job of a row and one that runs share no node."""
    whole = {each.name for each in board.capture.partitions if each.exclusive}
    return any(
        each.request.exclusive or not whole.isdisjoint(names)
        for each, names in ((row.record, (row.partition,)), (job, job.partitions[:1]))
    )


def _planned(board: Board, row: PlanRow, wanted: tuple[str, ...]) -> Iterator[Stay]:
    """The rows that are planned on these nodes before the job, and are over by its start."""
    assert row.order is not None and row.start is not None
    latest = row.start + board.capture.settings.backfill.resolution
    for place, common in sorted(board.rows_on(wanted).items()):
        other = board.rows[place]
        assert other.order is not None and other.start is not None
        if other.order >= row.order or (board.begun and other.outcome == "started"):
            # It comes later in the queue, or it runs.
            continue
        limit = other.start + _length(board, other)
        end = limit if other.end is None else other.end
        # Version 22.05 ends plans up to a step early: some have no length, others a bit beyond the start.
        if other.start < min(end, row.start) and end <= latest:
            until = min(end, row.start)
            yield Stay(other.job, tuple(common), other.start, until, "starts", "ends", until != limit)


def _partition(board: Board, row: PlanRow) -> Partition:
    return next(each for each in board.capture.partitions if printable(each.name) == row.partition)


def _length(board: Board, row: PlanRow) -> int:
    """The seconds that a job is planned with."""
    bounds = row.limit, 60 * (_partition(board, row).most_minutes or 0)
    return row.record.least_limit * 60 or next(filter(None, bounds), YEAR)


def _reserved(board: Board, row: PlanRow, wanted: tuple[str, ...]) -> Iterator[Stay]:
    """The reservations that are over by the start; some are in the way on every node."""
    assert row.start is not None
    partition = _partition(board, row)
    for each in board.capture.reservations:
        begin, end = (at + each.moved(board.now) for at in (each.begin, each.end))
        names = frozenset(each.nodes)
        everywhere = (
            "ALL_NODES" in each.flags
            or ("MAINT" in each.flags and names.issuperset(partition.nodes))
            or not names.isdisjoint(row.record.request.required_nodes)
        )
        nodes = wanted if everywhere else tuple(name for name in wanted if name in names)
        if nodes and board.now < end <= row.start and each.name != row.reservation:
            who = printable(each.name)
            yield Stay(who, nodes, None if begin <= board.now else begin, end, "reserved", "lifted")


def _reason(board: Board, row: PlanRow, at: int, comes: Iterable[Link], until: int) -> Reason:
    """Return why a job does not start though its nodes are free: until then nothing changes on them."""
    assert row.start is not None
    resolution = board.capture.settings.backfill.resolution
    length = _length(board, row) if row.end is None else row.end - row.start
    for link in comes:
        if at + length + resolution > until:
            return Reason(
                "would_delay_reserved" if link.kind == "reserved" else "would_delay_head", {"head": link.job}
            )
    if board.capture.settings.backfill.licenses and short_licenses(board, row):
        return Reason("no_licenses", {})
    if until == row.start and (jobs := board.ending.get(until)):
        return Reason("ends_in_steps", {"blocker": jobs[0].shown})
    if until == row.start and until - at <= 2 * resolution:
        return Reason("rounded", {"step": resolution})
    return Reason("no_earlier_try", {})


def likely_chain(found: Chain, starts: Mapping[str, int | None]) -> Chain:
    """Return a chain with the likely starts of the jobs that are planned before it, where they are known."""
    return attrs.evolve(
        found,
        links=tuple(
            attrs.evolve(link, likely=starts.get(link.job)) if link.kind in ("starts", START) else link
            for link in found.links
        ),
    )


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
    before = [other for other in board.entries if (other.order or 0) < (row.order or 0)]
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
