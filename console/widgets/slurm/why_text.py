"""Everything about one row of a plan: what it asks for, when and where it starts, who holds its nodes."""

from collections.abc import Iterator

from console.clock import duration
from console.session.slurm.board import Blocker, Board, Changes, PlanRow, blockers
from console.session.slurm.board.facts import COVERED
from console.widgets.frame.ink import Line, fact, printable, wrap
from console.widgets.slurm.dates import Dates

NOTES = {
    "cannot be scheduled": "no start was found in the plan: every try failed until no later one was left",
    "bf_max_job_user": "bf_max_job_user entries of this user were tried before it",
    "bf_max_job_part": "bf_max_job_part entries of this partition were tried before it",
    "licenses": "its licences are not free now",
    "reservation defer": "its reservation has ended, does not exist, or begins after each try",
    "earliest try after the window": "its first try would be after the backfill window",
    "accounting limit": "a limit of its quality of service does not let it have these nodes",
    "held": "it is held: its priority is 0",
    "the cycle ends before it": "the cycle ends before its turn: a limit of the cycle is reached",
}
"""Note of the plan -> a sentence."""
INDENT = 10
MOST_BLOCKERS = 12
"""Holders of nodes that are listed one by one."""


def why_lines(board: Board, changes: Changes, row: PlanRow | None, dates: Dates, width: int) -> list[Line]:
    """Return the lines about a row; about nothing without one."""
    if row is None:
        return []
    return [
        *wrap(_title(row), width, "strong"),
        *_plan(board, changes, row, dates, width),
        *_left_out(board, row, width),
        *_asks(row, dates, width),
    ]


def summary_line(board: Board, row: PlanRow, dates: Dates) -> str:
    """Return why a row starts when it does, in one line."""
    if row.start is None:
        return f"job {row.job}: {NOTES.get(row.note, row.note) or row.outcome}"
    if row.outcome == "started":
        return f"job {row.job}: starts now on {row.nodes}"
    found = blockers(board, row)
    if not found:
        return f"job {row.job}: starts at {dates.brief(row.start, board.now)}; its nodes are free before"
    return f"job {row.job}: {_held(found[0], board, dates)}"


def _title(row: PlanRow) -> str:
    name = f" {row.name}" if row.name else ""
    place = f", place {row.order} in the queue" if row.order is not None else ""
    return f"job {row.job}{name} of {row.user}{place}"


def _plan(board: Board, changes: Changes, row: PlanRow, dates: Dates, width: int) -> Iterator[Line]:
    if row.outcome == COVERED:
        yield from fact("plan", "covered until the question is answered", width, INDENT)
        yield from fact("Slurm", _reason(row), width, INDENT)
        return
    if row.start is None:
        words = NOTES.get(row.note, row.note)
        yield from fact("outcome", f"{row.outcome}: {words}" if words else row.outcome, width, INDENT)
    else:
        ahead = duration(max(0, row.start - board.now))
        when = "now" if row.outcome == "started" else f"{dates.whole(row.start)}, {ahead} after the capture"
        yield from fact("starts", when, width, INDENT)
        yield from fact("on", row.nodes or "-", width, INDENT)
        yield from _holders(board, row, dates, width)
        if row.end is not None:
            yield from fact("until", f"{dates.whole(row.end)} at the latest", width, INDENT)
    if row.outcome == "beyond window":
        yield from fact("note", "after the backfill window: no nodes are reserved for it", width, INDENT)
    shift = changes.shifts.get(row.key)
    if shift:
        moved = f"{duration(abs(shift))} {'later' if shift > 0 else 'earlier'} than in the capture before"
        yield from fact("moved", moved, width, INDENT)
    yield from fact("Slurm", _slurm(row, dates), width, INDENT)


def _slurm(row: PlanRow, dates: Dates) -> str:
    """What Slurm itself expected when the queue was read, and its reason."""
    if row.slurm_start is None:
        return f"no start expected yet; {_reason(row)}"
    return f"expected {dates.whole(row.slurm_start)} in its last cycle; {_reason(row)}"


def _reason(row: PlanRow) -> str:
    return f"reason {row.slurm_reason}" if row.slurm_reason and row.slurm_reason != "None" else "no reason"


def _holders(board: Board, row: PlanRow, dates: Dates, width: int) -> Iterator[Line]:
    found = blockers(board, row)
    for place, blocker in enumerate(found[:MOST_BLOCKERS]):
        yield from fact("waits for" if place == 0 else "", _held(blocker, board, dates), width, INDENT)
    if len(found) > MOST_BLOCKERS:
        yield from fact("", f"and {len(found) - MOST_BLOCKERS} more, which leave before", width, INDENT)


def _held(blocker: Blocker, board: Board, dates: Dates) -> str:
    until = dates.brief(blocker.until, board.now)
    if blocker.kind == "reserved":
        return f"{blocker.hosts}: reservation {printable(blocker.who)} until {until}"
    does = "runs" if blocker.kind == "runs" else "is planned before it,"
    return f"{blocker.hosts}: job {blocker.who} of {printable(blocker.user)} {does} until {until}"


def _left_out(board: Board, row: PlanRow, width: int) -> Iterator[Line]:
    for caveat in row.caveats:
        yield from fact("without", f"{caveat} (this job)", width, INDENT)
    for caveat in board.shared_caveats:
        yield from fact("without", caveat, width, INDENT)


def _asks(row: PlanRow, dates: Dates, width: int) -> Iterator[Line]:
    limit = "no limit" if row.limit is None else f"limit {duration(row.limit)}"
    yield from fact("asks for", f"{row.size} nodes at least, {row.cpus} CPUs, {limit}", width, INDENT)
    groups = (("account", row.account), ("QOS", row.qos), ("reservation", row.reservation))
    of = ", ".join(f"{name} {value}" for name, value in groups if value)
    where = f"partition {row.partition}, priority {row.priority}"
    yield from fact("in", f"{where}, {of}" if of else where, width, INDENT)
    yield from fact("submitted", dates.whole(row.submit), width, INDENT)
