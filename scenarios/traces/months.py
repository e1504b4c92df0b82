"""Months of a log: when they begin, in seconds of its own clock."""

import re
from array import array
from datetime import UTC, datetime

_MONTH = re.compile(r"(\d{4})-(0[1-9]|1[0-2])", re.ASCII)
MONTH_EXPECTED = 'a month such as "1996-10"'


def month_window(epoch: datetime, text: str) -> tuple[int, int] | None:
    """The instants [first, last) of a month `YYYY-MM`; None where the text is none."""
    found = _MONTH.fullmatch(text)
    if found is None or not 1 <= int(found[1]) < 9999:
        return None
    number = int(found[1]) * 12 + int(found[2]) - 1
    return _begin(epoch, number), _begin(epoch, number + 1)


def month_starts(epoch: datetime, first: int, last: int) -> "array[int] | None":
    """When the months begin that hold the instants `first` to `last`, as array('q'); None past the year
    9998.
    """
    low, high = month_number(epoch, first), month_number(epoch, last)
    if low is None or high is None:
        return None
    return array("q", (_begin(epoch, number) for number in range(low, high + 1)))


def month_name(epoch: datetime, time: int) -> str:
    """The month of an instant as `YYYY-MM`; empty where the calendar does not reach."""
    number = month_number(epoch, time)
    return "" if number is None else f"{number // 12:04d}-{number % 12 + 1:02d}"


def month_number(epoch: datetime, time: int) -> int | None:
    """Months since the year 0 of an instant; None past the year 9998."""
    try:
        moment = datetime.fromtimestamp(int(_aware(epoch).timestamp()) + time, _aware(epoch).tzinfo)
    except (ValueError, OverflowError, OSError):
        return None
    return moment.year * 12 + moment.month - 1 if moment.year < 9999 else None


def _begin(epoch: datetime, number: int) -> int:
    moment = datetime(number // 12, number % 12 + 1, 1, tzinfo=_aware(epoch).tzinfo)
    return int(moment.timestamp()) - int(_aware(epoch).timestamp())


def _aware(epoch: datetime) -> datetime:
    # A time without a zone counts as its own: no summer, no offset.
    return epoch if epoch.tzinfo is not None else epoch.replace(tzinfo=UTC)
