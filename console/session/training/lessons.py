"""The courses there are, and the lessons in them; a course that cannot be read is reported, not hidden."""

import hashlib
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import attrs

from shadowtime.console.session.case import Case, load
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.training.curriculum import by_name
from shadowtime.console.session.training.drawing import Seed
from shadowtime.console.session.training.drill import Drill, QuestionResult, answers_of
from shadowtime.console.session.training.facts import POINTS, Answer
from shadowtime.console.session.training.progress import HINTED, Record
from shadowtime.scenarios import (
    Course,
    Fault,
    Question,
    ScenarioError,
    course_folders,
    read_course,
    read_head,
    user_folder,
)
from shadowtime.scenarios.courses import named_lessons
from shadowtime.scenarios.library import COURSE_FILE
from shadowtime.scenarios.slurm.scenario import is_capture


@attrs.frozen
class Lesson:
    """One scenario of a course: what it says of itself, and its place, from 1."""

    course: Course
    path: Path
    place: int
    title: str
    about: str
    questions: int = 0
    drawn: bool = False
    """Whether a seed draws questions: then no question is asked twice."""

    @property
    def name(self) -> str:
        """What its answers are kept under."""
        return self.path.stem


@attrs.frozen
class Shelf:
    """The courses that can be taken, and the faults of those that cannot."""

    courses: tuple[Course, ...]
    faults: tuple[str, ...]


def own_courses() -> Path:
    """Return the folder where courses of one's own are found by themselves."""
    return user_folder() / "courses"


def progress_file() -> Path:
    """Return the file of progress, in the user's data folder."""
    return user_folder() / "training.sqlite3"


def courses() -> Shelf:
    """Return the shipped courses, then the user's own; of identical ones only the first."""
    shelf, firsts = _shelf(course_folders(own_courses())), dict[str, Course]()
    for course in shelf.courses:
        firsts.setdefault(digest_of(course), course)
    return attrs.evolve(shelf, courses=tuple(firsts.values()))


def around(course: Course) -> dict[str, Course]:
    """Return the courses that a course may need, by name: those beside it, the shipped, the own."""
    beside = sorted(path.parent for path in course.folder.parent.glob(f"*/{COURSE_FILE}"))
    return by_name((course,), _shelf(beside).courses, courses().courses)


def open_course(path: Path | str) -> Course:
    """Return the course in a folder. ScenarioError carries all faults of `course.toml`.

    If it has some, those of its lessons come with them.
    """
    try:
        return read_course(path)
    except ScenarioError as error:
        folder = Path(path).parent if Path(path).name == COURSE_FILE else Path(path)
        faults = list(error.faults)
        for lesson in named_lessons(folder) if (folder / COURSE_FILE).is_file() else ():
            try:
                load(lesson)
            except ScenarioError as other:
                faults += other.faults
        raise ScenarioError(faults) from None


def _shelf(folders: Iterable[Path]) -> Shelf:
    found, faults = [], []
    for folder in folders:
        try:
            found.append(read_course(folder))
        except ScenarioError as error:
            faults += [str(fault) for fault in error.faults]
    return Shelf(tuple(found), tuple(faults))


def key_of(course: Course) -> str:
    """Return what a course's answers are kept under: its name if it is shipped, else its whole path.

    An identical copy of a course that is shipped, or of one of the user's own, has that one's.
    """
    shipped = course_folders()
    if course.folder in shipped:
        return course.name
    digest = digest_of(course)
    same = next((it for it in courses().courses if digest_of(it) == digest), course)
    return same.name if same.folder in shipped else os.path.realpath(same.folder)


def lessons_of(course: Course) -> tuple[Lesson, ...]:
    """Return the lessons of a course in their order; only their heads are read."""
    heads = ((path, read_head(path)) for path in course.lessons)
    return tuple(
        Lesson(course, path, place, head.title, head.about, head.questions, head.drawn)
        for place, (path, head) in enumerate(heads, 1)
    )


def open_lesson(
    lesson: Lesson, seed: Seed = 0, for_two: bool = False, levels: Mapping[str, str] | None = None
) -> Drill:
    """Return the drill of a lesson; `for_two`: with questions for two forms of an exam.

    `levels` is the difficulty of what is drawn, by the kind of question.

    ScenarioError, SessionError: what is wrong with it.
    """
    return Drill(load(lesson.path), seed, for_two=for_two, levels=levels)


def record_of(lesson: Lesson, operator: str, moment: str, ended: QuestionResult) -> Record:
    """Return how a question ended, as it is kept; `moment` is the wall clock in UTC, as ISO 8601."""
    return _record(
        lesson, operator, moment, ended.place, ended.answer, verdict=ended.verdict, given=ended.typed,
        hints=ended.hints, points=ended.points, value=ended.value, seconds=ended.seconds,
    )  # fmt: skip


def hint_of(lesson: Lesson, operator: str, moment: str, drill: Drill) -> Record:
    """Return the hints taken for the open question, as they are kept."""
    return _record(lesson, operator, moment, drill.place, drill.answer, verdict=HINTED, hints=drill.hints)


def _record(
    lesson: Lesson, operator: str, moment: str, place: int, made: Answer, *, verdict: str, **ended: Any
) -> Record:
    question = made.question
    return Record(
        operator, moment, key_of(lesson.course), lesson.name, place + 1, question.ask, verdict,
        most=POINTS, asked=asked_of(lesson, question), **ended,
    )  # fmt: skip


def asked_of(lesson: Lesson, question: Question) -> str:
    """Return what makes a drawn question the same question: instant, job, action; empty for others."""
    job = "" if question.job is None else question.job
    return f"{question.at} {job}{question.do and f' {question.do}'}" if lesson.drawn else ""


def sheet(
    course: Course, seed: Seed = 0, for_two: bool = False
) -> tuple[tuple[Lesson, Case, tuple[Answer, ...]], ...]:
    """Return every question of a course with its computed answer; `for_two` as in `open_lesson`.

    ScenarioError carries the faults of all lessons, a question without an answer among them.
    """
    found, faults = [], list[Fault]()
    for lesson in lessons_of(course):
        try:
            case = load(lesson.path)
            found.append((lesson, case, answers_of(case, seed, for_two)))
        except ScenarioError as error:
            faults += error.faults
        except SessionError as error:
            faults.append(Fault("", None, None, str(error)))
    if faults:
        raise ScenarioError(faults)
    return tuple(found)


def digest_of(course: Course) -> str:
    """Return the SHA-256 of a course: of `course.toml` and its lessons with their names, in their order.

    The files of captured clusters in the folder count, too.
    """
    total = hashlib.sha256()
    for path in files_of(course):
        text = path.read_bytes()
        total.update(f"{path.name} {len(text)}\n".encode())
        total.update(text)
    return total.hexdigest()


def files_of(course: Course) -> list[Path]:
    """Return `course.toml`, the lessons, and the files of the captured clusters in the folder."""
    folders = (path for path in sorted(course.folder.iterdir()) if is_capture(path))
    captured = (file for folder in folders for file in sorted(folder.iterdir()) if file.is_file())
    return [course.folder / COURSE_FILE, *course.lessons, *captured]
