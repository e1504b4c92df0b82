"""Sizes: from a terminal that is too small, which says so in one line, to 300 columns."""

import itertools

import pytest
from textual.widget import Widget

from shadowtime.console import words
from shadowtime.console.screens.pages.detail_text import METRICS
from shadowtime.console.screens.pages.page import LEAST, TooSmall
from tests.console.operator import Operator, case, operate

SIZES = ((60, 18), (80, 24), (300, 100))


@pytest.mark.proof
@pytest.mark.parametrize("size", [(59, 30), (120, 17), (40, 10)], ids=str)
def test_a_terminal_that_is_too_small_says_so_and_recovers(size: tuple[int, int]) -> None:
    """One line, no key but the one that quits; with room again everything is as it was."""

    async def story(operator: Operator) -> None:
        await operator.press("n", "n", "4")
        before = operator.text
        await operator.resize(*size)
        lines = [line.strip() for line in operator.lines if line.strip()]
        assert lines == [f"too small: {size[0]}x{size[1]}, needs 60x18; q quits"]
        await operator.press("n", "escape", "enter", "colon")
        assert operator.console.snapshot.number == 2
        await operator.resize(size[0] - 1, size[1] - 1)
        assert f"{size[0] - 1}x{size[1] - 1}" in operator.text
        await operator.resize(100, 35)
        assert operator.text == before
        await operator.press("p")
        assert operator.console.snapshot.number == 1

    operate(story, size=(100, 35))


@pytest.mark.proof
def test_a_console_that_begins_too_small_can_be_enlarged_and_left() -> None:
    """The line is there from the first moment on."""

    async def story(operator: Operator) -> None:
        assert isinstance(operator.app.screen, TooSmall)
        await operator.resize(80, 24)
        assert "[2] QUEUE" in operator.text
        await operator.resize(20, 4)
        await operator.press("q")
        assert operator.app.return_value == 0

    operate(story, size=(30, 8))


@pytest.mark.proof
def test_what_is_opened_over_the_line_does_not_leave_it_behind() -> None:
    """A page that came meanwhile: with room again it is read, and the line does not come back below it."""

    async def story(operator: Operator) -> None:
        await operator.resize(30, 8)
        operator.console.open_help()
        await operator.resize(31, 8)
        await operator.resize(120, 36)
        assert "HELP" in operator.lines[0]
        await operator.press("escape")
        await operator.rest()
        assert "[2] QUEUE" in operator.text

    operate(story)


@pytest.mark.proof
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_every_panel_and_page_has_its_room(size: tuple[int, int]) -> None:
    """No line is too wide, nothing scrolls sideways, the panel in use is whole, the keys are reported."""

    async def story(operator: Operator) -> None:
        for number in operator.console.numbers:
            await operator.press(str(number))
            panel = operator.panel(number).splitlines()
            assert panel[0].startswith("╭") and panel[0].rstrip().endswith("╮"), panel[0]
            assert panel[-1].startswith("╰") and len(panel) >= 6, number
            check(operator, size)
            assert operator.lines[-1].strip().startswith("n step") and operator.lines[-1].endswith("q quit")
            assert operator.lines[0].strip() and "event" in operator.lines[0]
        for keys in (("2", "enter"), ("5", "enter"), ("question_mark",)):
            await operator.press(*keys)
            check(operator, size)
            assert "Esc back" in operator.lines[-1]
            await operator.press("escape")

    operate(story, case("busy.swf") if size == (80, 24) else None, size=size, at="50%")


def check(operator: Operator, size: tuple[int, int]) -> None:
    """What holds on every screen."""
    assert len(operator.lines) == size[1]
    assert all(len(line) <= size[0] for line in operator.lines)
    for widget in operator.app.screen.walk_children(Widget):
        assert not widget.show_horizontal_scrollbar, widget


def test_the_event_at_the_clock_is_seen_however_low_the_panel_is() -> None:
    """A list of one event shows that one, not the next."""

    async def story(operator: Operator) -> None:
        await operator.press("4")
        assert "> " in operator.panel(4) and words.TALLIES["backfill"].format("job 3") in operator.panel(4)

    operate(story, size=(LEAST.width, LEAST.height), at="#6")


def test_what_a_metric_means_has_the_width_of_a_small_screen() -> None:
    """No meaning takes more than two lines below its figure."""

    async def story(operator: Operator) -> None:
        await operator.press("5", "enter")
        shown = [line.strip(" │┃") for line in operator.lines]
        figures = [at for at, line in enumerate(shown) if line.split(" ")[0] in METRICS]
        assert len(figures) > 3
        assert max(after - at for at, after in itertools.pairwise(figures)) <= 3

    operate(story, size=(60, 18))
