"""A shift at the keyboard: what may be done, the board with its rule, the debrief, going on later."""

import re
from functools import partial
from pathlib import Path

import pytest

from shadowtime.console.screens.pages.choice_list import Shelf
from shadowtime.console.screens.training.menu import Training
from shadowtime.console.screens.training.shift import ShiftScreen
from shadowtime.console.session.curriculum.trainee import Trainee
from shadowtime.console.session.shift import Orders, name_of, open_shift, references_of, shift_files
from shadowtime.console.session.training import Progress, progress_file
from shadowtime.console.widgets.frame.question import QuestionPanel
from tests.console.operator import Operator, with_first
from tests.session.shift.files import incident, manual

SIZES = [(80, 24), (120, 36)]


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A data folder of the test's own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("SHADOWTIME_OPERATOR", "kim")


def screen(path: Path) -> ShiftScreen:
    """The screen of a shift, where it was left."""
    session, attempts, resumed = open_shift(path, "kim")
    keep = partial(Trainee().keep_shift, name_of(path))
    return ShiftScreen(session, references_of(session), attempts, resumed, keep)


def board(operator: Operator) -> str:
    """What the board says, on one line."""
    panel = operator.console.query_one(QuestionPanel)
    return " ".join(" ".join("".join(text for text, _ in line) for line in panel.lines).split())


@pytest.mark.parametrize("size", SIZES)
def test_a_shift_by_hand_to_its_debrief(tmp_path: Path, size: tuple[int, int]) -> None:
    """Jobs are started as EASY does: all points, which are kept once."""

    async def story(operator: Operator) -> None:
        await operator.press("enter", "n", "i")
        assert "job 1" in operator.message
        assert "points: 0 starting jobs in order of arrival, 100 the response" in board(operator)
        assert "1 action hindsight 0 ends 0d 00:16:40" in board(operator)
        await operator.press("t")
        assert operator.message.startswith("the shift is not over")
        for when, job in (("20", "3"), ("100", "2"), ("150", "4")):
            for line in (f"goto {when}", f"start {job}"):
                await operator.press("colon")
                await operator.type(line)
        await operator.press("end")
        assert "100 points of 100" in board(operator), board(operator)
        assert all(len(line) <= size[0] for line in operator.lines)
        await operator.press("t")
        assert "THE RESULT" in operator.text and "THE RESPONSE: easy" in operator.text
        (record,) = Progress(progress_file()).records("kim")
        assert (record.course, record.points, record.most) == ("shifts", 100, 100)

    with_first(story, screen(manual(tmp_path)), size=size)


@pytest.mark.proof
def test_the_end_of_a_shift_is_announced_while_jobs_wait(tmp_path: Path) -> None:
    """The next event is nine hundred seconds off, and job 2 fits."""

    async def story(operator: Operator) -> None:
        await operator.press("enter")
        for _ in range(20):
            if "the end of the shift" in operator.message:
                break
            await operator.press("n")
        assert "4 jobs wait: 1, 2, 3, 4" in operator.message and operator.console.snapshot.time == 30
        await operator.press("n")
        assert operator.console.snapshot.time == 1000

    with_first(story, screen(manual(tmp_path)))


@pytest.mark.proof
def test_what_the_shift_does_not_allow_is_not_offered(tmp_path: Path) -> None:
    async def story(operator: Operator) -> None:
        await operator.press("enter", "n", "n", "a")
        assert "suspend 1" in operator.text
        assert not any(word in operator.text for word in ("hold", "cancel", "another policy", "a parameter"))
        await operator.press("escape")
        for line in ("policy fcfs", "compare fcfs", "whatif fcfs", "seek longest-wait", "save x.toml"):
            await operator.press("colon")
            await operator.type(line)
            assert "is not for those who are on duty" in operator.message, line
        await operator.press("colon")
        await operator.type("hold 2")
        assert "hold is not allowed in this shift" in operator.message
        assert 3 not in operator.console.numbers

    with_first(story, screen(incident(tmp_path)))


@pytest.mark.proof
def test_jobs_that_are_left_are_named_before_the_end(tmp_path: Path) -> None:
    async def story(operator: Operator) -> None:
        await operator.press("enter", "n", "n", "n")
        await operator.press("colon")
        await operator.type("suspend 1")
        await operator.press("end", "n")
        assert "1 job is not over: 1; they are lost" in operator.message
        await operator.press("t")
        assert "0 points of 100: 1 job lost" in board(operator)

    with_first(story, screen(incident(tmp_path)))


@pytest.mark.proof
def test_a_shift_goes_on_where_it_was_left(tmp_path: Path) -> None:
    path = manual(tmp_path)
    session, _, _ = open_shift(path, "kim")
    session.go_time(30)
    session.act("start 1")

    async def story(operator: Operator) -> None:
        assert "You go on where you left: 0d 00:00:30, with 1 action" in operator.text
        await operator.press("enter")
        assert len(operator.console.session.journal) == 1
        await operator.press("colon")
        await operator.type("anew")
        assert not operator.console.session.journal and operator.console.snapshot.number == 0

    with_first(story, screen(path))


@pytest.mark.proof
def test_an_incident_left_alone_from_the_menu_earns_nothing_and_is_kept() -> None:
    """The last item of the menu."""
    last = shift_files()[-1]

    async def story(operator: Operator) -> None:
        menu = operator.app.screen.query_one("#titles", Shelf)
        menu.action_move(len(menu.items))
        await operator.press("end", "enter")
        assert isinstance(operator.console, ShiftScreen), operator.text
        await operator.press("enter", "end")
        assert "0 points of 100" in board(operator)
        await operator.press("t", "escape", "t")
        assert isinstance(operator.app.screen, Training)
        (record,) = Progress(progress_file()).records("kim")
        assert (record.course, record.lesson, record.points) == ("shifts", last.name, 0)
        assert "0 of 100" in operator.text

    with_first(story, Training())


@pytest.mark.proof
@pytest.mark.parametrize("size", SIZES)
def test_an_instructor_submits_a_job(tmp_path: Path, size: tuple[int, int]) -> None:
    """The panels have the job, the story is not shown again, what was done stays, and no score is kept."""
    path = manual(tmp_path)

    async def story(operator: Operator) -> None:
        await operator.press("enter", "n", "i")
        before = operator.console
        await operator.press("colon")
        await operator.type("inject job 11 5m")
        assert "the machine has 10 nodes" in operator.message and operator.console is before
        await operator.press("colon")
        await operator.type("inject job 4 5m")
        assert "not kept" in operator.message, operator.message
        assert isinstance(operator.console, ShiftScreen) and len(operator.console.session.journal) == 1
        assert operator.console.snapshot.jobs == 5 and "1 action" in board(operator)
        await operator.press("colon")
        await operator.type("goto 1")
        assert any(re.search(r"\b5 N +4 ", line) for line in operator.lines), operator.text
        await operator.press("colon")
        await operator.type("start 5")
        assert "job 5" in operator.message
        await operator.press("u")
        assert len(operator.console.session.journal) == 1
        resumed, _, _ = open_shift(path, "kim")
        assert len(resumed.injected) == 1 and resumed.journal == operator.console.session.journal
        await operator.press("end")
        assert "points of 100" in board(operator)
        await operator.press("t")
        assert "THE RESULT" in operator.text
        assert not Progress(progress_file()).records("kim")

    with_first(story, screen(path), size=size)


@pytest.mark.proof
def test_an_order_of_the_station_is_a_surprise(tmp_path: Path) -> None:
    """Nothing is said of it; a second later the nodes are gone, and the debrief has it."""
    path = manual(tmp_path)

    async def story(operator: Operator) -> None:
        await operator.press("enter", "n", "i")
        console = operator.console
        assert isinstance(console, ShiftScreen)
        _, attempts, _ = open_shift(path, "kim")
        assert attempts is not None
        Orders(attempts).give("disk 9 5m")
        await operator.until(lambda: console.session.heard == 1)
        assert not operator.message and console.snapshot.free == 4
        await operator.press("n", "n")
        assert (console.snapshot.time, console.snapshot.free) == (1, 3)
        await operator.press("end", "t")
        assert "WHAT THE INSTRUCTOR INJECTED" in operator.text and "disk 9 5m" in operator.text

    with_first(story, screen(path))


@pytest.mark.proof
def test_the_menu_shows_the_score_that_was_kept_before_a_job_was_injected() -> None:
    """The last item: it ends, and is gone back in; the score with the job is not kept."""

    async def story(operator: Operator) -> None:
        menu = operator.app.screen.query_one("#titles", Shelf)
        menu.action_move(len(menu.items))
        await operator.press("end", "enter", "enter", "end")
        assert "points of 100" in board(operator)
        await operator.press("home", "n")
        await operator.press("colon")
        await operator.type("inject job 1 5m")
        assert "not kept" in operator.message
        await operator.press("escape", "escape")
        assert isinstance(operator.app.screen, Training), operator.text
        assert "0 of 100" in operator.text and len(Progress(progress_file()).records("kim")) == 1

    with_first(story, Training())


@pytest.mark.proof
def test_a_filter_and_a_selected_job_outlast_an_injected_job(tmp_path: Path) -> None:
    """Job 3 is still to come: it has another row afterwards."""

    async def story(operator: Operator) -> None:
        await operator.press("enter", "end")
        operator.console.selection.select_job(3)
        await operator.press("home", "n", "n")
        for line in ("sort size", "inject job 1 5m"):
            await operator.press("colon")
            await operator.type(line)
        assert operator.console.desk.sorting.name == "size"
        assert operator.console.session.id_of(operator.console.desk.selected or 0) == 3

    with_first(story, screen(manual(tmp_path)))
