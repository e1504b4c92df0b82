"""The keys of lists, where there is no list."""

from textual.screen import Screen

from shadowtime.console.screens.pages.page import Page
from tests.console.operator import Operator, operate


def test_a_key_of_lists_does_nothing_while_nothing_has_the_focus() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("question_mark")
        page: Screen[object] = operator.app.screen
        assert isinstance(page, Page)
        page.set_focus(None)
        await operator.press("j", "G", "ctrl+d")
        assert operator.app.screen is page

    operate(story)
