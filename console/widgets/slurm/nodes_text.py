"""The nodes as a table: state, who runs there, when they are free, and who is planned next."""

from collections.abc import Sequence

import attrs

from shadowtime.console.clock import duration
from shadowtime.console.session.slurm.board import Board, Changes, NodeFact
from shadowtime.console.widgets.slurm.columns import Column, Layout, layout, widths
from shadowtime.console.widgets.slurm.dates import Dates

LEAST_NEXT = 22
"""Cells that the next job and its start take at most before other columns give way."""


@attrs.frozen
class NodesText:
    """The table of the nodes of one board."""

    board: Board
    changes: Changes
    dates: Dates
    now: int
    wide: tuple[int, ...] = attrs.field()
    """How wide each column is."""

    @wide.default
    def _wide(self) -> tuple[int, ...]:
        return tuple(widths(self.columns(), self.board.nodes))

    def at(self, now: int) -> "NodesText":
        """The same later."""
        return attrs.evolve(self, now=now)

    def layout(self, width: int) -> Layout[NodeFact]:
        """The columns that a width has room for."""
        return layout(self.columns(), self.wide, width, min(LEAST_NEXT, max(12, self.wide[-1])))

    def columns(self) -> Sequence[Column[NodeFact]]:
        """Every column, from left to right."""
        return (
            Column("NODE", 0, lambda node: node.name, most=16, role=self._marked),
            Column("STATE", 1, lambda node: node.state, most=21, role=_role),
            Column("CPUS", 5, lambda node: f"{node.cpus_taken}/{node.cpus}", right=True),
            Column("GPUS", 3, lambda node: f"{node.gpus_held}/{node.gpus}" if node.gpus else "", right=True),
            Column("MEM", 7, _memory, right=True, most=13),
            Column("JOBS", 2, lambda node: " ".join(node.jobs), most=14),
            Column("FREE AT", 4, self._free, most=14),
            Column("IN", 6, self._left, right=True, most=7),
            Column("NEXT", 0, self._next, most=10**6, role=lambda _: "plan"),
        )

    def _free(self, node: NodeFact) -> str:
        return "" if node.free_at is None else self.dates.brief(node.free_at, self.board.now)

    def _left(self, node: NodeFact) -> str:
        if node.free_at is None:
            return ""
        return duration(node.free_at - self.now) if node.free_at > self.now else "due"

    def _next(self, node: NodeFact) -> str:
        if node.next_start is None:
            return ""
        return f"{node.next_job} {self.dates.brief(node.next_start, self.board.now)}"

    def _marked(self, node: NodeFact) -> str:
        return "strong" if node.name in self.changes.nodes else "text"


def _memory(node: NodeFact) -> str:
    return f"{node.memory_taken / 1024:.0f}/{node.memory / 1024:.0f}G"


def _role(node: NodeFact) -> str:
    if any(word.startswith(("DOWN", "DRAIN", "FAIL", "NOT_RESP")) for word in node.states):
        return "bad"
    return "good" if "IDLE" in node.states else "text"
