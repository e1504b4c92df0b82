"""Every shipped lesson can be solved with two keys a question: a letter, and the key that goes on."""

import pytest

from console.screens.training.drill import DrillScreen
from console.session.training import RIGHT, Lesson, lessons_of, letter_of, open_lesson, read_course
from scenarios import course_folders
from tests.console.operator import Operator, with_first

LESSONS = [lesson for folder in course_folders() for lesson in lessons_of(read_course(folder))]


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda it: f"{it.course.name}/{it.name}")
def test_a_lesson_is_solved_by_keys(lesson: Lesson) -> None:
    """All points, from the first question to the end, with the choices where the seed puts them."""
    screen = DrillScreen(open_lesson(lesson, seed=17))

    async def story(operator: Operator) -> None:
        await operator.press("enter")
        while screen.drill.question is not None:
            made = screen.drill.answer
            await operator.press(letter_of(made.offered.index(made.shown)), "t")
        assert [ended.verdict for ended in screen.ended] == [RIGHT] * len(screen.drill.questions)
        assert all(ended.points == 3 for ended in screen.ended)

    with_first(story, screen)
