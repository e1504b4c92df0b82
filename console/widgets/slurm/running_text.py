"""The jobs that run as a table, and everything about one of them."""

from collections.abc import Iterator

import attrs

from shadowtime.console.clock import duration
from shadowtime.console.session.slurm.board import Board, RunningRow, next_on
from shadowtime.console.widgets.frame.ink import Line, fact, wrap
from shadowtime.console.widgets.slurm.columns import Column, Layout, layout, widths
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.words import count

INDENT = 10
MOST_NEXT = 12
"""Jobs that are planned on the nodes of one, and are listed one by one."""


@attrs.frozen
class RunningText:
    """The table of some jobs of one board, for an instant `now` that moves on while the board stays."""

    board: Board
    rows: tuple[RunningRow, ...]
    started: frozenset[str]
    """Jobs that the last capture or step started."""
    dates: Dates
    now: int
    wide: tuple[int, ...] = attrs.field()
    """How wide each column is."""

    @wide.default
    def _wide(self) -> tuple[int, ...]:
        return tuple(widths(self.columns(), self.rows))

    def at(self, now: int) -> "RunningText":
        """The same later."""
        return attrs.evolve(self, now=now)

    def layout(self, width: int) -> Layout[RunningRow]:
        """The columns that a width has room for."""
        return layout(self.columns(), self.wide, width, 12)

    def columns(self) -> tuple[Column[RunningRow], ...]:
        """Every column, from left to right."""
        return (
            Column("JOB", 0, lambda row: row.job, right=True, most=14, role=self._marked),
            Column("USER", 1, lambda row: row.user, most=10, role=self._marked),
            Column("ACCOUNT", 12, lambda row: row.account, most=10),
            Column("QOS", 11, lambda row: row.qos, most=10),
            Column("PARTITION", 5, lambda row: row.partition, most=10),
            Column("N", 3, lambda row: f"{row.size}", right=True, most=6),
            Column("CPUS", 8, lambda row: f"{row.cpus}", right=True, most=7),
            Column("GPU", 6, lambda row: f"{row.gpus or ''}", right=True, most=6),
            Column("STATE", 4, _state, most=11, role=_state_role),
            Column("RUNS", 7, self._passed, right=True, most=7),
            Column("LIMIT", 9, _limit, right=True, most=7),
            Column("ENDS BY", 2, self._ends, most=14),
            Column("LEFT", 0, self._left, right=True, most=7),
            Column("NEXT", 6, self._next, most=22, role=lambda _: "plan"),
            Column("NODES", 0, lambda row: row.nodes, most=10**6),
        )

    def _passed(self, row: RunningRow) -> str:
        return duration(max(0, self.now - row.begin))

    def _ends(self, row: RunningRow) -> str:
        return "" if row.limit is None else self.dates.brief(row.end, self.board.now)

    def _left(self, row: RunningRow) -> str:
        if row.limit is None:
            return "no limit"
        return duration(row.end - self.now) if row.end > self.now else "over"

    def _next(self, row: RunningRow) -> str:
        if row.next_start is None:
            return ""
        return f"{row.next_job} {self.dates.brief(row.next_start, self.board.now)}"

    def _marked(self, row: RunningRow) -> str:
        return "strong" if row.job in self.started else "text"


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


def _state(row: RunningRow) -> str:
    return row.state


def _state_role(row: RunningRow) -> str:
    return {"running": "good", "suspended": "warn"}.get(row.state, "dim")


def _limit(row: RunningRow) -> str:
    return "none" if row.limit is None else duration(row.limit)
