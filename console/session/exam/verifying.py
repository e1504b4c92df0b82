"""Whether a result agrees with its course, and the certificate of an exam that was passed."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from shadowtime.console.session.exam.forms import left_out, mark_of, seed_of
from shadowtime.console.session.exam.paper import (
    CERTIFICATE,
    Given,
    Paper,
    PaperError,
    checksum,
    fields_of,
    json_text,
)
from shadowtime.console.session.files.writers import written_whole
from shadowtime.console.session.training import (
    POINTS,
    RIGHT,
    Answer,
    Course,
    digest_of,
    lessons_of,
    open_lesson,
)

STATED = ("operator", "course", "digest", "seed", "form", "begun", "mark")
"""What a certificate repeats of a result."""
MALFORMED = object()
"""What stands for a value that cannot be read: no answer, and not nobody."""


def verify(course: Course, paper: Paper, path: Path) -> None:
    """Compute every answer of an exam anew. PaperError: what in the file at `path` does not agree."""
    if paper.digest != digest_of(course):
        raise PaperError(
            f"{path}: it belongs to another course, {paper.course!r}; expected the folder of that"
        )
    lessons = lessons_of(course)
    seed, form = seed_of(paper.seed, paper.form), paper.form
    drills = [open_lesson(lesson, seed, bool(form)) for lesson in lessons]
    omitted = left_out([it.answers for it in drills], paper.seed, form)
    asked = dict[tuple[str, int], Answer]()
    for lesson, drill, gone in zip(lessons, drills, omitted, strict=True):
        asked |= {
            (lesson.name, at + 1): it
            for at, it in enumerate(drill.answers)
            if isinstance(it, Answer) and at not in gone
        }
    if paper.mark != mark_of(1 / len(it.offered) for it in asked.values()) or paper.questions != len(asked):
        raise PaperError(f"{path}: its mark or its number of questions is not that of the course")
    for given in paper.answers:
        made = asked.pop((given.lesson, given.question), None)
        if made is None or not _agrees(given, made):
            where = f"question {given.question} of {given.lesson}"
            raise PaperError(f"{path}: {where} does not agree with the course; expected the file of an exam")


def _agrees(given: Given, made: Answer) -> bool:
    """Whether an answer was judged as it is judged now."""
    right = bool(given.value) and made.holds(_value(given.value))
    points = POINTS if right else 0
    return (given.verdict == RIGHT, given.points, given.ask) == (right, points, made.question.ask)


def _value(text: str) -> Any:
    """The value of an answer: an event, which is a pair, is a list in a file."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return MALFORMED
    return tuple(found) if isinstance(found, list) else found


def certificate(paper: Paper) -> dict[str, Any]:
    """Return the certificate of an exam. PaperError if it was not passed, or not handed in yet."""
    if not paper.ended:
        raise PaperError(
            f"{paper.operator} has not handed in {paper.course!r} yet: {len(paper.answers)} of"
            f" {paper.questions} asked; the command that began it goes on"
        )
    if not paper.passed:
        wanted = f"expected {paper.mark} points" if paper.mark else "it has too few questions to be passed"
        raise PaperError(
            f"{paper.operator} has not passed {paper.course!r} with {paper.points} points; {wanted}"
        )
    result = fields_of(paper)
    fields = {"format": CERTIFICATE, **{name: result[name] for name in STATED}}
    fields |= {"points": paper.points, "most": POINTS * paper.questions, "result": result["checksum"]}
    return {**fields, "checksum": checksum(fields)}


def save_certificate(path: Path, fields: Mapping[str, Any]) -> None:
    """Write a certificate. Raises OSError."""
    with written_whole(path) as stream:
        stream.write(json_text(fields))


def read_certificate(path: Path) -> dict[str, Any] | None:
    """Return what a certificate states; None for a file of another format.

    PaperError: it was changed, or fields are missing.
    """
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise PaperError(f"{path}: {(error.strerror or str(error)).lower()}") from error
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or found.get("format") != CERTIFICATE:
        return None
    if found.get("checksum") != checksum(found):
        raise PaperError(f"{path}: it was changed: its checksum does not agree")
    if missing := {*STATED, "points", "most", "result"} - found.keys():
        raise PaperError(f"{path}: it has no {min(missing)}; expected {CERTIFICATE!r}")
    return found
