"""Courses, and what a question may say beside what it asks."""

from pathlib import Path

import pytest

from shadowtime.scenarios import Question, ScenarioError, course_folders, read_course, scenario_files
from tests.scenarios.support import GOOD, Desk

HEAD = 'title = "T"\nabout = """\nOne.\n\nTwo."""\naudience = "all"\n'


def course(folder: Path, text: str, *lessons: str) -> Path:
    """A folder with a course and its lessons."""
    (folder / "course.toml").write_text(text)
    for name in lessons:
        (folder / name).write_text(GOOD)
    return folder


def faults(folder: Path) -> list[str]:
    with pytest.raises(ScenarioError) as caught:
        read_course(folder)
    return [str(fault).replace(f"{folder}/", "") for fault in caught.value.faults]


def test_a_course(tmp_path: Path) -> None:
    """Its lessons are in the order of the list, not of their names; others in the folder are none."""
    folder = course(tmp_path, HEAD + 'lessons = ["b.toml", "a.toml"]\n', "a.toml", "b.toml", "draft.toml")
    read = read_course(folder)
    assert (read.title, read.about, read.audience) == ("T", "One.\n\nTwo.", "all")
    assert read.lessons == (folder / "b.toml", folder / "a.toml")
    assert read.name == tmp_path.name
    assert read_course(folder / "course.toml") == read


def test_every_fault_at_once(tmp_path: Path) -> None:
    folder = course(
        tmp_path,
        'title = ""\nabot = 1\nlessons = ["a.toml",\n  3, "../x.toml", "b.toml", "b.toml"]\n',
        "b.toml",
    )
    assert faults(folder) == [
        "course.toml: the course has no about; expected a text",
        "course.toml: the course has no audience; expected a text",
        'course.toml:1:9: title is ""; expected a text that is not empty',
        "course.toml:2:1: unknown key abot; did you mean about?",
        f'course.toml:3:12: lesson 1 is "a.toml"; there is no such file in {folder}',
        "course.toml:4:3: lesson 2 is 3; expected the name of a scenario file (.toml) in the folder of the"
        " course",
        'course.toml:4:6: lesson 3 is "../x.toml"; expected a file in the folder of the course itself,'
        " without a path",
        'course.toml:4:29: lesson 5 is "b.toml"; it is in the list already; expected each lesson once',
    ]


def test_its_place_in_the_curriculum(tmp_path: Path) -> None:
    """A level, what to take before, and what one can do afterwards; without them it has none of the three."""
    plain = HEAD + 'lessons = ["a.toml"]\n'
    read = read_course(course(tmp_path, plain, "a.toml"))
    assert (read.level, read.needs, read.can) == (None, (), "")
    more = 'level = 0\nneeds = ["one", "one/02-b"]\ncan = " read a map. "\n'
    read = read_course(course(tmp_path, plain + more))
    assert (read.level, read.needs, read.can) == (0, ("one", "one/02-b"), "read a map.")


def test_faults_of_its_place(tmp_path: Path) -> None:
    own = tmp_path.name
    needs = f'needs = ["a/b/c", 3, "one", "one", "{own}/x", "one/a.toml", ".."]\n'
    text = HEAD + 'lessons = ["a.toml"]\nlevel = 7\ncan = " "\n' + needs
    shape = 'expected one of the names of courses, or of lessons as in "backfilling/02-shadow-time"'
    assert faults(course(tmp_path, text, "a.toml")) == [
        "course.toml:8:9: level is 7; expected a whole number from 0 to 6",
        'course.toml:9:7: can is " "; expected a text that is not empty',
        f'course.toml:10:10: need 1 is "a/b/c"; {shape}',
        f"course.toml:10:19: need 2 is 3; {shape}",
        'course.toml:10:29: need 4 is "one"; it is in the list already; expected each once',
        f'course.toml:10:36: need 5 is "{own}/x"; it is the course itself; expected another one',
        f'course.toml:10:{36 + len(own) + 6}: need 6 is "one/a.toml"; {shape}',
        f'course.toml:10:{36 + len(own) + 20}: need 7 is ".."; {shape}',
    ]
    (fault,) = faults(course(tmp_path, HEAD + 'lessons = ["a.toml"]\nneeds = "one"\n'))
    assert "expected a list" in fault


@pytest.mark.parametrize("lessons", ["[]", '"a.toml"', "3"])
def test_lessons_are_a_list_of_names(tmp_path: Path, lessons: str) -> None:
    (fault,) = faults(course(tmp_path, f"{HEAD}lessons = {lessons}\n"))
    assert fault.endswith("expected the names of its scenario files, in their order")


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    """One line says what makes a folder a course."""
    assert faults(tmp_path) == [
        f"{tmp_path}: has no course.toml; expected one with title, about, audience and lessons"
    ]
    gone = tmp_path / "gone"
    assert faults(gone) == [f"{gone}: no such folder; expected one with a course.toml"]


def test_shipped_courses_and_ones_own(tmp_path: Path) -> None:
    """The lessons of the shipped ones are among the shipped scenarios; `course.toml` is none."""
    shipped = course_folders()
    (tmp_path / "mine").mkdir()
    own = course(tmp_path / "mine", HEAD + 'lessons = ["a.toml"]\n', "a.toml")
    assert course_folders(tmp_path) == [*shipped, own]
    assert course_folders(tmp_path / "nowhere") == shipped
    lessons = [lesson for folder in shipped for lesson in read_course(folder).lessons]
    assert set(lessons) <= set(scenario_files())
    assert not any(path.name == "course.toml" for path in scenario_files())


def test_what_a_question_says(desk: Desk) -> None:
    """A tolerance goes with a time; a text and a hint go with every question."""
    text = (
        GOOD
        + '[[question]]\nat = 5\nask = "start_time"\njob = 1\nwithin = "1m"\ntext = "Look."\nhint = "H"\n'
    )
    (question,) = desk.read(text).questions
    assert question == Question(5, "start_time", 1, 60, "Look.", "H")
    assert question.line == 12
    wrong = desk.faults(GOOD + '[[question]]\nat = 5\nask = "next_start"\nwithin = 3\ntext = " "\n')
    assert wrong == [
        "gang.toml:13:1: within does not go with next_start",
        'gang.toml:14:8: text is " "; expected a text that is not empty',
    ]


def test_what_a_question_about_odds_says(desk: Desk) -> None:
    """Which instant, or what is counted; nothing is covered. A request has two to four to choose from."""
    head = GOOD + "[[question]]\nat = 5\n"
    (question,) = desk.read(head + 'ask = "likely_start"\njob = 1\nodds = "late"\n').questions
    assert (question.ask, question.odds, question.covered) == ("likely_start", "late", False)
    (question,) = desk.read(head + 'ask = "request"\njob = 1\namong = ["limit=1h", "size=2"]\n').questions
    assert (question.among, question.by, question.covered) == (("limit=1h", "size=2"), None, True)
    for wrong, place in (
        ('ask = "record"\nodds = "never"\n', "13:8"),
        ('ask = "likely_start"\njob = 1\nodds = "limits"\n', "14:8"),
        ('ask = "free"\nodds = "late"\n', "13:1"),
        ('ask = "request"\njob = 1\namong = ["limit=1h"]\n', "14:9"),
        ('ask = "likely_start"\njob = 1\nodds = "late"\ncovered = true\n', "15:1"),
    ):
        (fault,) = desk.faults(head + wrong)
        assert fault.startswith(f"gang.toml:{place}: "), fault
