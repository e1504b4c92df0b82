"""The expected run and the impact of actions, as docs/steering.md has them, on the steered naive program.

From an instant on every job that is not over runs to its estimate, no job comes, no outage begins, and
nothing is done but what is asked about. The impact is the difference of two such runs.
"""

import copy
from collections.abc import Sequence
from typing import NamedTuple

from tests.oracles.steered.case import Action
from tests.oracles.steered.run import Steered, steps
from tests.oracles.steered.world import OVER


class Moved(NamedTuple):
    """A job whose start moves, or its end if the start does not; None is never."""

    job: int
    what: str
    before: int | None
    after: int | None


def expected(run: Steered) -> Steered:
    """Return a run of its own, from where a run stands, in which every job runs to its estimate."""
    other = copy.deepcopy(run)
    world = other.world
    for number, job in enumerate(world.jobs):
        record = world.records[number]
        if record.state not in OVER:
            record.left += job.estimate - job.runtime
    world.jobs = [job._replace(runtime=job.estimate) for job in world.jobs[: other.arrived]]
    other.timed, other.numbered, other.to_begin = [], [], []
    return other


def acting(run: Steered, actions: Sequence[Action]) -> Steered | None:
    """Return a run of its own in which these actions are done here; None if one of them is refused."""
    other = copy.deepcopy(run)
    for action in actions:
        other.case = other.case._replace(actions=(*other.case.actions, action))
        if other.refusal(action) is not None:
            return None
        other.act(len(other.case.actions) - 1)
    return other


def to_the_end(run: Steered) -> Steered:
    """Run to the end."""
    for _ in steps(run):
        pass
    return run


def moved(run: Steered, before: Steered, after: Steered) -> list[Moved]:
    """Return the jobs on the machine of a run that two ends of it give different times."""
    found = []
    for job, record in enumerate(run.world.records):
        if record.state == "" or record.state in OVER:
            continue
        one, other = before.world.records[job], after.world.records[job]
        if one.start != other.start:
            found.append(Moved(job, "start", one.start, other.start))
        elif one.finish != other.finish:
            found.append(Moved(job, "end", one.finish, other.finish))
    return found


def impact(run: Steered, actions: Sequence[Action]) -> list[Moved] | None:
    """Return what actions change, by job; None if one of them is refused."""
    other = acting(run, actions)
    if other is None:
        return None
    return moved(run, to_the_end(expected(run)), to_the_end(expected(other)))


def asking(run: Steered, job: int, size: int, estimate: int) -> Steered | None:
    """Return an expected run in which a waiting job asks for something else, at its place in the queue."""
    other = acting(run, [Action("hold", job=job)])
    if other is None:
        return None
    was = other.world.jobs[job]
    done = other.world.done(job)
    other.world.jobs[job] = was._replace(size=size, runtime=estimate, estimate=estimate)
    other.world.records[job].left = estimate - done
    if other.gang is not None:
        other.gang.matrix.sizes[job] = size
    return acting(other, [Action("release", job=job)])
