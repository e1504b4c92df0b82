"""What can be asked about the job and the node under the cursor: what a change would do. Nothing is done."""

from collections.abc import Iterator, Mapping

from shadowtime.console.screens.impact.menu import MenuLine
from shadowtime.console.session.slurm.board.facts import Board, NodeFact, PlanRow
from shadowtime.console.session.slurm.board.running import RunningRow

SAYS: Mapping[str, str] = {
    "hold": "out of the queue until it is released",
    "release": "back into the queue",
    "priority": "before all others that wait",
    "limit": "another limit ...",
    "nodes": "another number of nodes ...",
    "partition": "another partition ...",
    "cancel": "gone, and its nodes free",
    "requeue": "off its nodes, to wait again",
    "drain": "no more jobs start there; those that run there run on",
    "resume": "in service again",
    "reserve": "reserved for maintenance, from an instant on ...",
    "unreserve": "its reservation is gone",
    "set": "another value of a parameter ...",
}
"""What each change does."""
NEEDS_MORE: Mapping[str, str] = {
    "limit": "2h   +30m",
    "nodes": "a whole number",
    "partition": "its name; several with commas between them",
    "drain": "n[01-04]",
    "reserve": "tomorrow 18:00 4h",
    "set": "bf_max_job_user=3",
}
"""What is typed behind a change, if it needs more than what it is about."""


def questions(
    board: Board, row: PlanRow | None, running: RunningRow | None, node: NodeFact | None
) -> list[MenuLine]:
    """Return what can be asked about a waiting job, a running one, a node, and the cluster."""
    found = [] if node is None else list(_on_node(board, node))
    if running is not None:
        found += (_about(do, str(running.number)) for do in ("cancel", "requeue", "limit"))
    elif row is not None:
        found += _on_waiting(board, row)
    return [*found, *(_about(do, "") for do in (*(() if node else ("drain",)), "set"))]


def _on_waiting(board: Board, row: PlanRow) -> Iterator[MenuLine]:
    number = str(row.number)
    waiting = [job for job in board.capture.jobs if job.waiting]
    if row.priority:
        yield _about("hold", number)
        highest = max((job.priority for job in waiting), default=0)
        yield MenuLine(f"priority {number} {highest + 1}", SAYS["priority"])
    else:
        yield _about("release", number)
    yield _about("cancel", number)
    yield _about("limit", number)
    if row.least > 1:
        yield _about("nodes", number)
    if len(board.capture.partitions) > 1:
        yield _about("partition", number)


def _on_node(board: Board, node: NodeFact) -> Iterator[MenuLine]:
    up = next(each.up for each in board.capture.nodes if each.name == node.name)
    yield _about("drain" if up else "resume", node.name)
    yield _about("reserve", node.name, asks=True)
    for each in board.capture.reservations:
        if node.name in each.nodes and each.end > board.now:
            yield _about("unreserve", each.name)


def _about(do: str, subject: str, asks: bool = False) -> MenuLine:
    asks = asks or not subject or do in ("limit", "nodes", "partition")
    return MenuLine(f"{do} {subject}".strip(), SAYS[do], asks=asks)
