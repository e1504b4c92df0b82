"""The clock: how instants are written and read, as seconds since the beginning or by the calendar."""

import re
from datetime import UTC, datetime, timedelta, tzinfo

import attrs

from shadowtime.scenarios import nearest, parse_time

DAY, HOUR, MINUTE = 86_400, 3_600, 60
KINDS = ("elapsed", "calendar")
"""How instants can be written."""
DATED = re.compile(
    r"(?P<date>\d{4}-\d{1,2}-\d{1,2})(?:[ T]+(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second>\d\d))?)?",
    re.ASCII,
)
"""A date, and a time of day, which is midnight if it is left out."""
OF_DAY = re.compile(
    r"(?:(?P<tomorrow>tomorrow)\s+|(?P<month>\d{1,2})-(?P<day>\d{1,2})[ T]+)?"
    r"(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second>\d\d))?",
    re.ASCII,
)
"""A time of the day without a year: `14:30`, `tomorrow 14:30`, `11-24 14:30`."""
DATED_EXPECTED = "YYYY-MM-DD HH:MM:SS"
NO_EPOCH = (
    "the calendar is not known here: a log gives it as UnixStartTime, a scenario as epoch of its machine"
)


def zone_named(kind: str) -> tzinfo:
    """Return the time zone of a name. ValueError in one line if it is neither one nor a kind of clock."""
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError  # few ask for a zone, and all read this module

    try:
        return ZoneInfo(kind)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        close = nearest(kind, KINDS)
        raise ValueError(
            f"there is no clock {kind!r}; "
            + (f"did you mean {close}?" if close else f"expected {', '.join(KINDS)} or a time zone")
        ) from None


def elapsed(seconds: int) -> str:
    """An instant of the scenario: `0d 06:12:44`; before second 0 with a minus in front."""
    sign, seconds = ("-", -seconds) if seconds < 0 else ("", seconds)
    days, rest = divmod(seconds, DAY)
    return f"{sign}{days}d {rest // HOUR:02}:{rest % HOUR // MINUTE:02}:{rest % MINUTE:02}"


def same_day(text: str, before: str) -> str:
    """Return an instant as text, without its day if that is the day of the one before: `06:12:44`."""
    day, _, of_day = text.rpartition(" ")
    return of_day if day and before.startswith(f"{day} ") else text


@attrs.frozen
class Clock:
    """How instants are written: `0d 06:12:44`, or by the calendar `2000-06-01 14:00:00`.

    `epoch` is the calendar time of second 0, in a time zone or of a place without one; None if nobody knows.
    Everything else stays in seconds.
    """

    epoch: datetime | None = None
    calendar: bool = False
    yearless: bool = False
    """Whether a calendar time is written without its year, where there is little room."""
    today: int | None = None
    """The second on whose day a calendar time is written without its date."""
    origin: int | None = None
    """The second from which elapsed time counts if only the calendar is written; None for second 0."""

    @property
    def kind(self) -> str:
        """Which of `KINDS` is written."""
        return KINDS[self.dated]

    @property
    def dated(self) -> bool:
        return self.calendar and self.epoch is not None

    def turned(self, kind: str) -> "Clock":
        """Return the clock of a kind, or by the calendar of a time zone.

        ValueError if there is no such kind and no such zone, or no calendar.
        """
        if kind == KINDS[0]:
            return attrs.evolve(self, calendar=False)
        zone = None if kind == KINDS[1] else zone_named(kind)
        if self.epoch is None:
            raise ValueError(NO_EPOCH)
        if zone is None:
            return attrs.evolve(self, calendar=True)
        if self.epoch.tzinfo is None:
            raise ValueError(f"the calendar here is that of a place without a zone: not one of {kind}")
        return attrs.evolve(self, calendar=True, epoch=self.epoch.astimezone(zone))

    def format(self, seconds: int) -> str:
        """Return an instant as text; one beyond the calendar is written as elapsed."""
        if self.calendar and self.epoch is not None:
            try:
                moment = self._moment(self.epoch, seconds)
                if self.today is not None and moment.date() == self._moment(self.epoch, self.today).date():
                    return f"{moment:%H:%M:%S}"
                text = moment.strftime("%Y-%m-%d %H:%M:%S").rjust(19, "0")
                return text[len("2000-") :] if self.yearless else text
            except (OverflowError, ValueError):
                pass
        return elapsed(seconds)

    def brief(self, seconds: int) -> str:
        """Return the same without the year, for the scale of a chart."""
        text = self.format(seconds)
        return text[len("2000-") :] if DATED.fullmatch(text) else text

    def minute(self, seconds: int) -> str:
        """Return the nearest minute without the year: `0d 06:13`, `06-01 14:00`."""
        return self.brief(seconds + MINUTE // 2)[: -len(":00")]

    def parse(self, text: str, here: int = 0) -> int:
        """Return the second of an instant in any notation. ValueError in one line if it is none.

        A time of the day without a date is the first one at or after `here`, or after the origin if the clock
        has one; a date without a year is of the same year.
        `06:12:44` is elapsed time unless instants are written by the calendar.
        """
        word = text.strip()
        found, of_day = DATED.fullmatch(word), OF_DAY.fullmatch(word)
        try:
            if found is not None:
                return self._second(None, found, word)
            if of_day is None or not (self.dated or of_day["month"] or of_day["second"] is None):
                return (self.origin or 0) + parse_time(text)
            if not (self.dated or of_day["month"]):
                return parse_time(f"{1 if of_day['tomorrow'] else 0} {word.split()[-1]}:00")
            return self._next(of_day, word, here)
        except OverflowError:
            raise self._unknown(word) from None

    def _second(self, day: datetime | None, found: re.Match[str], word: str) -> int:
        """Return the second of a time of a day, by default of the day that is found with it."""
        if self.epoch is None:
            raise ValueError(f"{word!r} is a calendar time, and {NO_EPOCH}")
        try:
            hour, minute, second = (int(found[part] or 0) for part in ("hour", "minute", "second"))
            moment = (day or datetime.strptime(found["date"], "%Y-%m-%d")).replace(
                hour=hour, minute=minute, second=second, microsecond=0, tzinfo=self.epoch.tzinfo, fold=0
            )
            return round((self._plain(moment) - self._plain(self.epoch)).total_seconds())
        except ValueError:
            raise self._unknown(word) from None

    @staticmethod
    def _unknown(word: str) -> ValueError:
        return ValueError(f"{word!r} is no time of the calendar; expected {DATED_EXPECTED}")

    def _next(self, found: re.Match[str], word: str, here: int) -> int:
        """Return the second of a time of the day with less than a date."""
        if self.epoch is None:
            return self._second(datetime.min, found, word)
        begin = here if self.origin is None else self.origin
        day = self._moment(self.epoch, begin)
        if found["month"]:
            try:
                day = day.replace(month=int(found["month"]), day=int(found["day"]))
            except ValueError:
                raise self._unknown(word) from None
        elif found["tomorrow"] or self._second(day, found, word) < begin:
            day += timedelta(days=1)
        return self._second(day, found, word)

    @property
    def since_midnight(self) -> int:
        """The seconds between the midnight before second 0 and second 0: 0 if instants count from there."""
        if not self.calendar or self.epoch is None:
            return 0
        return self.epoch.hour * HOUR + self.epoch.minute * MINUTE + self.epoch.second

    @property
    def described(self) -> str:
        if self.epoch is None:
            return f"instants are written as elapsed time; {NO_EPOCH}"
        zone = self.epoch.tzname()
        begin = attrs.evolve(self, calendar=True).format(0) + (f" {zone}" if zone else "")
        how = "by the calendar" if self.dated else "as elapsed time"
        return f"instants are written {how}; second 0 is {begin}"

    @staticmethod
    def _plain(moment: datetime) -> datetime:
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)

    def _moment(self, epoch: datetime, seconds: int) -> datetime:
        later = self._plain(epoch) + timedelta(seconds=seconds)
        return later if epoch.tzinfo is None else later.astimezone(epoch.tzinfo)


class _Here(tzinfo):
    """The time zone of this machine, with its summer time."""

    def utcoffset(self, moment: datetime | None) -> timedelta | None:
        return None if moment is None else moment.replace(tzinfo=None).astimezone().utcoffset()

    def dst(self, moment: datetime | None) -> timedelta | None:
        return None

    def tzname(self, moment: datetime | None) -> str | None:
        return None if moment is None else moment.replace(tzinfo=None).astimezone().tzname()

    def fromutc(self, moment: datetime) -> datetime:
        return datetime.fromtimestamp(moment.replace(tzinfo=UTC).timestamp()).replace(tzinfo=self)


def dated_clock(zone: tzinfo | None = None, origin: int | None = None) -> Clock:
    """Return the clock of seconds since 1970 in a zone, by default that of this machine."""
    return Clock(datetime.fromtimestamp(0, zone or _Here()), calendar=True, origin=origin)


ELAPSED = Clock()
"""The clock of a course of which nobody knows the calendar time."""
