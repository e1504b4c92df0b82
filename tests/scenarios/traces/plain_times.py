"""A reader of local times that is obviously right: it tries every second that a clock could mean."""

from datetime import UTC, datetime, timedelta, tzinfo

FARTHEST = 15
"""Hours from Greenwich that no clock has: minutes on both sides are tried."""


def meanings(text: str, zone: tzinfo) -> list[int]:
    """Every second since 1970 at which the clock of a zone shows `YYYY-MM-DDTHH:MM:SS`, in order.

    Zones differ from Greenwich by whole minutes since 1972.
    """
    as_if_utc = datetime.strptime(text, "%Y-%m-%dT%H:%M:%S").replace(tzinfo=UTC)
    tried = (as_if_utc + timedelta(minutes=minute) for minute in range(-FARTHEST * 60, FARTHEST * 60 + 1))
    return [
        int(instant.timestamp())
        for instant in tried
        if instant.astimezone(zone).strftime("%Y-%m-%dT%H:%M:%S") == text
    ]
