"""NQS in front of a scheduler: queues with limits that let batch jobs through (FJ97, Table 2).

Where the text leaves room, these are the choices:
- Day, for the limits that differ by day and by night, is 07:00 <= t < 18:00 on every day of the week.
- A user has two limits: one over all queues, and one in each queue.
- Only batch jobs that NQS has released count, until they are over.
- A job is looked at when it arrives: it stays in its queue, and counts there, whatever its class becomes.
- A queue that lets nobody run at the moment is still the job's queue: there it waits.
- The limits on interactive jobs are facts about the workload; nobody is turned away for them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

HOUR, DAY = 3600, 86400


class Submission(Protocol):
    """What NQS wants to know of a job."""

    @property
    def size(self) -> int:
        """Processors."""

    @property
    def estimate(self) -> int:
        """Seconds."""

    @property
    def klass(self) -> str:
        """Its class."""

    @property
    def user(self) -> int:
        """Whose it is."""


class Varying(NamedTuple):
    """A limit that may change with the time."""

    day: int
    night: int


class Queue(NamedTuple):
    """A queue and its limits."""

    name: str
    user: Varying
    """Jobs of one user that may be released at a time."""
    run: Varying
    """Jobs of all users."""
    time: int
    """Seconds that a job may ask for."""
    processors: int
    """Processors that a job may ask for."""
    aggregate: Varying
    """Processors of all released jobs together."""


class Limits(NamedTuple):
    """A column of Table 2."""

    user: int
    run: int
    processors: tuple[int, int, int, int]
    """Of all released jobs together: 00-04, 04-07, 07-18 and 18-24 h."""
    queues: list[Queue]


def queue(name: str, user: object, run: object, time: int, processors: int, aggregate: object) -> Queue:
    """A row of Table 2: limits as numbers, or as (day, night)."""

    def varying(limit: object) -> Varying:
        if isinstance(limit, int):
            return Varying(limit, limit)
        assert isinstance(limit, tuple)
        return Varying(*limit)

    return Queue(name, varying(user), varying(run), time, processors, varying(aggregate))


LIMITS = {
    "before": Limits(
        user=2,
        run=8,
        processors=(256, 96, 96, 192),
        queues=[
            queue("pe32", 1, 4, 4 * HOUR, 32, 128),
            queue("pe64", 1, 3, 4 * HOUR, 64, 192),
            queue("pe64_long", 2, 2, 19 * HOUR, 64, 96),
            queue("pe128_short", 1, 4, HOUR // 4, 128, 128),
            queue("pe128", 1, 1, 4 * HOUR, 128, 128),
            queue("pe256_short", 1, 1, HOUR // 4, 256, 256),
            queue("pe256", 1, 1, 4 * HOUR, 256, 256),
        ],
    ),
    "after": Limits(
        user=5,
        run=20,
        processors=(512, 320, 256, 320),
        queues=[
            queue("pe32", 3, 8, 4 * HOUR, 32, 128),
            queue("pe64", 2, (2, 3), 4 * HOUR, 64, (128, 192)),
            queue("pe64_long", 2, 2, 40 * HOUR, 128, (96, 128)),
            queue("pe128_short", 1, 4, HOUR // 4, 128, 128),
            queue("pe128", (0, 2), 1, 4 * HOUR, 128, (0, 256)),
            queue("pe256_short", (0, 1), 1, HOUR // 4, 256, (0, 256)),
            queue("pe256", (0, 1), 1, 4 * HOUR, 256, (0, 256)),
        ],
    ),
}
PERIODS = [0, 4 * HOUR, 7 * HOUR, 18 * HOUR]


def is_batch(job: Submission) -> bool:
    """Whether a job has to pass through NQS."""
    return job.klass not in ("interactive", "debug")


def queue_for(job: Submission, limits: Limits) -> Queue | None:
    """The queue that a job enters: the narrowest that holds it, the shorter time first; None without one."""
    fitting = [row for row in limits.queues if row.processors >= job.size and row.time >= job.estimate]
    return min(fitting, key=lambda row: (row.processors, row.time), default=None)


def reason_to_turn_away(job: Submission, limits: Limits) -> str:
    """What no queue gives to a job that none takes."""
    wide = [row for row in limits.queues if row.processors >= job.size]
    if not wide:
        return f"no queue takes {job.size} processors"
    return f"no queue takes {job.size} processors for more than {max(row.time for row in wide)} s"


@dataclass
class Front:
    """NQS at work: jobs, named by their place in the list, come, are released, and are over."""

    jobs: Sequence[Submission]
    limits: Limits
    epoch: int = 0
    """The second of a day at which the clock of the jobs shows 0."""
    queues: dict[int, Queue] = field(default_factory=dict)
    """Job -> the queue that it entered."""
    held: list[int] = field(default_factory=list)
    """Jobs that have come and not been released, in order of arrival."""
    released: list[int] = field(default_factory=list)
    """Jobs that have been released and are not over."""
    turned_away: dict[int, str] = field(default_factory=dict)
    """Job -> why no queue takes it."""

    def arrive(self, job: int) -> None:
        """A batch job comes."""
        chosen = queue_for(self.jobs[job], self.limits)
        if chosen is None:
            self.turned_away[job] = reason_to_turn_away(self.jobs[job], self.limits)
        else:
            self.queues[job] = chosen
            self.held.append(job)

    def leave(self, job: int) -> None:
        """A job is over, or cancelled before its release."""
        for jobs in (self.held, self.released):
            if job in jobs:
                jobs.remove(job)

    def release(self, now: int) -> list[int]:
        """Release all that may go now, in order of arrival; others are passed over."""
        chosen = []
        for job in list(self.held):
            if self.may_go(job, now):
                self.held.remove(job)
                self.released.append(job)
                chosen.append(job)
        return chosen

    def may_go(self, job: int, now: int) -> bool:
        """Whether all limits hold when a job is released beside those that are."""
        row, limits = self.queues[job], self.limits
        everybody = [*self.released, job]
        in_queue = [other for other in everybody if self.queues[other] == row]
        of_user = [other for other in everybody if self.jobs[other].user == self.jobs[job].user]
        return (
            len(of_user) <= limits.user
            and len(everybody) <= limits.run
            and self.processors(everybody) <= limits.processors[self.period(now)]
            and len([other for other in of_user if other in in_queue]) <= self.at(row.user, now)
            and len(in_queue) <= self.at(row.run, now)
            and self.processors(in_queue) <= self.at(row.aggregate, now)
        )

    def processors(self, jobs: list[int]) -> int:
        """The processors of jobs together."""
        return sum(self.jobs[job].size for job in jobs)

    def period(self, now: int) -> int:
        """Which of the four periods of the day an instant is in."""
        return max(number for number, begin in enumerate(PERIODS) if begin <= (now + self.epoch) % DAY)

    def at(self, limit: Varying, now: int) -> int:
        """What a limit is at an instant."""
        return limit.day if self.period(now) == 2 else limit.night

    def next_boundary(self, now: int) -> int:
        """The first change of period after an instant."""
        midnight = now - (now + self.epoch) % DAY
        return min(at for at in [midnight + begin for begin in [*PERIODS, DAY]] if at > now)
