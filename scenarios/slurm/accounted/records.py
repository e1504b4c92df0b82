"""Jobs of the accounting."""

from collections.abc import Iterable

import attrs

KEPT = 8 * 7 * 86400
"""Seconds for which runs that are over are kept: a capture of the accounting has as much."""


def _at_least_one(count: int) -> int:
    return max(1, count)


@attrs.frozen
class Accounted:
    """A job that has started, or another run of one that was requeued. Instants are seconds since 1970."""

    id: int
    user: str
    account: str
    partition: str
    qos: str
    limit: int | None
    """Minutes; None: that of the partition, or none."""
    cpus: int = attrs.field(converter=_at_least_one)
    """Asked for, at least 1."""
    nodes: int = attrs.field(converter=_at_least_one)
    """Asked for, at least 1."""
    given: int = attrs.field(converter=_at_least_one)
    """CPUs that it was given: more than asked for if it has whole nodes or cores; at least `cpus`."""
    memory: int
    """MB asked for in all; 0 if that is not said."""
    devices: str
    """Generic resources asked for in all, such as `gres/gpu=8`."""
    submit: int
    eligible: int
    """When it first could start: not before its begin time, its release, or the end of what it depends on."""
    start: int
    end: int | None
    """None while it is not over."""
    elapsed: int
    """Seconds that it has run, without those for which it was suspended."""
    state: str
    """As `parse_state` gives it."""


@attrs.frozen
class Past:
    """What the accounting says of earlier jobs."""

    jobs: tuple[Accounted, ...] = ()
    """By submission, then by id and start."""
    unread: int = 0
    """Rows that cannot be read."""
    fault: str = ""
    """What is wrong with the first of them, or with the file."""

    def followed_by(self, later: "Past", now: int) -> "Past":
        """Return this with what a later one says, without what ended more than `KEPT` before `now`.

        Of a run that both have the later one is right.
        """
        kept = (job for job in self.jobs if job.end is None or job.end >= now - KEPT)
        return attrs.evolve(later, jobs=ordered((*kept, *later.jobs)))


def ordered(jobs: Iterable[Accounted]) -> tuple[Accounted, ...]:
    """Return each run once, as the last of several has it, by submission, id and start."""
    found = {(each.id, each.start): each for each in jobs}
    return tuple(sorted(found.values(), key=lambda each: (each.submit, each.id, each.start)))
