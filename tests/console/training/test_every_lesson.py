"""Every shipped lesson can be solved with two keys a question: a letter, and the key that goes on."""

from io import StringIO
from pathlib import Path

import pytest

from shadowtime.console.drills.asking import Practice
from shadowtime.console.screens.training.kinds import drill_screen
from shadowtime.console.session import SessionError
from shadowtime.console.session.curriculum.trainee import Trainee
from shadowtime.console.session.training import (
    GIVEN_UP,
    HINTS,
    KINDS,
    RIGHT,
    SKIPPED,
    Answer,
    Drill,
    Lesson,
    Progress,
    QuestionResult,
    lessons_of,
    letter_of,
    open_lesson,
    read_course,
)
from shadowtime.console.widgets.asked import text
from shadowtime.console.widgets.frame import question
from shadowtime.console.widgets.frame.ink import width_of
from shadowtime.console.words import unit_of
from shadowtime.scenarios import course_folders
from tests.amount import every
from tests.console.operator import Operator, with_first

LESSONS = [lesson for folder in course_folders() for lesson in lessons_of(read_course(folder))]


SIZES = ((120, 36), (80, 24), (60, 18))
"""Each lesson is solved on one of them, the next on another."""


@pytest.mark.parametrize(
    "place", every(20, range(len(LESSONS))), ids=lambda it: f"{LESSONS[it].course.name}/{LESSONS[it].name}"
)
def test_a_lesson_is_solved_by_keys(place: int) -> None:
    """All points, from the first question to the end, with the choices where the seed puts them."""
    lesson = LESSONS[place]
    screen = drill_screen(open_lesson(lesson, seed=17))

    async def story(operator: Operator) -> None:
        await operator.press("enter")
        while screen.drill.question is not None:
            made = screen.drill.answer
            await operator.press(letter_of(made.offered.index(made.shown)), "t")
        assert [ended.verdict for ended in screen.asking.ended] == [RIGHT] * len(screen.drill.questions)
        assert all(ended.points == 3 for ended in screen.asking.ended)

    with_first(story, screen, SIZES[place % len(SIZES)])


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


WORDS = (
    *"abcdefgh",
    *(
        "never",
        "nobody",
        "none",
        "nothing",
        "-",
        "0",
        "1",
        "17",
        "999999",
        "job 1",
        "1h",
        "1,2",
        "0-3",
        "100 %",
    ),
)
"""What is typed as an answer, whether it is one or not, beside asking for the answer and skipping."""


def _drawn(drill: Drill, place: int, hints: int, word: str) -> QuestionResult | None:
    """End a question in one way, and draw all that is shown of it; None if the word is no answer to it."""
    unit = unit_of(drill.session.case.scenario.machine)
    drill.begin(place)
    drill.go_on()
    for _ in range(min(hints, drill.most_hints)):
        drill.hint()
    assert list(text.question_lines(drill, unit)) and question.question_lines(drill, 78, unit)
    try:
        ended = {"show": drill.give_up, "skip": drill.skip}.get(word, lambda: drill.give(word))()
    except SessionError:
        return None
    assert list(text.verdict_lines(ended, unit)) and question.verdict_lines(drill, ended, 78, unit)
    assert question.debrief_lines(drill, place, ended, 78, unit)
    return ended


def test_each_kind_of_question_can_be_given_up_and_skipped() -> None:
    """The first of each kind in the courses, after each number of hints."""
    firsts: dict[str, tuple[Drill, int]] = {}
    for lesson in LESSONS:
        drill = open_lesson(lesson, seed=17)
        for place, it in enumerate(drill.questions):
            firsts.setdefault(it.ask, (drill, place))
    assert firsts.keys() == KINDS.keys()
    for drill, place in firsts.values():
        for hints in range(HINTS + 1):
            for word, verdict in (("show", GIVEN_UP), ("skip", SKIPPED)):
                ended = _drawn(drill, place, hints, word)
                assert ended is not None and ended.verdict == verdict and ended.points == 0


@pytest.mark.proof
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda it: f"{it.course.name}/{it.name}")
def test_every_word_can_be_given_to_every_question(lesson: Lesson) -> None:
    """Each word ends the question, or is refused in one line; then the end of the lesson can be shown."""
    drill = open_lesson(lesson, seed=17)
    unit = unit_of(drill.session.case.scenario.machine)
    ended = []
    for place in range(len(drill.questions)):
        for hints in range(HINTS + 1):
            found = [_drawn(drill, place, hints, word) for word in ("skip", *WORDS, "show")]
            assert found[0] is not None and found[-1] is not None
        ended.append(found[-1])
    assert list(text.end_lines(drill, 0, len(ended), unit))
    assert question.end_lines(drill, [it for it in ended if it is not None], [("t", "key")], 78, unit)


@pytest.mark.proof
def test_every_choice_has_room_on_the_smallest_screen() -> None:
    """Under the panels: the question without its text, all choices, and the keys; nothing is wider."""
    width, height = 60, 18
    for lesson in LESSONS:
        drill = open_lesson(lesson, seed=17)
        screen, unit = drill_screen(drill), unit_of(drill.session.case.scenario.machine)
        for place in range(len(drill.questions)):
            drill.begin(place)
            lines = question.question_lines(drill, width - 2, unit, tight=True)
            assert len(lines) < height - screen.taken[1], (lesson.path, place)
            assert all(width_of(line) <= width - 2 for line in lines)
