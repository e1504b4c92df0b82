"""Moving in lists, counts before keys, and letters on panels and rows."""

import pytest

from shadowtime.console.screens.pages.browser import Browser
from tests.console.operator import Operator, case, operate, with_first

BUSY = case("busy.swf", "easy")


@pytest.mark.proof
def test_rows_are_moved_by_letters_too() -> None:
    """j and k, half a screen, the last row and the first."""

    async def story(operator: Operator) -> None:
        queue = operator.console.picture.queue
        order = operator.console.desk.order()
        await operator.press("j", "j", "k")
        assert queue.key == order[1]
        await operator.press("G")
        assert queue.key == order[-1]
        await operator.press("g", "g")
        assert queue.key == order[0] and "go to" not in operator.message
        await operator.press("ctrl+d")
        assert queue.key == order[queue.size.height // 2]
        await operator.press("ctrl+u")
        assert queue.key == order[0]

    operate(story, of=BUSY, at="#300")


@pytest.mark.proof
def test_a_count_begins_after_its_key() -> None:
    """x 10 n is ten events; 10n alone would choose the first panel and go one event."""

    async def story(operator: Operator) -> None:
        await operator.press("x", "1", "0", "n")
        assert operator.console.snapshot.number == 10 and operator.console.panels.used == 2
        await operator.press("x", "3", "p")
        assert operator.console.snapshot.number == 7
        await operator.press("x", "2", "right_curly_bracket")
        assert operator.console.snapshot.number == 27

    operate(story, of=BUSY)


@pytest.mark.proof
def test_a_count_moves_rows_and_goes_to_a_row() -> None:
    """As in editors: x 5 j, x 3 G."""

    async def story(operator: Operator) -> None:
        queue, order = operator.console.picture.queue, operator.console.desk.order()
        await operator.press("x", "5", "j")
        assert queue.key == order[5]
        await operator.press("x", "2", "up")
        assert queue.key == order[3]
        await operator.press("x", "2", "G")
        assert queue.key == order[1]
        await operator.press("x", "2", "N")
        await operator.until(lambda: operator.console.snapshot.number > 300)

    operate(story, of=BUSY, at="#300")


@pytest.mark.proof
def test_what_takes_no_count_is_refused_and_esc_ends_a_count() -> None:
    """Nothing is done by halves."""

    async def story(operator: Operator) -> None:
        await operator.press("x", "2", "q")
        assert operator.message == "q takes no count" and operator.app.is_running
        await operator.press("x", "n")
        assert operator.message.startswith("a count is a number") and operator.console.snapshot.number == 300
        await operator.press("x", "4", "escape", "1")
        assert operator.console.panels.used == 1 and operator.console.snapshot.number == 300

    operate(story, of=BUSY, at="#300")


@pytest.mark.proof
def test_letters_lead_to_panels_and_rows() -> None:
    """A key shows them, the next key goes there, Esc takes them away."""

    async def story(operator: Operator) -> None:
        console = operator.console
        await operator.press("semicolon")
        panels = [console.panels.panels[number] for number in (1, 2, 3, 4, 5)]
        assert [str(panel.border_title)[2] for panel in panels] == ["a", "s", "d", "f", "g"]
        rows = [line[1:3] for line in operator.panel(2).splitlines()[2:5]]
        assert rows == ["h ", "j ", "k "]
        await operator.press("k")
        assert console.picture.queue.key == console.desk.order()[2] == console.desk.selected
        assert "[1]" in operator.panel(1)
        await operator.press("semicolon", "f")
        assert console.panels.used == 4
        await operator.press("semicolon", "escape")
        assert "[2]" in operator.panel(2) and console.panels.used == 4
        before = console.picture.events.picked
        await operator.press("semicolon", "h")
        assert console.picture.events.picked is not None and before is None

    operate(story, of=BUSY, at="#300")


def test_the_footer_shows_the_keys_of_the_panel_in_use() -> None:
    """The chart's own keys in the chart, sorting in the queue, colours on the map."""

    async def story(operator: Operator) -> None:
        assert "s sort" in operator.lines[-1]
        await operator.press("3")
        assert "w less time" in operator.lines[-1] and "f fit" in operator.lines[-1]
        assert "s sort" not in operator.lines[-1]
        await operator.press("1")
        assert "v colour" in operator.lines[-1] and "z zoom" in operator.lines[-1]

    operate(story)


@pytest.mark.proof
def test_the_help_of_the_browser_is_its_own() -> None:
    """Keys of the console do nothing in the list of scenarios."""

    async def story(operator: Operator) -> None:
        await operator.press("question_mark")
        assert "IN THE LIST OF SCENARIOS" in operator.text and "one event forward" not in operator.text
        await operator.press("escape", "G")
        browser = operator.app.screen
        assert isinstance(browser, Browser) and browser.shelf.cursor == len(browser.shelf.items) - 1
        await operator.press("g", "g", "j", "j", "k")
        assert browser.shelf.cursor == 1
        await operator.press("semicolon")
        assert "a The dilemma" in operator.text and "f Four months" not in operator.text
        await operator.press("q")
        assert browser.shelf.cursor == 9 and "a The dilemma" not in operator.text
        await operator.press("semicolon", "escape", "semicolon", "1")
        assert browser.shelf.cursor == 9 and operator.app.is_running
        await operator.press("slash", "semicolon", "escape")
        assert not browser._lettered

    with_first(story, Browser())
