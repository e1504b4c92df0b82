"""The lanes of the compare view: which there are, which is in use, and how they are chosen and opened."""

import pytest

from shadowtime.console.screens.compare.lane_choice import Choices, Picker
from shadowtime.console.screens.compare.screen import CompareScreen
from shadowtime.console.screens.console.screen import ConsoleScreen
from shadowtime.console.session import load, policies_table
from tests.console.compare.test_screen import AT, GOLDEN, SCENARIO, clock, dilemma, enter, names, view
from tests.console.operator import Operator, case, operate
from tests.console.views.test_screens import compare


@pytest.mark.proof
def test_four_lanes_stand_side_by_side_where_there_is_room() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("colon")
        await enter(operator, "compare")
        compare(operator.text, GOLDEN / "compare-four-120x36.txt")
        assert all(f"[{place}] {name}" in operator.text for place, name in enumerate(names(operator), 1))
        await operator.resize(80, 24)
        assert "[1] fcfs" in operator.text and "[2] easy" in operator.text
        assert "[3] " not in operator.text and "[4] " not in operator.text
        await operator.press("4")
        assert "[3] conservative" in operator.text and "[4] gang" in operator.text
        assert "[1] " not in operator.text
        assert all(len(line) <= 80 for line in operator.lines)

    operate(story, dilemma(), at=AT)


@pytest.mark.proof
def test_lanes_are_typed_and_stay_at_the_instant() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("colon")
        await enter(operator, "compare easy gang:quantum=60")
        assert names(operator) == ["easy", "gang:quantum=60"] and clock(operator) == "00:20:00"
        await operator.press("n", "colon")
        await enter(operator, "compare gang")
        assert names(operator) == ["easy", "gang"] and clock(operator) == "00:20:00"
        await operator.press("colon")
        await enter(operator, "quit")
        assert isinstance(operator.app.screen, ConsoleScreen)

    operate(story, dilemma(), at=AT)


@pytest.mark.proof
def test_lanes_are_picked_from_a_list() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("equals_sign", "l")
        assert isinstance(operator.app.screen, Picker)
        about = {entry.name: entry.summary for entry in policies_table()}
        shown = " ".join(operator.text.replace("│", " ").split())
        assert all(f"[ ] {name} {about[name]}" in shown for name in ("easy", "checkpoint", "manual"))
        assert f"> [1] fcfs {about['fcfs']}" in shown and "[2] gang quantum=10m" in shown
        await operator.press("space", "enter")
        assert "choose 2 lanes at least" in operator.text
        await operator.press("space", "down", "down", "space", "down", "space", "down", "space")
        assert "4 lanes at most" in operator.text
        await operator.press("enter")
        assert names(operator) == ["gang", "fcfs", "easy", "conservative"] and clock(operator) == "00:20:00"
        await operator.press("l", "escape")
        assert names(operator) == ["gang", "fcfs", "easy", "conservative"]
        await operator.press("l")
        picker = operator.app.screen.query_one(Choices)
        last = next(line for line, place in enumerate(picker._places) if place == 4)
        await operator._pilot.click(Choices, offset=(3, last - 1))
        assert picker.cursor == 3 and picker.chosen == [0, 1, 2]

    operate(story, dilemma(), at=AT)


@pytest.mark.proof
@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
def test_the_tables_stay_where_they_are(size: tuple[int, int]) -> None:
    """Below a lane whose reason is short, and above a long message: what it needs they lack at their end."""

    async def story(operator: Operator) -> None:
        await operator.press("equals_sign", *"nppn")
        screen = view(operator)
        here = screen._differences.region.y
        for key in "nnnn":
            await operator.press(key)
            assert screen._differences.region.y == here
        before = screen._differences.size.height + screen._story.size.height * screen._story.display
        screen.say("word " * 40)
        await operator.rest()
        tall = screen._prompt.tall - 1
        assert tall and screen._differences.region.y == here
        after = screen._differences.size.height + screen._story.size.height * screen._story.display
        assert after == before - tall

    operate(story, dilemma(), at=AT, size=size)


@pytest.mark.proof
def test_tab_and_numbers_choose_the_lane_in_use() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("equals_sign")
        found = []
        for key in ("tab", "tab", "shift+tab", "1", "2"):
            await operator.press(key)
            found.append(view(operator).lane)
            assert view(operator).views[found[-1]].has_focus_within
        assert found == [1, 0, 1, 0, 1]
        await operator.press("3")
        assert operator.message.startswith("there are 2 lanes")

    operate(story, dilemma())


@pytest.mark.proof
def test_enter_opens_a_lane_in_the_console_and_esc_comes_back() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("equals_sign", "2", "enter")
        console = operator.app.screen
        assert isinstance(console, ConsoleScreen) and console.session.case.name == "gang"
        assert "event 7/56" in operator.title
        await operator.press("n", "n", "n", "escape")
        assert isinstance(operator.app.screen, CompareScreen) and clock(operator) == "00:20:00"
        assert view(operator).lane == 1 and view(operator).lockstep.lanes[1].number == 7
        await operator.press("n", "escape")
        assert isinstance(operator.app.screen, ConsoleScreen)
        assert "event 6/12" in operator.title and "fcfs" in operator.title, "as it was left"

    operate(story, dilemma(), at=AT)


@pytest.mark.proof
def test_a_torus_and_a_large_log_are_shown_too() -> None:
    async def torus(operator: Operator) -> None:
        await operator.press("D")
        assert names(operator) == ["t3d", "unicos"] and "y0 " in operator.text
        assert "job 5 waits" in operator.text

    operate(torus, load(SCENARIO.parent / "do-not-disturb.toml"))

    async def log(operator: Operator) -> None:
        await operator.press("D")
        assert names(operator) == ["easy", "conservative"] and "apart since" in operator.text

    operate(log, case("busy.swf", None))


@pytest.mark.proof
def test_who_neither_waits_nor_runs_is_told_by_what_became_of_it() -> None:
    """Jobs that have PE and are being loaded, one held and one suspended, which have none."""

    async def loaded(operator: Operator) -> None:
        await operator.press("equals_sign", "n")
        assert operator.text.count("3 wait  0 run  0 over") == 2

    operate(loaded, load(SCENARIO.parent / "do-not-disturb.toml"))

    async def steered(operator: Operator) -> None:
        for typed in ("hold 2", "suspend 1"):
            await operator.press("colon")
            await operator.type(typed)
        await operator.press("equals_sign", "n")
        assert "1 wait (1 held)  1 run  1 suspended  0 over" in operator.text

    operate(steered, case("dilemma.toml", "easy"), at=AT, size=(200, 50))
