"""Places in time as they are typed: `#1284`, `0 06:12:44`, `2000-06-01 14:00`, `50%`, `31 start`."""

import re

import attrs

from shadowtime.console.session.clock import DATED, ELAPSED, Clock
from shadowtime.console.session.errors import SessionError

MOMENTS = ("submit", "start", "end")
SOMEWHERE = ""
"""The moment of a job that is named alone: its first start, or if it never starts its submission."""
JOB = re.compile(r"(?:job\s+)?(\d+)\s+([a-z]+)", re.IGNORECASE)
ALONE = re.compile(r"job\s+#?(\d+)", re.IGNORECASE)


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

    job: int
    moment: str


Place = AtEvent | AtTime | AtShare | AtJob


def parse_place(text: str, clock: Clock = ELAPSED) -> Place:
    """Return the place that a text names. SessionError in one line if it names no place.

    A time of the calendar is read if the clock knows it.
    """
    text = text.strip()
    if text.startswith("#"):
        return AtEvent(_natural(text[1:], text))
    if text.endswith("%"):
        return AtShare(_share(text))
    job = JOB.fullmatch(text)
    if job is not None and job.group(2).lower() in MOMENTS:
        return AtJob(int(job.group(1)), job.group(2).lower())
    alone = ALONE.fullmatch(text)
    if alone is not None:
        return AtJob(int(alone.group(1)), SOMEWHERE)
    try:
        return AtTime(clock.parse(text))
    except ValueError as error:
        if DATED.fullmatch(text):
            raise SessionError(str(error)) from None
        raise SessionError(
            f"{text!r} is no place in time; expected #EVENT, a time such as 0 06:12:44, a percentage, "
            "job JOB, or a job with submit, start or end"
        ) from None


def _natural(digits: str, text: str) -> int:
    digits = digits.replace(",", "").replace("_", "").strip()
    if not (digits.isascii() and digits.isdigit()):
        raise SessionError(f"{text!r} is no event number; expected # and a whole number, as in #1284")
    return int(digits)


def _share(text: str) -> float:
    try:
        percent = float(text[:-1])
    except ValueError:
        percent = -1.0
    if not 0 <= percent <= 100:
        raise SessionError(f"{text!r} is no share of the events; expected 0% to 100%")
    return percent / 100
