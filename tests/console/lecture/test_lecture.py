"""A lecture: stages in their order, hands counted by letters, nothing kept, readable on every screen."""

from pathlib import Path

import pytest

from shadowtime.console.lecture.screen import LectureScreen, question_screen
from shadowtime.console.lecture.text import GLYPHS, HEIGHT, large, lecture_lines, unit_of
from shadowtime.console.screens.training.asking import QuestionScreen
from shadowtime.console.session import SessionError
from shadowtime.console.session.curriculum.lecture import Counted, Lecture, Stage
from shadowtime.console.session.training import progress_file, read_course
from shadowtime.console.widgets.asked.text import HEADS
from shadowtime.console.widgets.frame.ink import plain, width_of
from shadowtime.console.words import training
from tests.commandline import ROOT, Shadowtime
from tests.console.operator import Operator, with_first

COURSE = read_course(ROOT / "scenarios" / "courses" / "gang")


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A data folder of the test's own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


@pytest.mark.proof
@pytest.mark.parametrize("size", [(60, 18), (80, 24), (120, 36)])
def test_a_question_before_a_class(size: tuple[int, int]) -> None:
    """Story, question without choices, choices and hands, answer with the share that was right."""
    lecture = Lecture(COURSE, 3)

    def stage() -> Stage:
        return lecture.stage

    async def story(operator: Operator) -> None:
        assert stage() == Stage.STORY
        await operator.press("a", "space")
        assert stage() == Stage.PREDICT and "Predict" in operator.text
        choices = [training.choice("state", value, unit_of(lecture)) for value in lecture.made.offered]
        assert not any(choice in operator.text for choice in choices)
        await operator.press("a", "space")
        assert stage() == Stage.HANDS and not lecture.hands
        for choice in choices:
            assert choice.split()[-1] in operator.text
        right = lecture.right
        wrong = next(letter for letter in lecture.letters if letter != right)
        await operator.press(
            "3", "backspace", "1", "3", "backspace", "2", right, wrong, wrong, wrong, "9", wrong, wrong
        )
        assert lecture.hands == {right: 12, wrong: 10} and lecture.total == 22
        assert "right" not in operator.text
        await operator.press("space")
        assert "12 of 22 hands right, 54 %" in operator.text and lecture.counted == [
            Counted(lecture.lesson.title, 1, 12, 22)
        ]
        await operator.press("a", "space")
        assert lecture.hands == {} and lecture.place == 1 and stage() == Stage.PREDICT
        await operator.press("o")
        assert operator.app.screen is not board and board.lecture.place == 1
        await operator.press("k", "q")
        await operator.press("p")
        assert operator.app.screen is board and lecture.total == 22 and stage() == Stage.ANSWER
        await operator.press("p", "p", "g", "2", ".", "9", "9", "backspace", "backspace", "2", "enter")
        assert (lecture.number, lecture.place, stage()) == (1, 1, Stage.PREDICT)
        await operator.press("g", "9")
        assert "go to 9_" in operator.text
        await operator.press("escape")
        assert "go to" not in operator.text
        await operator.press("g", "9", "9", "enter")
        assert (lecture.number, lecture.place) == (1, 1) and "no lesson 99;" in operator.text

    board = LectureScreen(lecture)
    with_first(story, board, size=size)
    assert not progress_file().exists()


def test_every_stage_of_every_question_fits_its_width() -> None:
    """No line is wider than the screen; after the last question the hands of all of them."""
    lecture = Lecture(COURSE, 1)
    asked = 0
    while lecture.stage != Stage.OVER:
        if lecture.stage == Stage.HANDS:
            asked += 1
            lecture.count(lecture.right, 7)
            lecture.count("z", 5)
        for width, height in ((55, 14), (56, 14), (116, 34)):
            lines = lecture_lines(lecture, width, height)
            for line in lines:
                assert width_of(line) <= width, (lecture.stage, plain(line))
            table = [plain(line) for line in lines if plain(line).startswith("JOB  ")]
            assert all(line.endswith(HEADS) for line in table), (lecture.stage, width)
        lecture.forward()
    assert 30 < asked == len(lecture.counted) and all(it.right == it.hands == 7 for it in lecture.counted)
    assert len([it for it in lecture_lines(lecture, 80, 24) if plain(it).startswith("100 %")]) == asked


def test_back_leads_through_what_was_shown_to_the_beginning() -> None:
    """An answer that was shown stays known, and its hands with it; what was passed over is asked again."""
    lecture = Lecture(COURSE, 1)
    shown = []
    for _ in range(8):
        lecture.forward()
        if lecture.stage is Stage.HANDS:
            lecture.count(lecture.right, 3)
        shown.append((lecture.place, lecture.stage))
    for stood in reversed(shown[:-1]):
        lecture.back()
        assert (lecture.place, lecture.stage) == stood
    assert lecture.drill.session.number == lecture.drill.places[0]
    lecture.back()
    assert lecture.stage is Stage.STORY and len(lecture.counted) == 2
    with pytest.raises(SessionError):
        lecture.back()
    lecture.go(2, 3)
    with pytest.raises(SessionError):
        lecture.go(2, 99)
    assert (lecture.number, lecture.place, lecture.stage) == (1, 2, Stage.PREDICT)
    lecture.back()
    assert (lecture.place, lecture.stage) == (1, Stage.PREDICT)


def test_a_console_shows_the_answer_where_the_class_has_seen_it() -> None:
    """It starts from a copy of the lesson, so nothing that is done there reaches the lecture."""
    lecture = Lecture(COURSE, 3)
    lecture.go(1, 2)
    for answered in (False, True):
        lecture.stage = Stage.ANSWER if answered else Stage.HANDS

        async def story(operator: Operator, answered: bool = answered) -> None:
            await operator.rest()
            screen = operator.app.screen
            assert isinstance(screen, QuestionScreen) and screen.drill is not lecture.drill
            await operator.press("o", "c", "k", "h", "t")
            assert screen.asking.open is not answered and screen.drill.place == 1 + answered
            assert not screen.drill.hints
            # It names the way back, and no key that answers.
            assert operator.message.strip() == screen.asking.refusal("")

        with_first(story, question_screen(lecture))


def test_the_glyphs_are_of_one_size_and_differ() -> None:
    assert all(len(glyph) == HEIGHT and {len(line) for line in glyph} == {3} for glyph in GLYPHS.values())
    assert len(set(GLYPHS.values())) == len(GLYPHS)
    assert large(" 7")[0] == "    ▀▀█"


def test_it_needs_a_terminal_and_a_course(shadowtime: Shadowtime) -> None:
    for arguments in (("--lecture", COURSE.folder), ("--lecture",)):
        ended = shadowtime("train", *arguments)
        assert (ended.code, len(ended.complaints)) == (2, 1) and "--lecture needs" in ended.err


def test_where_not_all_fits_the_answer_and_its_reason_come_before_the_wrong_choices() -> None:
    lecture = Lecture(COURSE, 3)
    for _ in range(2):
        lecture.forward()
    assert lecture.stage is Stage.HANDS
    lecture.count(lecture.right, 12)
    lecture.forward()
    low, high = ([plain(line) for line in lecture_lines(lecture, 56, height)] for height in (14, 200))
    right, share = (next(at for at, line in enumerate(low) if text in line) for text in ("RIGHT", "of 12"))
    assert right < share < 14
    assert next(at for at, line in enumerate(high) if "of 12" in line) > share


def test_the_keys_of_a_lecture_follow_the_width() -> None:
    """A terminal that gets narrower shows the last key whole, and the hands that are being counted."""

    async def story(operator: Operator) -> None:
        await operator.press("space", "space")
        await operator.resize(60, 18)
        assert operator.lines[-1].rstrip().endswith("q leave")
        await operator.press("1", "2")
        await operator.resize(120, 36)
        assert operator.lines[-1].startswith(" 12 ")

    with_first(story, LectureScreen(Lecture(COURSE, 3)), size=(120, 36))
