"""The jobs that hold nodes, and who waits for them."""

from collections.abc import Mapping
from functools import cached_property

import attrs

from shadowtime.console.session.slurm.board.chain import chain
from shadowtime.console.session.slurm.board.facts import Board, JobRow, PlanRow
from shadowtime.console.session.slurm.devices import added, count_devices, format_devices, kinds_of
from shadowtime.scenarios.slurm import Job, format_hosts
from shadowtime.scenarios.text.gate import printable

HOLDING = ("SUSPENDED", "COMPLETING", "CONFIGURING", "RUNNING")
"""States of a job that holds nodes; the first of them that it has is shown."""


@attrs.frozen
class RunningRow(JobRow):
    """A job that holds nodes."""

    cpus: int
    """As held."""
    next_job: str
    """The job that is planned first on one of its nodes; empty for none."""
    next_start: int | None

    @property
    def partition(self) -> str:
        return printable(",".join(self.record.partitions))

    @property
    def priority(self) -> int:
        return self.record.priority

    @property
    def size(self) -> int:
        return len(self.record.nodes)

    @property
    def state(self) -> str:
        """`running`, `suspended`, `completing` or `configuring`."""
        return next((state for state in HOLDING if state in self.record.states), "").lower()

    @property
    def begin(self) -> int:
        return self.record.begin

    @property
    def end(self) -> int:
        return self.record.end

    @property
    def names(self) -> tuple[str, ...]:
        return self.record.nodes

    @property
    def devices(self) -> tuple[str, ...]:
        """What it holds of them on its nodes, such as `gpu:a100:2(IDX:0-1)`; each once."""
        return tuple(sorted({share.devices for share in self.record.shares if share.devices}))

    @cached_property
    def held(self) -> str:
        """What it holds of devices in all, such as `gpu:a100:8`."""
        return format_devices(added(share.devices for share in self.record.shares))

    @property
    def gpus(self) -> int:
        return count_devices(self.held)

    @property
    def gres(self) -> str:
        """The kinds of its devices, such as `gpu,gpu:a100`."""
        return kinds_of(self.held)

    @cached_property
    def nodes(self) -> str:
        """The nodes as a list such as `n[1-4]`."""
        return format_hosts(self.names)


def running_rows(board: Board) -> tuple[RunningRow, ...]:
    """Return the jobs that hold nodes, the first to end first."""
    threads = {node.name: node.threads for node in board.capture.nodes}
    rows = (_row(board, job, threads) for job in board.capture.jobs if job.holding)
    return tuple(sorted(rows, key=lambda row: (row.end, row.number, row.job)))


def next_on(board: Board, job: RunningRow) -> tuple[tuple[PlanRow, bool], ...]:
    """Return the rows that are planned on nodes of a running job once it has ended, by their starts.

    Beside each row stands whether it waits for this job last: no other of its nodes is free later.
    """
    rows = [
        (row.start, row.order, row)
        for place in board.rows_on(job.names)
        if (row := board.rows[place]).start is not None
    ]
    return tuple((row, _last(board, row, job)) for start, _, row in sorted(rows) if start >= job.end)


def _last(board: Board, row: PlanRow, job: RunningRow) -> bool:
    found = chain(board, row)
    gained = [link for link in found.links if link.change > 0] if found is not None else []
    return any(link.at == gained[-1].at and link.kind == "ends" and link.job == job.job for link in gained)


def _row(board: Board, job: Job, threads: Mapping[str, int]) -> RunningRow:
    held = sum(share.cores * threads.get(share.node, 1) for share in job.shares)
    following = [board.nodes[board.places[name]] for name in job.nodes if name in board.places]
    first = min(
        ((node.next_start, node.next_job) for node in following if node.next_start is not None),
        default=(None, ""),
    )
    return RunningRow(job, held or job.request.cpus, first[1], first[0])
