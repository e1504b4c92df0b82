"""The window of a comparison as it is typed: places in time that are the same under every policy."""

import re

from shadowtime.console.session.case import Case
from shadowtime.console.session.clock import Clock
from shadowtime.console.session.comparison.verdict import Window
from shadowtime.console.session.course.places import (
    BEGINNING,
    LAST,
    SUBMIT,
    AtJob,
    AtTime,
    Place,
    parse_place,
)
from shadowtime.console.session.errors import SessionError

_LINE = re.compile(r"(?:from\s+)?(?P<since>.*?)(?:\s*\buntil\s+(?P<until>.*?))?(?:\s*\buser=(?P<user>\S+))?")
EXPECTED = "a time, +30d, or the submission of a job (31 submit)"


def typed_window(
    case: Case, since: str | None = None, until: str | None = None, user: str | None = None
) -> Window:
    """Return the window of two typed places and a user. SessionError in one line.

    `+30d` counts from the beginning of the window, for that itself from the first submission.
    """
    submits = case.columns.submit
    first = submits[0] if len(submits) else 0
    begin = None if not since else _instant(case, since, first, BEGINNING)
    end = None if not until else _instant(case, until, first if begin is None else begin, LAST)
    if begin is not None and end is not None and end < begin:
        raise SessionError(f"{until} is before {since}; expected a window that ends after it begins")
    if user is not None and user not in set(case.columns.user):
        raise SessionError(f"no job is of user {user}; expected the name of a user")
    return Window(begin, end, user)


def window_line(case: Case, line: str) -> Window:
    """Return the window of a typed line: `300d until +30d user=22`. SessionError in one line."""
    found = _LINE.fullmatch(line.strip())
    assert found is not None
    return typed_window(case, found["since"], found["until"], found["user"])


def _instant(case: Case, text: str, here: int, unbounded: Place) -> int | None:
    """The instant of a typed place; None for the end of the run that bounds nothing on this side."""
    place = parse_place(text, Clock(case.scenario.epoch), here)
    if isinstance(place, AtTime):
        return place.time
    if isinstance(place, AtJob) and place.moment == SUBMIT:
        return case.columns.submit[case.index_of(place.id)]
    if place == unbounded:
        return None
    raise SessionError(f"{text} is not at the same instant under every policy; expected {EXPECTED}")
