"""FCFS with limited leapfrogging (FW98, section 1): so many jobs may pass a head that does not fit."""

from tests.oracles.jobs import Job


def leapfrogging(jobs: list[Job], nodes: int, leapfrog: int) -> list[int]:
    """Start of every job when `leapfrog` jobs may pass a blocked head."""
    starts: dict[int, int] = {}
    coming, queue, running = list(range(len(jobs))), list[int](), list[int]()
    head, passed = -1, 0  # the blocked head that the last pass left, and how many jobs have passed it
    while coming or running:
        ends = [starts[index] + jobs[index].runtime for index in running]
        now = min([jobs[index].submit for index in coming[:1]] + ends)
        running = [index for index in running if starts[index] + jobs[index].runtime > now]
        while coming and jobs[coming[0]].submit == now:
            queue.append(coming.pop(0))
        free = nodes - sum(jobs[index].size for index in running)
        started = []
        for index in list(queue):
            if jobs[index].size > free:
                break
            started.append(index)
            queue.remove(index)
            free -= jobs[index].size
        if not queue:
            head, passed = -1, 0
        else:
            if queue[0] != head:
                head, passed = queue[0], 0
            for index in queue[1:]:
                if passed < leapfrog and jobs[index].size <= free:
                    started.append(index)
                    queue.remove(index)
                    free -= jobs[index].size
                    passed += 1
        running += started
        starts |= dict.fromkeys(started, now)
    return [starts[index] for index in range(len(jobs))]
