"""Pages on small screens: instants are written shorter, lines are broken; nothing is cut."""

from datetime import datetime

import attrs
import pytest
from textual.widgets import Input

from shadowtime.console.screens.pages.detail_text import job_lines
from shadowtime.console.screens.pages.node_text import Named, NodeText
from shadowtime.console.session.clock import Clock
from shadowtime.console.session.facts import LikelyStart, Prediction, Row, TrackRecord
from shadowtime.console.session.jobs.history import Life
from shadowtime.console.session.nodes.watch import Stay
from shadowtime.console.widgets.events.text import ChosenJob
from shadowtime.console.widgets.frame.ink import plain, width_of
from shadowtime.console.words.units import NODES
from tests.console.operator import Operator, operate

CALENDAR = Clock(datetime(1999, 2, 25), calendar=True)
WIDTHS = pytest.mark.parametrize("width", [56, 76, 96, 118])


@WIDTHS
def test_a_job_is_not_cut(width: int) -> None:
    """How its start moved has the cause below it where there is no room beside it; facts are in columns."""
    made = [Prediction(86_400 + at, "expected", at) for at in (1, 5000, 70)]
    odds = {1: LikelyStart(600, 3600, 7200, 100, True, 1, TrackRecord(200, 158))}
    life = Life(made, {each.event: each.event for each in made}, odds)
    row = Row(
        index=0, id=12345, user="ada", klass="", queue="4", name="", state="N", size=40, submit=0,
        estimate=600, wait=300, now=300,
    )  # fmt: skip
    unit = attrs.evolve(NODES, clock=CALENDAR)
    causes = {each.event: "job 42809 finishes; starts job 42814; reserves job 42821" for each in made}
    lines = job_lines(ChosenJob(row), life, 300, 1, width, unit, causes=causes)
    assert all(width_of(line) <= width for line in lines)
    text = " ".join(" ".join(map(plain, lines)).split())
    assert text.count("reserves job 42821") == 3 and "1h23m later" in text and "1h22m earlier" in text
    assert ("submitted" in plain(lines[0])) == (width > 60)


@WIDTHS
@pytest.mark.parametrize("user", ["ada", "someone_else"])
def test_the_jobs_of_a_node_are_not_cut(width: int, user: str) -> None:
    """Without the year, and without seconds, before a column goes."""
    text = NodeText()
    stays = [Stay(0, 43_200, 86_400, 1), Stay(1, 86_400, 90_000, 2)]
    text.add_stays("EXPECTED", stays, lambda job: Named(42_000 + job, user, 32), 300, "", width, CALENDAR)
    first = plain(text.lines[3])
    assert all(width_of(line) <= width for line in text.lines) and "…" not in first
    assert first.split()[-1] == "12h00m" and ("1999-02-26 00:00:00" in first) == (width > 72 + len(user))
    assert "02-26 00:00" in first and list(text.jobs.values()) == [0, 1]


def test_the_examples_of_a_prompt_end_whole() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("g")
        line = operator.app.screen.query_one(Input)
        assert 20 < len(line.placeholder) < line.size.width and line.placeholder.endswith("06:00")

    operate(story, size=(60, 18))
