"""Esc always leads back: from whatever a key or a command opens, to where the operator was."""

from pathlib import Path

import pytest

from shadowtime.console.screens.compare.screen import CompareScreen
from shadowtime.console.screens.console.screen import ConsoleScreen
from shadowtime.console.screens.pages.browser import Browser
from shadowtime.console.screens.training.menu import Training
from shadowtime.console.widgets.frame.prompt import Prompt
from tests.console.compare.test_screen import AT, dilemma
from tests.console.operator import Operator, operate, with_first

CONSOLE = (
    "question_mark", "g", "colon", "slash", "m", "apostrophe", "b", "Y", "a", "2 enter", "4 enter",
    "1 right enter", "3 enter", "ctrl+p", "t", "equals_sign", "D", "2 a end enter", "2 a equals_sign",
    "b j o b space 2 enter B", "colon n o t e s enter", "plus plus",
)  # fmt: skip
"""Keys of the console that open something, or begin a question."""
COMPARE = ("question_mark", "g", "colon", "e", "l", "enter", "2 enter", "l down space", "D e")
"""The same in the compare view."""
TRAINING = (
    "question_mark",
    "enter",
    "down down enter",
    "down down enter enter",
    "down down enter enter t",
    "end enter enter",
)
"""The same in training: among them the tour, a drill, a question and a shift."""


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A data folder of the test's own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


async def back(operator: Operator, home: type, keys: str) -> int:
    """Press keys, then Esc until nothing lies over the home screen; how often that took."""
    await operator.press(*keys.split())
    for times in range(1, 7):
        await operator.press("escape")
        screen = operator.app.screen
        asking = [prompt for prompt in screen.query(Prompt) if prompt.asking]
        if type(screen) is home and not asking:
            return times
    raise AssertionError(f"{keys}: Esc leads to {operator.app.screen}")


@pytest.mark.proof
def test_from_everything_that_the_console_opens() -> None:
    async def story(operator: Operator) -> None:
        for keys in CONSOLE:
            number = operator.console.snapshot.number
            assert await back(operator, ConsoleScreen, keys) <= 2, keys
            assert operator.console.snapshot.number == number and len(operator.app.screen_stack) == 2, keys
            await operator.press("escape", "escape")
            assert operator.app.is_running and type(operator.app.screen) is ConsoleScreen

    operate(story, dilemma(), at=AT)


@pytest.mark.proof
def test_from_everything_that_the_compare_view_opens() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("equals_sign")
        for keys in COMPARE:
            assert await back(operator, CompareScreen, keys) == 1, keys
        await operator.press("escape")
        assert type(operator.app.screen) is ConsoleScreen

    operate(story, dilemma(), at=AT)


@pytest.mark.proof
def test_from_everything_that_training_and_the_browser_open() -> None:
    async def story(operator: Operator) -> None:
        for keys in ("question_mark", "t", "enter"):
            assert await back(operator, Browser, keys) == 1, keys
        await operator.press("t")
        for keys in TRAINING:
            assert await back(operator, Training, keys) <= 3, keys
            await operator.press("home")
        await operator.press("escape")
        assert type(operator.app.screen) is Browser

    with_first(story, Browser())


def test_escape_does_not_leave_the_list_of_scenarios() -> None:
    """Another key does, and is named."""

    async def story(operator: Operator) -> None:
        await operator.press("escape")
        assert operator.app.is_running and type(operator.app.screen) is Browser
        assert "q quits" in operator.lines[-1]
        await operator.press_only("q")
        await operator.until(lambda: not operator.app.is_running)

    with_first(story, Browser())


def test_the_key_that_leaves_the_list_of_scenarios_is_seen_on_a_narrow_screen() -> None:
    """Others are left out for it."""

    async def story(operator: Operator) -> None:
        line = operator.lines[-1]
        assert line.endswith("q quit") and "Enter open" in line and "? help" not in line

    with_first(story, Browser(), (60, 18))
