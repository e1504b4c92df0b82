"""What a course needs: other courses or lessons of them, found by name, on no higher level, in no circle."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from shadowtime.scenarios import Course
from shadowtime.scenarios.errors import nearest
from shadowtime.scenarios.text.paths import Path


def found(need: str, known: Mapping[str, Course]) -> bool:
    """Whether a need is a course in `known` (by the names of their folders), or a lesson of one."""
    name, _, lesson = need.partition("/")
    course = known.get(name)
    return course is not None and (not lesson or lesson in {path.stem for path in course.lessons})


def by_name(*groups: Sequence[Course]) -> dict[str, Course]:
    """Courses by the names of their folders; the first of a name counts."""
    named: dict[str, Course] = {}
    for course in chain(*groups):
        named.setdefault(course.name, course)
    return named


def needs_faults(course: Course, known: Mapping[str, Course]) -> Iterator[tuple[Path, str]]:
    """Yield what is wrong with the needs of a course: the place in `course.toml`, and a line."""
    for place, need in enumerate(course.needs):
        path: Path = ("needs", place)
        other = known.get(need.partition("/")[0])
        if other is None or not found(need, known):
            yield path, f"it needs {need}; there is no such course or lesson{_meant(need, known)}"
        elif course.level is not None and (other.level or 0) > course.level:
            yield path, f"it needs {need} of level {other.level}; expected level {course.level} or lower"
    if course.name in _all_needs(course, known):
        yield ("needs",), "it needs itself, by way of its needs; expected no circle"


def _meant(need: str, known: Mapping[str, Course]) -> str:
    """The course or the lesson that a name resembles: `; did you mean two?`, or nothing."""
    name, _, lesson = need.partition("/")
    lessons = [f"{it.name}/{path.stem}" for it in known.values() for path in it.lessons]
    if name in known:
        lessons = [it for it in lessons if it.startswith(f"{name}/")]
    close = nearest(need, lessons if lesson else known)
    return f"; did you mean {close}?" if close else ""


def _all_needs(course: Course, known: Mapping[str, Course]) -> set[str]:
    """The names of all courses that a course needs, directly or by way of others."""
    seen, open_ones = set[str](), [course]
    while open_ones:
        for need in open_ones.pop().needs:
            name = need.partition("/")[0]
            if name not in seen:
                seen.add(name)
                open_ones += [known[name]] if name in known else []
    return seen
