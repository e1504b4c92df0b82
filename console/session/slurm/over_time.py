"""A captured cluster over time: when waiting jobs are expected to start (docs/slurm-cycle.md, section 13)."""

from collections.abc import Iterator

import attrs

from shadowtime.console.session.progress import Progress, no_progress
from shadowtime.console.session.slurm.devices import format_devices
from shadowtime.console.session.slurm.guard.caveat import Caveat
from shadowtime.console.session.slurm.priorities.standing import (
    Bills,
    charged,
    charges,
    next_calculation,
    submitted_anew,
    with_calculation,
    with_standing,
)
from shadowtime.console.session.slurm.problem import Problem
from shadowtime.console.session.slurm.queue import EntryQueue, passed, waiting_tasks
from shadowtime.kernels.slurm.over_time.moments import JobEvent, Moment
from shadowtime.kernels.slurm.over_time.run import Run
from shadowtime.scenarios.slurm import Capture, Job


class Reading:
    """What a run asks about a captured cluster."""

    bills = staticmethod(Bills)
    charged = staticmethod(charged)
    charges = staticmethod(charges)
    format_devices = staticmethod(format_devices)
    next_calculation = staticmethod(next_calculation)
    passed = staticmethod(passed)
    problem = staticmethod(Problem)
    queue = staticmethod(EntryQueue)
    submitted_anew = staticmethod(submitted_anew)
    with_calculation = staticmethod(with_calculation)
    with_standing = staticmethod(with_standing)


@attrs.frozen
class Arrival:
    """A job that comes: `job` as it waits then, but for its id, and its runtime in seconds."""

    at: int
    job: Job
    runtime: int


class OverTime(Run):
    """A captured cluster that is followed: every job runs until its limit, and no other comes."""

    def __init__(self, capture: Capture, now: int) -> None:
        super().__init__(Reading, capture, now)

    def events(self) -> Iterator[JobEvent]:
        """Yield every end, submission, start and preemption, until nothing more can happen."""
        for moment in self.moments():
            yield from moment.events()


@attrs.frozen
class Expected:
    """When a waiting job, or a task of an array, is expected to start, and by what. None: it never does."""

    job_id: str
    start: int | None
    by: str
    nodes: str
    marks: tuple[Caveat, ...] = ()
    """What this start leaves out, as the rows of the plan have it."""


def followed(
    capture: Capture, now: int, progress: Progress = no_progress
) -> tuple[tuple[Expected, ...], tuple[Moment, ...]]:
    """Return the expected starts, and every moment until no job can start any more.

    `progress` is called with how many jobs have started, each task of an array counted.
    """
    over_time = OverTime(capture, now)
    left = total = waiting_tasks(capture)
    made = []
    for moment in over_time.moments():
        made.append(moment)
        left = max(0, left - len(moment.started))
        progress(total - left, total)
    moments = tuple(made)
    starts = [event for moment in moments for event in moment.events() if event.starts]
    found = [Expected(event.job, event.at, event.what.value, event.nodes) for event in starts]
    found += [Expected(job.shown, None, "", "") for job in over_time.capture.jobs if job.waiting]
    return tuple(found), moments
