"""Likely starts on the screen: they come when the clock stands still, and go with it."""

import pytest

from shadowtime.console.screens.console import background
from shadowtime.console.words import likely
from tests.console.operator import Operator, case, operate


def test_odds_come_when_the_clock_stands_still(monkeypatch: pytest.MonkeyPatch) -> None:
    """A column of the queue, the same as in the row, and a line below WHEN; a step has none at first."""
    monkeypatch.setattr(background, "STILL", 0.01)

    async def story(operator: Operator) -> None:
        session = operator.console.session
        await operator.until(lambda: (answer := session.forecasts.likely) is not None and answer.final)
        await operator.rest()
        answer = session.forecasts.likely
        assert answer is not None
        starts = answer.starts
        assert starts.keys() == set(session.snapshot().waiting)
        head = session.snapshot().waiting[0]
        assert session.row(head).likely == starts[head]
        assert "LIKELY" in operator.panel(2) and "STARTS" not in operator.panel(2)
        assert not operator.console.picture.queue.promises
        assert likely.standing(answer) in operator.panel(2)
        assert session.row(head).no_odds == ""
        await operator.press("s")
        order = operator.console.desk.order()
        assert operator.console.desk.sorting.name == "likely" and starts[order[0]].likely == min(
            found.likely for found in starts.values() if found.likely is not None
        )
        await operator.press("2", "enter")
        odds = [line for line in operator.lines if line.startswith("│ odds ")]
        assert odds and "likely" in odds[0], operator.text
        await operator.press("escape")
        background.STILL = 3600
        await operator.press("n")
        assert session.forecasts.likely is None
        assert session.forecasts.latest_likely == answer
        assert all(
            job not in starts or session.row(job).likely == starts[job] for job in session.snapshot().waiting
        )
        assert "~" in operator.text

    operate(story, of=case("busy.swf"), size=(120, 36), at="85%")
