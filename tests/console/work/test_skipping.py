"""`:skip`: steps over events of some kinds, as the operator types it and as the screen tells it."""

import pytest

from shadowtime.console import words
from shadowtime.console.words import skipped
from shadowtime.console.words.moving import ENDS
from tests.console.operator import Operator, operate
from tests.console.views.test_matrix import gang


async def command(operator: Operator, text: str) -> None:
    await operator.press("colon")
    await operator.type(text)


@pytest.mark.proof
def test_steps_pass_over_switches_and_back() -> None:
    """After the three submissions only the ends are left, each with its pass."""

    async def story(operator: Operator) -> None:
        await command(operator, "skip switch_slot")
        assert operator.message == skipped({"switch_slot"})
        assert "|| PAUSED skips" in operator.title
        await operator.press("n")
        assert "event 22/56" in operator.title and words.happened("finish", 1) in operator.panel(4)
        assert operator.message == "passed over 14 events; skipped: switch_slot"
        await operator.press("n")
        assert "event 24/56" in operator.title, "the pass belongs to the end and to a switch"
        assert operator.message == "passed over 1 event; skipped: switch_slot"
        await operator.press("p", "p")
        assert "event 7/56" in operator.title
        await operator.press("n")
        await command(operator, "2n")
        assert "event 53/56" in operator.title
        await command(operator, "under easy")
        assert "|| PAUSED skips" in operator.title
        await command(operator, "skip none")
        assert operator.message == skipped(()) and "skips" not in operator.title
        await command(operator, "under gang")
        assert "skips" not in operator.title

    operate(story, gang(), at="#7")


@pytest.mark.proof
def test_skip_alone_tells_and_what_is_no_kind_changes_nothing() -> None:
    async def story(operator: Operator) -> None:
        await command(operator, "skip")
        assert operator.message == skipped(())
        await command(operator, "skip submit, switch_slot")
        await command(operator, "skip swich")
        assert operator.message.startswith("'swich' is no kind of event; expected none, or some of action,")
        await command(operator, "skip")
        assert operator.message == skipped({"submit", "switch_slot"})
        await command(operator, "skip finish, submit, pass, switch_slot")
        await operator.press("n")
        assert "event 56/56" in operator.title, "where all is passed over a step leads to the end"
        await operator.press("n")
        assert operator.message == ENDS.forward
        await operator.press("p", "p")
        assert operator.message == ENDS.back

    operate(story, gang(), at="#7")


@pytest.mark.proof
def test_play_passes_over_them_too() -> None:
    async def story(operator: Operator) -> None:
        await command(operator, "skip switch_slot")
        await command(operator, "speed 4096")
        await operator.press_only("space")
        await operator.until(lambda: operator.console.session.over)
        await operator.press("r")
        await operator.press_only("space")
        await operator.until(lambda: operator.console.session.number == 0)

    operate(story, gang(), at="#7")
