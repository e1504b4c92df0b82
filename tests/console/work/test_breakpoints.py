"""The keys of breakpoints: b, B, c and C, and :break."""

import pytest

from shadowtime.console.words import EVENTS
from shadowtime.console.words.moving import nothing
from tests.console.operator import Operator, operate


def event(operator: Operator) -> int:
    return operator.console.session.number


def test_c_goes_on_to_a_breakpoint_and_C_back() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("colon")
        await operator.type("break finish")
        assert operator.message == "breakpoint: finish   c goes on to it, C back to it, B lists them"
        await operator.press("c")
        first = event(operator)
        assert EVENTS["finish"].partition("} ")[2] in operator.panel(4)
        assert operator.message == "breakpoint: finish"
        await operator.press("c")
        assert event(operator) > first
        await operator.press("C")
        assert event(operator) == first
        await operator.press("C")
        assert (event(operator), operator.message) == (
            first,
            nothing("", False),
        )
        await operator.press("end", "c")
        assert operator.message == nothing("", True)

    operate(story)


@pytest.mark.proof
def test_b_sets_a_breakpoint_on_the_selected_job_or_asks() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("b")
        assert "break at" in operator.text
        await operator.type("queue > 1")
        assert operator.console.session.stops.points.all[0].text == "queue > 1"
        await operator.press("n", "n", "n", "down", "b")
        job = operator.console.session.id_of(operator.console.desk.selected or 0)
        assert operator.message.startswith(f"breakpoint: job {job} ")
        await operator.press("escape", "b")
        await operator.type("queue > many")
        assert operator.message.endswith("expected a number, a share or a duration")
        assert len(operator.console.session.stops.points.all) == 2

    operate(story)


@pytest.mark.proof
def test_B_lists_them_and_turns_them_off_and_removes_them() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("B")
        assert operator.message == "no breakpoint is set; b sets one"
        await operator.press("c")
        assert operator.message.startswith("no breakpoint is set")
        for text in ("finish", "submit"):
            await operator.press("colon")
            await operator.type(f"break {text}")
        await operator.press("B")
        assert "> on   finish" in operator.text
        # An empty page would not tell what else there is to stop at.
        assert "another one: type :break" in operator.text and "wait(31) > 2h" in operator.text
        await operator.press("down", "enter")
        assert "> off  submit" in operator.text
        await operator.press("escape", "c")
        assert operator.message == "breakpoint: finish"
        await operator.press("B", "x", "escape", "c")
        assert operator.message.startswith("no breakpoint is set")
        await operator.press("colon")
        await operator.type("break")
        assert "> off  submit" in operator.text

    operate(story)
