"""Times and durations as people write them: seconds, `1 06:12:44`, `1h30m`, `7d`.

A bare number is seconds everywhere. Times and durations share their notations, and differ in how they are
shown.
"""

import re

from shadowtime.scenarios.errors import shown

MAX_TIME = 2**62 - 1
"""The largest time or duration, in seconds: the sum of any two is an int64."""

NOTATIONS = '"D HH:MM:SS" or "1h30m"'
TIME_EXPECTED = f"a time: seconds, {NOTATIONS}"
DURATION_EXPECTED = f"a duration: seconds, {NOTATIONS}"

DAY, HOUR, MINUTE = 86_400, 3_600, 60

# Far more than a time can hold; it keeps int() away from endless rows of digits.
_LONGEST = 60
_CLOCK = re.compile(r"(?:(\d+)d? +)?(\d+):(\d\d):(\d\d)", re.ASCII)
_UNITS = re.compile(r"(?:(\d+)d)? *(?:(\d+)h)? *(?:(\d+)m)? *(?:(\d+)s)?", re.ASCII)


def parse_time(value: str | int) -> int:
    """Seconds of a time in any notation. ValueError says what was expected."""
    seconds = read_seconds(value)
    if seconds is None:
        raise ValueError(f"{shown(value)} is not a time; expected seconds, {NOTATIONS}")
    return seconds


def parse_duration(value: str | int) -> int:
    """Seconds of a duration in any notation. ValueError says what was expected."""
    seconds = read_seconds(value)
    if seconds is None:
        raise ValueError(f"{shown(value)} is not a duration; expected seconds, {NOTATIONS}")
    return seconds


def read_seconds(value: object) -> int | None:
    """Seconds of a time or duration in any notation, 0 to MAX_TIME; None for everything else."""
    if isinstance(value, str):
        seconds = _read_text(value.strip()) if len(value) <= _LONGEST else None
    else:
        seconds = value if type(value) is int else None
    return seconds if seconds is not None and 0 <= seconds <= MAX_TIME else None


def _read_text(text: str) -> int | None:
    if text.isascii() and text.isdigit():
        return int(text)
    if clock := _CLOCK.fullmatch(text):
        days, hours, minutes, seconds = (int(part or 0) for part in clock.groups())
        # Hours may pass 23 only where they are not the rest of a day.
        if minutes > 59 or seconds > 59 or (clock[1] is not None and hours > 23):
            return None
        return days * DAY + hours * HOUR + minutes * MINUTE + seconds
    units = _UNITS.fullmatch(text)
    if units is None or not any(units.groups()):
        return None
    days, hours, minutes, seconds = (int(part or 0) for part in units.groups())
    return days * DAY + hours * HOUR + minutes * MINUTE + seconds


def format_time(seconds: int) -> str:
    """A time as `D HH:MM:SS`."""
    sign, seconds = ("-", -seconds) if seconds < 0 else ("", seconds)
    days, rest = divmod(seconds, DAY)
    return f"{sign}{days} {rest // HOUR:02d}:{rest // MINUTE % 60:02d}:{rest % 60:02d}"


def format_duration(seconds: int) -> str:
    """A duration as `1h30m`: only the units that are not zero; `0s` for none."""
    sign, seconds = ("-", -seconds) if seconds < 0 else ("", seconds)
    days, rest = divmod(seconds, DAY)
    counts = (days, "d"), (rest // HOUR, "h"), (rest // MINUTE % 60, "m"), (rest % 60, "s")
    return sign + ("".join(f"{count}{unit}" for count, unit in counts if count) or "0s")
