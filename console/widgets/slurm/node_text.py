"""The nodes of a cluster: everything about one in lines, and all of them as a table."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from shadowtime.console.clock import duration
from shadowtime.console.session.slurm.board.facts import COVERED, Board, NodeFact, PlanRow
from shadowtime.console.session.slurm.board.fields import BoardReading
from shadowtime.console.session.slurm.board.lists import NODES
from shadowtime.console.widgets.frame.ink import Line, fact, wrap
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.widgets.table.columns import Column, FieldLook, columns_of, written
from shadowtime.console.words import count
from shadowtime.console.words.cluster.caveats import HIDDEN
from shadowtime.console.words.cluster.why import COVERED as COVERED_WORDS

INDENT = 10
MOST = 20
"""Planned jobs that are listed one by one."""
LEAST_NEXT = 22
"""Cells that the next job and its start take at most before other columns give way."""


def node_lines(board: Board, node: NodeFact, dates: Dates, width: int) -> Iterator[Line]:
    yield from wrap(f"node {node.name}, {node.state}", width, "strong")
    if node.reason:
        yield from fact("because", node.reason + _said(board, node, dates), width, INDENT)
    yield from fact("in", ", ".join(node.partitions) or "no partition", width, INDENT)
    yield from fact("has", _has(node), width, INDENT)
    yield from _runs(board, node, dates, width)
    yield from fact("free", _free(board, node, dates), width, INDENT)
    yield from _planned(board, node, dates, width)
    for each in board.capture.reservations:
        if node.name in each.nodes and each.end > board.now:
            begin, end = (dates.brief(instant, board.now) for instant in (each.begin, each.end))
            yield from fact("reserved", f"{each.name} from {begin} until {end}", width, INDENT)


def _said(board: Board, node: NodeFact, dates: Dates) -> str:
    """Who gave the reason of a node, and when, as far as that is known."""
    by = f", by {node.reason_by}" if node.reason_by else ""
    if node.reason_at is None:
        return by
    age = duration(max(0, board.now - node.reason_at))
    return f"{by}, since {dates.brief(node.reason_at, board.now)} ({age})"


def _has(node: NodeFact) -> str:
    parts = [
        f"{count(node.cpus, 'CPU')}, {node.cpus_taken:,} of them taken",
        f"{node.memory / 1024:.0f}G of memory, {node.memory_taken / 1024:.0f}G taken",
        f"{node.devices}, {node.devices_held or 'none'} held" if node.devices else "",
        f"features {', '.join(node.features)}" if node.features else "",
        f"weight {node.weight}",
    ]
    return "; ".join(filter(None, parts))


def _runs(board: Board, node: NodeFact, dates: Dates, width: int) -> Iterator[Line]:
    jobs = sorted(board.runs_on.get(node.name, ()), key=lambda job: (job.end, job.id))
    for place, job in enumerate(jobs):
        shares = [share for share in job.shares if share.node == node.name]
        holds = [count(sum(share.cores for share in shares), "core")] if shares else []
        holds += sorted({share.devices for share in shares if share.devices})
        until = "without a limit" if job.limit is None else f"until {dates.brief(job.end, board.now)}"
        state = "suspended " if "SUSPENDED" in job.states else ""
        text = f"job {job.shown} of {job.user} {state}{until}"
        yield from fact("runs" if place == 0 else "", ", ".join([text, *holds]), width, INDENT)
    if not jobs:
        yield from fact("runs", HIDDEN if node.unlisted else "nobody", width, INDENT)


def _free(board: Board, node: NodeFact, dates: Dates) -> str:
    if node.unlisted:
        return "never in this plan: who holds it is not known"
    if not node.up:
        return "not before it is up again"
    if node.free_at is None:
        return "now"
    left = node.free_at - board.now
    when = f"{duration(left)} after {dates.clock(board.now)}" if left > 0 else "due"
    return f"{dates.brief(node.free_at, board.now)} at the latest, {when}"


def _planned(board: Board, node: NodeFact, dates: Dates, width: int) -> Iterator[Line]:
    if board.count(COVERED):
        yield from fact("planned", COVERED_WORDS, width, INDENT)
        return
    rows = [board.rows[place] for place in board.planned_on.get(node.name, ())]
    ahead = [row for row in rows if not (board.begun and row.outcome == "started")]
    ahead.sort(key=lambda row: (row.start or 0, row.order or 0))
    for place, row in enumerate(ahead[:MOST]):
        yield from fact("planned" if place == 0 else "", _plan(board, row, dates), width, INDENT)
    if len(ahead) > MOST:
        yield from fact("", f"and {len(ahead) - MOST} more", width, INDENT)
    if not ahead:
        yield from fact("planned", "nobody", width, INDENT)


def _plan(board: Board, row: PlanRow, dates: Dates) -> str:
    begin = board.now if row.outcome == "started" else row.start or 0
    start = "now" if row.outcome == "started" else dates.brief(begin, board.now)
    end = "" if row.end is None else f" to {dates.brief(row.end, begin)}"
    return f"job {row.job} of {row.user} in {row.partition}, place {row.order}, {start}{end}"


def nodes_columns(at: BoardReading, dates: Dates) -> Sequence[Column[NodeFact]]:
    def left(node: NodeFact) -> str:
        if node.free_at is None:
            return ""
        return duration(node.free_at - at.now) if node.free_at > at.now else "due"

    def marked(node: NodeFact) -> str:
        return "strong" if node.name in at.changes.nodes else ""

    looks: Mapping[str, FieldLook[NodeFact]] = {
        "node": FieldLook(role=marked),
        "state": FieldLook(role=_role),
        "cpus": FieldLook(lambda node: f"{node.cpus_taken}/{node.cpus}"),
        "gpus": FieldLook(lambda node: f"{node.gpus_held}/{node.gpus}" if node.gpus else ""),
        "memory": FieldLook(_memory),
        "jobs": FieldLook(lambda node: " ".join(node.jobs)),
        "in": FieldLook(left),
        "starts": FieldLook(
            lambda node: dates.job_at(node.next_job, node.next_start, at.board.now), lambda _: "plan"
        ),
    }
    return columns_of(NODES, at, written(partial(dates.brief, now=at.board.now)), looks)


def _memory(node: NodeFact) -> str:
    return f"{node.memory_taken / 1024:.0f}/{node.memory / 1024:.0f}G"


def _role(node: NodeFact) -> str:
    if any(word.startswith(("DOWN", "DRAIN", "FAIL", "NOT_RESP")) for word in node.states):
        return "bad"
    return "good" if "IDLE" in node.states else "text"
