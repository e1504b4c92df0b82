"""A trainee at the console: opens lessons where they were left, keeps each answer, finds what is due."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from random import randrange

import attrs

from shadowtime.console.session.curriculum.map import Mapped, map_of
from shadowtime.console.session.curriculum.review import Missed, Place, missed, of_question
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.shift import MOST, Score
from shadowtime.console.session.training import (
    RIGHT,
    WRONG,
    Course,
    Drill,
    Lesson,
    LessonStanding,
    Progress,
    ProgressError,
    QuestionResult,
    Record,
    asked_of,
    courses,
    digest_of,
    hint_of,
    key_of,
    lessons_of,
    moment_now,
    open_lesson,
    operator_name,
    progress_file,
    read_course,
    record_of,
)
from shadowtime.console.session.training.examples import Examples
from shadowtime.console.session.training.progress import UNANSWERED
from shadowtime.console.session.training.questions.drawing import DIFFICULTIES
from shadowtime.scenarios import ScenarioError

SHIFTS = "shifts"
"""What the scores of shifts are kept under, in place of a course."""
LEVELS = tuple(level for level in DIFFICULTIES if level)
"""The difficulties of drawn questions, the lowest first."""


@attrs.frozen
class Due:
    """A question to review, with the lesson that asks it."""

    lesson: Lesson
    missed: Missed


class Trainee:
    """One trainee and the progress of this trainee; `fault` says why it cannot be read or kept.

    Without `progress` it is that of the user's data folder.
    """

    def __init__(self, progress: Progress | None = None, name: str = "") -> None:
        self.progress = Progress(progress_file()) if progress is None else progress
        self.name = name or operator_name()
        self.fault = ""

    def standings(self, course: Course) -> Mapping[str, LessonStanding]:
        """Return how far the trainee is in each lesson of a course; nothing if that cannot be read."""
        return self.standings_under(key_of(course))

    def standings_under(self, key: str) -> Mapping[str, LessonStanding]:
        """The same of what is kept under a key: a course, the tour, a kind of shift."""
        try:
            return self.progress.standing(self.name, key)
        except ProgressError as error:
            self.fault = str(error)
            return {}

    def map(self, taught: Sequence[Course]) -> tuple[Mapped, ...]:
        """Return the map of some courses; what they need may be any course there is."""
        others = courses().courses if any(course.needs for course in taught) else ()
        known = tuple(dict.fromkeys((*taught, *others)))
        lessons = {course: lessons_of(course) for course in known}
        found = map_of(known, lessons, {course: self.standings(course) for course in known})
        return tuple(it for it in found if it.course in taught)

    def open(self, lesson: Lesson, seed: int | None = None) -> Drill:
        """Return the drill of a lesson, at its first question that was not answered.

        Without a seed, what is drawn is as difficult as the trainee has earned.

        ScenarioError, SessionError: what is wrong with the lesson.
        """
        chosen = randrange(1 << 31) if seed is None else seed
        drill = open_lesson(lesson, chosen, levels=None if seed is not None else self._levels(lesson))
        standing = self.standings(lesson.course).get(lesson.name, LessonStanding({}))
        place = standing.begins_at(len(drill.questions))
        drill.begin(place, standing.hints.get(place + 1, 0))
        drill.known = frozenset(self._known(lesson, drill))
        return drill

    def examples(self, lesson: Lesson) -> Examples:
        """Return the worked examples of a lesson: of kinds that were not answered in its course before."""
        known = {it.ask for it in self._given(lesson) if it.verdict not in UNANSWERED}
        return Examples(lesson, known, randrange(1 << 31))

    def _given(self, lesson: Lesson) -> list[Record]:
        """What the trainee has answered in the course of a lesson."""
        key = key_of(lesson.course)
        return [it for it in self._records() if it.course == key]

    def _records(self) -> Sequence[Record]:
        """All that the trainee has answered; nothing if that cannot be read."""
        try:
            return self.progress.records(self.name)
        except ProgressError as error:
            self.fault = str(error)
            return ()

    def _levels(self, lesson: Lesson) -> Mapping[str, str]:
        """The difficulty that each kind of question of a lesson has reached: a right answer raises it."""
        found: dict[str, int] = {}
        for it in self._given(lesson):
            if it.lesson == lesson.name and it.verdict not in UNANSWERED:
                step = 1 if it.verdict == RIGHT and not it.hints else -1
                found[it.ask] = min(max(found.get(it.ask, 0) + step, 0), len(LEVELS) - 1)
        return {ask: LEVELS[level] for ask, level in found.items()}

    def _known(self, lesson: Lesson, drill: Drill) -> Iterator[int]:
        """The places of the questions of a lesson that were missed, and are not due for review yet."""
        key, given = key_of(lesson.course), self._given(lesson)
        # A question that another seed has drawn is another question.
        boxes = missed(
            (it for it in given if it.lesson == lesson.name),
            lambda it: (key, lesson.name, 0 if lesson.drawn else it.question, it.ask + it.asked),
        )
        early = {it.place for it in boxes if it.box == 1 and it.due > date.today()}
        for place, question in enumerate(drill.questions):
            asked = question.ask + asked_of(lesson, question)
            if (key, lesson.name, 0 if lesson.drawn else place + 1, asked) in early:
                yield place

    def keep(self, record: Record) -> str:
        """Keep an answer; return why it cannot be kept, or nothing."""
        try:
            self.progress.save(record)
        except ProgressError as error:
            return str(error)
        return ""

    def keep_verdict(self, lesson: Lesson, ended: QuestionResult) -> str:
        return self.keep(record_of(lesson, self.name, moment_now(), ended))

    def keep_hint(self, lesson: Lesson, drill: Drill) -> str:
        """Keep a hint: leaving the lesson gives none back."""
        return self.keep(hint_of(lesson, self.name, moment_now(), drill))

    def keep_shift(self, shift: str, score: Score) -> str:
        """Keep the score of a shift, by its name."""
        share, verdict = f"{score.share:.3f}", RIGHT if score.points else WRONG
        record = Record(
            self.name, moment_now(), SHIFTS, shift, 1, "shift", verdict, share, points=score.points, most=MOST
        )
        return self.keep(record)

    # Review.

    def missed(self) -> tuple[Due, ...]:
        """Return what was missed and is not learnt, the earliest due first, across all courses.

        A course that is gone, or a question that is another one now, is left out; identical copies of a
        course are one.
        """
        records = self._records()
        known = _courses_by_key({record.course for record in records})
        lessons = {
            (key, lesson.name): lesson for key, course in known.items() for lesson in lessons_of(course)
        }
        canonical = _canonical(known)

        def place_of(record: Record) -> Place | None:
            key = canonical.get(record.course, "")
            lesson = lessons.get((key, record.lesson))
            if lesson is None or not (lesson.drawn or record.question <= lesson.questions):
                return None
            return of_question(attrs.evolve(record, course=key), lesson.drawn)

        return tuple(Due(lessons[it.course, it.lesson], it) for it in missed(records, place_of))

    def due(self, today: date | None = None) -> tuple[Due, ...]:
        day = date.today() if today is None else today
        return tuple(it for it in self.missed() if it.missed.due <= day)

    def open_due(self, asked: Due, seed: int | None = None) -> Drill:
        """Return a drill that asks one question to review, and no other.

        SessionError if the lesson has no such question any more.
        """
        drill = open_lesson(asked.lesson, randrange(1 << 31) if seed is None else seed)
        kinds = [question.ask for question in drill.questions]
        place = asked.missed.question - 1
        if asked.lesson.drawn:
            place = kinds.index(asked.missed.ask) if asked.missed.ask in kinds else -1
        if not 0 <= place < len(kinds) or kinds[place] != asked.missed.ask:
            raise SessionError(f"{asked.lesson.path}: the question that was missed is another one now")
        drill.begin(place, stop=place + 1)
        return drill


def _courses_by_key(keys: set[str]) -> Mapping[str, Course]:
    """The courses that answers are kept under, by their keys: those on the shelf, and folders elsewhere."""
    found = {key_of(course): course for course in courses().courses}
    for key in sorted(keys - set(found)):
        if Path(key).is_absolute() and Path(key).is_dir():
            try:
                found[key] = read_course(key)
            except ScenarioError:
                continue
    return found


def _canonical(known: Mapping[str, Course]) -> Mapping[str, str]:
    """For each key the first key of an identical course."""
    firsts: dict[str, str] = {}
    return {key: firsts.setdefault(digest_of(course), key) for key, course in known.items()}
