"""The result file of an exam: one JSON object with a checksum, whole on the disk after every answer.

A new version is forced to the disk and put in the place of the file: whenever the process is killed, the
file is the one before or after an answer. A new file is for its owner's eyes alone, since it has the answers.
The checksum finds damage and edits; it is no signature, for whoever has this program can compute another one.
"""

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import attrs

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.exam.forms import FORMS
from shadowtime.console.session.files.kinds import made_of
from shadowtime.console.session.files.writers import written_whole
from shadowtime.scenarios.text.gate import plain_json

FORMAT, EARLIER = "shadowtime exam 4", ("shadowtime exam 3", "shadowtime exam 2")
"""The first field of a file; the number is the version. Version 3 has no mark and no form, version 2 no
values of answers either."""

CERTIFICATE = "shadowtime certificate 1"
"""The first field of a certificate."""


class PaperError(SessionError):
    """Result files that cannot be used: for each a line that names it."""

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines


@attrs.frozen
class Given:
    """One answer of an exam."""

    lesson: str
    """The stem of the lesson's file."""
    question: int
    """Its place in the lesson, from 1."""
    ask: str
    at: int
    """The instant of the question, in seconds of the scenario's clock."""
    job: int | None
    given: str
    """The answer as it was typed; empty if the question was skipped."""
    verdict: str
    """right, wrong, skipped."""
    points: int
    seconds: int
    """From when it was asked until it was answered."""
    value: str = ""
    """The answer as JSON, whatever the order of the choices was; empty if the question was skipped.

    Answers in a file of the version before have none.
    """


@attrs.frozen
class Paper:
    """An exam of one trainee, as far as it has come."""

    course: str
    """Its title."""
    digest: str
    """SHA-256 of the course and its lessons."""
    seed: int
    operator: str
    limit: int
    """Seconds."""
    begun: str
    """The wall clock, in UTC, as ISO 8601."""
    questions: int
    answers: tuple[Given, ...] = ()
    ended: bool = False
    """Whether the trainee handed it in, or the time was up."""
    sign: str = ""
    """Drawn when it began: two trainees of one account who begin in the same second take two exams."""
    mark: int = 0
    """The points with which it is passed; 0 if it has too few questions to be passed."""
    form: str = ""
    """pre or post: which half of the questions it asks; empty for all."""

    @property
    def key(self) -> tuple[str, str, int, str, str]:
        """What makes it the same exam: the trainee, the course, the seed, when it began, and its sign."""
        return (self.operator, self.digest, self.seed, self.begun, self.sign)

    @property
    def sheet(self) -> tuple[str, str, int, str]:
        """The trainee, and what settles the questions."""
        return (self.operator, self.digest, self.seed, self.form)

    @property
    def begins(self) -> datetime:
        return datetime.fromisoformat(self.begun)

    @property
    def answers_end(self) -> datetime:
        """When the last answer was given, if there was no break."""
        return self.begins + timedelta(seconds=sum(it.seconds for it in self.answers))

    @property
    def points(self) -> int:
        return sum(it.points for it in self.answers)

    @property
    def passed(self) -> bool:
        """Whether it was handed in with the points that it takes to pass."""
        return self.ended and 0 < self.mark <= self.points


def save(path: Path, paper: Paper) -> None:
    """Write a paper in place of the one before. PaperError if it cannot be written."""
    try:
        with written_whole(path, private=True) as stream:
            stream.write(json_text(fields_of(paper)))
    except OSError as error:
        raise PaperError(f"{path}: {(error.strerror or str(error)).lower()}") from error


def read(path: Path) -> Paper:
    """Return the paper in a file. PaperError in one line if it is no exam, is damaged, or was changed."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise PaperError(f"{path}: {(error.strerror or str(error)).lower()}") from error
    except UnicodeDecodeError:
        raise PaperError(f"{path}: it is no text; expected the result file of an exam") from None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise PaperError(f"{path}: it is damaged; expected the result file of an exam") from None
    if not isinstance(found, dict) or found.get("format") not in (FORMAT, *EARLIER):
        if isinstance(found, dict) and found.get("format") == CERTIFICATE:
            raise PaperError(f"{path}: it is a certificate; leave it out, and give the result that it is of")
        raise PaperError(f"{path}: it is no result of an exam; expected a file with the format {FORMAT!r}")
    if found.get("checksum") != checksum(found):
        raise PaperError(f"{path}: it was changed after the exam: its checksum does not agree")
    try:
        return _paper(found)
    except (KeyError, TypeError, ValueError, OverflowError):
        raise PaperError(f"{path}: fields are missing or of another kind; expected {FORMAT!r}") from None


def fields_of(paper: Paper) -> dict[str, Any]:
    """Return what stands in the file of a paper, its checksum last."""
    fields: dict[str, Any] = {"format": FORMAT, **attrs.asdict(paper)}
    return {**fields, "checksum": checksum(fields)}


def json_text(fields: Mapping[str, Any]) -> str:
    """Return the text of a file with these fields."""
    return plain_json(json.dumps(fields, indent=1, ensure_ascii=False)) + "\n"


def checksum(fields: dict[str, Any]) -> str:
    """Return the SHA-256 of fields, that of the checksum left out."""
    plain = {name: value for name, value in fields.items() if name != "checksum"}
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()


def _paper(found: dict[str, Any]) -> Paper:
    """A paper from its fields; KeyError, TypeError, ValueError, OverflowError where they are others."""
    if found["format"] in EARLIER:
        found = {**found, "mark": 0, "form": ""}
    values = {it.name: found[it.name] for it in attrs.fields(Paper)}
    values["answers"] = tuple(made_of(Given, {"value": "", **it}) for it in values["answers"])
    paper = made_of(Paper, values)
    # The time is up, and the last answer was given, at instants that there are.
    ends = (paper.begins + timedelta(seconds=paper.limit), paper.answers_end)
    spent = (it.seconds for it in paper.answers)
    if any(it.tzinfo is None for it in ends) or min(paper.questions, *spent, 0) < 0:
        raise ValueError
    if paper.form not in ("", *FORMS):
        raise ValueError
    return paper
