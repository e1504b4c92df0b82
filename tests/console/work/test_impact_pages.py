"""Impact and advice in the console: pages, the menu of actions, and lines."""

import pytest

from shadowtime.console.screens.impact.found_page import FoundPage
from shadowtime.console.session.operator.refusals import TAKES
from shadowtime.console.words.impact import summary
from tests.console.operator import Operator, operate


async def command(operator: Operator, line: str) -> None:
    await operator.press("colon")
    await operator.type(line)


@pytest.mark.proof
def test_impact_lists_who_moves_and_enter_looks_at_one() -> None:
    """With job 1 off the machine job 2 starts at once, and job 1 never ends."""

    async def story(operator: Operator) -> None:
        await command(operator, "goto 0 00:20:00")
        await command(operator, "impact suspend 1")
        page = operator.app.screen
        assert isinstance(page, FoundPage) and page.found is not None
        assert [(row.job, row.what) for row in page.found.rows][:2] == [(1, "end"), (2, "start")]
        assert operator.console.session.journal == ()
        await operator.press("down", "enter")
        session = operator.console.session
        assert operator.console.selection.chosen == session.index_of(2)

    operate(story)


@pytest.mark.proof
def test_advice_is_done_by_enter() -> None:
    async def story(operator: Operator) -> None:
        await command(operator, "goto 0 00:20:00")
        await command(operator, "advise 2 by now")
        page = operator.app.screen
        assert isinstance(page, FoundPage) and page.found is not None
        session = operator.console.session
        advice, by = page.found.advice, page.found.by
        await operator.press("end", "enter")
        assert advice[-1].do == ("size 2 31",) and session.journal == ()
        assert operator.app.screen is page and f":impact {advice[-1].do[0]} " in operator.text
        await operator.press("home", "enter")
        assert advice[0].do[0].split()[0] == "suspend"
        assert len(session.journal) == len(advice[0].do)
        session.predict()
        assert session.predicted_starts().get(session.index_of(2), 0) <= by

    operate(story)


@pytest.mark.proof
def test_what_cannot_be_asked_is_refused_in_one_line() -> None:
    async def story(operator: Operator) -> None:
        await command(operator, "impact")
        assert "expected an action" in operator.message
        await command(operator, "impact explode 3")
        assert "explode" in operator.message
        await command(operator, "advise 99")
        assert "there is no job 99" in operator.message
        await command(operator, "advise 1 by tomorrow")
        assert "tomorrow" in operator.message or "does not wait" in operator.message
        await command(operator, "impact release 2")
        assert TAKES["release"] in operator.text
        await operator.press("escape")

    operate(story, at="0 00:20:00")


def test_the_menu_shows_the_impact_of_what_is_under_the_cursor() -> None:
    async def story(operator: Operator) -> None:
        await command(operator, "goto 0 00:20:00")
        impact = operator.console.session.impact("hold 2")
        assert impact.totals.never_jobs == 1
        await operator.press("a")
        await operator.until(lambda: summary(impact.totals) in operator.text)
        assert "> hold 2" in operator.text

    operate(story)
