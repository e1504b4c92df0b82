"""Tables of jobs: the plan of a cycle, who starts when and where; and those that run, until when."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from shadowtime.console.clock import duration
from shadowtime.console.session.slurm.board.changes import Changes
from shadowtime.console.session.slurm.board.facts import Board, PlanRow
from shadowtime.console.session.slurm.board.fields import PLAN, RUNNING, BoardReading, ahead
from shadowtime.console.session.slurm.board.running import RunningRow, next_on
from shadowtime.console.widgets.frame.ink import Line, fact, wrap
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.widgets.table.columns import Column, FieldLook, columns_of, written
from shadowtime.console.words import count
from shadowtime.console.words.cluster.caveats import TOUCHED
from shadowtime.console.words.plan import limit_words, note_words

OUTCOMES = {
    "planned": "planned",
    "started": "starts now",
    "skipped": "skipped",
    "beyond window": "beyond",
    "not queued": "not queued",
}
"""Outcome -> its words in the table."""
BEYOND = "not reserved: after bf_window"
"""What stands behind the nodes of a start after the window."""
INDENT = 10
MOST_NEXT = 12
"""Jobs that are planned on the nodes of one, and are listed one by one."""


def plan_columns(at: BoardReading, dates: Dates) -> Sequence[Column[PlanRow]]:
    board, changes = at.board, at.changes
    changed = changes.rows
    brief = partial(dates.brief, now=board.now)

    def start(row: PlanRow) -> str:
        """The start; of a row without one, what comes of it."""
        found = OUTCOMES.get(row.outcome, row.outcome) if row.start is None else brief(row.start)
        return found + (TOUCHED if row.caveats else "")

    def of_slurm(row: PlanRow) -> str:
        said = board.slurm_start(row)
        return "" if said is None else "same" if said == row.start else brief(said)

    def expected(row: PlanRow) -> str:
        if row.start is not None or row.job not in at.expected:
            return ""
        instant = at.expected[row.job]
        return "never" if instant is None else brief(instant)

    def odds(row: PlanRow, name: str) -> str:
        if row.job not in at.odds:
            return ""
        instant = getattr(at.odds[row.job], name)
        return "never" if instant is None else brief(instant)

    left = ahead(at)

    def countdown(row: PlanRow) -> str:
        seconds = left(row)
        if seconds is None:
            return "never" if row.job in at.odds else ""
        if seconds > 0:
            return duration(seconds)
        return ("started" if board.begun else "now") if row.outcome == "started" else "due"

    def change(row: PlanRow) -> str:
        return change_words(changes, row) if changed and row.key in changed else ""

    def where(row: PlanRow) -> str:
        """The nodes; of a row without nodes, why it has none."""
        reached = board.limit_of(row)
        if reached is not None:
            return limit_words(reached)
        note = BEYOND if row.outcome == "beyond window" else note_words(row.note)
        return f"{row.nodes}  {note}".strip()

    def marked(row: PlanRow) -> str:
        return "strong" if row.key in changed else ""

    looks: Mapping[str, FieldLook[PlanRow]] = {
        "id": FieldLook(lambda row: row.job, marked),
        "user": FieldLook(role=marked),
        "gpus": FieldLook(lambda row: f"{row.gpus or ''}"),
        "limit": FieldLook(limit_text),
        "starts": FieldLook(start, _role),
        "expected": FieldLook(expected, lambda _: "stale"),
        "likely": FieldLook(lambda row: odds(row, "likely"), lambda _: "strong"),
        "by": FieldLook(lambda row: odds(row, "late")),
        "in": FieldLook(countdown, _role),
        "change": FieldLook(change, lambda row: _change_role(changes, row)),
        "slurm": FieldLook(of_slurm, lambda _: "dim"),
        "reason": FieldLook(_reason, lambda _: "dim"),
        "nodes": FieldLook(where, lambda row: "" if row.nodes else "dim"),
    }
    return columns_of(PLAN, at, written(brief), looks)


def change_words(changes: Changes, row: PlanRow) -> str:
    """Return what the last capture or step changed: `new`, `+2m10s`, `nodes`."""
    if row.key in changes.shifts:
        shift = changes.shifts[row.key]
        return f"+{duration(shift)}" if shift > 0 else duration(shift)
    words = (
        (changes.new, "new"),
        (changes.planned, "planned"),
        (changes.lost, "lost"),
        (changes.replaced, "nodes"),
    )
    return next((word for keys, word in words if row.key in keys), "")


def _change_role(changes: Changes, row: PlanRow) -> str:
    shift = changes.shifts.get(row.key, 0)
    if shift:
        return "bad" if shift > 0 else "good"
    return "bad" if row.key in changes.lost else "key"


def limit_text(row: PlanRow | RunningRow) -> str:
    return "none" if row.limit is None else duration(row.limit)


def _reason(row: PlanRow) -> str:
    return "" if row.slurm_reason == "None" else row.slurm_reason


def _role(row: PlanRow) -> str:
    return {"started": "promise", "planned": "plan", "beyond window": "stale"}.get(row.outcome, "dim")


def running_columns(at: BoardReading, dates: Dates) -> Sequence[Column[RunningRow]]:
    started = frozenset(at.changes.started)

    def left(row: RunningRow) -> str:
        if row.limit is None:
            return "no limit"
        return duration(row.end - at.now) if row.end > at.now else "over"

    def marked(row: RunningRow) -> str:
        return "strong" if row.job in started else ""

    looks: Mapping[str, FieldLook[RunningRow]] = {
        "id": FieldLook(lambda row: row.job, marked),
        "user": FieldLook(role=marked),
        "gpus": FieldLook(lambda row: f"{row.gpus or ''}"),
        "state": FieldLook(role=_state_role),
        "limit": FieldLook(limit_text),
        "left": FieldLook(left),
        "next": FieldLook(
            lambda row: dates.job_at(row.next_job, row.next_start, at.board.now), lambda _: "plan"
        ),
    }
    return columns_of(RUNNING, at, written(partial(dates.brief, now=at.board.now)), looks)


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
        words = f"{text}; this job is the last that it waits for" if last else text
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
