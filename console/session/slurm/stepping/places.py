"""The places of a stepped cluster as an operator types them: `#12`, `14:30`, `+2h`, `50%`, `job 31`."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta, tzinfo

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.slurm.stepping.history import History
from shadowtime.scenarios.times import parse_duration

EXPECTED = "#12, 14:30, +2h, -30m, 50%, job 31, start or end"
INSTANT = "14:30, tomorrow 14:30, 2026-11-24 14:30, +2h or now"
"""What `instant_from` takes."""
_CLOCK = re.compile(r"(?:(tomorrow) |(?:(\d{4})-)?(\d\d?)-(\d\d?)[ T])?(\d\d?):(\d\d)(?::(\d\d))?", re.ASCII)
_JOB = re.compile(r"(?:job\s+)?(\d+(?:_(?:\d+|\*))?)(?:\s+start)?", re.ASCII)
_NUMBER = re.compile(r"#(\d{1,9})", re.ASCII)
_SHARE = re.compile(r"(\d{1,3})\s?%", re.ASCII)


def way_to(history: History, text: str, zone: tzinfo | None) -> Iterator[bool]:
    """Return the way to a place; it yields False as long as it goes on, and True at the place.

    A way that ends without True has found no such place, and the position is as before. An instant without a
    date is the first one at or after the capture. `zone` None is that of this machine. SessionError for what
    is no place.
    """
    word = text.strip()
    if word in ("end", "start"):
        return history.to_end() if word == "end" else _at_once(history, 0)
    if found := _NUMBER.fullmatch(word):
        return _to_number(history, int(found[1]))
    if found := _SHARE.fullmatch(word):
        return _to_share(history, int(found[1]))
    if (at := instant_of(word, history.begin, zone)) is not None:
        return history.to_time(at)
    if word[:1] in ("+", "-"):
        try:
            seconds = parse_duration(word[1:].strip())
        except ValueError:
            raise _no_place(word) from None
        return history.to_time(history.at + (seconds if word[0] == "+" else -seconds))
    if found := _JOB.fullmatch(word):
        return history.to_start(found[1].removesuffix("_*"))
    raise _no_place(word)


def instant_of(text: str, begin: int, zone: tzinfo | None) -> int | None:
    """Return the second of `14:30`, `tomorrow 14:30` or `2026-11-24 14:30`; None for another text.

    SessionError: there is no such time.

    A time without a date is the first one at or after `begin`.
    """
    word = text.strip()
    found = _CLOCK.fullmatch(word)
    return None if found is None else _instant(found, begin, zone, word)


def instant_from(text: str, at: int, zone: tzinfo | None) -> int | None:
    """Return the second of what `instant_of` reads, and of `now` and `+2h`; None for another text.

    SessionError: there is no such time.
    """
    word = text.strip()
    if word == "now":
        return at
    if not word.startswith("+"):
        return instant_of(word, at, zone)
    try:
        return at + parse_duration(word[1:].strip())
    except ValueError:
        return None


def _no_place(word: str) -> SessionError:
    return SessionError(f"{word!r} is no place; expected {EXPECTED}")


def _at_once(history: History, position: int) -> Iterator[bool]:
    yield history.go(position)


def _to_number(history: History, number: int) -> Iterator[bool]:
    while history.known < number and history.reach(history.known + 1):
        yield False
    if history.known >= number:
        yield history.go(number)


def _to_share(history: History, percent: int) -> Iterator[bool]:
    while history.reach(history.known + 1):
        yield False
    yield history.go(history.known * min(percent, 100) // 100)


def _instant(found: "re.Match[str]", begin: int, zone: tzinfo | None, word: str) -> int:
    """The second of a time of the day, with or without a date."""
    tomorrow, *parts = found.groups()
    year, month, day, hour, minute, second = (None if part is None else int(part) for part in parts)
    first = datetime.fromtimestamp(begin, zone).astimezone(zone)
    try:
        moment = first.replace(hour=hour or 0, minute=minute or 0, second=second or 0, microsecond=0)
        if month is not None:
            moment = moment.replace(year=year or first.year, month=month, day=day or 1)
        elif tomorrow or moment < first:
            moment += timedelta(days=1)
        # The offset of the zone can be another one on that day.
        return int(moment.replace(tzinfo=zone).timestamp())
    except (ValueError, OverflowError, OSError):
        raise SessionError(f"{word!r} is no instant; expected 14:30 or 2026-11-24 14:30") from None
