"""The metrics of a schedule, each computed from its definition and from nothing but the schedule.

Every function takes the whole schedule and an instant `now`, and counts what has happened by then: waits of
the jobs that have started, responses and slowdowns of those that have ended, and areas up to now.
"""

from collections.abc import Sequence
from itertools import pairwise
from statistics import fmean
from typing import NamedTuple

from tests.oracles.jobs import Job

THRESHOLD = 10  # seconds, below which the bounded slowdowns do not divide
DAY = 86400


def is_backfilled(index: int, jobs: list[Job], starts: list[int]) -> bool:
    """Whether a job earlier in the order of arrival was still waiting when this one started."""
    return any(starts[earlier] > starts[index] for earlier in range(index))


def bounded_slowdowns(wait: int, runtime: int) -> tuple[float, float, float]:
    """The variants `common`, `fw98` and `n12` of one job."""
    response, divisor = wait + runtime, max(runtime, THRESHOLD)
    return max(1.0, response / divisor), response / divisor, (wait + divisor) / divisor


def metrics(jobs: list[Job], starts: list[int], nodes: int, now: int) -> dict[str, float | None]:
    """Seconds, fractions and means under the names of `run --json`; None for nothing divided by nothing."""
    started = [index for index, start in enumerate(starts) if start <= now]
    ended = [index for index in started if starts[index] + jobs[index].runtime <= now]
    waits = {index: starts[index] - jobs[index].submit for index in started}
    slowdowns = [bounded_slowdowns(waits[index], jobs[index].runtime) for index in ended]
    first = jobs[0].submit
    last_arrival = max(job.submit for job in jobs if job.submit <= now)
    capacity = nodes * (now - first)
    return {
        "mean_wait": mean(list(waits.values())),
        "mean_response": mean([waits[index] + jobs[index].runtime for index in ended]),
        "mean_slowdown": mean(
            [(waits[index] + jobs[index].runtime) / jobs[index].runtime for index in ended]
        ),
        "mean_bounded_slowdown": mean([common for common, _, _ in slowdowns]),
        "mean_bounded_slowdown_fw98": mean([fw98 for _, fw98, _ in slowdowns]),
        "mean_bounded_slowdown_n12": mean([n12 for _, _, n12 in slowdowns]),
        "utilization": ratio(area(jobs, starts, now), capacity),
        "utilization_to_last_arrival": ratio(
            area(jobs, starts, last_arrival), nodes * (last_arrival - first)
        ),
        "mean_queue_length": ratio(sum(queue_lengths(jobs, starts, now)), now - first),
        "backfill_ratio": mean([is_backfilled(index, jobs, starts) for index in started]),
        "lost_capacity": ratio(lost_node_seconds(jobs, starts, nodes, now), capacity),
        "utilization_now": sum(jobs[index].size for index in set(started) - set(ended)) / nodes,
        "queue_length": sum(job.submit <= now < start for job, start in zip(jobs, starts, strict=True)),
    }


def mean(values: list[int] | list[float] | list[bool]) -> float | None:
    """The mean, or None of nothing."""
    return fmean(values) if values else None


def ratio(part: int, whole: int) -> float | None:
    """The ratio, or None to nothing."""
    return part / whole if whole else None


def area(jobs: list[Job], starts: list[int], now: int) -> int:
    """Node-seconds of work done by now."""
    return sum(
        job.size * (min(start + job.runtime, now) - start)
        for job, start in zip(jobs, starts, strict=True)
        if start < now
    )


def intervals(jobs: list[Job], starts: list[int], now: int) -> list[tuple[int, int]]:
    """The stretches [from, to), up to now, between the moments at which anything changes."""
    times = {job.submit for job in jobs} | set(starts) | {now}
    times |= {start + job.runtime for job, start in zip(jobs, starts, strict=True)}
    return list(pairwise(sorted(time for time in times if time <= now)))


def queue_lengths(jobs: list[Job], starts: list[int], now: int) -> list[int]:
    """Number of waiting jobs times the length of each stretch."""
    return [
        sum(job.submit <= begin < start for job, start in zip(jobs, starts, strict=True)) * (end - begin)
        for begin, end in intervals(jobs, starts, now)
    ]


def lost_node_seconds(jobs: list[Job], starts: list[int], nodes: int, now: int) -> int:
    """Idle node-seconds while some waiting job's size would have fitted in the free nodes."""
    lost, schedule = 0, list(zip(jobs, starts, strict=True))
    for begin, end in intervals(jobs, starts, now):
        free = nodes - sum(job.size for job, start in schedule if start <= begin < start + job.runtime)
        if any(job.submit <= begin < start and job.size <= free for job, start in schedule):
            lost += free * (end - begin)
    return lost


class Run(NamedTuple):
    """One stay of a job on its nodes."""

    job: int
    size: int
    taken: int
    """When it got the nodes."""
    begins: int
    """When the run began: until then the nodes were held for it."""
    idle: int
    """Seconds at the beginning of the run in which it made no progress, if it lasted so long."""
    leaves: int
    stopped: bool
    """Whether it was preempted, not done, when it left."""


def preemption_metrics(runs: Sequence[Run], nodes: int, first: int, now: int) -> dict[str, float | None]:
    """The three figures of preemption of runs that are all over by now; `first` is the first submission."""
    capacity = nodes * (now - first)
    stopped = [run for run in runs if run.stopped]
    held = sum(run.size * (run.begins - run.taken) for run in runs)
    restarting = sum(run.size * min(run.idle, run.leaves - run.begins) for run in runs)
    return {
        "preempt_ratio": ratio(len({run.job for run in stopped}), len({run.job for run in runs})),
        "checkpoints_per_node_day": ratio(DAY * sum(run.size for run in stopped), capacity),
        "wasted_ratio": ratio(held + restarting, capacity),
    }
