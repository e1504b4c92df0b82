"""Drills and exams on a captured cluster: what is covered, what the keys do, and what is kept."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from shadowtime.console.screens.pages.page import Page
from shadowtime.console.screens.training.cluster_drill import ClusterDrillScreen
from shadowtime.console.screens.training.kinds import drill_screen, exam_screen
from shadowtime.console.session.exam.paper import read
from shadowtime.console.session.exam.sitting import Sitting
from shadowtime.console.session.training import (
    SKIPPED,
    WRONG,
    Drill,
    QuestionResult,
    lessons_of,
    letter_of,
    open_lesson,
    read_course,
)
from shadowtime.console.widgets.frame.question import QuestionPanel
from tests.commandline import ROOT
from tests.console.operator import Operator, with_first

COURSE = read_course(ROOT / "scenarios" / "courses" / "slurm")
WHEN = lessons_of(COURSE)[1]
SIZES = [(80, 24), (120, 36)]


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A data folder of the test's own; no clock ticks."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr("shadowtime.console.screens.training.exam_sheet.TICK", 1e6)


def asked(operator: Operator) -> str:
    """What the panel of the question shows."""
    panel = operator.app.screen.query_one(QuestionPanel)
    return " ".join(" ".join("".join(text for text, _ in line) for line in panel.lines).split())


def right(drill: Drill) -> str:
    """The letter of the right choice."""
    return letter_of(drill.answer.offered.index(drill.answer.shown))


@pytest.mark.proof
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_plan_is_covered_until_the_lesson_is_over(size: tuple[int, int]) -> None:
    """Starts, nodes and what Slurm showed; the explanation after a verdict is all there is to see."""
    kept = list[QuestionResult]()
    drill = open_lesson(WHEN, seed=3)

    def keep(verdict: QuestionResult) -> str:
        kept.append(verdict)
        return ""

    screen = drill_screen(drill, keep)
    assert isinstance(screen, ClusterDrillScreen)

    async def story(operator: Operator) -> None:
        assert isinstance(operator.app.screen, Page)
        await operator.press("enter")
        assert "QUESTION 1 of" in asked(operator) and "PLAN  51 covered" in operator.text
        assert screen.current is not None and screen.current.number == drill.question.job  # type: ignore[union-attr]
        assert "22:46:47" not in operator.text.replace(asked(operator), "").split("QUESTION")[0]
        wrong = next(letter for letter in "abcd" if letter != right(drill))
        await operator.press(wrong)
        assert "WRONG, 0 points" in asked(operator) and "PLAN  51 covered" in operator.text
        await operator.press("t", "h", "h")
        assert drill.hints == 2 and sum(f" {letter} " in f" {asked(operator)} " for letter in "abcd") >= 2
        await operator.press("k")
        while drill.question is not None:
            await operator.press(right(drill), "t")
        assert "45 planned" in operator.text and "THE LESSON IS OVER" in asked(operator)
        await operator.press("h")
        assert "DEBRIEF 1 of" in asked(operator)

    with_first(story, screen, size)
    assert [verdict.verdict for verdict in kept[:2]] == [WRONG, SKIPPED]
    assert len(kept) == len(drill.questions) and kept[-1].points == 3


@pytest.mark.proof
def test_letters_that_are_typed_into_a_line_answer_nothing() -> None:
    """A filter and a typed answer are lines; what is no answer leaves the question open."""
    drill = open_lesson(WHEN, seed=3)
    screen = drill_screen(drill)

    async def story(operator: Operator) -> None:
        await operator.press("enter", "slash", *"id=32", "enter")
        assert drill.place == 0 and "id=32: 1" in operator.text
        await operator.press("slash", *"bad", "enter")
        assert drill.place == 0
        await operator.press("escape", "i", *"bcd", "enter")
        assert drill.place == 0 and "is no answer; expected a to d" in operator.text
        await operator.press("i", *"22:46", "enter")
        assert drill.place == 1 and "RIGHT, 3 points" in asked(operator)
        await operator.press("enter")
        assert isinstance(operator.app.screen, Page) and "QUESTION" in operator.text

    with_first(story, screen)


@pytest.mark.proof
def test_a_question_to_review() -> None:
    """Its story says which lesson it is from; after it the screen is left."""
    drill = open_lesson(WHEN, seed=3)
    drill.begin(1, stop=2)
    screen = drill_screen(drill, review="Slurm: when")
    left = list[bool]()

    async def story(operator: Operator) -> None:
        assert "REVIEW  Slurm: when" in operator.text
        await operator.press("enter")
        assert "QUESTION 2 of" in asked(operator)
        await operator.press(right(drill), "t")
        left.append(operator.app.screen is not screen)

    with_first(story, screen)
    assert left == [True] and [verdict.points for verdict in screen.asking.ended] == [3]


@pytest.mark.proof
def test_an_exam_keeps_each_answer_and_shows_no_verdict(tmp_path: Path) -> None:
    """A letter marks, Enter keeps; hints and answers are not to be had, and Esc does not leave."""
    path = tmp_path / "kim.json"
    exam = Sitting(COURSE, 4, 1200, "kim", path, lambda: datetime(2026, 1, 5, 8, tzinfo=UTC))

    async def story(operator: Operator) -> None:
        done = 0
        while not exam.paper.ended:
            if isinstance(operator.app.screen, Page):
                await operator.press("enter")
            drill = exam.drill
            assert drill is not None and f"{done + 1} of {exam.paper.questions}" in asked(operator)
            if done == 0:
                await operator.press("h", "o", "escape")
                assert drill.hints == 0 and "time runs on" in operator.text and drill.question is not None
            await operator.press(right(drill))
            assert f"> {right(drill)}" in asked(operator) and len(read(path).answers) == done
            await operator.press("enter")
            done += 1
            assert len(read(path).answers) == done and "RIGHT" not in operator.text
            if exam.drill not in (None, drill):
                await operator.until(lambda: isinstance(operator.app.screen, Page))
        assert f"{done} of {done} right" in operator.text.replace("\n", " ")

    with_first(story, exam_screen(exam))
