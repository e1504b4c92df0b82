"""What if: the same past, and something else done at this instant, as one more lane of the compare view."""

import pytest

from shadowtime.console.screens.compare.screen import CompareScreen
from shadowtime.console.screens.console.screen import ConsoleScreen
from shadowtime.console.session.operator.refusals import TAKES
from tests.console.compare.test_screen import AT, clock, dilemma, enter, names, view
from tests.console.operator import Operator, case, operate


def starts(operator: Operator) -> list[int | None]:
    """The start of job 3 in each lane, at the end."""
    lockstep = view(operator).lockstep
    lockstep.go_end()
    return [lane.row(2).start for lane in lockstep.lanes]


DONE = (("policy easy", 1200), ("hold 2", 1200), ("hold 3", None), ("cancel 2", 1200))
"""An action, and when job 3 then starts."""


def test_a_fork_of_the_present_instant_stands_beside_it() -> None:
    """The first run is what it would be anyway; in the fork the action is done and has its consequences."""

    async def story(operator: Operator) -> None:
        for action, start in DONE:
            await operator.press("colon")
            await enter(operator, f"whatif {action}")
            assert names(operator) == ["fcfs", f"if {action}"] and clock(operator) == "00:20:00"
            assert view(operator).lockstep.lanes[0].number == 6
            assert starts(operator) == [10800, start]
            await operator.press("escape")
            assert isinstance(operator.app.screen, ConsoleScreen)
            assert "event 6/12" in operator.title and operator.console.session.journal == (), "as it was"

    operate(story, dilemma(), at=AT)


@pytest.mark.proof
def test_between_an_event_and_its_pass_it_takes_part_in_the_pass() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("colon")
        await enter(operator, "whatif policy easy")
        assert starts(operator) == [10800, 1200]

    operate(story, dilemma(), at="#5")


@pytest.mark.proof
def test_a_lane_of_the_view_is_forked_too_and_lands_beside_the_others() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("equals_sign", "colon")
        await enter(operator, "whatif cancel 2")
        assert names(operator) == ["fcfs", "gang", "if cancel 2"] and clock(operator) == "00:20:00"
        await operator.press("2", "colon")
        await enter(operator, "whatif cancel 3")
        assert names(operator) == ["fcfs", "gang", "if cancel 2", "gang if cancel 3"]
        await operator.press("colon")
        await enter(operator, "whatif cancel 1")
        assert operator.message.startswith("4 lanes at most")
        found = starts(operator)
        assert (found[0], found[2:]) == (10800, [1200, None]) and isinstance(
            operator.app.screen, CompareScreen
        )

    operate(story, dilemma(), at=AT)


@pytest.mark.proof
def test_a_fork_that_is_opened_may_be_steered_on() -> None:
    """The lane is a session like any other; back in the view it is found out anew where the lanes part."""

    async def story(operator: Operator) -> None:
        await operator.press("colon")
        await enter(operator, "whatif hold 2")
        before = view(operator).lockstep.partings
        await operator.press("2", "enter")
        nested = operator.app.screen
        assert isinstance(nested, ConsoleScreen) and " fcfs " in operator.lines[0]
        nested.session.act("cancel 3")
        await operator.press("escape")
        assert names(operator) == ["fcfs", "if hold 2, cancel 3"]
        assert view(operator).lockstep.partings not in (None, before)
        assert starts(operator) == [10800, 1200]

    operate(story, dilemma(), at=AT)


@pytest.mark.proof
def test_a_fork_is_called_what_it_is_whatever_was_taken_back() -> None:
    """In the console of the lane, in the view, and where lanes are chosen."""

    async def story(operator: Operator) -> None:
        await operator.press("colon")
        await enter(operator, "whatif hold 2")
        await operator.press("l")
        assert "[1] fcfs" in operator.text and "[2] if hold 2 (fcfs)" in operator.text
        await operator.press("escape", "2", "enter", "u")
        assert "if hold 2" not in operator.lines[0]
        await operator.press("escape")
        assert names(operator) == ["fcfs", "fcfs"]
        await operator.press("1", "enter")
        assert isinstance(operator.app.screen, ConsoleScreen)
        operator.app.screen.session.act("hold 3")
        await operator.press("escape")
        assert names(operator) == ["fcfs", "without hold 3"]

    operate(story, dilemma(), at=AT)


@pytest.mark.proof
def test_what_was_done_here_is_compared_to_the_event_and_elsewhere_by_the_clock() -> None:
    async def story(operator: Operator) -> None:
        operator.console.session.act("cancel 2")
        await operator.press("n", "equals_sign")
        lanes = view(operator).lockstep.lanes
        assert names(operator) == ["fcfs", "gang"]
        assert [lane.case.scenario.actions[0].at for lane in lanes] == [None, 1201]
        assert lanes[0].case is operator.console.session.case

    operate(story, dilemma(), at=AT)


@pytest.mark.proof
def test_the_menu_of_actions_tries_what_it_could_do() -> None:
    """Its key of comparing shows it beside this run, after what has to be typed; what cannot be it tells."""

    async def story(operator: Operator) -> None:
        await operator.press("a", "equals_sign")
        assert names(operator) == ["fcfs", "if hold 2"]
        await operator.press("escape", "a")
        await operator.point("release")
        await operator.press("equals_sign")
        assert TAKES["release"] in operator.lines[-1] and "= what if" in operator.lines[-1]
        await operator.press("home")
        await operator.point("policy")
        await operator.press("equals_sign")
        await enter(operator, "easy")
        assert names(operator) == ["fcfs", "if policy easy"]
        await operator.press("escape")
        assert operator.console.session.journal == ()

    operate(story, dilemma(), at=AT)


@pytest.mark.proof
@pytest.mark.parametrize(
    ("typed", "wording"),
    [
        ("whatif", "what if what? expected an action"),
        ("whatif dance", "'dance' is no action"),
        ("whatif hold 1", "job 1"),
        ("whatif policy nope", "there is no policy 'nope'"),
    ],
)
def test_what_cannot_be_is_one_clear_line(typed: str, wording: str) -> None:
    async def story(operator: Operator) -> None:
        await operator.press("colon")
        await enter(operator, typed)
        assert wording in operator.message and isinstance(operator.app.screen, ConsoleScreen)
        await operator.press("equals_sign", "colon")
        await enter(operator, typed)
        assert wording in operator.message and names(operator) == ["fcfs", "gang"]

    operate(story, dilemma(), at=AT)


@pytest.mark.proof
def test_bars_of_both_lanes_look_at_the_same_time() -> None:
    """The lanes list the same jobs in the same order; m shows who has which nodes now instead of bars."""

    async def story(operator: Operator) -> None:
        await operator.press("colon")
        await enter(operator, "whatif hold 2")
        panels = [each.bars for each in view(operator).views]
        assert all(panel.display for panel in panels)
        for keys in ((), ("asterisk", "asterisk"), ("right_parenthesis",), ("2", "underscore"), ("f",)):
            await operator.press(*keys)
            windows = [panel.window for panel in panels]
            assert windows[0] is not None and windows[1] is not None
            assert (windows[0].since, windows[0].span) == (windows[1].since, windows[1].span), keys
        await operator.press("m")
        assert not any(panel.display for panel in panels)
        assert all(each.map.display for each in view(operator).views)
        assert "1 DIFFER" in operator.text

    operate(story, of=case(policy="easy"), at=AT)


@pytest.mark.proof
def test_a_job_that_is_held_stands_first_among_those_that_differ() -> None:
    """Its start there is not known, however far other jobs move."""

    async def story(operator: Operator) -> None:
        head = operator.console.snapshot.waiting[0]
        await operator.press("colon")
        await enter(operator, f"whatif hold {operator.console.session.id_of(head)}")
        found = view(operator).standings.differing.jobs
        assert len(found) > 3 and found[0].rows[0].index == head
        assert "no end" in operator.text

    operate(story, case("busy.swf", "easy"), at="85%")
