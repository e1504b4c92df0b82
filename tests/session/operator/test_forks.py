"""A fork takes over what its session knows of the actions: nothing is run once more to find it out."""

from pathlib import Path

import pytest

from shadowtime.console.session import Session
from shadowtime.console.session.case import load
from shadowtime.console.session.operator import steering
from shadowtime.console.session.travel.scout import Scout

STORY = """\
title = "A policy by the clock, parameters by the operator"
machine = {nodes = 4}
policy = {name = "easy"}
[[job]]
id = 1
size = 3
submit = 0
runtime = 100
[[job]]
id = 2
size = 4
submit = 10
runtime = 100
[[action]]
at = 50
do = "policy"
policy = {name = "conservative"}
"""


@pytest.fixture
def session(tmp_path: Path) -> Session:
    path = tmp_path / "story.toml"
    path.write_text(STORY)
    made = Session(load(path))
    made.go_time(20)
    return made


def test_the_kernel_actions_are_known_to_a_fork(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also of a parameter that was taken back: only a run could show where policies change."""
    session.act("set scan=longest")
    session.undo()
    other = session.fork("other")

    def run(*_: object) -> None:
        raise AssertionError("the run up to the parameter is not needed")

    with monkeypatch.context() as patched:
        patched.setattr(steering, "_run", run)
        assert other.redo() is not None
    assert other.snapshot().parameters["scan"] == "longest"
    assert session.snapshot().parameters["scan"] == "arrival"


def test_when_an_action_was_done_is_known_to_a_fork(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is written with its moment, and nobody goes back there to see what time it was."""
    session.act("hold 2")
    session.go_end()
    other = session.fork("other")

    def go(*_: object) -> None:
        raise AssertionError("the event of the action is not to be looked up")

    with monkeypatch.context() as patched:
        patched.setattr(Scout, "at_event", go)
        other.save(tmp_path / "saved.toml")
    assert "0 00:00:10" in (tmp_path / "saved.toml").read_text()


def test_what_a_fork_does_is_not_known_to_its_session(session: Session) -> None:
    """They share what was, not what comes."""
    other = session.fork("other")
    other.act("hold 2")
    assert (len(other.journal), len(session.journal)) == (1, 0)
    assert len(other.operator._interventions) == len(session.operator._interventions) + 1
    assert len(other.operator._acted_at) == len(session.operator._acted_at) + 1
