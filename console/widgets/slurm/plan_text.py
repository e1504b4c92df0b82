"""The plan of a cycle as a table: who starts when and where, on the clock and as a countdown."""

from collections.abc import Mapping, Sequence

from shadowtime.console.clock import duration
from shadowtime.console.session.slurm.board.changes import Changes
from shadowtime.console.session.slurm.board.facts import PlanRow
from shadowtime.console.session.slurm.board.fields import PLAN, BoardReading, ahead
from shadowtime.console.session.slurm.board.running import RunningRow
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.widgets.table.columns import Column, FieldLook, columns_of, written
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


def plan_columns(at: BoardReading, dates: Dates) -> Sequence[Column[PlanRow]]:
    board, changes = at.board, at.changes
    changed = changes.rows

    def brief(instant: int) -> str:
        return dates.brief(instant, board.now)

    def outcome(row: PlanRow) -> str:
        started = board.begun and row.outcome == "started"
        return "started" if started else OUTCOMES.get(row.outcome, row.outcome)

    def start(row: PlanRow) -> str:
        sign = TOUCHED if row.caveats else ""
        return sign if row.start is None else brief(row.start) + sign

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
        return "now" if row.outcome == "started" else "due"

    def change(row: PlanRow) -> str:
        return change_words(changes, row) if changed and row.key in changed else ""

    def where(row: PlanRow) -> str:
        """The nodes; of a row without nodes, why it has none."""
        reached = board.limit_of(row)
        if reached is not None:
            return limit_words(reached)
        return f"{row.nodes}  {note_words(row.note)}".strip() if row.note else row.nodes

    def marked(row: PlanRow) -> str:
        return "strong" if row.key in changed else ""

    looks: Mapping[str, FieldLook[PlanRow]] = {
        "id": FieldLook(lambda row: row.job, marked),
        "user": FieldLook(role=marked),
        "gpus": FieldLook(lambda row: f"{row.gpus or ''}"),
        "limit": FieldLook(limit_text),
        "state": FieldLook(outcome, _role),
        "starts": FieldLook(start, _role),
        "expected": FieldLook(expected, lambda _: "stale"),
        "likely": FieldLook(lambda row: odds(row, "likely"), lambda _: "strong"),
        "by": FieldLook(lambda row: odds(row, "late")),
        "in": FieldLook(countdown, _role),
        "change": FieldLook(change, lambda row: _change_role(changes, row)),
        "slurm": FieldLook(role=lambda _: "dim"),
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
