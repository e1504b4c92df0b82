"""Running a course ahead, a piece at a time, until what a place needs is known."""

from collections.abc import Callable, Iterator

from shadowtime.console.session.course.course import Course
from shadowtime.console.session.course.pace import Pace


def ahead(course: Course, known: Callable[[], bool]) -> Iterator[int]:
    """Step on until something is known, or as far as steps lead; yield the event after each piece."""
    pace = Pace()
    while not known() and not course.over:
        moved = course.step(pace.begin())
        pace.end()
        yield course.number
        if not moved:
            return
