"""Places and instants as they are typed: `#1284`, `50%`, `+2h`, `14:30`, `0 06:12:44`, `31 start`, `end`."""

import re

import attrs

from shadowtime.console.session.clock import DATED, ELAPSED, OF_DAY, Clock
from shadowtime.console.session.errors import SessionError
from shadowtime.scenarios import parse_duration

SUBMIT, START, END = MOMENTS = ("submit", "start", "end")
SOMEWHERE = ""
"""The moment of a job that is named alone: its first start, or if it never starts its submission."""
EXPECTED = "#12, 50%, +2h, -30m, 14:30, tomorrow 06:00, YYYY-MM-DD 14:30, 1h30m, job 31, end 31, start or end"
_NAME = r"#?(\d+(?:_(?:\d+|\*))?)"
_JOB = re.compile(rf"(?:job\s+)?{_NAME}\s+({'|'.join(MOMENTS)})", re.I | re.A)
_OF_JOB = re.compile(rf"({'|'.join(MOMENTS)})\s+(?:job\s+)?{_NAME}", re.I | re.A)
_ALONE = re.compile(rf"(?:(job)\s+)?{_NAME}", re.I | re.A)
INSTANT = "14:30, tomorrow 14:30, YYYY-MM-DD 14:30, 1h30m, +2h or now"
"""What `instant_from` takes."""
DEADLINE = f"{INSTANT}, or -1h for an hour before the likely start"


@attrs.frozen
class AtEvent:
    """After so many events."""

    number: int


@attrs.frozen
class AtTime:
    """After the last event that is not later than this instant."""

    time: int


@attrs.frozen
class AtShare:
    """After this share of all events, 0 to 1."""

    share: float


@attrs.frozen
class AtJob:
    """At a job's submission, first start or end, or `SOMEWHERE`."""

    job: str
    """As it is named: `31`; on a cluster also `12_3`, a task of an array, and `12_*`, the first to start."""
    moment: str

    @property
    def id(self) -> int:
        """The number of a job of a scenario. SessionError for a task of an array."""
        return job_id(self.job)


def refuse_beyond(place: "Place", typed: str, number: int, time: int, over: bool) -> None:
    """Refuse a place after the last event of a course that has been gone to it. SessionError."""
    beyond = (isinstance(place, AtEvent) and number < place.number) or (
        isinstance(place, AtTime) and over and time < place.time
    )
    if beyond:
        raise SessionError(f"{typed} is after the last event; expected a time before it, or end")


def job_id(name: str) -> int:
    """Return the number of a job of a scenario. SessionError for a task of an array."""
    if not name.isdecimal() or len(name) > 19:
        raise SessionError(f"there is no job {name[:60]}; expected a number of the column JOB")
    return int(name)


Place = AtEvent | AtTime | AtShare | AtJob
BEGINNING, LAST = AtEvent(0), AtShare(1.0)


def parse_place(text: str, clock: Clock = ELAPSED, here: int = 0) -> Place:
    """Return the place that a text names. SessionError in one line if it names no place.

    `+2h` and `-30m` count from the instant `here`. A number alone is a second; if the clock has an origin,
    it is a job.
    """
    text = text.strip()
    if not text:
        raise SessionError(f"go where? expected one of {EXPECTED}")
    word = text.lower()
    if word in (START, END):
        return BEGINNING if word == START else LAST
    if text.startswith("#"):
        return AtEvent(_natural(text[1:], text))
    if text.endswith("%"):
        return AtShare(_share(text))
    if job := _JOB.fullmatch(text):
        return AtJob(job[1], job[2].lower())
    if job := _OF_JOB.fullmatch(text):
        return AtJob(job[2], job[1].lower())
    job = _ALONE.fullmatch(text)
    if job and (job[1] or "_" in job[2] or clock.origin is not None):
        return AtJob(job[2], SOMEWHERE)
    try:
        if text[:1] in ("+", "-"):
            length = parse_duration(text[1:].strip())
            return AtTime(here + length if text[0] == "+" else here - length)
        return AtTime(clock.parse(text, here))
    except ValueError as error:
        if DATED.fullmatch(text) or OF_DAY.fullmatch(text):
            raise SessionError(str(error)) from None
        raise SessionError(f"{text!r} is no place in time; expected {EXPECTED}") from None


def _natural(digits: str, text: str) -> int:
    digits = digits.replace(",", "").replace("_", "").strip()
    if not (digits.isascii() and digits.isdigit() and len(digits) < 20):
        raise SessionError(f"{text[:60]!r} is no event number; expected # and a whole number, as in #1284")
    return int(digits)


def _share(text: str) -> float:
    try:
        percent = float(text[:-1])
    except ValueError:
        percent = -1.0
    if not 0 <= percent <= 100:
        raise SessionError(f"{text!r} is no share of the events; expected 0% to 100%")
    return percent / 100


def counts_from_a_start(text: str) -> bool:
    """Whether a deadline counts back from the start of the job."""
    return text.strip()[:1] == "-"


def instant_from(text: str, now: int, clock: Clock) -> int | None:
    """Return the second of an instant; None for another text. SessionError: there is no such time."""
    word = text.strip()
    if word == "now":
        return now
    try:
        return now + parse_duration(word[1:].strip()) if word[:1] == "+" else clock.parse(word, now)
    except ValueError as error:
        if DATED.fullmatch(word) or OF_DAY.fullmatch(word):
            raise SessionError(str(error)) from None
        return None


def parse_deadline(text: str, now: int, start: int | None, clock: Clock = ELAPSED) -> int:
    """Return the second of a deadline. SessionError in one line if the text names none.

    `start` is when the job starts without any help, if that is known.
    """
    word = text.strip()
    found = instant_from(word, now, clock)
    if found is not None:
        return found
    try:
        earlier = parse_duration(word[1:].strip()) if counts_from_a_start(word) else None
    except ValueError:
        earlier = None
    if earlier is None:
        raise SessionError(f"{word!r} is no deadline; expected {DEADLINE}")
    if start is None:
        raise SessionError(f"{word!r} is before the start of the job, and it has none; expected a time")
    return max(start - earlier, now)
