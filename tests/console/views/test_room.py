"""The room of a screen is used: a chart beside the map, reasons on small screens, words explained."""

import re

import pytest

from shadowtime.console import words
from shadowtime.console.session import Action
from tests.console.operator import Operator, case, operate, under


def test_the_chart_is_beside_the_map_on_a_usual_screen() -> None:
    async def story(operator: Operator) -> None:
        assert all(operator.panel(number) for number in (1, 2, 3, 4, 5))

    operate(story, size=(120, 36))


@pytest.mark.proof
def test_a_small_screen_says_why_the_selected_job_waits() -> None:
    """Once, also beside the panel that says so itself, and on the smallest where the queue leaves room."""

    async def story(operator: Operator) -> None:
        await operator.press("down")
        assert re.search(r"WHY +job 3 (waits|starts|is)", operator.text)
        await operator.press("4")
        assert operator.text.count("WHY") == 1
        await operator.press("2")
        await operator.resize(60, 18)
        assert operator.text.count("WHY") == 1

    operate(story, of=case("dilemma.toml", "fcfs"), size=(80, 24), at="#6")


@pytest.mark.proof
def test_who_waits_for_the_first_turn_waits() -> None:
    """The queue's caption agrees with the length of the queue."""

    async def story(operator: Operator) -> None:
        for _ in range(12):
            await operator.press("n")
            length = operator.console.snapshot.metrics.queue_length
            assert f"{length} waiting" in operator.panel(2).splitlines()[0]

    operate(story, of=under("gang"))


@pytest.mark.proof
def test_the_queue_explains_the_words_behind_its_starts() -> None:
    async def story(operator: Operator) -> None:
        await operator.until(lambda: "exp: expected" in operator.panel(2))
        assert "guar: guaranteed" not in operator.panel(2)

    operate(story, at="#6")


@pytest.mark.proof
def test_a_busy_map_is_by_job_until_the_operator_chooses() -> None:
    """By state it would be one block."""

    async def story(operator: Operator) -> None:
        assert "by job" in operator.panel(1)
        await operator.press("v")
        assert "by user" in operator.panel(1)
        await operator.press("n")
        assert "by user" in operator.panel(1)

    operate(story, of=case("busy.swf", "easy"), at="85%")


@pytest.mark.proof
def test_a_held_job_does_not_change_the_colours_of_the_map() -> None:
    """It is on no node."""

    async def story(operator: Operator) -> None:
        assert "by job" in operator.panel(1)
        session = operator.console.session
        waiting = session.id_of(operator.console.snapshot.waiting[-1])
        await operator.press("colon")
        await operator.type(f"hold {waiting}")
        assert words.did(Action("hold", job=waiting)) in operator.message and "by job" in operator.panel(1)

    operate(story, of=case("busy.swf", "easy"), at="85%")
