"""When a stepped cluster tries its queue next, and what that waits for (docs/slurm.md, section 13)."""

import attrs

from console.session.slurm.moments import Happening
from console.session.slurm.over_time import name_of
from console.session.slurm.queue import queue
from console.session.slurm.stepping.history import History

SECOND = 10**6
"""Microseconds."""


@attrs.frozen
class Coming:
    """The next tries of the queue as things stand: a start before them can bring them forward.

    Instants are seconds since 1970; None if nothing is due as things stand.
    """

    at: int
    change: int | None
    """The next end, submission, or begin or end of a reservation."""
    changing: tuple[str, ...]
    """The jobs that end then, the jobs that come, or the reservations."""
    what: Happening | None
    """Whether it is an end, a submission, or a reservation that begins or ends."""
    cycle: int | None
    """The next backfill cycle."""
    changed: bool
    """Whether the next cycle may find something new: otherwise it waits for a change."""
    interval_over: int
    """When `bf_interval` is over."""
    whole_pass: int | None
    """The next main pass over the whole queue."""


def coming(history: History) -> Coming:
    """Return what comes after the position of a history."""
    at, due = history.at, history.due(history.position)
    settings = history.capture.settings
    change, subjects, what = _change(history)
    after = due.cycle_after // SECOND
    cycle = _later(at, due.cycle_after, due.cycle_changed, change, due.cycle_period, SECOND)
    whole = _later(at, due.pass_after, due.pass_changed, change, due.pass_period, 1)
    return Coming(
        at=at,
        change=change,
        changing=subjects,
        what=what,
        cycle=cycle if settings.backfills else None,
        changed=due.cycle_changed,
        interval_over=after,
        whole_pass=whole if settings.sched_interval else None,
    )


def _later(at: int, after: int, changed: bool, change: int | None, period: int, unit: int) -> int | None:
    """The first instant at or after `after` and a change; `after` and `period` are in units."""
    if changed:
        return max(at, after // unit)
    if change is None:
        return None
    if period and after < change * unit:
        after += -(-(change * unit - after) // period) * period
    return max(change, after // unit)


def _change(history: History) -> tuple[int | None, tuple[str, ...], Happening | None]:
    """The next change by the clock alone: when, who, and what it is."""
    capture, at = history.capture_at(history.position), history.at
    names = {job.id: name_of(job) for job in capture.jobs}
    ends = history.ends(history.position)
    # What is due in this very second and comes after the position in it has not happened yet.
    first = min((max(end, at + 1) for end in ends.values()), default=None)
    edges = sorted(edge for edge in history.edges if edge > at and (first is None or edge < first))
    for edge in edges:
        reservations = [each.name for each in capture.reservations if edge in (each.begin, each.end)]
        if reservations:
            return edge, tuple(reservations), Happening.RESERVATION
        jobs = [str(entry.job.id) for entry in queue(capture, edge) if entry.job.eligible == edge]
        if jobs:
            return edge, tuple(dict.fromkeys(jobs)), Happening.SUBMISSION
    if first is None:
        return None, (), None
    return first, tuple(names[id_] for id_, end in ends.items() if max(end, at + 1) == first), Happening.END
