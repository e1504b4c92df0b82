"""Closed loops: jobs that are submitted when another one has ended (docs/schedulers.md, section 12.4).

The table of a simulation is filled while it runs. Only the next submission is ever read: the row behind the
jobs that have come holds the job that is known to come first.
"""

from collections.abc import Callable, Sequence
from heapq import heapify, heappop, heappush

from shadowtime.kernels.core.clock import EVENT_NAMES
from shadowtime.kernels.core.jobs import Jobs
from shadowtime.kernels.core.simulation import Simulation

SUBMIT = EVENT_NAMES.index("submit")
NO_JOB = -1


def close_loop(
    jobs: Jobs, after: Sequence[int], think: Sequence[int], begin: Callable[[Jobs], Simulation]
) -> list[tuple[int, int]]:
    """Return (submission in seconds, row) of every job that comes, in order of submission, then of row.

    `after` has for each row the row whose end it waits for, NO_JOB for a job that keeps its submission;
    `think` the seconds from that end on. `begin` makes the simulation of a table. A job whose predecessor
    never ends never comes.
    """
    followers = dict[int, list[int]]()
    for row, before in enumerate(after):
        if before != NO_JOB:
            followers.setdefault(before, []).append(row)
    known = [(jobs.row(row)[0], row) for row, before in enumerate(after) if before == NO_JOB]
    heapify(known)
    if not known:
        return []
    table, came = jobs.copied(), list[tuple[int, int]]()
    table.put(0, jobs, known[0][1], submit=known[0][0])
    simulation = begin(table)
    while (event := simulation.run_to_job(len(came) + bool(known))) is not None:
        time, kind, place = event
        if kind == SUBMIT:
            came.append(heappop(known))
        else:
            for row in followers.get(came[place][1], ()):
                heappush(known, (time + think[row], row))
        if known:
            table.put(len(came), jobs, known[0][1], submit=known[0][0])
    return came
