"""The survey: a worker runs ahead, and the session then knows the whole course, everywhere exact."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.console.session.session import Session
from shadowtime.console.session.travel import trajectory as course
from shadowtime.console.session.travel.trend import NAMES, Trend
from tests.oracles.jobs import Job, Workload, workloads
from tests.session.build import FIRST_ID, POLICIES, SOME, case_of, seen, session_of, straight

LONG = Workload([Job(k, 1 + k * 7 % 11, 1 + k * 5 % 4, 12) for k in range(2000)], 5)


def survey_all(session: Session) -> None:
    """Run a survey to its end in a thread of its own, and adopt it."""
    survey = session.survey()

    def work() -> None:
        while survey.run(1000):
            pass

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert survey.over
    assert session.take_survey(survey)


@pytest.mark.parametrize("gap", [0.0, 1e-3])
@pytest.mark.parametrize("policy", POLICIES)
@SOME
@given(workload=workloads(), data=st.data())
def test_the_course_ahead_is_exact(policy: str, gap: float, workload: Workload, data: st.DataObject) -> None:
    """Adopted at any time, in part or whole, the survey's copies lead to the states of a straight run."""
    before, course.GAP = course.GAP, gap
    try:
        session, moments = session_of(workload, policy), straight(case_of(workload, policy))
        survey = session.survey()
        for _ in range(data.draw(st.integers(1, 4))):
            session.go_event(data.draw(st.integers(0, len(moments) - 1)))
            survey.run(data.draw(st.integers(1, 20)))
            session.take_survey(survey)
            number = data.draw(st.integers(0, len(moments) - 1))
            session.go_event(number)
            assert seen(session) == moments[number]
        while survey.run():
            pass
        assert session.take_survey(survey)
        assert session.total == len(moments) - 1
        number = data.draw(st.integers(0, len(moments) - 1))
        session.go_event(number)
        assert seen(session) == moments[number]
    finally:
        course.GAP = before


def test_the_survey_finds_the_total_and_leaves_the_cursor() -> None:
    """Adopting a survey moves nothing; the total and the whole timeline are known."""
    session = session_of(LONG)
    session.step(10)
    before = seen(session)
    assert session.total is None
    survey_all(session)
    assert seen(session) == before
    assert session.total is not None
    samples = session.travel.timeline()
    assert samples[-1].number > session.total * 0.9
    session.go_end()
    assert session.number == session.total


def test_the_trend_is_the_same_by_survey_and_by_walking() -> None:
    """Samples lie at the same events with the same values, whoever took them."""
    surveyed, walked = session_of(LONG), session_of(LONG)
    survey_all(surveyed)
    walked.go_end()
    assert surveyed.travel.timeline() == walked.travel.timeline()
    stride = Trend(len(LONG.jobs)).stride
    assert stride > 1
    assert [sample.number for sample in walked.travel.timeline()] == list(
        range(stride, walked.number + 1, stride)
    )


def test_a_sample_is_the_metrics_of_its_event() -> None:
    """A sample holds what the snapshot of its event holds; the trend ends where the session stands."""
    session = session_of(LONG)
    session.go_end()
    samples = session.travel.timeline()
    for sample in samples[::300]:
        session.go_event(sample.number)
        metrics = session.snapshot().metrics
        assert [getattr(sample, name) for name in NAMES] == [getattr(metrics, name) for name in NAMES]
        assert sample.time == session.time
        assert session.trend()[-1] == sample
        session.step()
        assert session.trend()[-1].number == session.number
        assert session.trend()[-2] == sample
    session.go_start()
    assert session.trend() == ()


def test_a_cancelled_survey_stops() -> None:
    """After `cancel` nothing more is done, and what was found can still be adopted."""
    session = session_of(LONG)
    survey = session.survey()
    assert session.take_survey(survey) is False
    assert survey.run(100)
    survey.cancel()
    assert survey.run(100) is False
    assert survey.number == 100
    assert session.take_survey(survey) is False
    assert session.total is None


def test_a_start_to_come_is_found_without_running_there() -> None:
    """With a survey adopted, going to a job's start replays from a copy near it."""
    session, far = session_of(LONG), FIRST_ID + len(LONG.jobs) - 1
    survey_all(session)
    session.travel.go_job(far, "start")
    last = session.snapshot().last
    assert last is not None
    assert session.turned(far) in last.decisions


def test_what_a_survey_found_is_forgotten_when_something_is_done() -> None:
    """Moments, samples and the number of events beyond an action are those of the run that it makes."""
    session, fresh = session_of(LONG, "easy"), session_of(LONG, "easy")
    survey_all(session)
    for one in (session, fresh):
        one.go_event(400)
        waiting = one.order()[-1 - len(one.snapshot().running)]
        one.act(f"hold {one.id_of(waiting)}")
    assert session.total is None
    assert all(sample.number <= session.number for sample in session.travel.timeline())
    for job in range(FIRST_ID + 150, FIRST_ID + 400, 10):
        assert session.travel.go_job(job, "start") == fresh.travel.go_job(job, "start")
        assert session.number == fresh.number
    session.go_end()
    fresh.go_end()
    assert session.travel.timeline() == fresh.travel.timeline()
