"""`shadowtime open` without a terminal: the story in lines."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.commandline import Shadowtime, process

Story = Callable[[str], Path]


@pytest.mark.proof
def test_without_a_terminal_the_story_is_reported(story: Story) -> None:
    """A pipe gets the whole story in lines, with the notes and the reasons, and exit code 0."""
    ended = process("open", story("fj97/dilemma.toml"))
    assert (ended.code, ended.err) == (0, "")
    assert "The dilemma: a gain" in ended.out
    assert "job 3 waits" in ended.out
    assert "NOTE: Job 1 takes 64 of the 128 nodes" in ended.out


@pytest.mark.proof
def test_a_dumb_terminal_gets_lines(story: Story) -> None:
    """TERM=dumb says that no screen can be drawn."""
    ended = process("open", story("fj97/dilemma.toml"), environment={"TERM": "dumb", "NO_COLOR": "1"})
    assert ended.code == 0
    assert "\x1b" not in ended.out


@pytest.mark.parametrize("place", ["#6", "20m", "0 00:20:00", "50%", "3 submit", "1200"])
def test_at_begins_there(place: str, shadowtime: Shadowtime, story: Story) -> None:
    """--at takes an event, a time, a share, or a job's moment."""
    ended = shadowtime("open", story("fj97/dilemma.toml"), "--text", "--at", place)
    assert (ended.code, ended.err) == (0, "")
    assert "0d 00:20:00" in ended.out


@pytest.mark.parametrize("place", ["#x", "soon", "150%", "9 start", "3 lunch"])
def test_a_bad_place_is_answered_by_one_line(place: str, shadowtime: Shadowtime, story: Story) -> None:
    """What is no place in time is a fault of the input."""
    ended = shadowtime("open", story("fj97/dilemma.toml"), "--text", "--at", place)
    assert (ended.code, len(ended.complaints)) == (2, 1)
