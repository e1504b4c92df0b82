"""The metrics of a simulation so far, from the sums that it keeps: never recomputed from the start.

A slowdown is response/runtime; the bounded ones use a threshold of 10 s: the common one is
max(1, response/max(runtime, 10)), `fw98` may be below 1 (Feitelson & Weil 1998), `n12` is
(wait + max(runtime, 10))/max(runtime, 10) (Niu et al. 2012).

The three figures of preemption are those of Niu et al. 2012: the share of the started jobs that were
preempted at least once (pRatio), how often a node was checkpointed in a day, each preemption counting the
nodes of its job (cNum), and the share of all node-seconds, busy or not, that were held without progress
(wRatio). What a restart costs is counted when its run is over.
"""

from collections.abc import Sequence
from typing import Protocol

DAY = 86400


class Tallied(Protocol):
    """What has sums to read: a simulation."""

    def tally(self) -> tuple[dict[str, float], list[float], list[int]]: ...


def summary(simulation: Tallied) -> dict[str, float | int | None]:
    """Every metric so far by its name in `run --json`; None where there is no value yet.

    Waits, the backfill and the preempt ratio are over the jobs that started, responses and slowdowns over
    those that finished; the span goes from the first submission to now.
    """
    sums, month_waits, month_starts = simulation.tally()
    nodes, started, finished = sums["nodes"], sums["started"], sums["finished"]
    # A steered run may begin before its first submission.
    span = max(sums["now"] - sums["first_submit"], 0)
    room = nodes * span
    arrivals_room = nodes * (sums["last_submit"] - sums["first_submit"])
    return {
        "utilization_now": sums["busy_nodes"] / nodes,
        "utilization_slots": sums["utilization_slots"],
        "queue_length": int(sums["queue_length"]),
        "running": int(sums["running"]),
        "free_nodes": int(sums["free_nodes"]),
        "mean_wait": _ratio(sums["wait"], started),
        "mean_response": _ratio(sums["response"], finished),
        "mean_slowdown": _ratio(sums["slowdown"], finished),
        "mean_bounded_slowdown": _ratio(sums["bounded"], finished),
        "mean_bounded_slowdown_fw98": _ratio(sums["bounded_fw98"], finished),
        "mean_bounded_slowdown_n12": _ratio(sums["bounded_n12"], finished),
        "utilization": _ratio(sums["busy"], room),
        "utilization_to_last_arrival": _ratio(sums["busy_at_arrival"], arrivals_room),
        "mean_queue_length": _ratio(sums["queued"], span),
        "backfill_ratio": _ratio(sums["backfilled"], started),
        "preempt_ratio": _ratio(sums["preempted"], started),
        "checkpoints_per_node_day": _ratio(sums["saved"] * DAY, room),
        "wasted_ratio": _ratio(sums["wasted"], room),
        "lost_capacity": _ratio(sums["lost"], room),
        "stability": _spread(month_waits, month_starts),
        "mean_prediction_error": _ratio(sums["misjudged"], sums["promised"]),
    }


def _ratio(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def _spread(waits: Sequence[float], starts: Sequence[int]) -> float | None:
    """Standard deviation (of the population) of the monthly mean waits; None for fewer than two months."""
    means = [wait / count for wait, count in zip(waits, starts, strict=True) if count]
    if len(means) < 2:
        return None
    centre = sum(means) / len(means)
    return float((sum((mean - centre) ** 2 for mean in means) / len(means)) ** 0.5)
