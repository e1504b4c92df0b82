"""When a stepped cluster tries its queue next, and what that waits for (docs/slurm-cycle.md, section 13)."""

import attrs

from shadowtime.console.session.slurm.priorities.standing import next_calculation, with_standing
from shadowtime.console.session.slurm.queue import EntryQueue, queue
from shadowtime.console.session.slurm.stepping.history import History
from shadowtime.kernels.slurm.over_time.moments import Happening

SECOND = 10**6
"""Microseconds."""


Change = tuple[int | None, tuple[str, ...], Happening | None]


@attrs.frozen
class Coming:
    """The next tries of the queue as things stand: a start before them can bring them forward.

    Instants are seconds since 1970; None if nothing is due as things stand.
    """

    at: int
    change: int | None
    """The next end, submission, begin or end of a reservation, or a calculation by which jobs pass others."""
    changing: tuple[str, ...]
    """The jobs that end then, that come or that pass others, or the reservations."""
    what: Happening | None
    """Whether it is an end, a submission, a reservation that begins or ends, or priorities."""
    cycle: int | None
    changed: bool
    """Whether the next cycle may find something new: otherwise it waits for a change."""
    whole_pass: int | None
    """The next main pass over the whole queue."""


def coming(history: History) -> Coming:
    """Return what comes after the position of a history."""
    place = history.number
    at, due = history.instant(place), history.due(place)
    settings = history.capture.settings
    change, subjects, what = _change(history, place)
    cycle = _later(at, due.cycle_after, due.cycle_changed, change, due.cycle_period, SECOND)
    whole = _later(at, due.pass_after, due.pass_changed, change, due.pass_period, 1)
    return Coming(
        at=at,
        change=change,
        changing=subjects,
        what=what,
        cycle=cycle if settings.backfills else None,
        changed=due.cycle_changed,
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


def _change(history: History, position: int) -> Change:
    """The next change by the clock alone: when, who, and what it is."""
    found = _event(history, position)
    return _passing(history, position, found[0]) or found


def _passing(history: History, position: int, before: int | None) -> Change | None:
    """The jobs that a calculation takes past others before an instant, or ever."""
    capture, at = history.capture_at(position), history.instant(position)
    while (calculated := next_calculation(capture, capture.jobs, at)) is not None:
        if before is not None and calculated >= before:
            return None
        if jobs := EntryQueue(capture).moved_up(capture, calculated):
            return calculated, jobs, Happening.PRIORITIES
        at, capture = calculated, with_standing(capture, calculated)
    return None


def _event(history: History, position: int) -> Change:
    """The next end, submission, or begin or end of a reservation."""
    capture, at = history.capture_at(position), history.instant(position)
    names = {job.id: job.shown for job in capture.jobs}
    ends = history.ends(position)
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
