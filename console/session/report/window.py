"""The window of a report: the instants between which jobs are submitted and the machine is watched."""

from shadowtime.console.session.case import Case
from shadowtime.console.session.clock import Clock
from shadowtime.console.session.course.places import LAST, AtTime, parse_place
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.session import Session


def window_of(case: Case, clock: Clock, begin: str | None, until: str | None) -> range:
    """Return the seconds from one place as typed to before another; by default the whole run.

    `+30d` as the second place counts from the first. SessionError in one line: a text that is no place, and a
    window that has no job.
    """
    session = Session(case)
    first = _instant(session, clock, begin or "start", session.time)
    last = _instant(session, clock, until or "end", first)
    if last <= first:
        raise SessionError(
            f"the window ends at {clock.format(last)}, not after its begin {clock.format(first)};"
            " expected a later place"
        )
    window, submits = range(first, last), case.columns.submit
    if not any(submit in window for submit in submits):
        known = f"jobs come from {clock.format(submits[0])} to {clock.format(submits[-1])}" if submits else ""
        raise SessionError(
            f"no job is submitted from {clock.format(first)} to {clock.format(last)}; {known or 'none comes'}"
        )
    return window


def _instant(session: Session, clock: Clock, text: str, here: int) -> int:
    """Return the instant of a place; of the end of the run the second after its last event."""
    place = parse_place(text, clock, here)
    if isinstance(place, AtTime):
        return place.time
    session.go_place(place)
    return session.time + (place == LAST)
