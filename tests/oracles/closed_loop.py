"""Closed loops, the naive way: guess the submissions, schedule, and guess again until nothing changes.

Jobs are named by their place in the given list. A job that follows another is submitted some seconds after
the other has ended. A schedule in which that holds for every job is the closed loop: there is one only, since
what happens at an instant depends on nothing later. Each guess is right for longer than the one before.
"""

from collections.abc import Callable, Sequence

from tests.oracles.jobs import Job

Ends = Callable[[list[Job]], list[int]]
"""A scheduler: the end of every job of a list in order of submission."""


def closed_loop(
    jobs: Sequence[Job], after: Sequence[int | None], think: Sequence[int], ends: Ends
) -> list[int]:
    """Return the submission of every job; jobs of one instant come in the order of the list."""
    submits = [job.submit for job in jobs]
    while True:
        order = sorted(range(len(jobs)), key=lambda job: (submits[job], job))
        found = ends([jobs[job]._replace(submit=submits[job]) for job in order])
        end = dict(zip(order, found, strict=True))
        again = [
            submits[job] if before is None else end[before] + think[job] for job, before in enumerate(after)
        ]
        if again == submits:
            return submits
        submits = again
