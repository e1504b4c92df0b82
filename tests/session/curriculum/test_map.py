"""The map of the courses: what is passed, needed first, suggested; identical copies."""

from pathlib import Path

import pytest

from shadowtime.console.session.curriculum.map import Mapped, map_of, suggested
from shadowtime.console.session.training import (
    Course,
    Lesson,
    LessonStanding,
    courses,
    key_of,
    own_courses,
    read_course,
)
from tests.commandline import ROOT

SHIPPED = ROOT / "scenarios" / "courses"


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A data folder of the test's own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def course(name: str, level: int | None, *needs: str) -> Course:
    return Course(Path("/c") / name, name.title(), "A", "B", (), level, needs)


def taught(*known: Course, **points: tuple[int, ...]) -> dict[str, Mapped]:
    """The map of courses with one lesson `l` of two questions each; `points` of the questions answered."""
    lessons = {it: (Lesson(it, it.folder / "l.toml", 1, "L", "", 2),) for it in known}
    standings = {
        it: {"l": LessonStanding(dict(enumerate(points[it.name], 1)))} if it.name in points else {}
        for it in known
    }
    return {it.course.name: it for it in map_of(known, lessons, standings)}


def test_passed_needs_all_questions_and_two_thirds_of_the_points() -> None:
    known = (course("b", 1, "a"), course("a", 0), course("own", None), course("c", 2, "b/l", "gone"))
    found = taught(*known, a=(3, 1), b=(3,), own=(3, 0))
    assert list(found) == ["a", "b", "c", "own"], "by levels, those without one last"
    assert [found[it].passed for it in "abc"] == [True, False, False] and not found["own"].passed
    assert found["b"].ready and not found["c"].ready
    assert [(it.title, it.passed) for it in found["c"].needs] == [("B, L", False)], "what is gone is left out"
    assert (found["a"].points, found["a"].most, found["a"].answered) == (4, 6, 2)


def test_what_is_suggested() -> None:
    """A course that is begun; else the first that is ready; nothing if all are passed."""
    known = (course("a", 0), course("b", 1, "a"), course("c", 1))

    def name(**points: tuple[int, ...]) -> str | None:
        it = suggested(taught(*known, **points).values())
        return None if it is None else it.course.name

    assert name() == "a"
    assert name(c=(3,)) == "c"
    assert name(a=(3, 3)) == "b"
    assert name(a=(3, 3), b=(3, 3), c=(3, 3)) is None


def test_an_identical_copy_is_one_course(tmp_path: Path) -> None:
    """On the shelf it is there once; answers in it are kept under the first. A changed copy is its own."""
    copy = own_courses() / "mine"
    copy.mkdir(parents=True)
    for path in (SHIPPED / "gang").glob("*.toml"):
        (copy / path.name).write_bytes(path.read_bytes())
    assert [it.folder for it in courses().courses if it.title.startswith("Gang")] == [SHIPPED / "gang"]
    assert key_of(read_course(copy)) == "gang"
    (copy / "course.toml").write_text((copy / "course.toml").read_text() + "# another\n")
    assert copy in [it.folder for it in courses().courses]
    assert key_of(read_course(copy)) == str(copy)
