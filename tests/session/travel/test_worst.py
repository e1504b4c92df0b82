"""The worst moments of a course, beside those of a look at every event."""

import pytest

from shadowtime.console.session import Session, open_session
from shadowtime.console.session.course.worst import LARGEST_QUEUE, LONGEST_WAIT, LOST, PREEMPTION, Worst
from shadowtime.console.session.travel.moving import MOMENTS
from tests.console.operator import case, under


def worst(session: Session, moment: str) -> Worst | None:
    work = session.stops.worst(moment)
    assert work.run()
    return work.worst


@pytest.fixture(scope="module")
def busy() -> Session:
    return open_session(case("busy.swf"))


def test_the_largest_queue_is_the_first_event_at_which_most_jobs_wait(busy: Session) -> None:
    other, lengths = open_session(busy.case), []
    while other.step():
        lengths.append(len(other.run.simulation.waiting()))
    found = worst(busy, LARGEST_QUEUE)
    assert found == Worst(lengths.index(max(lengths)) + 1, max(lengths))


def test_the_longest_wait_is_that_from_a_submission_to_the_first_start(
    busy: Session,
) -> None:
    other = open_session(busy.case)
    other.go_end()
    submits, starts = busy.case.columns.submit, other.run.simulation.results()["start"]
    waits = [start - submit for start, submit in zip(starts, submits, strict=True)]
    found = worst(busy, LONGEST_WAIT)
    assert found is not None and isinstance(found.job, int)
    assert (found.job, found.value) == (waits.index(max(waits)), max(waits))
    other.go_event(found.event)
    assert other.row(found.job).start == other.time


def test_lost_capacity_is_idle_while_a_job_that_fits_waits() -> None:
    session = open_session(under("fcfs"))
    found = worst(session, LOST)
    assert found is not None and (found.value, found.lasts) == (64 * 2400, 2400)
    session.go_event(found.event)
    assert session.time == 1200 and session.snapshot().free == 64


def test_the_first_preemption_and_those_near() -> None:
    session = open_session(under("gang"))
    found = worst(session, PREEMPTION)
    assert found is not None
    session.go_event(found.event)
    last = session.snapshot().last
    assert last is not None and "preempt" in {made.kind for made in last.decisions}
    search = session.stops.near("preempt")
    assert search.run() and search.found is not None and search.found > found.event
    back = session.stops.near("preempt", False)
    assert back.run() and back.found is None


def test_a_course_without_such_a_moment_has_none() -> None:
    session = open_session(case())
    assert worst(session, PREEMPTION) is None


@pytest.mark.parametrize("moment", MOMENTS)
def test_what_is_cancelled_finds_nothing_and_leaves_the_session_alone(busy: Session, moment: str) -> None:
    before = busy.digest()
    work = busy.stops.worst(moment)
    work.run(0)
    work.cancel()
    assert work.run() and work.worst is None
    assert busy.digest() == before
