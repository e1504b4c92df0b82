"""The list of events: any stretch, past or to come, with decisions and reasons."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.console.session.facts import Decision, Event, Reason
from shadowtime.console.session.travel import events
from tests.oracles.jobs import Job, Workload, workloads
from tests.session.build import FIRST_ID, POLICIES, SOME, case_of, row_of, seen, session_of, straight

STORY = Workload([Job(0, 10, 3, 10), Job(1, 5, 4, 5), Job(2, 3, 1, 4)], 4)
"""The first job runs, the second heads the queue, the third is backfilled: it ends by the shadow time, 10."""


def test_the_story_in_events() -> None:
    """Each event has its number, instant, kind and job; a pass gives its decisions with ids, not rows."""
    first, second, third = FIRST_ID, FIRST_ID + 1, FIRST_ID + 2
    head_fits = Reason("head_fits", {"needs": 3, "free": 4})
    shadow = Reason("head_shadow", {"needs": 4, "free": 1, "shadow": 10, "extra": 0})
    by_shadow = Reason("ends_by_shadow", {"needs": 1, "free": 1, "end": 6, "shadow": 10, "head": second})
    session = session_of(STORY)
    assert session.events(1, 7) == (
        Event(1, 0, "submit", first),
        Event(2, 0, "pass", None, (Decision("start", first, head_fits),)),
        Event(3, 1, "submit", second),
        Event(4, 1, "pass", None, (Decision("reserve", second, shadow),)),
        Event(5, 2, "submit", third),
        Event(6, 2, "pass", None, (Decision("backfill", third, by_shadow),)),
        Event(7, 5, "finish", third),
    )
    session.go_event(6)
    assert session.snapshot().last == session.events(6, 1)[0]
    assert session.snapshot().upcoming == (5, "finish", third)
    assert session.snapshot().changed == {2}


def test_why_a_job_started_is_asked_of_its_job() -> None:
    """`turned` gives the decision that started a job, nothing while it waits, the same when it is over."""
    session = session_of(STORY)
    session.go_time(1)
    assert session.turned(FIRST_ID + 2) is None
    session.go_time(2)
    made = session.events(6, 1)[0].decisions[0]
    assert session.turned(FIRST_ID + 2) == made
    session.go_end()
    assert session.turned(FIRST_ID + 2) == made


@pytest.mark.proof
@pytest.mark.parametrize("policy", POLICIES)
@SOME
@given(workload=workloads(40), data=st.data())
def test_any_stretch_is_the_one_of_a_straight_run(
    policy: str, workload: Workload, data: st.DataObject
) -> None:
    """Whatever was read before, a stretch holds the events that exist, and the session stays."""
    session, moments = session_of(workload, policy), straight(case_of(workload, policy))
    for _ in range(4):
        here = data.draw(st.integers(0, len(moments) - 1))
        session.go_event(here)
        first, count = data.draw(st.integers(-5, len(moments) + 5)), data.draw(st.integers(0, 200))
        found = session.events(first, count)
        numbers = [n for n in range(max(first, 1), first + count) if n < len(moments)]
        assert [event.number for event in found] == numbers
        for event in found:
            last = moments[event.number].last
            assert last == (event.time, event.kind, row_of(session, event.job))
            decided = tuple(
                (made.kind, row_of(session, made.job), made.reason.code) for made in event.decisions
            )
            assert decided == moments[event.number].decided
        assert seen(session) == moments[here]


@pytest.mark.parametrize(("kept", "most"), [(1, 1 << 20), (8192, 1), (8192, 0)])
def test_what_is_forgotten_is_read_again(kept: int, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Few events are kept, or few decisions: what is read is the same, and no more is kept."""
    every = session_of(STORY).events(1, 20)
    monkeypatch.setattr(events, "KEPT", kept)
    monkeypatch.setattr(events, "MOST", most)
    session = session_of(STORY)
    for first, count in ((1, 20), (4, 3), (1, 20), (9, 1)):
        assert session.events(first, count) == every[first - 1 : first - 1 + count]
        held = session.run.events._events.values()
        assert len(held) <= kept
        assert session.run.events._decisions == sum(len(event.decisions) for event in held) <= most
