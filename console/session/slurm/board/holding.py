"""Who holds the nodes on which a job is planned: why its start is not earlier on these nodes."""

from collections import defaultdict
from collections.abc import Iterable

import attrs

from shadowtime.console.session.slurm.board.facts import Blocker, Board, PlanRow
from shadowtime.scenarios.slurm.config import parse_licenses


def blockers(board: Board, row: PlanRow) -> tuple[Blocker, ...]:
    """Return who holds nodes of a planned row last before its start, the last to leave first.

    Running jobs, jobs that are planned before it in the queue, and reservations of the operator. A node is
    listed once, with its last holder.
    """
    if row.start is None or row.order is None:
        return ()
    wanted = frozenset(row.hosts)
    # A job that runs on when this one starts shares its nodes: it is in nobody's way.
    running = (each for each in _running(board, wanted) if each.until <= row.start)
    found = [*running, *_planned(board, row, wanted), *_reserved(board, row, wanted)]
    kept, free = [], set(wanted)
    for each in sorted(found, key=lambda each: (-each.until, each.kind, each.who)):
        nodes = tuple(name for name in each.nodes if name in free)
        if nodes:
            kept.append(attrs.evolve(each, nodes=nodes))
            free.difference_update(nodes)
    return tuple(kept)


def short_licenses(board: Board, row: PlanRow) -> tuple[tuple[str, int, int, tuple[str, ...]], ...]:
    """Return the licences that a row waits for: name, free now, in all, and the jobs that hold them."""
    starting = {each.job for each in board.rows[: row.order] if each.outcome == "started"}
    held: dict[str, dict[str, int]] = defaultdict(dict)
    for job in board.capture.jobs:
        if job.holding or job.shown in starting:
            for name, number in parse_licenses(job.request.licenses).items():
                held[name][job.shown] = number
    found = []
    for name, wanted in parse_licenses(board.jobs[row.job].request.licenses).items():
        total = board.capture.settings.licenses.get(name, 0)
        free = total - sum(held[name].values())
        if free < wanted:
            found.append((name, max(0, free), total, tuple(held[name])))
    return tuple(found)


def _running(board: Board, wanted: frozenset[str]) -> list[Blocker]:
    return [
        Blocker("runs", job.shown, job.user, _in_order(board, nodes), job.end)
        for job, nodes in sorted(board.jobs_on(wanted), key=lambda held: held[0].id)
    ]


def _planned(board: Board, row: PlanRow, wanted: frozenset[str]) -> list[Blocker]:
    assert row.order is not None and row.start is not None
    until: dict[tuple[str, str], int] = {}
    nodes: dict[tuple[str, str], set[str]] = defaultdict(set)
    for place, common in sorted(board.rows_on(wanted).items()):
        other = board.rows[place]
        assert other.order is not None
        if board.begun and other.outcome == "started":
            # It runs.
            continue
        end = other.end if other.end is not None else board.now + (other.limit or 0)
        if other.order < row.order and end <= row.start + 60:
            who = other.job, other.user
            until[who] = max(until.get(who, 0), end)
            nodes[who].update(common)
    return [
        Blocker("planned", job, user, _in_order(board, nodes[job, user]), end)
        for (job, user), end in until.items()
    ]


def _reserved(board: Board, row: PlanRow, wanted: frozenset[str]) -> list[Blocker]:
    found = []
    for each in board.capture.reservations:
        common = wanted.intersection(each.nodes)
        begins = each.begin < (row.start or 0) and each.name != row.reservation
        if common and begins and each.end > board.now:
            found.append(Blocker("reserved", each.name, "", _in_order(board, common), each.end))
    return found


def _in_order(board: Board, names: Iterable[str]) -> tuple[str, ...]:
    """The nodes of the cluster with these names, in its order."""
    return tuple(sorted((name for name in names if name in board.places), key=board.places.__getitem__))
