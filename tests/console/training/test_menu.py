"""The menu as a map: folds, needs, what is passed; the review of what is due; lessons of an open exam."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from shadowtime.console.screens.training.drill import DrillScreen
from shadowtime.console.screens.training.menu import Training
from shadowtime.console.session.training import Progress, Record, progress_file, read_course
from shadowtime.console.widgets.frame.lines import LineView
from tests.commandline import ROOT
from tests.console.operator import Operator, with_first
from tests.console.training.support import choose

SIZES = [(60, 18), (80, 24), (120, 36)]


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A data folder of the test's own, and an operator."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("SHADOWTIME_OPERATOR", "kim")


def about(operator: Operator) -> str:
    return " ".join(" ".join(operator.app.screen.query_one("#about", LineView).text).split())


def answered(
    days: int, verdict: str, question: int = 1, points: int = 0, lesson: str = "01-first-come"
) -> None:
    moment = (datetime.now(UTC) - timedelta(days=days)).isoformat(timespec="seconds")
    record = Record("kim", moment, "backfilling", lesson, question, "why", verdict, "b", 0, points, 3)
    Progress(progress_file()).save(record)


@pytest.mark.proof
@pytest.mark.parametrize("size", SIZES)
def test_the_map_folds_and_tells_what_is_needed(size: tuple[int, int]) -> None:
    """Levels in their order; Enter folds; what is passed is marked, and unlocks the sentence."""

    async def story(operator: Operator) -> None:
        menu = operator.app.screen
        assert isinstance(menu, Training)
        groups = [item.group for item in menu.shelf.items if item.group.startswith("LEVEL")]
        assert groups == sorted(groups) and len(set(groups)) >= 5
        assert any(item.fold == "-" for item in menu.shelf.items), "the course to begin with is unfolded"
        await choose(operator, "failures")
        assert "First: Backfilling (not passed yet)" in about(operator) and "Afterwards you can" in about(
            operator
        )
        before = len(menu.shelf.items)
        await operator.press("enter")
        assert len(menu.shelf.items) == before + 6
        await operator.press("enter")
        assert len(menu.shelf.items) == before
        for path in read_course(ROOT / "scenarios" / "courses" / "backfilling").lessons:
            for question in range(1, 9):
                answered(0, "right", question, 3, path.stem)
        menu.fill()
        await choose(operator, "failures")
        assert "First: Backfilling (passed)" in about(operator)
        await choose(operator, "backfilling")
        assert "You can now compute the shadow time" in about(operator)

    with_first(story, Training(), size=size)


@pytest.mark.proof
def test_what_is_due_is_asked_one_after_the_other() -> None:
    """Two questions are due, one is not yet; Esc ends the review, and what was skipped stays due."""
    answered(3, "wrong", 1)
    answered(2, "given up", 2)
    answered(0, "wrong", 5)

    async def story(operator: Operator) -> None:
        menu = operator.app.screen
        assert isinstance(menu, Training) and "2 due" in operator.text
        await operator.press("r")
        for place in (1, 2):
            await operator.until(lambda: "REVIEW  Backfilling" in operator.text)
            await operator.press("enter")
            screen = operator.app.screen
            assert isinstance(screen, DrillScreen) and screen.drill.place == place - 1
            await operator.press("abcd"[screen.drill.answer.offered.index(screen.drill.answer.shown)], "t")
        assert operator.app.screen is menu and "0 due" in operator.text
        await operator.press("r")
        assert operator.app.screen is menu and "nothing is due" in operator.text
        assert [it.missed.box for it in menu._trainee.missed()] == [1, 2, 2]

    with_first(story, Training())


def test_of_one_course_the_first_lesson_is_at_hand(tmp_path: Path) -> None:
    """Enter opens it; what the course needs is looked up among all courses."""
    course = read_course(ROOT / "scenarios" / "courses" / "failures")

    async def story(operator: Operator) -> None:
        menu = operator.app.screen
        await operator.press("up")
        assert "First: Backfilling (not passed yet)" in about(operator)
        await operator.press("enter", "enter")
        await operator.until(lambda: operator.app.screen is not menu)

    with_first(story, Training(course))
