"""UNICOS MAX on a flat machine (FJ97 4): whatever fits starts, until somebody has waited too long.

A job that has waited exactly the limit does not yet hold back the others; nothing happens when it reaches the
limit, only at the next completion or submission.
"""

from tests.oracles.jobs import Job


def started(jobs: list[Job], waiting: list[int], free: int, now: int, limit: int) -> list[int]:
    """What one pass starts. `waiting` is in order of arrival."""
    chosen = []
    for index in waiting:
        if jobs[index].size <= free:
            chosen.append(index)
            free -= jobs[index].size
        elif now - jobs[index].submit > limit:
            break
    return chosen


def unicos(jobs: list[Job], nodes: int, limit: int = 3600) -> list[int]:
    """Start of every job. A pass is made at completions and at submissions."""
    coming = 0
    starts: dict[int, int] = {}
    waiting: list[int] = []
    running: list[int] = []
    while coming < len(jobs) or running:
        events = [starts[index] + jobs[index].runtime for index in running]
        now = min(events + [job.submit for job in jobs[coming : coming + 1]])
        running = [index for index in running if starts[index] + jobs[index].runtime > now]
        while coming < len(jobs) and jobs[coming].submit == now:
            waiting.append(coming)
            coming += 1
        free = nodes - sum(jobs[index].size for index in running)
        for index in started(jobs, waiting, free, now, limit):
            starts[index] = now
            waiting.remove(index)
            running.append(index)
    return [starts[index] for index in range(len(jobs))]
