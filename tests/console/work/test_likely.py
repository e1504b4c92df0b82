"""Likely starts on the screen: they come when the clock stands still, and go with it."""

import pytest

from shadowtime.console.screens.console import background
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
        assert "LIKELY" in operator.text
        assert "ODDS" in operator.text
        background.STILL = 3600
        await operator.press("n")
        assert session.forecasts.likely is None

    operate(story, of=case("busy.swf"), size=(120, 36), at="85%")
