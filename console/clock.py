"""Clock and durations as everything writes them. Seconds in, text out."""

from typing import Protocol, runtime_checkable

from shadowtime.console.session.clock import DAY, ELAPSED, HOUR, KINDS, MINUTE, Clock, zone_named
from shadowtime.console.session.clock import elapsed as clock

__all__ = [
    "DAY",
    "ELAPSED",
    "HOUR",
    "KINDS",
    "MINUTE",
    "Clock",
    "Clocked",
    "calendar_of",
    "clock",
    "duration",
    "zone_named",
]


def duration(seconds: float) -> str:
    """A duration in its two largest units: `44s`, `12m44s`, `6h12m`, `3d6h`; six letters up to 99 days."""
    whole = round(abs(seconds))
    sign = "-" if seconds < 0 and whole else ""
    if whole < MINUTE:
        return f"{sign}{whole}s"
    if whole < HOUR:
        return f"{sign}{whole // MINUTE}m{whole % MINUTE:02}s"
    if whole < DAY:
        return f"{sign}{whole // HOUR}h{whole % HOUR // MINUTE:02}m"
    return f"{sign}{whole // DAY}d{whole % DAY // HOUR}h"


@runtime_checkable
class Clocked(Protocol):
    """An application that keeps which clock was chosen."""

    clock: str | None
    """One of `KINDS`; None if nobody chose: by the calendar, if that is known."""


def calendar_of(app: object) -> bool:
    """Whether the operator of an application wants instants by the calendar, if that is known."""
    return isinstance(app, Clocked) and app.clock != KINDS[0]
