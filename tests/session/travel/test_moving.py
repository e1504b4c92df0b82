"""Moving in time: whichever way the session came, it finds what a straight run has there."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.travel import trajectory as course
from tests.oracles.jobs import Job, Workload, workloads
from tests.session.build import FIRST_ID, POLICIES, SOME, case_of, seen, session_of, straight

CASE_5 = Workload([Job(0, 5, 3, 6), Job(2, 2, 2, 6), Job(3, 3, 2, 6), Job(3, 1, 1, 5)], 4)
"""Starts under EASY: 0, 5, 5, 3."""
CROWD = [Job(submit=k // 3, runtime=1 + k * 7 % 11, size=1 + k * 5 % 4, estimate=12) for k in range(300)]
"""More than the machine of 5 nodes can do: the queue grows."""


@pytest.fixture(params=["few copies", "a copy an event"], autouse=True)
def copies(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Small workloads never need a second copy by the clock; here they also get one after every event."""
    if request.param == "a copy an event":
        monkeypatch.setattr(course, "GAP", 0.0)


@pytest.mark.parametrize("policy", POLICIES)
@SOME
@given(workload=workloads(), data=st.data())
def test_forward_and_back_is_the_identity(policy: str, workload: Workload, data: st.DataObject) -> None:
    """From any position, in mid-instant too: n forward and n back changes no byte, and shows the same."""
    session, moments = session_of(workload, policy), straight(case_of(workload, policy))
    session.go_event(data.draw(st.integers(0, len(moments) - 1)))
    here = session.number
    moved = session.step(data.draw(st.integers(0, len(moments))))
    assert session.number == here + moved
    assert seen(session) == moments[here + moved]
    assert session.back(moved) == moved
    assert session.number == here
    assert seen(session) == moments[here]


@pytest.mark.parametrize("policy", POLICIES)
@SOME
@given(workload=workloads(), data=st.data())
def test_any_jumps_end_where_a_straight_run_is(policy: str, workload: Workload, data: st.DataObject) -> None:
    """After any jumps the state, the last event and its decisions are those of a straight run."""
    session, moments = session_of(workload, policy), straight(case_of(workload, policy))
    for number in data.draw(st.lists(st.integers(0, len(moments) - 1), min_size=1, max_size=8)):
        session.go_event(number)
        assert seen(session) == moments[number]


@pytest.mark.parametrize("policy", POLICIES)
@SOME
@given(workload=workloads(), data=st.data())
def test_a_time_is_the_state_after_its_last_event(
    policy: str, workload: Workload, data: st.DataObject
) -> None:
    """Going to a time ends after the last event that is not later, the pass of its instant included."""
    session, moments = session_of(workload, policy), straight(case_of(workload, policy))
    first, last = moments[0].time, moments[-1].time
    for time in data.draw(st.lists(st.integers(first - 2, last + 2), min_size=1, max_size=5)):
        session.go_time(time)
        expected = max((n for n, moment in enumerate(moments) if n == 0 or moment.time <= time))
        assert session.number == expected
        assert seen(session) == moments[expected]


@pytest.mark.parametrize("policy", POLICIES)
@SOME
@given(workload=workloads(), data=st.data())
def test_decisions_are_found_both_ways(policy: str, workload: Workload, data: st.DataObject) -> None:
    """The next and previous decisions are the nearest events that started something; else it stays."""
    session, moments = session_of(workload, policy), straight(case_of(workload, policy))
    acts = [number for number, moment in enumerate(moments) if moment.acted]
    here = data.draw(st.integers(0, len(moments) - 1))
    session.go_event(here)
    later = [number for number in acts if number > here]
    assert session.next_decision() is bool(later)
    assert seen(session) == moments[later[0] if later else here]
    session.go_event(here)
    earlier = [number for number in acts if number < here]
    assert session.previous_decision() is bool(earlier)
    assert seen(session) == moments[earlier[-1] if earlier else here]


def test_all_decisions_backwards_are_all_decisions_forwards() -> None:
    """Pressing P from the end meets every decision that pressing N from the start met."""
    session = session_of(Workload(CROWD, 5))
    forth = []
    while session.next_decision():
        forth.append(session.number)
    session.go_end()
    back = []
    while session.previous_decision():
        back.append(session.number)
    assert len(forth) > 100
    assert back[::-1] == forth


@pytest.mark.parametrize("surveyed", [False, True])
@pytest.mark.parametrize(
    ("moment", "kind", "times"),
    [("submit", "submit", [0, 2, 3, 3]), ("start", "pass", [0, 5, 5, 3]), ("end", "finish", [5, 7, 8, 4])],
)
def test_a_jobs_moments_are_events(surveyed: bool, moment: str, kind: str, times: list[int]) -> None:
    """Going to a job's submission, start or end stands at that very event, past or to come."""
    for row, time in enumerate(times):
        for origin in (0, 6, 1000):
            session = session_of(CASE_5)
            if surveyed:
                survey = session.survey()
                while survey.run():
                    pass
                assert session.take_survey(survey)
            session.go_event(origin)
            session.travel.go_job(FIRST_ID + row, moment)
            last = session.snapshot().last
            assert last is not None
            assert (last.time, last.kind) == (time, kind)
            assert moment == "start" or last.job == FIRST_ID + row
            assert moment != "start" or FIRST_ID + row in {made.job for made in last.decisions}


def test_past_the_end_the_last_event_shows_what_it_decided() -> None:
    """Also where the nearest copy is the end itself."""
    session = session_of(Workload([Job(0, 1, 1, 1)] * 3, 1))
    session.act("drain 0")
    assert session.go_end()
    end = seen(session)
    assert end.decided
    assert session.back(1) == 1
    assert session.step(2) == 1
    assert seen(session) == end


def test_places_as_they_are_typed() -> None:
    """`go` takes events, times, shares and jobs."""
    session = session_of(CASE_5)
    session.go_end()
    total = session.total
    assert total is not None
    places = {"#4": 4, " #0 ": 0, "100%": total, "0%": 0, "#1,000": total}
    for text, number in places.items():
        session.go(text)
        assert session.number == number, text
    session.go("50%")
    assert session.number == round(total / 2)
    for text, time in {
        "0 00:00:05": 5,
        "3": 3,
        "4s": 4,
        f"{FIRST_ID + 3} start": 3,
        f"job {FIRST_ID} end": 5,
    }.items():
        session.go(text)
        assert session.time == time, text


@pytest.mark.parametrize(
    "text", ["", "#", "#x", "#-1", "-", "101%", "x%", "nan%", "31 middle", "soon", "999 start", "#²"]
)
def test_what_is_no_place_is_said_in_one_line(text: str) -> None:
    """A text that names no place is refused in one line that names it, and nothing moves."""
    session = session_of(CASE_5)
    session.step(3)
    with pytest.raises(SessionError) as refused:
        session.go(text)
    assert text.split(" ")[0] in str(refused.value)
    assert "\n" not in str(refused.value)
    assert session.number == 3


def test_a_share_of_a_course_that_is_not_known_yet() -> None:
    """A percentage makes the session find out how many events there are."""
    session = session_of(CASE_5)
    assert session.total is None
    session.go("50%")
    assert session.total is not None
    assert session.number == round(session.total / 2)


def test_progress_is_reported_up_to_the_end() -> None:
    """Who runs to the end, or far, hears how many jobs are done, the last time when all are."""
    reported: list[tuple[int, int]] = []
    session = session_of(Workload(CROWD, 5))
    session.go_end(lambda done, jobs: reported.append((done, jobs)))
    assert reported[-1] == (300, 300)
    again: list[int] = []
    session_of(Workload(CROWD, 5)).go_time(10**9, lambda done, jobs: again.append(done))
    assert again[-1] == 300
