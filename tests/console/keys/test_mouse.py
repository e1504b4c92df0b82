"""The mouse: it selects, focuses and scrolls, and does nothing that keys cannot do."""

import pytest
from textual.app import App
from textual.events import MouseScrollDown, MouseScrollUp

from shadowtime.console.app import Shadowtime, open_console
from shadowtime.console.keymap import Settings
from tests.console.operator import Operator, case, operate

WHEEL = (0, 0, 0, 1, 0, False, False, False)
"""Where the wheel is turned, and with which keys: nowhere special, none."""


async def click(operator: Operator, widget: str, at: tuple[int, int]) -> None:
    """Click somewhere in a widget."""
    await operator._pilot.click(widget, offset=at)
    await operator.rest()


def state(operator: Operator) -> tuple[object, ...]:
    """What a click can change."""
    console = operator.console
    event = console.selection.event
    return console.panels.used, console.selection.chosen, None if event is None else event.number


@pytest.mark.proof
def test_a_job_is_selected_by_a_click_or_by_keys() -> None:
    """On its line in the queue."""
    reached = []

    async def by_mouse(operator: Operator) -> None:
        await click(operator, "#queue", (5, 2))
        reached.append(state(operator))

    async def by_keys(operator: Operator) -> None:
        await operator.press("2", "down")
        reached.append(state(operator))

    operate(by_mouse, at="#6")
    operate(by_keys, at="#6")
    assert reached[0] == reached[1] and reached[0][0] == 2


@pytest.mark.proof
def test_a_node_is_selected_by_a_click_or_by_keys() -> None:
    """The first node of the map belongs to job 1."""
    reached = []

    async def by_mouse(operator: Operator) -> None:
        await click(operator, "#nodemap", (5, 0))
        reached.append((*state(operator), operator.console.desk.selected))

    async def by_keys(operator: Operator) -> None:
        await operator.press("1", "right", "enter", "escape")
        reached.append((*state(operator), operator.console.desk.selected))

    operate(by_mouse, at="#6")
    operate(by_keys, at="#6")
    assert reached[0] == reached[1] and reached[0][-1] == 0


@pytest.mark.proof
def test_an_event_is_selected_by_a_click_by_the_wheel_or_by_keys() -> None:
    """And the panel gets the focus."""
    reached = []

    async def by_mouse(operator: Operator) -> None:
        await operator.press("1")
        top = next(y for y, line in enumerate(operator.panel(4).splitlines()) if " 5 0d" in line)
        await click(operator, "#events", (5, top - 1))
        reached.append(state(operator))

    async def by_wheel(operator: Operator) -> None:
        await operator.press("4")
        events = operator.console.query_one("#events")
        events.post_message(MouseScrollUp(events, *WHEEL))
        await operator.rest()
        reached.append(state(operator))
        events.post_message(MouseScrollDown(events, *WHEEL))
        await operator.rest()
        assert state(operator)[-1] == 6

    async def by_keys(operator: Operator) -> None:
        await operator.press("4", "up")
        reached.append(state(operator))

    for story in (by_mouse, by_wheel, by_keys):
        operate(story, size=(120, 50), at="#6")
    assert reached[0] == reached[2] and reached[0][::2] == (4, 5)
    assert reached[1][::2] == (4, 3)


@pytest.mark.proof
@pytest.mark.parametrize(
    ("number", "body"), [(1, "#nodemap"), (2, "#queue"), (4, "#events"), (5, "#metrics")]
)
def test_a_panel_gets_the_focus_by_a_click_or_by_its_number(number: int, body: str) -> None:
    """Whatever the other has done."""

    async def story(operator: Operator) -> None:
        await click(operator, body, (30, 5))
        assert operator.console.panels.used == number
        await operator.press("2" if number != 2 else "1", str(number))
        assert operator.console.panels.used == number

    operate(story, at="#6")


@pytest.mark.proof
def test_the_wheel_scrolls_the_queue() -> None:
    """The view alone; keys move the cursor, and the view with it."""

    async def story(operator: Operator) -> None:
        first = operator.jobs
        queue = operator.console.query_one("#queue")
        queue.post_message(MouseScrollDown(queue, *WHEEL))
        await operator.until(lambda: operator.jobs != first)
        await operator.press("down")
        assert operator.console.selection.chosen is not None

    operate(story, case("busy.swf"), at="85%")


def test_without_a_mouse_the_terminal_keeps_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """`--no-mouse` and `mouse = false` reach the terminal's driver."""
    asked = []

    def run(self: App[int], *, mouse: bool) -> None:
        asked.append(mouse)

    monkeypatch.setattr(Shadowtime, "run", run)
    for settings in (None, Settings(), Settings(mouse=False)):
        open_console(case(), settings=settings)
    assert asked == [True, True, False]
