"""An exam on the full screen: no way back, no hint, no verdict, a countdown, and every answer in the file."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from shadowtime.console.screens.pages.page import Page
from shadowtime.console.screens.training.drill import DrillScreen
from shadowtime.console.screens.training.exam_sheet import ExamSheet
from shadowtime.console.screens.training.kinds import exam_screen
from shadowtime.console.session.exam.paper import read
from shadowtime.console.session.exam.sitting import Sitting
from shadowtime.console.session.training import letter_of, read_course
from shadowtime.console.widgets.frame.question import QuestionPanel
from tests.amount import every
from tests.commandline import ROOT
from tests.console.operator import Operator, with_first

COURSE = read_course(ROOT / "scenarios" / "courses" / "gang")
BEGIN = datetime(2026, 1, 5, 8, tzinfo=UTC)
SIZES = [(60, 18), (80, 24), (120, 36)]


class Clock:
    """A wall clock that the test moves."""

    def __init__(self) -> None:
        self.now = BEGIN

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A data folder of the test's own; the clock is looked at if the test asks for it alone."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr("shadowtime.console.screens.training.exam_sheet.TICK", 1e6)


def sitting(path: Path, clock: Clock) -> Sitting:
    return Sitting(COURSE, 4, 1200, "kim", path, clock)


def asked(operator: Operator) -> str:
    panel = operator.console.query_one(QuestionPanel)
    return " ".join(" ".join("".join(text for text, _ in line) for line in panel.lines).split())


@pytest.mark.parametrize("size", every(3, SIZES))
def test_a_whole_exam_by_letters(size: tuple[int, int], tmp_path: Path) -> None:
    """Every lesson begins with its story; the right letters earn all points; no verdict is ever shown."""
    path = tmp_path / "kim.json"
    exam = sitting(path, Clock())
    most = exam.paper.questions

    async def story(operator: Operator) -> None:
        done = 0
        while not exam.paper.ended:
            if isinstance(operator.app.screen, Page):
                assert "This is an exam" in " ".join(operator.app.screen.text.split())
                await operator.press("enter")
            drill = exam.drill
            assert drill is not None and f"{done + 1} of {most}" in asked(operator), (done, asked(operator))
            assert "20m00s left" in asked(operator) or "20m left" in asked(operator)
            assert not any(word in operator.text for word in ("RIGHT", "WRONG"))
            assert re.search(r" k leave out +q leave\b", operator.text)
            letter = letter_of(drill.answer.offered.index(drill.answer.shown))
            await operator.press(letter, letter)
            assert len(read(path).answers) == done and f"> {letter}" in asked(operator), "it is marked alone"
            await operator.press("enter")
            done += 1
            assert len(read(path).answers) == done
            if exam.drill not in (None, drill):
                await operator.until(lambda: isinstance(operator.app.screen, Page))
        assert f"kim: {most} of {most} right, {3 * most} points" in operator.text.replace("\n", " ")

    with_first(story, exam_screen(exam), size=size)
    assert read(path).ended and read(path).points == 3 * most


@pytest.mark.proof
def test_nothing_leads_back_and_nothing_helps(tmp_path: Path) -> None:
    """Neither keys, nor typed commands, nor the pages that a drill has."""
    exam = sitting(tmp_path / "kim.json", Clock())

    async def story(operator: Operator) -> None:
        await operator.press("enter")
        here, before = operator.console.snapshot.number, asked(operator)
        for key in (
            "h",
            "o",
            "p",
            "P",
            "n",
            "N",
            "home",
            "end",
            "space",
            "r",
            "g",
            "m",
            "w",
            "equals_sign",
            "D",
        ):
            await operator.press(key)
            assert operator.console.snapshot.number == here and asked(operator) == before, key
            assert isinstance(operator.app.screen, DrillScreen), key
        for line in ("p", "goto 0", "why", "compare fcfs", "train", "open x.toml", "0%"):
            await operator.press("colon")
            await operator.type(line)
            assert operator.console.snapshot.number == here, line
            assert isinstance(operator.app.screen, DrillScreen), line
        await operator.press("escape", "escape")
        assert isinstance(operator.app.screen, DrillScreen) and "time runs on" in operator.message
        await operator.press("enter")
        assert asked(operator) == before and "mark a choice first" in operator.message
        await operator.press("k", "enter")
        assert asked(operator).startswith("QUESTION 2 of") and "asked again" not in operator.text
        assert read(exam.path).answers[0].verdict == "skipped"

    with_first(story, exam_screen(exam))


@pytest.mark.proof
def test_the_countdown_ends_the_exam(tmp_path: Path) -> None:
    """The time left is shown and counts down; when it is up, the exam is handed in, over any page."""
    clock = Clock()
    exam = sitting(tmp_path / "kim.json", clock)

    async def story(operator: Operator) -> None:
        await operator.press("enter", "a", "enter")
        screen = operator.console
        assert isinstance(screen, DrillScreen)
        sheet = screen.asking
        assert isinstance(sheet, ExamSheet)
        clock.now += timedelta(seconds=1150)
        sheet.look_at_clock()
        assert asked(operator).count("50s left") == 1
        await operator.press("question_mark")
        assert "IN AN EXAM" in operator.text and "one event forward" not in operator.text
        clock.now += timedelta(seconds=50)
        sheet.look_at_clock()
        await operator.rest()
        assert "The time is up." in operator.text and exam.paper.ended
        await operator.press("enter")

    with_first(story, exam_screen(exam))
    paper = read(exam.path)
    assert paper.ended and len(paper.answers) == 1


@pytest.mark.proof
def test_a_late_answer_does_not_count(tmp_path: Path) -> None:
    """Between two looks at the clock the time is up: the answer that comes then is not kept."""
    clock = Clock()
    exam = sitting(tmp_path / "kim.json", clock)

    async def story(operator: Operator) -> None:
        await operator.press("enter")
        clock.now += timedelta(seconds=1200)
        await operator.press("a", "enter")
        assert "THE EXAM IS OVER" in operator.text

    with_first(story, exam_screen(exam))
    assert read(exam.path).answers == () and read(exam.path).ended


@pytest.mark.proof
def test_an_answer_that_cannot_be_kept_leaves_the_question_open(tmp_path: Path) -> None:
    """A full disk loses no question: it stays open until its answer is in the file."""
    folder = tmp_path / "results"
    folder.mkdir()
    exam = sitting(folder / "kim.json", Clock())

    async def story(operator: Operator) -> None:
        await operator.press("enter")
        folder.rename(tmp_path / "away")
        await operator.press("a", "enter")
        assert "the question stays open" in operator.message
        assert asked(operator).startswith("QUESTION 1 of")
        (tmp_path / "away").rename(folder)
        await operator.press("a", "enter")
        assert asked(operator).startswith("QUESTION 2 of")

    with_first(story, exam_screen(exam))
    assert len(read(exam.path).answers) == 1
