"""A plan: which nodes are spoken for from now on, and where a job still finds room."""

from tests.oracles.jobs import Job


class Plan:
    """Free nodes from now on, as steps: (time, nodes free from then until the next step) in time order."""

    def __init__(self, nodes: int, now: int) -> None:
        self.steps = [(now, nodes)]

    def earliest(self, size: int, length: int) -> int:
        """The first time at which `size` nodes stay free for `length` seconds."""
        start = None
        for time, free in self.steps:
            if start is not None and time >= start + length:
                break
            if free < size:
                start = None
            elif start is None:
                start = time
        assert start is not None, "the job is larger than the machine"
        return start

    def take(self, size: int, start: int, end: int) -> None:
        """`size` nodes are spoken for in [start, end)."""
        self.cut(start)
        self.cut(end)
        self.steps = [(time, free - size if start <= time < end else free) for time, free in self.steps]
        assert min(free for _, free in self.steps) >= 0, "more nodes are spoken for than there are"

    def cut(self, instant: int) -> None:
        """Let a step begin at an instant, which is not before the first one."""
        if instant not in (time for time, _ in self.steps):
            before = [free for time, free in self.steps if time < instant]
            self.steps = sorted([*self.steps, (instant, before[-1])])


def planned(
    jobs: list[Job], order: list[int], running: dict[int, int], nodes: int, now: int
) -> dict[int, int]:
    """The start of each waiting job when all are placed, in the order given, each at its earliest time.

    The plan is a fresh one above the running jobs, which are given with their starts. Runtimes are at most
    the estimates, so that each of them ends after now.
    """
    plan = Plan(nodes, now)
    for index, start in running.items():
        plan.take(jobs[index].size, now, start + jobs[index].estimate)
    places = {}
    for index in order:
        size, length = jobs[index].size, jobs[index].estimate
        places[index] = plan.earliest(size, length)
        plan.take(size, places[index], places[index] + length)
    return places
