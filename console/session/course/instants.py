"""Instants and deadlines as they are typed: `now`, `+2h`, `14:30`; `-1h` before a start of a job."""

from shadowtime.console.session.clock import DATED, ELAPSED, OF_DAY, Clock
from shadowtime.console.session.errors import SessionError
from shadowtime.scenarios import parse_duration

INSTANT = "14:30, tomorrow 14:30, 2026-11-24 14:30, 1h30m, +2h or now"
"""What `instant_from` takes."""
DEADLINE = f"{INSTANT}, or -1h for an hour before the likely start"


def counts_from_a_start(text: str) -> bool:
    """Whether a deadline counts back from the start of the job."""
    return text.strip()[:1] == "-"


def instant_from(text: str, now: int, clock: Clock) -> int | None:
    """Return the second of an instant; None for another text. SessionError: there is no such time."""
    word = text.strip()
    if word == "now":
        return now
    try:
        return now + parse_duration(word[1:].strip()) if word[:1] == "+" else clock.parse(word, now)
    except ValueError as error:
        if DATED.fullmatch(word) or OF_DAY.fullmatch(word):
            raise SessionError(str(error)) from None
        return None


def parse_deadline(text: str, now: int, start: int | None, clock: Clock = ELAPSED) -> int:
    """Return the second of a deadline. SessionError in one line if the text names none.

    `start` is when the job starts without any help, if that is known.
    """
    word = text.strip()
    found = instant_from(word, now, clock)
    if found is not None:
        return found
    try:
        earlier = parse_duration(word[1:].strip()) if counts_from_a_start(word) else None
    except ValueError:
        earlier = None
    if earlier is None:
        raise SessionError(f"{word!r} is no deadline; expected {DEADLINE}")
    if start is None:
        raise SessionError(f"{word!r} is before the start of the job, and it has none; expected a time")
    return max(start - earlier, now)
