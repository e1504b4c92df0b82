"""Every shipped lesson can be solved with two keys a question: a letter, and the key that goes on."""

from io import StringIO
from pathlib import Path

import pytest

from shadowtime.console.drills.asking import Practice
from shadowtime.console.screens.training.kinds import drill_screen
from shadowtime.console.session.curriculum import Trainee
from shadowtime.console.session.training import (
    RIGHT,
    Answer,
    Progress,
    lessons_of,
    letter_of,
    open_lesson,
    read_course,
)
from shadowtime.scenarios import course_folders
from tests.amount import every
from tests.console.operator import Operator, with_first

LESSONS = [lesson for folder in course_folders() for lesson in lessons_of(read_course(folder))]


SIZES = ((120, 36), (80, 24))
"""Each lesson is solved on one of them, the next on the other; in the long tests the other way round."""


@pytest.mark.parametrize("turn", [0, pytest.param(1, marks=pytest.mark.proof)])
@pytest.mark.parametrize(
    "place", every(20, range(len(LESSONS))), ids=lambda it: f"{LESSONS[it].course.name}/{LESSONS[it].name}"
)
def test_a_lesson_is_solved_by_keys(place: int, turn: int) -> None:
    """All points, from the first question to the end, with the choices where the seed puts them."""
    lesson = LESSONS[place]
    screen = drill_screen(open_lesson(lesson, seed=17))

    async def story(operator: Operator) -> None:
        await operator.press("enter")
        while screen.drill.question is not None:
            made = screen.drill.answer
            await operator.press(letter_of(made.offered.index(made.shown)), "t")
        assert [ended.verdict for ended in screen.ended] == [RIGHT] * len(screen.drill.questions)
        assert all(ended.points == 3 for ended in screen.ended)

    with_first(story, screen, SIZES[(place + turn) % 2])


@pytest.mark.parametrize("folder", every(6, course_folders()), ids=lambda it: it.name)
def test_a_course_is_solved_in_lines(folder: Path, tmp_path: Path) -> None:
    """Every question of every lesson, with the letters of the right choices: all points."""
    course, said = read_course(folder), list[str]()
    letters = [
        letter_of(made.offered.index(made.shown))
        for lesson in lessons_of(course)
        for made in open_lesson(lesson, seed=17).answers
        if isinstance(made, Answer)
    ]
    source = StringIO("".join(f"{letter}\n" for letter in letters))
    trainee = Trainee(Progress(tmp_path / "training.sqlite3"))
    Practice(trainee, source, said.append).course(course, 17)
    assert sum(line.startswith("RIGHT, 3 points of 3") for line in said) == len(letters)
    assert sum(line.startswith("THE LESSON IS OVER") for line in said) == len(course.lessons)
