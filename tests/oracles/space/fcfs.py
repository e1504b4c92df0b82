"""First come, first served: nothing passes the head."""

from tests.oracles.jobs import Job


def fcfs(jobs: list[Job], nodes: int) -> list[int]:
    """Start of every job: the first moment, not before the start of the job ahead of it, at which it fits."""
    starts: list[int] = []
    running: list[int] = []
    earliest = 0
    for index, job in enumerate(jobs):
        earliest = max(earliest, job.submit)
        while True:
            running = [other for other in running if starts[other] + jobs[other].runtime > earliest]
            if sum(jobs[other].size for other in running) + job.size <= nodes:
                break
            earliest = min(starts[other] + jobs[other].runtime for other in running)
        starts.append(earliest)
        running.append(index)
    return starts
