"""On duty at the keyboard: jobs are started by hand, the score is live, and nothing tells what is to come."""

from pathlib import Path

import pytest

from console.screens.pages.choice_list import Shelf
from console.screens.training.duty import IncidentShift, ManualShift
from console.screens.training.menu import Training
from console.session import load
from console.session.training import Progress, progress_file
from console.session.training.lessons import INCIDENTS, MANUAL, shift_files
from console.widgets.frame.question import QuestionPanel
from tests.console.operator import Operator, with_first
from tests.session.training.test_answers import scenario

SIZES = [(80, 24), (120, 36)]


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A data folder of the test's own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("SHADOWTIME_OPERATOR", "kim")


def board(operator: Operator) -> str:
    """What the board says, on one line."""
    panel = operator.console.query_one(QuestionPanel)
    return " ".join(" ".join("".join(text for text, _ in line) for line in panel.lines).split())


@pytest.mark.parametrize("size", SIZES)
def test_a_shift_by_hand_to_its_end(tmp_path: Path, size: tuple[int, int]) -> None:
    """Two jobs, started as EASY does: as good as EASY, with a live score and a last word."""
    jobs = ((1, 6, 0, 100, 100), (2, 8, 10, 50, 50))
    heard: list[tuple[float, int]] = []

    def hear(figure: float, points: int) -> str:
        heard.append((figure, points))
        return ""

    async def story(operator: Operator) -> None:
        await operator.press("enter", "n", "n", "i")
        assert "job 1" in operator.message and "SLOWDOWN USED OVER you - -" in board(operator)
        await operator.press("u")
        assert "taken back" in operator.message
        await operator.press("i", "end")
        assert "easy 1.00" in board(operator) and "3 points" not in board(operator)
        await operator.press("i", "end")
        assert operator.console.snapshot.finished == 2
        text = board(operator)
        assert "you 1.90" in text and "easy 1.90" in text
        assert "points of 3: better than easy, conservative" in text or "better than easy" in text
        assert "no node stood idle" in text
        assert len(heard) == 1 and heard[0][0] == pytest.approx(1.9)
        assert all(len(line) <= size[0] for line in operator.lines)

    with_first(story, ManualShift(load(scenario(tmp_path, jobs=jobs), policy="manual"), hear), size=size)


def test_nothing_tells_what_is_to_come(tmp_path: Path) -> None:
    """No event ahead, no chart, no other policy."""

    async def story(operator: Operator) -> None:
        await operator.press("enter", "n")
        assert "job 2 is submitted" not in operator.panel(4)
        assert 3 not in operator.console.numbers
        for line in ("policy easy", "compare easy", "under easy"):
            await operator.press("colon")
            await operator.type(line)
            assert "is not for those who are on duty" in operator.message, line
        await operator.press("equals_sign")
        assert isinstance(operator.app.screen, ManualShift) and "'compare' is not for" in operator.message
        assert "= compare" not in operator.lines[-1]
        await operator.press("a")
        assert "hold 1" in operator.text and "= what if" not in operator.text
        assert not any(word in operator.text for word in ("another policy", "a parameter"))
        await operator.press("escape")
        await operator.press("t")
        assert operator.message.startswith("the shift is not over")

    with_first(story, ManualShift(load(scenario(tmp_path), policy="manual")))


def test_the_costliest_instant_is_told(tmp_path: Path) -> None:
    async def story(operator: Operator) -> None:
        await operator.press("enter", "end")
        for _ in range(4):
            await operator.press("i", "end")
        assert "your costliest instant is 0d 00:03:00: for 1m00s 4 nodes stood idle" in board(operator)
        assert "0 points of 3: no better than any of the others" in board(operator)

    with_first(story, ManualShift(load(scenario(tmp_path), policy="manual")))


def test_an_incident_left_alone_earns_nothing_and_is_kept(tmp_path: Path) -> None:
    """From the menu, the last item; what it came to stands in the file of progress."""
    last = shift_files(INCIDENTS)[-1]

    async def story(operator: Operator) -> None:
        menu = operator.app.screen.query_one("#titles", Shelf)
        menu.action_move(len(menu.items))
        await operator.press("home")
        assert menu.cursor == 0
        await operator.press("end", "enter")
        assert operator.lines[-1].split() == ["Enter", "begin", "Esc", "back", "y", "copy"]
        await operator.press("enter", "end")
        assert isinstance(operator.console, IncidentShift)
        assert "0 points of 3: a cost of" in board(operator)
        await operator.press("t")
        (record,) = Progress(progress_file()).records("kim")
        assert (record.course, record.lesson, record.points) == (INCIDENTS, last.stem, 0)
        assert "0 of 3" in operator.text

    with_first(story, Training())


def test_a_shift_by_hand_from_the_menu() -> None:
    """The first of those by hand opens under the policy manual."""

    async def story(operator: Operator) -> None:
        menu = operator.app.screen
        assert isinstance(menu, Training)
        items = [item.group for item in menu.shelf.items]
        menu.shelf.action_move(items.index("You are the scheduler"))
        await operator.press("enter", "enter")
        assert operator.console.session.case.policy == MANUAL
        await operator.press("escape")
        assert operator.app.screen is menu

    with_first(story, Training())


@pytest.mark.parametrize(
    ("typed", "refused"),
    [
        ("seek longest-wait", "'seek' is not for those who are on duty"),
        ("view availability", "what is to come is not shown here"),
    ],
)
def test_nothing_typed_shows_what_is_to_come(tmp_path: Path, typed: str, refused: str) -> None:
    async def story(operator: Operator) -> None:
        await operator.press("enter", "n", "colon")
        await operator.type(typed)
        assert operator.message == refused

    jobs = ((1, 6, 0, 100, 100), (2, 8, 10, 50, 50))
    with_first(story, ManualShift(load(scenario(tmp_path, jobs=jobs), policy="manual"), lambda *_: ""))
