"""The map of the courses: their levels, what each needs, how far a trainee is, what to take next."""

from collections.abc import Iterable, Mapping, Sequence

import attrs

from shadowtime.console.session.training import POINTS, Course, Lesson, LessonStanding

LEVELS = (
    "Reading the screens",
    "FCFS, EASY, and the odds of a start",
    "Conservative backfilling and slack",
    "Orders, estimates, priorities",
    "Failures and maintenance",
    "Gang scheduling",
    "The T3D",
)
"""What each level is about, from 0."""
PASSED = (2, 3)
"""A course, or a lesson, is passed with this share of its points."""


@attrs.frozen
class Requirement:
    """What a course needs, and whether the trainee has passed it."""

    name: str
    """The folder of a course, or `folder/lesson`."""
    title: str
    passed: bool


@attrs.frozen
class Mapped:
    """A course on the map."""

    course: Course
    lessons: tuple[Lesson, ...]
    standings: Mapping[str, LessonStanding]
    """How far the trainee is, by the lesson's name."""
    needs: tuple[Requirement, ...] = ()

    @property
    def points(self) -> int:
        return sum(it.points for it in self.standings.values())

    @property
    def most(self) -> int:
        """The points that can be earned in all its lessons."""
        return POINTS * sum(lesson.questions for lesson in self.lessons)

    @property
    def answered(self) -> int:
        return sum(len(it.best) for it in self.standings.values())

    @property
    def passed(self) -> bool:
        """Whether every lesson was taken to its end, with two thirds of the points of the course."""
        whole = all(_taken(lesson, self.standings) for lesson in self.lessons)
        return bool(self.lessons) and whole and _enough(self.points, self.most)

    @property
    def ready(self) -> bool:
        """Whether all that it needs was passed."""
        return all(need.passed for need in self.needs)


def map_of(
    courses: Sequence[Course],
    lessons: Mapping[Course, tuple[Lesson, ...]],
    standings: Mapping[Course, Mapping[str, LessonStanding]],
) -> tuple[Mapped, ...]:
    """Return the map in the order of its levels; courses without a level come last.

    A need that no course meets is left out: `shadowtime check` reports it.
    """
    # Lessons that were removed from a course, or belong to another version of it, count for nothing.
    plain = {
        course: Mapped(
            course,
            lessons[course],
            {it.name: standings[course][it.name] for it in lessons[course] if it.name in standings[course]},
        )
        for course in courses
    }
    named: dict[str, Mapped] = {}
    for it in plain.values():
        named.setdefault(it.course.name, it)
    found = [attrs.evolve(it, needs=tuple(_needs(it.course, named))) for it in plain.values()]
    return tuple(sorted(found, key=lambda it: (it.course.level is None, it.course.level or 0)))


def suggested(courses: Iterable[Mapped]) -> Mapped | None:
    """Return the course to go on with: one that is begun, else the first on the map that is ready."""
    open_ones = [it for it in courses if not it.passed and it.most]
    begun = (it for it in open_ones if it.answered)
    return next(begun, next((it for it in open_ones if it.ready), None))


def lesson_passed(lesson: Lesson, standings: Mapping[str, LessonStanding]) -> bool:
    """Whether all questions of a lesson were answered, with two thirds of its points."""
    standing = standings.get(lesson.name)
    if standing is None or not _taken(lesson, standings):
        return False
    return _enough(standing.points, POINTS * lesson.questions)


def _needs(course: Course, named: Mapping[str, Mapped]) -> Iterable[Requirement]:
    for name in course.needs:
        folder, _, stem = name.partition("/")
        other = named.get(folder)
        if other is None:
            continue
        if not stem:
            yield Requirement(name, other.course.title, other.passed)
            continue
        lesson = next((it for it in other.lessons if it.name == stem), None)
        if lesson is not None:
            passed = lesson_passed(lesson, other.standings)
            yield Requirement(name, f"{other.course.title}, {lesson.title}", passed)


def _taken(lesson: Lesson, standings: Mapping[str, LessonStanding]) -> bool:
    standing = standings.get(lesson.name)
    return standing is not None and len(standing.best) >= lesson.questions


def _enough(points: int, most: int) -> bool:
    return points * PASSED[1] >= most * PASSED[0]
