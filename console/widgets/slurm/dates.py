"""How instants of a cluster are written: by the clock of a time zone, the day only if it is another one."""

from datetime import datetime, tzinfo

import attrs

from shadowtime.console.clock import Clock, duration
from shadowtime.console.clock import clock as elapsed


@attrs.frozen
class Dates:
    """The calendar of a console; `zone` None is the zone of this machine."""

    zone: tzinfo | None = None
    since: int | None = None
    """The instant from which the others are written as elapsed time; None: by the calendar."""

    def moment(self, seconds: int) -> datetime | None:
        """Return an instant by the calendar; None for one that no calendar has."""
        try:
            return datetime.fromtimestamp(seconds, self.zone).astimezone(self.zone)
        except (ValueError, OverflowError, OSError):
            return None

    def whole(self, seconds: int) -> str:
        """Return an instant with its date: `2026-11-23 14:02:10`; elapsed `+0d 06:12:44`."""
        if self.since is not None:
            ahead = seconds - self.since
            return f"{'+' if ahead >= 0 else ''}{elapsed(ahead)}"
        found = self.moment(seconds)
        return f"{seconds} s" if found is None else f"{found:%Y-%m-%d %H:%M:%S}"

    def clock(self, seconds: int) -> str:
        """Return the time of the day: `14:02:10`; elapsed `+6h12m`."""
        if self.since is not None:
            return self._ahead(seconds, self.since)
        found = self.moment(seconds)
        return f"{seconds} s" if found is None else f"{found:%H:%M:%S}"

    def brief(self, seconds: int, now: int) -> str:
        """Return an instant without the date if it is today's: `14:02:10`, `11-24 14:02:10`, `+6h12m`."""
        if self.since is not None:
            return self._ahead(seconds, self.since)
        found, today = self.moment(seconds), self.moment(now)
        if found is None or today is None:
            return f"{seconds} s"
        return f"{found:%H:%M:%S}" if found.date() == today.date() else f"{found:%m-%d %H:%M:%S}"

    def job_at(self, job: str, start: int | None, now: int) -> str:
        """Return a job and its start: `1042 at 14:02:10`; empty for None."""
        return "" if start is None else f"{job} at {self.brief(start, now)}"

    @staticmethod
    def _ahead(seconds: int, since: int) -> str:
        return f"{'+' if seconds >= since else ''}{duration(seconds - since)}"

    def calendar(self, near: int) -> Clock:
        """Return the clock that writes so; the zone of this machine has its offset of `near`."""
        found = self.moment(near)
        zone = self.zone if self.zone is not None or found is None else found.tzinfo
        return Clock(datetime.fromtimestamp(0, zone), calendar=True)

    def zone_name(self, seconds: int) -> str:
        found = self.moment(seconds)
        return "" if found is None else found.tzname() or ""
