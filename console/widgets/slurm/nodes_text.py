"""The nodes as a table: state, who runs there, when they are free, and who is planned next."""

from collections.abc import Mapping, Sequence

from shadowtime.console.clock import duration
from shadowtime.console.session.slurm.board.facts import NodeFact
from shadowtime.console.session.slurm.board.fields import BoardReading
from shadowtime.console.session.slurm.board.lists import NODES
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.widgets.table.columns import Column, FieldLook, columns_of, written

LEAST_NEXT = 22
"""Cells that the next job and its start take at most before other columns give way."""


def nodes_columns(at: BoardReading, dates: Dates) -> Sequence[Column[NodeFact]]:

    def brief(instant: int) -> str:
        return dates.brief(instant, at.board.now)

    def left(node: NodeFact) -> str:
        if node.free_at is None:
            return ""
        return duration(node.free_at - at.now) if node.free_at > at.now else "due"

    def following(node: NodeFact) -> str:
        return "" if node.next_start is None else f"{node.next_job} at {brief(node.next_start)}"

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
        "starts": FieldLook(following, lambda _: "plan"),
    }
    return columns_of(NODES, at, written(brief), looks)


def _memory(node: NodeFact) -> str:
    return f"{node.memory_taken / 1024:.0f}/{node.memory / 1024:.0f}G"


def _role(node: NodeFact) -> str:
    if any(word.startswith(("DOWN", "DRAIN", "FAIL", "NOT_RESP")) for word in node.states):
        return "bad"
    return "good" if "IDLE" in node.states else "text"
