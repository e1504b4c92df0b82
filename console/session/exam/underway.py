"""The exams under way on this machine: while one is open, nothing here answers its questions.

A note in the user's data folder names each exam that has begun: its file, when its time is up, and the
lessons it asks, by their content. It goes when the exam is handed in; after its time is up it counts for
nothing. It keeps a trainee from drills, answer sheets and reviews of the same lessons in another window. It
cannot keep anybody from another account, another machine, or from removing the note.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

import attrs

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.exam.paper import Paper
from shadowtime.console.session.files.kinds import made_of
from shadowtime.console.session.files.writers import written_whole
from shadowtime.scenarios import Course, user_folder


@attrs.frozen
class Underway:
    """An exam that has begun and is not over."""

    file: str
    """The result file, in full."""
    course: str
    """The title of the course."""
    until: str
    """When the time is up, in UTC, as ISO 8601."""
    lessons: tuple[str, ...]
    """The SHA-256 of each lesson."""


class ExamOpenError(SessionError):
    """An exam of these lessons is open: one line that names it."""


def lesson_digests(course: Course) -> tuple[str, ...]:
    """Return the SHA-256 of each lesson of a course, but of those that cannot be read."""
    return tuple(found for path in course.lessons if (found := _digest(path)))


def note(course: Course, paper: Paper, path: Path) -> None:
    """Note that an exam is open. A data folder that cannot be written is no reason to stop an exam."""
    until = datetime.fromisoformat(paper.begun) + timedelta(seconds=paper.limit)
    file = os.path.realpath(path)
    known = Underway(file, course.title, until.isoformat(timespec="seconds"), lesson_digests(course))
    with suppress(OSError), written_whole(_place(path), private=True, folders=True) as stream:
        stream.write(json.dumps(attrs.asdict(known)) + "\n")


def forget(path: Path) -> None:
    """The exam in this file is over."""
    with suppress(OSError):
        _place(path).unlink(missing_ok=True)


def refuse_while_open(courses: Iterable[Course], now: datetime) -> None:
    """Raise ExamOpenError if an exam under way asks a lesson of one of these courses."""
    open_ones = tuple(_open(now))
    for course in courses if open_ones else ():
        for exam in _asking(course, open_ones):
            raise _still_open(course, exam, "an exam with these lessons")


def refuse_second(course: Course, path: Path, now: datetime) -> None:
    """Raise ExamOpenError if an exam of these lessons is under way in another file than `path`."""
    for exam in _asking(course, tuple(_open(now))):
        if exam.file != os.path.realpath(path):
            raise _still_open(course, exam, "an exam of it")


def _asking(course: Course, open_ones: Iterable[Underway]) -> Iterator[Underway]:
    """Yield the exams that ask a lesson of a course."""
    asked = set(lesson_digests(course))
    return (exam for exam in open_ones if asked & set(exam.lessons))


def _still_open(course: Course, exam: Underway, what: str) -> ExamOpenError:
    until = datetime.fromisoformat(exam.until)
    return ExamOpenError(
        f"{course.title}: {what} is open until {until:%H:%M:%S} UTC ({exam.file});"
        " expected it to be handed in first"
    )


def _open(now: datetime) -> Iterator[Underway]:
    """Yield the exams that are open; a note that cannot be read counts as no exam."""
    for path in sorted(_folder().glob("*.json")):
        with suppress(OSError, ValueError, TypeError, KeyError, RecursionError):
            found = json.loads(path.read_text(encoding="utf-8"))
            exam = made_of(Underway, {**found, "lessons": tuple(map(str, found["lessons"]))})
            # What was moved or removed cannot be gone on with.
            if datetime.fromisoformat(exam.until) > now and Path(exam.file).exists():
                yield exam


def _folder() -> Path:
    return user_folder() / "exams"


def _place(path: Path) -> Path:
    return _folder() / f"{hashlib.sha256(os.fsencode(os.path.realpath(path))).hexdigest()[:24]}.json"


def _digest(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""
