"""Conservative backfilling: every job has a reservation from its submission on."""

from collections.abc import Iterator
from typing import NamedTuple

from tests.oracles.jobs import Job


class Hold(NamedTuple):
    """`size` nodes are spoken for in [start, end)."""

    start: int
    end: int
    size: int


class Moment(NamedTuple):
    """What stands after the pass of one instant: the reserved start of each job that waited when it began.

    A job whose reserved start is the instant itself has started.
    """

    now: int
    reserved: dict[int, int]


def profile(holds: list[Hold], nodes: int, now: int) -> list[tuple[int, int]]:
    """Free nodes from now on, as (time, nodes free from then until the next step) in time order."""
    change = {now: 0}
    for hold in holds:
        start = max(hold.start, now)
        change[start] = change.get(start, 0) - hold.size
        change[hold.end] = change.get(hold.end, 0) + hold.size
    steps, free = [], nodes
    for time in sorted(change):
        free += change[time]
        steps.append((time, free))
    return steps


def anchor(job: Job, holds: list[Hold], nodes: int, now: int) -> int:
    """The first time, from now on, at which the job's size stays free for its whole estimate."""
    steps = profile(holds, nodes, now)
    start = None
    for time, free in steps:
        if start is not None and time >= start + job.estimate:
            break
        if free < job.size:
            start = None
        elif start is None:
            start = time
    assert start is not None, "the job is larger than the machine"
    return start


def moments(jobs: list[Job], nodes: int, compress: str = "arrival") -> Iterator[Moment]:
    """Every instant of a run: completions, compression, arrivals, starts.

    `compress` is "arrival" (after completions each job, in arrival order, is taken out and put back at its
    earliest time), "replan" (after completions all are taken out, then put back in arrival order) or "never".
    """
    coming = list(range(len(jobs)))
    running: dict[int, int] = {}  # job -> start
    reserved: dict[int, int] = {}  # waiting job -> reserved start

    def reserve(index: int) -> None:
        planned = {**running, **reserved}
        holds = [
            Hold(start, start + jobs[other].estimate, jobs[other].size) for other, start in planned.items()
        ]
        reserved[index] = anchor(jobs[index], holds, nodes, now)

    while coming or running or reserved:
        ends = [start + jobs[index].runtime for index, start in running.items()]
        now = min([jobs[index].submit for index in coming[:1]] + ends + list(reserved.values()))
        if now in ends:
            running = {index: start for index, start in running.items() if start + jobs[index].runtime > now}
            waiting = sorted(reserved)
            if compress == "replan":
                reserved.clear()
            for index in waiting if compress != "never" else []:
                reserved.pop(index, None)
                reserve(index)
        while coming and jobs[coming[0]].submit == now:
            reserve(coming.pop(0))
        yield Moment(now, dict(reserved))
        for index in sorted(reserved):
            if reserved[index] == now:
                running[index] = reserved.pop(index)


def conservative(jobs: list[Job], nodes: int, compress: str = "arrival") -> list[int]:
    """Start of every job: where its reservation stood last."""
    starts: dict[int, int] = {}
    for moment in moments(jobs, nodes, compress):
        starts.update(moment.reserved)
    return [starts[index] for index in range(len(jobs))]


def first_reservations(jobs: list[Job], nodes: int, compress: str = "arrival") -> list[int]:
    """The start that each job was promised at its submission."""
    first: dict[int, int] = {}
    for moment in moments(jobs, nodes, compress):
        first = {**moment.reserved, **first}
    return [first[index] for index in range(len(jobs))]
