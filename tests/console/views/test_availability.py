"""The free nodes from now on, in the place of the bars."""

import pytest

from shadowtime.console.widgets.gantt.panel import GanttPanel
from tests.console.operator import Operator, operate, under


@pytest.mark.proof
def test_view_availability_takes_the_place_of_the_bars_and_gives_it_back() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("n", "n", "n", "n", "colon")
        await operator.type("view availability")
        assert "[3] AVAILABILITY" in operator.panel(3)
        assert "shadow time 0d 08:00:00 of job 2" in operator.panel(3)
        chart = operator.app.screen.query_one(GanttPanel)
        before = chart.window
        await operator.press("w")
        assert before is not None and chart.window is not None and chart.window.span < before.span
        await operator.press("right")
        assert "as running jobs end" in operator.panel(3)
        await operator.press("n", "n", "colon")
        await operator.type("view gantt")
        assert "[3] GANTT" in operator.panel(3) and "shadow" not in operator.panel(3)

    operate(story)


def test_an_unknown_view_and_jobs_that_take_turns_get_one_line() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("n", "n", "colon")
        await operator.type("view nowhere")
        assert operator.message == "'nowhere' is no view; expected one of availability, gantt, users"
        await operator.press("colon")
        await operator.type("view availability")
        assert operator.message.startswith("jobs take turns here") and "row 0 64" in operator.message

    operate(story, of=under("gang"))
