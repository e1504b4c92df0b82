"""Deadlines as they are typed: an instant, `now`, `+2h` from now, or `-1h` before what is expected."""

from shadowtime.console.session.clock import DATED, ELAPSED, Clock
from shadowtime.console.session.errors import SessionError
from shadowtime.scenarios import parse_duration


def parse_deadline(text: str, now: int, expected: int | None, clock: Clock = ELAPSED) -> int:
    """Return the instant of a deadline in seconds. SessionError in one line if the text names none."""
    text = text.strip()
    try:
        if text == "now":
            return now
        if text.startswith("+"):
            return now + parse_duration(text[1:].strip())
        if not text.startswith("-"):
            return clock.parse(text)
        earlier = parse_duration(text[1:].strip())
    except ValueError as error:
        if DATED.fullmatch(text):
            raise SessionError(str(error)) from None
        raise SessionError(
            f"{text!r} is no deadline; expected a time such as 0 06:12:44, now, +2h, "
            "or -1h for an hour before the expected start"
        ) from None
    if expected is None:
        raise SessionError(
            f"{text!r} is before the expected start, and no start is expected; expected a time"
        )
    return max(expected - earlier, now)
