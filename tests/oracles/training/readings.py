"""What the screen shows, recomputed naively from the starts and ends of jobs, second by second."""

from typing import NamedTuple


class Life(NamedTuple):
    """A job: its size, submission, estimate, start and end; the last two None before they happen."""

    size: int
    submit: int
    estimate: int
    start: int | None
    end: int | None


def runs(job: Life, at: int) -> bool:
    """Whether a job has nodes in the second that begins at `at`."""
    return job.start is not None and job.start <= at and (job.end is None or job.end > at)


def free(jobs: dict[int, Life], nodes: int, at: int) -> int:
    """Nodes that no job has."""
    return nodes - sum(job.size for job in jobs.values() if runs(job, at))


def utilization(jobs: dict[int, Life], nodes: int, at: int) -> float:
    """Busy node-seconds of all seconds since the first submission, counted one by one."""
    first = min(job.submit for job in jobs.values())
    busy = sum(nodes - free(jobs, nodes, second) for second in range(first, at))
    return busy / (nodes * (at - first))


def mean_wait(jobs: dict[int, Life]) -> float:
    """The mean wait of the jobs that have started."""
    waits = [job.start - job.submit for job in jobs.values() if job.start is not None]
    return sum(waits) / len(waits)
