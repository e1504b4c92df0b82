"""Prime and non-prime time (FJ97 3.1): by day only short jobs, and middling ones while many nodes are free.

Where the text leaves room, these are the choices:
- At a boundary the shift that begins there is in force.
- The free nodes that a middling job needs are those before its own start, after the starts of those ahead of
  it in the same pass.
- A job that is not eligible is skipped before it is asked whether it fits, so it never ends the scan.
"""

from typing import NamedTuple

from tests.oracles.jobs import Job


class Rules(NamedTuple):
    """The parameters: times in seconds, sizes in nodes."""

    shift: int
    large: int
    short: int
    long: int
    reserve: int
    phase: int
    length: int

    def is_prime(self, now: int) -> bool:
        """Whether an instant is in prime time: the first part of each two shifts from the phase on."""
        return (now - self.phase) % (2 * self.shift) < (self.length or self.shift)

    def next_boundary(self, now: int) -> int:
        """The first change between prime and non-prime time after an instant."""
        begun = now - (now - self.phase) % (2 * self.shift)
        return begun + (self.length or self.shift) if self.is_prime(now) else begun + 2 * self.shift

    def is_eligible(self, job: Job, now: int, free: int) -> bool:
        """Whether a job may start at all, with so many free nodes before it does."""
        if not self.is_prime(now) or job.runtime <= self.short:
            return True
        return job.size <= self.large and job.runtime <= self.long and free >= self.reserve


def started(jobs: list[Job], waiting: list[int], free: int, now: int, rules: Rules) -> list[int]:
    """What one pass starts. `waiting` is in order of arrival."""
    chosen = []
    for index in waiting:
        if not rules.is_eligible(jobs[index], now, free):
            continue
        if jobs[index].size > free:
            break
        chosen.append(index)
        free -= jobs[index].size
    return chosen


def prime(
    jobs: list[Job],
    nodes: int,
    shift: int = 43200,
    large: int = 32,
    short: int = 600,
    long: int = 14400,
    reserve: int = 32,
    phase: int = 0,
    length: int = 0,
) -> list[int]:
    """Start of every job. A pass is made at completions, submissions, and at boundaries while jobs wait."""
    rules = Rules(shift, large, short, long, reserve, phase, length)
    coming, now = 0, 0
    starts: dict[int, int] = {}
    waiting: list[int] = []
    running: list[int] = []
    while coming < len(jobs) or running or waiting:
        events = [starts[index] + jobs[index].runtime for index in running]
        events += [job.submit for job in jobs[coming : coming + 1]]
        events += [rules.next_boundary(now)] if waiting else []
        now = min(events)
        running = [index for index in running if starts[index] + jobs[index].runtime > now]
        while coming < len(jobs) and jobs[coming].submit == now:
            waiting.append(coming)
            coming += 1
        free = nodes - sum(jobs[index].size for index in running)
        for index in started(jobs, waiting, free, now, rules):
            starts[index] = now
            waiting.remove(index)
            running.append(index)
    return [starts[index] for index in range(len(jobs))]
