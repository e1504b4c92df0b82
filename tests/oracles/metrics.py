"""The metrics of a finished schedule, each computed from its definition and from nothing but the schedule."""

from itertools import pairwise
from statistics import fmean

from tests.oracles.jobs import Job

THRESHOLD = 10  # seconds, below which the bounded slowdowns do not divide


def is_backfilled(index: int, jobs: list[Job], starts: list[int]) -> bool:
    """Whether a job earlier in the order of arrival was still waiting when this one started."""
    return any(starts[earlier] > starts[index] for earlier in range(index))


def bounded_slowdowns(wait: int, runtime: int) -> tuple[float, float, float]:
    """The variants `common`, `fw98` and `n12` of one job."""
    response, divisor = wait + runtime, max(runtime, THRESHOLD)
    return max(1.0, response / divisor), response / divisor, (wait + divisor) / divisor


def metrics(jobs: list[Job], starts: list[int], nodes: int) -> dict[str, float | None]:
    """Seconds, fractions and means over all jobs, under the names of `run --json`."""
    waits = [start - job.submit for job, start in zip(jobs, starts, strict=True)]
    responses = [wait + job.runtime for wait, job in zip(waits, jobs, strict=True)]
    finishes = [start + job.runtime for job, start in zip(jobs, starts, strict=True)]
    slowdowns = [bounded_slowdowns(wait, job.runtime) for wait, job in zip(waits, jobs, strict=True)]
    first, last_arrival, span = jobs[0].submit, jobs[-1].submit, max(finishes) - jobs[0].submit
    done_by_last_arrival = sum(
        job.size * max(0, min(finish, last_arrival) - start)
        for job, start, finish in zip(jobs, starts, finishes, strict=True)
        if start < last_arrival
    )
    to_last_arrival = nodes * (last_arrival - first)
    return {
        "mean_wait": fmean(waits),
        "mean_response": fmean(responses),
        "mean_slowdown": fmean(time / job.runtime for time, job in zip(responses, jobs, strict=True)),
        "mean_bounded_slowdown": fmean(common for common, _, _ in slowdowns),
        "mean_bounded_slowdown_fw98": fmean(fw98 for _, fw98, _ in slowdowns),
        "mean_bounded_slowdown_n12": fmean(n12 for _, _, n12 in slowdowns),
        "utilization": sum(job.area for job in jobs) / (nodes * span),
        "utilization_to_last_arrival": done_by_last_arrival / to_last_arrival if to_last_arrival else None,
        "mean_queue_length": sum(queue_lengths(jobs, starts)) / span,
        "backfill_ratio": fmean(is_backfilled(index, jobs, starts) for index in range(len(jobs))),
        "lost_capacity": lost_node_seconds(jobs, starts, nodes) / (nodes * span),
    }


def intervals(jobs: list[Job], starts: list[int]) -> list[tuple[int, int]]:
    """The stretches [from, to) between the moments at which anything changes."""
    times = {job.submit for job in jobs} | set(starts)
    times |= {start + job.runtime for job, start in zip(jobs, starts, strict=True)}
    return list(pairwise(sorted(times)))


def queue_lengths(jobs: list[Job], starts: list[int]) -> list[int]:
    """Number of waiting jobs times the length of each stretch."""
    return [
        sum(job.submit <= begin < start for job, start in zip(jobs, starts, strict=True)) * (end - begin)
        for begin, end in intervals(jobs, starts)
    ]


def lost_node_seconds(jobs: list[Job], starts: list[int], nodes: int) -> int:
    """Idle node-seconds while some waiting job's size would have fitted in the free nodes."""
    lost, schedule = 0, list(zip(jobs, starts, strict=True))
    for begin, end in intervals(jobs, starts):
        free = nodes - sum(job.size for job, start in schedule if start <= begin < start + job.runtime)
        if any(job.submit <= begin < start and job.size <= free for job, start in schedule):
            lost += free * (end - begin)
    return lost
