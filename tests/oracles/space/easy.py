"""EASY backfilling: one reservation, for the head of the queue, made anew in every pass or kept."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from tests.oracles.jobs import Job

SCANS: dict[str, Callable[[Job], int]] = {
    "arrival": lambda job: 0,
    "shortest": lambda job: job.estimate,
    "longest": lambda job: -job.estimate,
    "widest": lambda job: -job.size,
    "narrowest": lambda job: job.size,
}


class Reservation(NamedTuple):
    """What the head of the queue has: its shadow time, and the nodes that it leaves then."""

    head: int
    shadow: int
    extra: int


class Decision(NamedTuple):
    """What a pass did with a job, under which rule, and the numbers that settled it."""

    kind: str
    job: int
    reason: str
    numbers: dict[str, int]


def shadow_of(job: Job, now: int, free: int, running: list[tuple[int, int]]) -> tuple[int, int]:
    """Shadow time of a blocked head and the extra nodes then.

    `running` holds (predicted end, size) pairs; an end that has passed counts as now + 1. The extra nodes
    count all jobs that end at the shadow time.
    """
    ends = [(max(end, now + 1), size) for end, size in running]
    for moment in sorted({end for end, _ in ends}):
        free_then = free + sum(size for end, size in ends if end <= moment)
        if free_then >= job.size:
            return moment, free_then - job.size
    raise AssertionError("the head is larger than the machine")


def easy_pass(
    jobs: list[Job],
    now: int,
    free: int,
    queue: list[int],
    running: list[tuple[int, int]],
    scan: str,
    kept: Reservation | None = None,
) -> tuple[list[Decision], Reservation | None]:
    """What one scheduling pass decides, in order, and the reservation that it leaves.

    `queue` is in arrival order; nothing given is changed. A `kept` reservation holds if its job is the head.
    """
    queue, running, decisions = list(queue), list(running), []
    while queue and jobs[queue[0]].size <= free:
        index = queue.pop(0)
        decisions.append(Decision("start", index, "head_fits", {"needs": jobs[index].size, "free": free}))
        free -= jobs[index].size
        running.append((now + jobs[index].estimate, jobs[index].size))
    if not queue:
        return decisions, None
    head = queue.pop(0)
    if kept is not None and kept.head == head:
        shadow, extra = kept.shadow, kept.extra
    else:
        shadow, extra = shadow_of(jobs[head], now, free, running)
    numbers = {"needs": jobs[head].size, "free": free, "shadow": shadow, "extra": extra}
    decisions.append(Decision("reserve", head, "head_shadow", numbers))
    for index in sorted(queue, key=lambda index: (SCANS[scan](jobs[index]), index)):
        job = jobs[index]
        end = now + job.estimate
        if job.size > free:
            continue
        numbers = {"needs": job.size, "free": free, "end": end, "shadow": shadow, "head": head}
        if end <= shadow:
            decisions.append(Decision("backfill", index, "ends_by_shadow", numbers))
            free -= job.size
        elif job.size <= extra:
            decisions.append(Decision("backfill", index, "within_extra", {**numbers, "extra": extra}))
            free -= job.size
            extra -= job.size
    return decisions, Reservation(head, shadow, extra)


def easy_passes(
    jobs: list[Job], nodes: int, scan: str = "arrival", reservation: str = "recomputed"
) -> Iterator[tuple[int, list[Decision]]]:
    """Every pass of a run: its instant and its decisions.

    In an instant all completions come first, then all submissions, then one pass.
    """
    coming, queue = list(range(len(jobs))), list[int]()
    running: dict[int, int] = {}  # job -> start
    kept: Reservation | None = None
    while coming or running:
        ends = [start + jobs[index].runtime for index, start in running.items()]
        now = min([jobs[index].submit for index in coming[:1]] + ends)
        running = {index: start for index, start in running.items() if start + jobs[index].runtime > now}
        while coming and jobs[coming[0]].submit == now:
            queue.append(coming.pop(0))
        free = nodes - sum(jobs[index].size for index in running)
        predicted = [(start + jobs[index].estimate, jobs[index].size) for index, start in running.items()]
        decisions, left = easy_pass(jobs, now, free, queue, predicted, scan, kept)
        kept = left if reservation == "kept" else None
        for decision in decisions:
            if decision.kind != "reserve":
                queue.remove(decision.job)
                running[decision.job] = now
        yield now, decisions


def easy(jobs: list[Job], nodes: int, scan: str = "arrival", reservation: str = "recomputed") -> list[int]:
    """Start of every job."""
    starts = {
        decision.job: now
        for now, decisions in easy_passes(jobs, nodes, scan, reservation)
        for decision in decisions
        if decision.kind != "reserve"
    }
    return [starts[index] for index in range(len(jobs))]
