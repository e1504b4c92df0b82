"""What a drill on a captured cluster shows in lines: nodes, running jobs, reservations, the queue."""

from collections.abc import Iterable, Iterator, Sequence

from shadowtime.console.session.slurm import Job, format_hosts
from shadowtime.console.session.slurm.board.facts import Board, NodeFact
from shadowtime.console.session.training import Drill, written_instant
from shadowtime.console.session.training.clusters.scene import ClusterScene
from shadowtime.console.words import count, duration


def cluster_lines(drill: Drill) -> Iterator[str]:
    """The cluster at the instant of its capture, without its plan."""
    capture = drill.session.case.scenario.cluster
    assert capture is not None
    board = ClusterScene(capture).board
    yield f"Slurm {board.release} at {written_instant(board.now)} UTC; {count(len(board.nodes), 'node')}"
    for partition in capture.partitions:
        most = "" if partition.most_minutes is None else f", {duration(60 * partition.most_minutes)} at most"
        yield f"partition {partition.name}, tier {partition.tier}{most}: {format_hosts(partition.nodes)}"
    yield f"without a job: {_hosts(node for node in board.nodes if not node.jobs and _up(node)) or 'no node'}"
    if down := _hosts(node for node in board.nodes if not _up(node)):
        yield f"out of service: {down}"
    for each in sorted(capture.reservations, key=lambda each: (each.begin, each.name)):
        when = f"{written_instant(each.begin)} to {written_instant(each.end)}"
        yield f"reservation {each.name}: {format_hosts(each.nodes)}, {when}"
    running = sorted((job for job in capture.jobs if job.holding), key=lambda job: (job.end, job.id))
    yield from _table(("RUNS", "USER", "QOS", "PARTITION", "ENDS", "NODES"), map(_runs, running))
    yield from _table(
        ("#", "WAITS", "USER", "QOS", "PARTITION", "PRIORITY", "N", "LIMIT", "SLURM SAYS"), _waits(board)
    )


def _up(node: NodeFact) -> bool:
    return {"DOWN", "DRAIN", "DRAINING", "DRAINED", "FAIL"}.isdisjoint(node.states)


def _hosts(nodes: Iterable[NodeFact]) -> str:
    return format_hosts(node.name for node in nodes)


def _runs(job: Job) -> Sequence[str]:
    partition = ",".join(job.partitions)
    return (job.shown, job.user, job.qos, partition, written_instant(job.end), format_hosts(job.nodes))


def _waits(board: Board) -> Iterator[Sequence[str]]:
    """The queue in its order, then the waiting jobs without an entry; an array has one line."""
    seen = set[tuple[str, str]]()
    for row in board.rows:
        if (row.job, row.partition) not in seen:
            seen.add((row.job, row.partition))
            order = "" if row.order is None else str(row.order)
            limit = "none" if row.limit is None else duration(row.limit)
            yield (
                order, row.job, row.user, row.qos, row.partition, str(row.priority), str(row.size), limit,
                row.slurm_reason,
            )  # fmt: skip


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    cells = [heads, *rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for line in cells:
        yield "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
