"""What a schedule came to when jobs may stop and go on, and the record of one job on the way there."""

from dataclasses import dataclass
from typing import NamedTuple

from tests.oracles.jobs import Job


class Outcome(NamedTuple):
    """The schedule of a workload, by job."""

    starts: list[int]
    """First start."""
    finishes: list[int]
    preemptions: list[int]
    """How often it was stopped."""
    waits: list[int]
    """Seconds in the queue, all its stays there together; and those in which its nodes were held for it."""


@dataclass
class Life:
    """What has become of one job so far."""

    entered: int
    """Instant at which it last entered the queue."""
    done: int = 0
    """Seconds of progress in the runs that are over."""
    start: int | None = None
    finish: int | None = None
    preemptions: int = 0
    wait: int = 0

    def begin(self, instant: int) -> None:
        """A run begins: the job has left the queue, perhaps earlier than that."""
        self.wait += instant - self.entered
        if self.start is None:
            self.start = instant

    def stop(self, now: int, progress: int) -> None:
        """The run is cut short and the job queues again."""
        self.done += progress
        self.preemptions += 1
        self.entered = now


def lives_of(jobs: list[Job]) -> list[Life]:
    """One record for each job, as it stands at its submission."""
    return [Life(entered=job.submit) for job in jobs]


def outcome_of(lives: list[Life]) -> Outcome:
    """The outcome when every job is over."""
    starts = [life.start for life in lives if life.start is not None]
    finishes = [life.finish for life in lives if life.finish is not None]
    assert len(starts) == len(finishes) == len(lives), "a job was never run"
    return Outcome(starts, finishes, [life.preemptions for life in lives], [life.wait for life in lives])
