"""What happens on a cluster over time: ends, submissions, passes, cycles (docs/slurm-cycle.md, section 13).

Instants are seconds since 1970.
"""

from enum import StrEnum

import attrs

from shadowtime.scenarios.slurm import Capture, FairShareState, Job


class Happening(StrEnum):
    """What happens on a cluster."""

    END = "end"
    RESERVATION = "reservation"
    SUBMISSION = "submission"
    PRIORITIES = "priorities"
    MAIN_PASS = "main pass"
    BACKFILL = "backfill"
    SUSPEND = "suspend"
    RESUME = "resume"
    REQUEUE = "requeue"
    CANCEL = "cancel"
    CHANGE = "change"


SINGLE = frozenset(("end", "submission", "suspend", "resume", "requeue", "cancel"))
"""What happens to jobs one by one."""


class PassKind(StrEnum):
    """Which main pass it is (docs/slurm-cycle.md, section 12)."""

    QUICK = "quick"
    WHOLE = "whole"


@attrs.frozen
class JobEvent:
    """What happens to a job at an instant; `nodes` of a start."""

    at: int
    what: Happening
    job: str
    nodes: str = ""

    @property
    def starts(self) -> bool:
        return self.what in (Happening.MAIN_PASS, Happening.BACKFILL)


@attrs.frozen
class Started:
    """A job that starts, as Slurm names it, its partition, its nodes, and when its limit ends."""

    job: str
    waited_as: str
    """How the waiting job is named: of a task of an array that waited with others, `12_*`."""
    partition: str
    nodes: str
    end: int


@attrs.frozen
class Due:
    """When the cycle and the whole pass come next."""

    cycle_after: int
    """A cycle comes at this instant at the earliest, in microseconds."""
    pass_after: int
    """The whole pass comes at this instant at the earliest."""
    cycle_changed: bool
    """Whether anything has changed since the last cycle began."""
    pass_changed: bool
    cycle_period: int = 0
    """Microseconds from cycle to cycle while nothing changes; 0 if there are no entries."""
    pass_period: int = 0
    """Seconds from one whole pass to the next."""


Put = tuple[int, Job | None]
"""The id of a job and what it is now; None: it is gone. A task that starts has another id than its array."""


def put(jobs: dict[int, Job], id_: int, job: Job | None) -> None:
    """Put a job in place of the one with this id, or at the end; None removes it."""
    if job is None:
        del jobs[id_]
    elif job.id == id_:
        jobs[id_] = job
    elif next(reversed(jobs)) == id_:
        # All tasks of an array but the first that start in one pass: none has another one behind it.
        del jobs[id_]
        jobs[job.id] = job
    else:
        renamed = [(job.id, job) if known == id_ else (known, each) for known, each in jobs.items()]
        jobs.clear()
        jobs.update(renamed)


@attrs.frozen
class Moment:
    """Something that happens, and what it does to the jobs."""

    at: int
    what: Happening
    subjects: tuple[str, ...] = ()
    """The jobs that end or pass others, the job that comes or is preempted or resumed, or the reservation.

    Of a change what is done, as it is typed.
    """
    begins: bool = False
    """Of a reservation: whether it begins."""
    kind: PassKind | None = None
    """Of a main pass."""
    started: tuple[Started, ...] = ()
    tried: int = 0
    """For how many entries a placement was tried; an array counts once a try."""
    planned: int = 0
    """Of a cycle: how many tries were given a start later than now and a reservation."""
    stopped: str = ""
    """The parameter that ended the cycle or the pass before the end of the queue."""
    closed: tuple[tuple[str, str], ...] = ()
    """Of a main pass: each partition or reservation that was closed, and the job that closed it."""
    puts: tuple[Put, ...] = attrs.field(default=(), repr=False)
    due: Due | None = attrs.field(default=None, repr=False)
    standing: FairShareState | None = attrs.field(default=None, repr=False)
    """What the associations have used after it, as of the last calculation, and their factors."""
    cluster: Capture | None = attrs.field(default=None, repr=False)
    """Of a change: the cluster after it; from then on its nodes, reservations and parameters hold."""

    def events(self) -> tuple[JobEvent, ...]:
        """What happens to each job alone."""
        if self.what in SINGLE:
            return tuple(JobEvent(self.at, self.what, job) for job in self.subjects)
        return tuple(JobEvent(self.at, self.what, each.job, each.nodes) for each in self.started)
