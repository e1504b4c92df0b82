"""Breakpoints of a stepped cluster, as they are typed: `start 31`, `closes batch`, `reservation`."""

import re
from collections.abc import Callable, Mapping

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.slurm.moments import SINGLE, Happening, Moment
from shadowtime.console.session.travel.breakpoints import Point
from shadowtime.scenarios.errors import shown

Wanted = Callable[[Moment], bool]
EXPECTED = "start 31, end 31, job 31, closes batch, reservation course, start, end, cycle, pass, preempt"
_JOB = re.compile(r"\d{1,9}(?:_(?:\d{1,9}|\*))?", re.ASCII)
_WORD = re.compile(r"(\w+)(?:\s+(\S+))?", re.ASCII)
PREEMPTING = frozenset((Happening.SUSPEND, Happening.REQUEUE, Happening.CANCEL))


Stop = Point[Wanted]
"""A breakpoint of a stepped cluster."""


def parse_stop(text: str) -> Stop:
    """Return the breakpoint that a text names. SessionError in one line if it names none."""
    found = _WORD.fullmatch(" ".join(text.split()))
    if found is None or found[1] not in _KINDS:
        raise SessionError(f"{shown(text)} is no breakpoint; expected {EXPECTED}")
    word, subject = found[1], found[2] or ""
    if (subject or word == "job") and word in ("start", "end", "job") and not _JOB.fullmatch(subject):
        raise SessionError(f"{shown(text)} names no job; expected {word} 31")
    if subject and word not in ("start", "end", "job", "closes", "reservation"):
        raise SessionError(f"{word} stands alone; {shown(subject)} is too much")
    kind = _KINDS[word]
    return Stop(f"{word} {subject}".rstrip(), lambda moment: kind(moment, subject))


def _is_job(name: str, subject: str) -> bool:
    """Whether a job is the one that is named, or a task of it."""
    return not subject or name == subject or name.partition("_")[0] == subject.removesuffix("_*")


def _starts(moment: Moment, subject: str) -> bool:
    return any(_is_job(name, subject) for each in moment.started for name in (each.job, each.waited_as))


def _ends(moment: Moment, subject: str) -> bool:
    return moment.what is Happening.END and any(_is_job(name, subject) for name in moment.subjects)


def _touches(moment: Moment, subject: str) -> bool:
    alone = moment.what in SINGLE and any(_is_job(name, subject) for name in moment.subjects)
    return alone or _starts(moment, subject)


def _closes(moment: Moment, subject: str) -> bool:
    return any(not subject or name == subject for name, _ in moment.closed)


def _reservation(moment: Moment, subject: str) -> bool:
    return moment.what is Happening.RESERVATION and (not subject or subject in moment.subjects)


_KINDS: Mapping[str, Callable[[Moment, str], bool]] = {
    "start": _starts,
    "end": _ends,
    "job": _touches,
    "closes": _closes,
    "reservation": _reservation,
    "submission": lambda moment, _: moment.what is Happening.SUBMISSION,
    "cycle": lambda moment, _: moment.what is Happening.BACKFILL,
    "pass": lambda moment, _: moment.what is Happening.MAIN_PASS,
    "preempt": lambda moment, _: moment.what in PREEMPTING,
}
