"""Breakpoints and searches of a scenario and of a cluster, beside a look at every event."""

from collections.abc import Callable

import pytest

from shadowtime.console.session import SessionError, open_session
from shadowtime.console.session.course.breakpoints import parse_breakpoint
from shadowtime.console.session.course.course import go_on
from shadowtime.console.session.course.places import LAST, MOMENTS, AtJob
from shadowtime.console.session.course.worst import LARGEST_QUEUE, LONGEST_WAIT, PREEMPTION
from shadowtime.console.session.slurm import forecast_of
from shadowtime.console.session.slurm.board.making import board_of
from shadowtime.console.session.slurm.stepping.breakpoints import ClusterTerms
from shadowtime.console.session.slurm.stepping.cluster import SteppedCluster
from shadowtime.scenarios.slurm import Capture
from tests.console.operator import case
from tests.scenarios.slurm.support import NOW
from tests.session.slurm.over_time.test_over_time import capture_of
from tests.session.slurm.over_time.test_preemption import capture_of as preempting


def cluster(seed: int, make: Callable[[int], Capture] = capture_of) -> SteppedCluster:
    capture = make(seed)
    return SteppedCluster(board_of(capture, forecast_of(capture, NOW)))


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_moment_of_a_job_is_where_its_place_is(moment: str) -> None:
    session, other = open_session(case()), open_session(case())
    job = session.case.columns.id[1]
    assert session.stops.set(f"{moment} {job}").text == f"{moment} {job}"
    assert go_on(session) == (f"{moment} {job}",)
    other.go_place(AtJob(str(job), moment))
    assert session.number == other.number
    assert go_on(session) == ()


@pytest.mark.parametrize("seed", [3, 8])
@pytest.mark.parametrize("metric", ["queue", "running"])
def test_a_condition_over_a_cluster_is_met_where_it_becomes_true(seed: int, metric: str) -> None:
    course = cluster(seed)
    course.go_place(LAST)
    jobs = [course.capture_at(number).jobs for number in range(course.known + 1)]
    counts = [sum(job.waiting if metric == "queue" else job.holding for job in each) for each in jobs]
    limit = sorted(counts)[len(counts) // 2]
    met = [
        number
        for number in range(1, len(counts))
        if counts[number] < limit <= counts[number - 1]
    ]  # fmt: skip
    text = f"{metric} < {limit}"
    course.stops.set(text)
    found = []
    course.go_event(0)
    while go_on(course):
        found.append(course.number)
    assert found == met
    course.go_place(LAST)
    back = []
    while go_on(course, forward=False):
        back.append(course.number)
    assert back == [number for number in reversed(met) if number < course.known]


@pytest.mark.parametrize("seed", [3, 8])
def test_the_worst_moments_of_a_cluster_are_those_of_a_look_at_each(seed: int) -> None:
    course = cluster(seed)
    waits, queues = course.stops.worst(LONGEST_WAIT), course.stops.worst(LARGEST_QUEUE)
    assert waits.run() and queues.run()
    jobs = [course.capture_at(number).jobs for number in range(course.known + 1)]
    lengths = [sum(job.waiting for job in each) for each in jobs]
    assert queues.worst is not None
    assert (queues.worst.event, queues.worst.value) == (lengths.index(max(lengths)), max(lengths))
    assert waits.worst is not None
    moment = course.moment_at(waits.worst.event)
    assert moment is not None and waits.worst.job in [each.job for each in moment.started]


def test_the_first_preemption_of_a_cluster_is_found() -> None:
    for seed in range(30):
        course = cluster(seed, preempting)
        search = course.stops.worst(PREEMPTION)
        assert search.run()
        course.stops.set("preempt")
        met = go_on(course)
        assert (search.found is None) == (not met)
        if met:
            assert course.number == search.found
            return
    pytest.fail("no cluster preempts")


@pytest.mark.parametrize(
    "text", ["", "dance", "cycle 3", "start here", "queue", "utilization > 1", "wait > 5", "queue > many"]
)
def test_what_a_cluster_cannot_stop_at_is_one_line(text: str) -> None:
    with pytest.raises(SessionError) as caught:
        parse_breakpoint(text, ClusterTerms())
    assert "\n" not in str(caught.value)
