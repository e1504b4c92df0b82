"""The compare view: what changes for whom, the way from a job to its start, filters of the lanes."""

import attrs

from shadowtime.console.screens.compare.verdict_page import VerdictPage, listed
from shadowtime.console.session.comparison.verdict import Window
from shadowtime.console.words.phrases import slip
from tests.console.compare.test_screen import AT, clock, dilemma, enter, view
from tests.console.operator import Operator, operate


def test_a_key_leads_from_a_job_to_its_start_in_a_lane() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("equals_sign", "V")
        await operator.until(lambda: isinstance(operator.app.screen, VerdictPage))
        page = operator.app.screen
        assert isinstance(page, VerdictPage)
        await operator.until(lambda: page.found is not None)
        found = page.found
        assert found is not None and found.all.jobs == 3
        before, after = found.waits[0]
        assert f"  {slip(after - before)}" in operator.text
        mixed = attrs.evolve(found, worst=(1, 2, 3, 4), waits=((9, 0), (0, 8), (7, 0), (0, 9)))
        assert [job for job, _ in listed(mixed)] == [4, 2, 1, 3]
        await operator.press("2")
        lane = view(operator).lockstep.lanes[1]
        assert view(operator).lane == 1 and view(operator).chosen == found.worst[0]
        assert lane.started_at(found.worst[0]) == lane.time

    operate(story, dilemma(), at=AT)


def test_a_window_is_measured_and_a_wrong_one_refused() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("equals_sign", "colon")
        await enter(operator, "window 1 until +10m")
        await operator.until(lambda: isinstance(operator.app.screen, VerdictPage))
        page = operator.app.screen
        assert isinstance(page, VerdictPage)
        await operator.until(lambda: page.found is not None)
        assert page.found is not None and page.found.window == Window(1, 601)
        await operator.press("escape", "colon")
        await enter(operator, "window 50%")
        assert view(operator) and "50%" in operator.message

    operate(story, dilemma(), at=AT)


def test_lanes_are_filtered_and_a_job_that_is_gone_to_is_selected() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("equals_sign", "slash")
        await enter(operator, "size>100")
        assert {tuple(each.queue._keys) for each in view(operator).views} == {(1,)}
        await operator.press("slash")
        await enter(operator, "speed>3")
        assert view(operator).filter == "size>100" and "speed" in operator.message
        await operator.press("slash", "enter")
        assert all(len(each.queue._keys) > 1 for each in view(operator).views)
        await operator.press("g")
        await enter(operator, "job 3")
        assert view(operator).selected == view(operator).lockstep.lanes[0].index_of(3)
        await operator.press("g")
        await enter(operator, "1800")
        assert "1800" not in operator.message and clock(operator) in operator.message

    operate(story, dilemma(), at=AT)
