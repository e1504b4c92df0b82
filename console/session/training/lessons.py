"""The courses there are, and the lessons in them; a course that cannot be read is reported, not hidden."""

from pathlib import Path

import attrs

from console.session.case import Case, load
from console.session.errors import SessionError
from console.session.training.drill import Drill, Verdict, answers_of
from console.session.training.facts import POINTS, Answer
from console.session.training.progress import HINTED, Record
from scenarios import (
    Course,
    Fault,
    ScenarioError,
    course_folders,
    read_course,
    read_head,
    scenario_files,
    user_folder,
)

MANUAL, INCIDENTS = "manual", "incidents"
"""The kinds of shifts, as they are kept: by hand (the policy's name), and in incidents (the folder's)."""
BY_HAND = ("04-nobody-protected", "06-busy-morning", "dilemma")
"""The shipped scenarios that are scheduled by hand, by their stems."""


@attrs.frozen
class Lesson:
    """One scenario of a course: what it says of itself, and its place, from 1."""

    course: Course
    path: Path
    place: int
    title: str
    about: str

    @property
    def name(self) -> str:
        """What its answers are kept under."""
        return self.path.stem


@attrs.frozen
class Shelf:
    """The courses that can be taken, and the faults of those that cannot."""

    courses: tuple[Course, ...]
    faults: tuple[str, ...]


@attrs.frozen
class Shift:
    """A scenario that the operator sees through: by hand, or in an incident."""

    kind: str
    path: Path
    title: str
    about: str

    @property
    def name(self) -> str:
        """What its score is kept under."""
        return self.path.stem


def shifts(kind: str) -> tuple[Shift, ...]:
    """Return the shipped shifts of a kind; only their heads are read."""
    heads = map(read_head, shift_files(kind))
    return tuple(Shift(kind, head.path, head.title.lstrip("0123456789. "), head.about) for head in heads)


def shift_files(kind: str) -> list[Path]:
    """Return the shipped scenarios of a kind of shift."""
    found = {path.stem: path for path in scenario_files()}
    if kind == MANUAL:
        return [found[name] for name in BY_HAND]
    return [path for path in found.values() if path.parent.name == INCIDENTS]


def own_courses() -> Path:
    """Return the folder where courses of one's own are found by themselves."""
    return user_folder() / "courses"


def progress_file() -> Path:
    """Return the file of progress, in the user's data folder."""
    return user_folder() / "training.sqlite3"


def courses() -> Shelf:
    """Return the shipped courses, then the user's own."""
    found, faults = [], []
    for folder in course_folders(own_courses()):
        try:
            found.append(read_course(folder))
        except ScenarioError as error:
            faults += [str(fault) for fault in error.faults]
    return Shelf(tuple(found), tuple(faults))


def key_of(course: Course) -> str:
    """Return what a course's answers are kept under: its name if it is shipped, else its whole path."""
    return course.name if course.folder in course_folders() else str(course.folder.resolve())


def lessons_of(course: Course) -> tuple[Lesson, ...]:
    """Return the lessons of a course in their order; only their heads are read."""
    heads = ((path, read_head(path)) for path in course.lessons)
    return tuple(
        Lesson(course, path, place, head.title, head.about) for place, (path, head) in enumerate(heads, 1)
    )


def open_lesson(lesson: Lesson, seed: int = 0) -> Drill:
    """Return the drill of a lesson. ScenarioError, SessionError: what is wrong with it."""
    return Drill(load(lesson.path), seed)


def record_of(lesson: Lesson, operator: str, moment: str, ended: Verdict) -> Record:
    """Return how a question ended, as it is kept; `moment` is the wall clock in UTC, as ISO 8601."""
    return Record(
        operator=operator,
        moment=moment,
        course=key_of(lesson.course),
        lesson=lesson.name,
        question=ended.place + 1,
        ask=ended.answer.question.ask,
        verdict=ended.verdict,
        given=ended.typed,
        hints=ended.hints,
        points=ended.points,
        most=POINTS,
    )


def hint_of(lesson: Lesson, operator: str, moment: str, drill: Drill) -> Record:
    """Return the hints taken for the open question, as they are kept."""
    return Record(
        operator=operator,
        moment=moment,
        course=key_of(lesson.course),
        lesson=lesson.name,
        question=drill.place + 1,
        ask=drill.answer.question.ask,
        verdict=HINTED,
        hints=drill.hints,
        most=POINTS,
    )


def sheet(course: Course, seed: int = 0) -> tuple[tuple[Lesson, Case, tuple[Answer, ...]], ...]:
    """Return every question of a course with its computed answer.

    ScenarioError carries the faults of all lessons, a question without an answer among them.
    """
    found, faults = [], list[Fault]()
    for lesson in lessons_of(course):
        try:
            case = load(lesson.path)
            found.append((lesson, case, answers_of(case, seed)))
        except ScenarioError as error:
            faults += error.faults
        except SessionError as error:
            faults.append(Fault("", None, None, str(error)))
    if faults:
        raise ScenarioError(faults)
    return tuple(found)
