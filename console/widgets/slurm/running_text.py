"""The jobs that run as a table, and everything about one of them."""

from collections.abc import Iterator, Mapping, Sequence

from shadowtime.console.clock import duration
from shadowtime.console.session.slurm.board.facts import Board
from shadowtime.console.session.slurm.board.fields import RUNNING, BoardReading
from shadowtime.console.session.slurm.board.running import RunningRow, next_on
from shadowtime.console.widgets.frame.ink import Line, fact, wrap
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.widgets.slurm.plan_text import limit_text
from shadowtime.console.widgets.table.columns import Column, FieldLook, columns_of, written
from shadowtime.console.words import count

INDENT = 10
MOST_NEXT = 12
"""Jobs that are planned on the nodes of one, and are listed one by one."""


def running_columns(at: BoardReading, dates: Dates) -> Sequence[Column[RunningRow]]:
    started = frozenset(at.changes.started)

    def brief(instant: int) -> str:
        return dates.brief(instant, at.board.now)

    def left(row: RunningRow) -> str:
        if row.limit is None:
            return "no limit"
        return duration(row.end - at.now) if row.end > at.now else "over"

    def following(row: RunningRow) -> str:
        return "" if row.next_start is None else f"{row.next_job} at {brief(row.next_start)}"

    def marked(row: RunningRow) -> str:
        return "strong" if row.job in started else ""

    looks: Mapping[str, FieldLook[RunningRow]] = {
        "id": FieldLook(lambda row: row.job, marked),
        "user": FieldLook(role=marked),
        "gpus": FieldLook(lambda row: f"{row.gpus or ''}"),
        "state": FieldLook(role=_state_role),
        "limit": FieldLook(limit_text),
        "left": FieldLook(left),
        "next": FieldLook(following, lambda _: "plan"),
    }
    return columns_of(RUNNING, at, written(brief), looks)


def running_lines(board: Board, row: RunningRow, dates: Dates, width: int) -> Iterator[Line]:
    """Yield the lines about a running job; that it is over if the board has it no longer."""
    if row.job not in board.running:
        yield from wrap(f"job {row.job} runs no longer", width, "dim")
        return
    name = f" {row.name}" if row.name else ""
    yield from wrap(f"job {row.job}{name} of {row.user}, {row.state}", width, "strong")
    passed = duration(max(0, board.now - row.begin))
    read = dates.clock(board.now)
    yield from fact("since", f"{dates.whole(row.begin)}, {passed} before {read}", width, INDENT)
    yield from fact("until", _until(board, row, dates), width, INDENT)
    holds = [count(row.size, "node"), count(row.cpus, "CPU"), *([count(row.gpus, "GPU")] if row.gpus else [])]
    yield from fact("on", f"{row.nodes}: {', '.join(holds)}", width, INDENT)
    if row.devices:
        yield from fact("devices", f"{row.held}; by node {'; '.join(row.devices)}", width, INDENT)
    yield from _next_lines(board, row, dates, width)
    groups = (("account", row.account), ("QOS", row.qos))
    of = "".join(f", {label} {value}" for label, value in groups if value)
    yield from fact("in", f"partition {row.partition}, priority {row.priority}{of}", width, INDENT)
    waited = duration(max(0, row.begin - row.submit))
    yield from fact("submitted", f"{dates.whole(row.submit)}, waited {waited}", width, INDENT)


def _next_lines(board: Board, row: RunningRow, dates: Dates, width: int) -> Iterator[Line]:
    """Who is planned on its nodes next, and who of them waits for this job last."""
    found = next_on(board, row)
    for place, (other, last) in enumerate(found[:MOST_NEXT]):
        start = dates.brief(other.start or 0, board.now)
        text = f"job {other.job} of {other.user}, place {other.order}, {start} on {other.nodes}"
        words = f"{text}; waits for this job last" if last else text
        yield from fact("next" if place == 0 else "", words, width, INDENT)
    if len(found) > MOST_NEXT:
        yield from fact("", f"and {len(found) - MOST_NEXT} more", width, INDENT)
    if not found:
        yield from fact("next", "nobody is planned on its nodes after it", width, INDENT)


def _until(board: Board, row: RunningRow, dates: Dates) -> str:
    if row.limit is None:
        return "no limit"
    left = row.end - board.now
    limit = f"limit {duration(row.limit)}"
    if left <= 0:
        return f"{dates.whole(row.end)}: its limit is over ({limit})"
    return f"{dates.whole(row.end)} at the latest, {duration(left)} after {dates.clock(board.now)} ({limit})"


def _state_role(row: RunningRow) -> str:
    return {"running": "good", "suspended": "warn"}.get(row.state, "dim")
