"""Why jobs wait, whatever was looked at before: a fork serves only the event of its pass."""

from random import Random

import pytest

from shadowtime.console.session import open_session
from shadowtime.console.session.jobs.reasons import Reasons
from shadowtime.console.session.travel import landings, lookahead
from tests.console.operator import under
from tests.oracles.jobs import Job, Workload
from tests.session.build import case_under

CROWD = Workload([Job(0, 10 + at % 7, 1 + at % 4, 40 - at) for at in range(30)], 4)
"""Thirty jobs at once on four nodes."""


@pytest.mark.parametrize("policy", ["easy", "conservative", "sjf", "dynp"])
def test_a_walk_shows_the_reasons_of_a_straight_run(policy: str) -> None:
    """Forward and back by chance; beside each place a run that has just come there."""
    case, random = under(policy), Random(7)
    session = open_session(case)
    session.go_end()
    for _ in range(30):
        session.go_event(random.randrange(session.total or 1))
        fresh = open_session(case)
        fresh.go_event(session.number)
        jobs = range(len(case.jobs))
        assert [session.row(job).reason for job in jobs] == [fresh.row(job).reason for job in jobs]


def test_a_reason_is_asked_for_once_at_a_position(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that are asked for again, because predictions have arrived, ask the policy for nothing."""
    session = open_session(under("sjf"))
    session.go_event(5)
    waiting = [job for job in session.snapshot().waiting if session.row(job).reason is not None]
    assert waiting
    session.step()
    session.back()
    first = [session.row(job) for job in waiting]
    with monkeypatch.context() as patch:
        patch.setattr(Reasons, "_reason", _unexpected)
        assert [session.row(job) for job in waiting] == first


@pytest.mark.parametrize("policy", ["easy", "conservative", "sjf", "dynp"])
@pytest.mark.parametrize("name", ["step", "back", "next_decision", "previous_decision"])
def test_a_look_ahead_finds_the_reasons_that_the_next_key_shows(
    policy: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are those of a straight run, and the policy is asked for none of them again."""
    monkeypatch.setattr(landings, "WORTH", 0.0)
    case = case_under(CROWD, policy, {})
    session, straight = open_session(case), open_session(case)
    compared = 0
    for event in range(31, 59, 3):
        session.go_event(event)
        before = [job for job in session.snapshot().waiting if session.row(job).reason is not None]
        work = session.ahead.start_look()
        assert work is not None
        work.run()
        session.ahead.take_look(work)
        getattr(session, name)()
        waiting = [job for job in before if job in session.snapshot().waiting]
        straight.go_event(0)
        straight.go_event(session.number)
        wanted = [straight.row(job).reason for job in waiting]
        if session.number != event:
            with monkeypatch.context() as patch:
                patch.setattr(Reasons, "_reason", _unexpected)
                assert [session.row(job).reason for job in waiting] == wanted
            compared += len(waiting)
    assert compared > 30


def _unexpected(*_: object) -> None:
    raise AssertionError("the policy is asked again")


def test_an_action_changes_the_reasons_of_the_position_at_which_it_is_taken() -> None:
    """What was known before it, and what is known after it is undone, is that of another run."""
    session = open_session(under("easy"))
    session.go_event(5)
    head = session.snapshot().waiting[0]
    before = session.row(head).reason
    session.act(f"hold {session.id_of(head)}")
    held = session.row(head).reason
    assert held != before
    session.undo()
    assert session.row(head).reason == before
    session.redo()
    assert session.row(head).reason == held


def test_the_jobs_whose_reasons_are_shown_are_those_of_the_position() -> None:
    """Until one is asked for there, those of the position before: a look ahead begins with them."""
    session = open_session(case_under(CROWD, "easy", {}))
    session.go_event(31)
    first, *_, last = session.snapshot().waiting
    reasons = session.run.reasons
    session.row(first)
    session.row(last)
    assert {*reasons.asked} == {first, last}
    session.step()
    assert {*reasons.asked} == {first, last}
    session.row(last)
    assert {*reasons.asked} == {last}


def test_a_look_ahead_finds_the_reasons_of_jobs_beside_those_in_sight(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """When others start they come into sight; jobs further away are left alone."""
    monkeypatch.setattr(landings, "WORTH", 0.0)
    session = open_session(case_under(CROWD, "sjf", {}))
    session.go_event(31)
    waiting = session.snapshot().waiting
    for job in waiting[8:10]:
        session.row(job)
    work = session.ahead.start_look()
    assert work is not None
    work.run()
    session.ahead.take_look(work)
    session.step()
    landing, waiting = session.run.trajectory.landings.at(32), session.snapshot().waiting
    assert landing is not None and landing.reasons.keys() < {*waiting}
    assert len(landing.reasons) == 2 + 2 * lookahead.NEAR
