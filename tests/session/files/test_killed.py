"""A saved session survives whatever happens to the process: each action that was reported is in its file."""

import random
from pathlib import Path

import pytest

from shadowtime.console.session.case import load
from tests.amount import many
from tests.killing import killed

STORY = """\
title = "a long wait"

[machine]
nodes = 4

[policy]
name = "easy"

[[job]]
id = 1
size = 4
submit = 0
runtime = "1h"

[[job]]
id = 2
size = 4
submit = 0
runtime = "1h"
"""
WRITER = """
import sys
from shadowtime.console.session.case import load
from shadowtime.console.session.session import Session
session = Session(load(sys.argv[1]))
session.go_event(len(session.journal) + 2)
session.save(sys.argv[2], force=True)
for number in range(len(session.journal) + 1, 10_000):
    session.act(f"priority 2 {number}")
    session.keep()
    print(number, flush=True)
"""


def kill_often(folder: Path, times: int) -> None:
    """Kill at random moments; after each the file opens, and holds every action that had been reported."""
    chance = random.Random(5)
    story, saved = folder / "story.toml", folder / "saved.toml"
    story.write_text(STORY)
    for _ in range(times):
        source = saved if saved.exists() and len(load(saved).scenario.actions) < 60 else story
        last = killed(WRITER, source, saved, after=chance.uniform(0, 0.05))
        actions = load(saved).scenario.actions
        assert [action.to for action in actions] == list(range(1, len(actions) + 1)), "in order, none missing"
        assert len(actions) >= last


@pytest.mark.proof
def test_a_kill_loses_no_action_that_was_saved(tmp_path: Path) -> None:
    kill_often(tmp_path, 4)


@pytest.mark.proof
def test_two_hundred_kills_lose_no_action_that_was_saved(tmp_path: Path) -> None:
    kill_often(tmp_path, many(200))
