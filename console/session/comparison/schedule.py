"""The metrics of a schedule that another scheduler made, by the definitions of `kernels/core/metrics.py`."""

from collections.abc import Sequence

import attrs

from shadowtime.console.session.travel.trend import INSTANT
from shadowtime.kernels.core.metrics import summary

SHORT = 10
"""Seconds: the threshold of the bounded slowdowns."""


@attrs.frozen
class Ran:
    """What became of a job, in seconds of the scenario; None: it has not started, or not ended."""

    size: int
    submit: int
    start: int | None
    end: int | None
    backfilled: bool


@attrs.frozen
class Schedule:
    """The jobs of a schedule at an instant; None: once its last job has ended."""

    ran: Sequence[Ran]
    nodes: int
    now: int | None = None
    since: int | None = None
    """When the machine begins to count, with jobs that were submitted before; None: with the first job."""

    def tally(self) -> tuple[dict[str, float], list[float], list[int]]:
        """Sums by name; waits and starts by month are not counted."""
        whole = [
            (each, each.start, each.end)
            for each in self.ran
            if each.start is not None and each.end is not None
        ]
        now = max((end for _, _, end in whole), default=0) if self.now is None else self.now
        runs = [
            (each, each.start, now if each.end is None else each.end)
            for each in self.ran
            if each.start is not None and (each.end is not None or self.now is not None)
        ]
        busy = sum(each.size for each in self.ran if each.start is not None and each.end is None)
        busy = busy if self.now is not None else 0
        submits = [each.submit for each in self.ran] or [0]
        last = max(submits)
        first = min(submits) if self.since is None else self.since
        slowdowns = [
            (end - each.submit, max(end - start, 1), max(end - start, SHORT), start - each.submit)
            for each, start, end in whole
        ]
        free = max(0, self.nodes - busy)
        sums: dict[str, float] = {
            "nodes": self.nodes,
            "started": len(runs),
            "finished": len(whole),
            "now": now,
            "first_submit": first,
            "last_submit": last,
            "busy_nodes": self.nodes - free,
            "utilization_slots": 0,
            "queue_length": len(self.ran) - len(runs),
            "running": len(runs) - len(whole),
            "free_nodes": free,
            "wait": sum(start - each.submit for each, start, _ in runs),
            "response": sum(response for response, _, _, _ in slowdowns),
            "slowdown": sum(response / run for response, run, _, _ in slowdowns),
            "bounded": sum(max(1, response / bound) for response, _, bound, _ in slowdowns),
            "bounded_fw98": sum(response / bound for response, _, bound, _ in slowdowns),
            "bounded_n12": sum((wait + bound) / bound for _, _, bound, wait in slowdowns),
            "busy": sum(each.size * (end - start) for each, start, end in runs),
            "busy_at_arrival": sum(
                each.size * max(0, min(end, last) - min(start, last)) for each, start, end in runs
            ),
            "queued": sum(
                (now if each.start is None else each.start) - max(first, each.submit) for each in self.ran
            ),
            "backfilled": sum(each.backfilled for each, _, _ in runs),
            "preempted": 0,
            "saved": 0,
            "wasted": 0,
            "lost": 0,
            "misjudged": 0,
            "promised": 0,
        }
        return sums, [], []


def schedule_metrics(ran: Sequence[Ran], nodes: int) -> dict[str, float | int | None]:
    """Return the metrics of a whole schedule without preemption; None for those that it does not show.

    Lost capacity is not known. The backfill ratio is the share of the jobs that are marked.
    """
    found = summary(Schedule(ran, nodes)) | {"lost_capacity": None}
    return {name: value for name, value in found.items() if name not in INSTANT}
