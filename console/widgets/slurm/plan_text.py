"""The plan of a cycle as a table: who starts when and where, on the clock and as a countdown."""

from collections.abc import Mapping, Sequence

import attrs

from shadowtime.console.clock import duration
from shadowtime.console.session.slurm.board import Board, Changes, PlanRow
from shadowtime.console.widgets.slurm.columns import Column, Layout, layout, widths
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.words.plan import TOUCHED, limit_words, note_words

OUTCOMES = {
    "planned": "planned",
    "started": "starts now",
    "skipped": "skipped",
    "beyond window": "beyond",
    "not queued": "not queued",
}
"""Outcome -> its words in the table."""


@attrs.frozen
class PlanText:
    """The table of one board, for an instant `now` that moves on while the board stays."""

    board: Board
    changes: Changes
    dates: Dates
    now: int
    expected: Mapping[str, int | None] = attrs.field(factory=dict, kw_only=True)
    """Jobs without a start in the cycle -> their expected starts over time, where they are known."""
    wide: tuple[int, ...] = attrs.field()
    """How wide each column is."""

    @wide.default
    def _wide(self) -> tuple[int, ...]:
        return tuple(widths(self.columns(), self.board.rows))

    def at(self, now: int) -> "PlanText":
        """The same later."""
        return attrs.evolve(self, now=now)

    def layout(self, width: int) -> Layout[PlanRow]:
        """The columns that a width has room for."""
        return layout(self.columns(), self.wide, width)

    def columns(self) -> Sequence[Column[PlanRow]]:
        """Every column, from left to right."""
        return (
            Column("#", 8, lambda row: "" if row.order is None else str(row.order), right=True, most=6),
            Column("JOB", 0, lambda row: row.job, right=True, most=14, role=self._marked),
            Column("USER", 3, lambda row: row.user, most=10, role=self._marked),
            Column("ACCOUNT", 12, lambda row: row.account, most=10),
            Column("QOS", 11, lambda row: row.qos, most=10),
            Column("PARTITION", 4, lambda row: row.partition, most=10),
            Column("PRIORITY", 10, lambda row: f"{row.priority}", right=True, most=10),
            Column("N", 2, lambda row: f"{row.size}", right=True, most=6),
            Column("GPU", 6, lambda row: f"{row.gpus or ''}", right=True, most=6),
            Column("LIMIT", 7, _limit, right=True, most=7),
            Column("OUTCOME", 5, self._outcome, most=10, role=_role),
            Column("START", 0, self._start, most=15, role=_role),
            Column("EXPECTED", 1, self._expected, most=15, role=lambda _: "stale"),
            Column("IN", 1, self._ahead, right=True, most=7, role=_role),
            Column("CHANGE", 2, self._change, right=True, most=8, role=self._change_role),
            Column("SLURM", 6, self._slurm, most=14, role=lambda _: "dim"),
            Column("REASON", 9, _reason, most=14, role=lambda _: "dim"),
            Column("NODES", 0, self._where, most=10**6, role=lambda row: "text" if row.nodes else "dim"),
        )

    def _outcome(self, row: PlanRow) -> str:
        if self.board.begun and row.outcome == "started":
            return "started"
        return OUTCOMES.get(row.outcome, row.outcome)

    def _start(self, row: PlanRow) -> str:
        sign = TOUCHED if row.caveats else ""
        return sign if row.start is None else self.dates.brief(row.start, self.board.now) + sign

    def _expected(self, row: PlanRow) -> str:
        if row.start is not None or row.job not in self.expected:
            return ""
        start = self.expected[row.job]
        return "never" if start is None else self.dates.brief(start, self.board.now)

    def _ahead(self, row: PlanRow) -> str:
        if row.start is None:
            return ""
        left = row.start - self.now
        return duration(left) if left > 0 else "now" if row.outcome == "started" else "due"

    def _slurm(self, row: PlanRow) -> str:
        start = self.board.slurm_start(row)
        return "" if start is None else self.dates.brief(start, self.board.now)

    def _change(self, row: PlanRow) -> str:
        """What the last capture changed: `new`, `+2m10s`, `nodes`."""
        changes = self.changes
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

    def _change_role(self, row: PlanRow) -> str:
        shift = self.changes.shifts.get(row.key, 0)
        if shift:
            return "bad" if shift > 0 else "good"
        return "bad" if row.key in self.changes.lost else "key"

    def _where(self, row: PlanRow) -> str:
        """The nodes; of a row without nodes, why it has none."""
        reached = self.board.limit_of(row)
        if reached is not None:
            return limit_words(reached)
        return f"{row.nodes}  {note_words(row.note)}".strip() if row.note else row.nodes

    def _marked(self, row: PlanRow) -> str:
        return "strong" if row.key in self.changes.rows else "text"


def _limit(row: PlanRow) -> str:
    return "none" if row.limit is None else duration(row.limit)


def _reason(row: PlanRow) -> str:
    """Slurm's own reason, when the queue was read."""
    return "" if row.slurm_reason == "None" else row.slurm_reason


def _role(row: PlanRow) -> str:
    return {"started": "promise", "planned": "plan", "beyond window": "stale"}.get(row.outcome, "dim")
