"""Instants as Slurm writes them, in the format that SLURM_TIME_FORMAT sets, as seconds since 1970."""

import re
from datetime import UTC, datetime, timedelta, tzinfo

import attrs

from shadowtime.scenarios.errors import shown

NO_INSTANT = frozenset(("", "UNKNOWN", "NONE", "N/A", "NA", "NAN", "NAT", "0"))
"""What stands where there is no instant, in capitals."""
EXPECTED = "expected 2026-03-01T12:00:00, which SLURM_TIME_FORMAT=standard prints"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# A number of fewer digits may be a date without separators.
_SECONDS = re.compile(r"(\d{9,11})(?:\.(\d+))?", re.ASCII)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
# `Mon Mar  2 08:00:00 2026`, `2 Mar 2026 08:00:00` and `2026/03/02 08:00:00`: only one reading each.
_TIME = r"(?P<time>\d\d:\d\d(?::\d\d)?)"
_WEEKDAY = r"(?:[A-Z][a-z]{2},? +)?"
_NAMED = (
    re.compile(rf"{_WEEKDAY}(?P<m>[A-Za-z]{{3}}) +(?P<d>\d\d?),? +{_TIME} +(?P<y>\d{{4}})", re.ASCII),
    re.compile(rf"{_WEEKDAY}(?P<d>\d\d?)[ -](?P<m>[A-Za-z]{{3}})[ -](?P<y>\d{{4}})[ T]{_TIME}", re.ASCII),
    re.compile(rf"(?P<y>\d{{4}})/(?P<m>\d\d)/(?P<d>\d\d)[ T]{_TIME}", re.ASCII),
)


@attrs.define
class Calendar:
    """Instants of texts in a zone's local time, or with an offset. It remembers the hours it has met."""

    zone: tzinfo
    _hours: dict[str, int | None] = attrs.field(factory=dict, init=False)
    """The first second of an hour of the clock, with its offset if the text has one; None if the clock is set
    within that hour, or it is no hour.
    """

    def seconds(self, text: str) -> int | None:
        """Seconds of an instant, or None for none.

        Read are ISO 8601 with or without an offset from UTC, seconds since 1970, and dates whose month has a
        name. An instant that the clock shows twice is the first of the two. A fraction is rounded, halves up.
        ValueError for anything else, and for a date without a time.
        """
        if len(text) <= 25 and text[13:14] == text[16:17] == ":" and text[19:20] in ("", "+", "-", "Z"):
            key = text[:13] + text[19:]
            hour = self._hours[key] if key in self._hours else self._learn(key, text)
            minutes, seconds = text[14:16], text[17:19]
            if hour is not None and (minutes + seconds).isdecimal() and minutes < "60" and seconds < "60":
                return hour + int(minutes) * 60 + int(seconds)
        found = self._read(text)
        return None if found is None else self._at(found, 0)

    def again(self, text: str) -> int | None:
        """Seconds of an instant when the clock shows it for the second time; None if it shows it once."""
        found = self._read(text)
        if found is None:
            return None
        later = self._at(found, 1)
        return later if later > self._at(found, 0) else None

    def _learn(self, key: str, text: str) -> int | None:
        """The first second of the hour of a text."""
        try:
            first, last = (self._read(text[:13] + end + text[19:]) for end in (":00:00", ":59:59"))
        except ValueError:
            return None
        if first is None or last is None:
            return None
        begin = self._at(first, 0)
        return self._hours.setdefault(key, begin if self._at(last, 0) - begin == 3599 else None)

    def _at(self, when: datetime, fold: int) -> int:
        """Seconds of a local time, of the first (0) or the second time that the clock shows it."""
        try:
            if when.tzinfo is None:
                when = when.replace(tzinfo=self.zone, fold=fold)
            return (when - _EPOCH + timedelta(microseconds=500_000)) // timedelta(seconds=1)
        except OverflowError:
            raise ValueError(f"{when} is no instant; {EXPECTED}") from None

    def _read(self, text: str) -> datetime | None:
        text = text.strip()
        if text.upper() in NO_INSTANT:
            return None
        if found := _SECONDS.fullmatch(text):
            return _EPOCH + timedelta(seconds=int(found[1]) + ((found[2] or "0") >= "5"))
        try:
            if len(text) > len("2026-03-01"):
                return datetime.fromisoformat(_as_iso(text))
        except ValueError:
            pass
        raise ValueError(f"{shown(text)} is no instant; {EXPECTED}")


def _as_iso(text: str) -> str:
    """In ISO 8601 a date whose month has a name, or with slashes from the year on; other texts unchanged."""
    for pattern in _NAMED:
        if found := pattern.fullmatch(text):
            month = found["m"].lower()
            number = int(month) if month.isdecimal() else _MONTHS.index(month) + 1
            return f"{found['y']}-{number:02d}-{int(found['d']):02d}T{found['time']}"
    return text
