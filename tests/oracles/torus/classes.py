"""The classes of the T3D's gang scheduler, its limits, and the day and the night that change them.

Where the text leaves room, these are the choices:
- What the parameters say holds by day. At night interactive jobs have priority 3 and the large limit is 256,
  whatever it is by day.
- `epoch` is the second of the week, counted from Monday 00:00, at which the clock of the jobs shows 0.
- A year is 365 days.
- Day turns into night, or night into day, only where one really ends: nothing happens on Saturday at 07:00.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

MINUTE, HOUR, DAY, YEAR = 60, 3600, 86400, 365 * 86400


class ClassRule(NamedTuple):
    """What a class of jobs may do."""

    priority: int
    max_wait: int
    """Seconds after which a waiting job is served by pass 1."""
    do_not_disturb: int
    """Seconds a processor that a job runs before it may be preempted."""
    limit: int
    """Processors that all jobs of the class may have."""


CLASSES = {
    "interactive": ClassRule(4, 0, 10, 256),
    "debug": ClassRule(4, 300, YEAR, 96),
    "production": ClassRule(3, HOUR, 10, 256),
    "benchmark": ClassRule(2, YEAR, YEAR, 64),
    "standby": ClassRule(1, YEAR, 3, 256),
}
NEVER_PREEMPTED = ("debug", "benchmark")


@dataclass
class Rules:
    """The parameters of the scheduler, and what they come to at an instant."""

    table: str = "clock"
    """clock, day or night."""
    strict_limits: bool = False
    """Whether pass 1 tests all four limits."""
    restore: str = "best_fit"
    """best_fit, or same: a saved job goes back to its block if it can."""
    wires: str = "shared"
    """shared, or apart: two jobs on one wire hold no adjacent blocks."""
    io: str = "parallel"
    """parallel or serial."""
    storage: int = 768
    """Processors whose state can be kept."""
    job_limit: int = 256
    system_limit: int = 576
    large: int = 64
    """Processors from which on a job is large."""
    large_limit: int = 192
    """Processors that all large jobs may have by day."""
    classes: dict[str, ClassRule] = field(default_factory=dict)
    """Classes that differ from the table above, or that it does not have."""
    epoch: int = 0

    def rule(self, klass: str) -> ClassRule:
        """What a class may do by day."""
        return {**CLASSES, **self.classes}[klass]

    def knows(self, klass: str | None) -> bool:
        """Whether there is such a class."""
        return klass in CLASSES or klass in self.classes

    def is_day(self, now: int) -> bool:
        """Whether the day's table is in force: Monday to Friday, 07:00 <= t < 18:00, unless one is fixed."""
        if self.table != "clock":
            return self.table == "day"
        weekday, second = divmod((now + self.epoch) % (7 * DAY), DAY)
        return weekday < 5 and 7 * HOUR <= second < 18 * HOUR

    def next_switch(self, now: int) -> int | None:
        """The next instant at which the table changes, None if it never does."""
        if self.table != "clock":
            return None
        midnight = now - (now + self.epoch) % DAY
        hours = [midnight + day * DAY + hour * HOUR for day in range(5) for hour in (7, 18)]
        return min(at for at in hours if at > now and self.is_day(at) != self.is_day(now))

    def priority(self, klass: str, now: int) -> int:
        """The priority of a class at an instant."""
        if klass == "interactive" and not self.is_day(now):
            return 3
        return self.rule(klass).priority

    def large_limit_at(self, now: int) -> int:
        """How many processors all large jobs may have at an instant."""
        return self.large_limit if self.is_day(now) else 256
