"""The notes of a scenario: each is reported as true at its moment, and as what it was later on."""

from pathlib import Path

import pytest

from shadowtime.console.session import load
from shadowtime.console.words.notes import LINGERS
from tests.console.lines.test_lines import printed
from tests.console.operator import Operator, operate

DAY = Path(__file__).parents[3] / "scenarios" / "fj97" / "t3d-day.toml"


@pytest.mark.proof
def test_a_note_is_told_with_its_time_once_the_clock_has_left_its_moment() -> None:
    """At both events of 00:20 it is the note of now; after them it says when it was true."""

    async def story(operator: Operator) -> None:
        text = "Job 3 needs 32 nodes, and 64 are idle."
        assert f"NOTE  {text}" in operator.text
        await operator.press("n")
        assert f"NOTE  {text}" in operator.text
        await operator.press("n", "n", "n", "n")
        assert "NOTE of 0d 01:00:00  Job 1 ends seven hours" in operator.text
        await operator.press("p", "p")
        assert "NOTE  Job 1 ends seven hours" in operator.text
        await operator.press("p", "p")
        assert f"NOTE  {text}" in operator.text

    operate(story, at="#5")


@pytest.mark.proof
def test_a_note_is_gone_some_events_later_and_after_a_jump() -> None:
    """Its moment is long past; :note has it, with its time."""

    async def story(operator: Operator) -> None:
        assert "NOTE of 1996-06-04 06:00:00  06:00. Three batch jobs" in operator.text
        await operator.press("n")
        assert "NOTE" not in operator.text
        await operator.press("p")
        assert "NOTE of 1996-06-04 06:00:00" in operator.text
        await operator.press("end")
        assert "Three batch jobs" not in operator.text
        await operator.press("colon")
        await operator.type("note")
        assert "1996-06-04 06:00:00: 06:00. Three batch jobs" in operator.text

    operate(story, of=load(DAY), at=f"#{LINGERS}")


def test_lines_tell_the_time_of_what_is_past() -> None:
    lines = printed("g #12\nnote\n")
    assert any("NOTE of 0d 00:20:00: Job 3 needs" in line for line in lines)
    assert "0d 00:10:00: Job 2 needs all 128 nodes. As far" in "\n".join(lines)
    stepped = printed("n 5\n")
    assert any(line.startswith("        NOTE: Job 3 needs") for line in stepped)
    assert not any("NOTE of" in line for line in stepped)
