"""The time zone by which instants of a cluster are written."""

from datetime import datetime, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from shadowtime.console.session.errors import SessionError


def calendar(instant: int | None, zone: tzinfo | None) -> str | None:
    """Return an instant by the calendar: `2026-11-23T22:46:47+00:00`; None for none, or one beyond it."""
    try:
        return None if instant is None else datetime.fromtimestamp(instant, zone).astimezone(zone).isoformat()
    except (ValueError, OverflowError, OSError):
        return None


def zone_of(name: str) -> tzinfo:
    """Return a time zone. SessionError if there is none of that name."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise SessionError(f"{name!r} is no time zone; expected one such as Europe/Berlin") from None
