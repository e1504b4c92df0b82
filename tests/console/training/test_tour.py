"""The tour: each step waits for its key, tells what changed, and can be skipped."""

from pathlib import Path

import pytest

from shadowtime.console.screens.training.menu import Training
from shadowtime.console.screens.training.tour import Tour
from shadowtime.console.session.training import Progress, progress_file
from shadowtime.console.widgets.frame.question import QuestionPanel
from tests.console.operator import Operator, with_first

KEYS = ("n", "p", "N", "4", "2", "down", "e", "enter", "escape", "/", "s", "v", "g", "space", "space")
TYPED = {"/": "size>4", "g": "50%"}


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A data folder of the test's own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def guide(operator: Operator) -> str:
    """What the guide says, on one line."""
    panel = operator.console.query_one(QuestionPanel)
    return " ".join(" ".join("".join(text for text, _ in line) for line in panel.lines).split())


async def reach(operator: Operator, step: int) -> None:
    """Wait until the guide asks for a step."""
    wanted = f"STEP {step} of {len(KEYS)} " if step <= len(KEYS) else "THE TOUR IS OVER"
    await operator.until(lambda: wanted in guide(operator))


async def begin(operator: Operator) -> Tour:
    await operator.press("enter")
    await operator.until(lambda: operator.console.snapshot.number > 0)
    tour = operator.console
    assert isinstance(tour, Tour)
    await operator.until(lambda: tour.ready)
    return tour


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
def test_the_whole_tour(size: tuple[int, int]) -> None:
    """One key a step, each named by the guide; at the end it is kept that the operator was there."""

    async def story(operator: Operator) -> None:
        await begin(operator)
        for place, key in enumerate(KEYS, 1):
            await reach(operator, place)
            await operator.press_only("slash" if key == "/" else key)
            if key in TYPED:
                await operator.type(TYPED[key])
        await reach(operator, len(KEYS) + 1)
        assert all(len(line) <= size[0] for line in operator.lines)
        await operator.press("t")
        assert "done" in operator.text
        (record,) = Progress(progress_file()).records()
        assert (record.course, record.verdict) == ("tour", "right")

    with_first(story, Training(), size=size)


@pytest.mark.proof
def test_another_key_is_not_the_one_that_was_asked_for() -> None:
    async def story(operator: Operator) -> None:
        tour = await begin(operator)
        await operator.press("v", "s", "p")
        for _ in range(3):
            tour.watch_operator()
        assert guide(operator).startswith("* Each step asks for one key")
        assert f"STEP 1 of {len(KEYS)} press n" in guide(operator)

    with_first(story, Training())


@pytest.mark.proof
def test_steps_can_be_skipped_and_the_tour_left() -> None:
    """Nothing is kept of a tour that was left."""

    async def story(operator: Operator) -> None:
        tour = await begin(operator)
        await operator.press("k")
        assert f"STEP 2 of {len(KEYS)} press p" in guide(operator)
        assert tour.step is tour.steps[1]
        await operator.press("q")
        assert "TRAINING" in operator.text and Progress(progress_file()).records() == ()

    with_first(story, Training())


@pytest.mark.proof
@pytest.mark.parametrize(
    ("step", "pressed", "back", "then"),
    [
        (3, ("end",), "Home", ("home", "N")),
        (6, ("4",), "2", ("2", "down")),
        (7, ("4",), "2", ("2", "e")),
        (8, ("4", "enter"), "Esc", ("escape", "2", "enter")),
        (8, ("5",), "2", ("2", "enter")),
        (11, ("3",), "2", ("2", "s")),
        (14, ("r",), "r", ("r", "space")),
    ],
)
def test_each_step_holds_whatever_was_pressed_before(
    step: int, pressed: tuple[str, ...], back: str, then: tuple[str, ...]
) -> None:
    """The guide names the key that leads back, and then the step is done as it is elsewhere."""

    async def story(operator: Operator) -> None:
        tour = await begin(operator)
        await operator.press(*pressed)
        while tour.reached < step - 1:
            tour.next_step()
        await operator.until(lambda: f"STEP {step} of {len(KEYS)} press {back} first" in guide(operator))
        for key in then:
            await operator.press_only(key)
            await operator.press()
            tour.watch_operator()
        await reach(operator, step + 1)

    with_first(story, Training())


@pytest.mark.proof
def test_the_tour_keeps_its_policy() -> None:
    async def story(operator: Operator) -> None:
        tour = await begin(operator)
        await operator.press("colon")
        await operator.type("under fcfs")
        assert operator.console is tour and "the tour keeps its policy" in operator.message

    with_first(story, Training())
