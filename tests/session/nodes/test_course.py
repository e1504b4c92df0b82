"""The course of a node: the stays are those of a simulation that is stepped, at any event, in any order."""

from pathlib import Path

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.console.session import load
from shadowtime.console.session.case import base_case
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.nodes import watch
from shadowtime.console.session.nodes.course import NodeCourse, NodeWork
from shadowtime.console.session.nodes.watch import empty_at
from shadowtime.console.session.session import Session, open_session
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.scenarios.nodes import joined
from shadowtime.scenarios.values import Outage
from tests.oracles.jobs import Job, Workload, workloads
from tests.session.build import SOME
from tests.session.build import case_of as plain_case
from tests.session.steering import case_of

SHARING = ("easy", "conservative", "checkpoint", "gang", "flex")
STORY = Workload([Job(0, 10, 3, 12), Job(1, 5, 4, 5), Job(2, 3, 1, 4)], 4)
"""The first job runs, the second heads the queue, the third is backfilled under EASY."""


def holding(simulation: Simulation, node: int) -> set[int]:
    """The jobs that hold a node now."""
    return {
        job
        for job in (*simulation.running(), *simulation.held())
        if any(first <= node < first + count for first, count in simulation.nodes_of(job))
    }


def found(work: NodeWork) -> NodeCourse:
    """What a work finds."""
    course = work.run()
    assert course is not None
    return course


@pytest.mark.parametrize("policy", SHARING)
@SOME
@given(workload=workloads(), data=st.data())
def test_the_past_of_a_node_is_that_of_every_event(
    policy: str, workload: Workload, data: st.DataObject
) -> None:
    """At each event the open stays are those of who holds the node, forwards and back, with one replay."""
    case = case_of(workload, policy)
    node = data.draw(st.integers(0, case.nodes - 1))
    session, simulation = open_session(case), case.simulation()
    owners = [holding(simulation, node)]
    while simulation.step():
        owners.append(holding(simulation, node))
    work = None
    for event in data.draw(st.lists(st.integers(0, len(owners) - 1), min_size=1, max_size=4)):
        session.go_event(event)
        work = NodeWork(session.run, node, work)
        course = found(work)
        assert {stay.job for stay in course.here} == owners[session.number]
        there = {job for jobs in owners[: session.number + 1] for job in jobs}
        assert {stay.job for stay in (*course.past, *course.here)} == there
        for stay in course.past:
            assert stay.end is not None and stay.start <= stay.end <= course.time
            assert stay.job in owners[stay.began] and stay.left is not None
            assert stay.job not in owners[stay.left]


@pytest.mark.parametrize("policy", SHARING)
@SOME
@given(workload=workloads(), steps=st.integers(0, 30), data=st.data())
def test_the_future_of_a_node_is_that_of_the_expected_run(
    policy: str, workload: Workload, steps: int, data: st.DataObject
) -> None:
    """Who is expected there holds it in the expected run; the free time is nobody's."""
    session = open_session(case_of(workload, policy))
    session.step(steps)
    node = data.draw(st.integers(0, session.case.nodes - 1))
    course = found(NodeWork(session.run, node))
    ahead = session.run.simulation.expected()
    there = holding(ahead, node)
    while ahead.step():
        there |= holding(ahead, node)
    assert {stay.job for stay in (*course.here, *course.expected)} == there
    taken = joined(
        (stay.start, course.end if stay.end is None else stay.end)
        for stay in (*course.here, *course.expected)
    )
    if course.free is not None:
        start, stop = course.free
        assert course.time <= start < stop <= course.end
        assert all(stop <= first or last <= start for first, last in taken)
        assert all(stop - start >= gap for gap in _gaps(list(taken), course.time, course.end))
        assert course.gap is None or course.gap[1] - course.gap[0] <= stop - start
    if course.free_from is not None:
        assert course.gap is None or course.gap[1] < course.free_from
        assert course.free_from == max([course.time, *(last for _, last in taken)])


def _gaps(taken: list[tuple[int, int]], now: int, end: int) -> list[int]:
    edges = [now, *(edge for span in taken for edge in span), end]
    return [max(0, stop - max(start, now)) for start, stop in zip(edges[::2], edges[1::2], strict=True)]


def test_of_very_many_stays_the_latest_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """And a look back from there finds those that were the latest then."""
    session = open_session(plain_case(Workload([Job(k, 1, 1, 1) for k in range(9)], 1)))
    session.go_end()
    whole = found(NodeWork(session.run, 0)).past
    assert len(whole) == 9
    monkeypatch.setattr(watch, "MOST", 4)
    work = NodeWork(session.run, 0)
    course = found(work)
    assert 2 <= len(course.past) <= 4 and course.past == whole[-len(course.past) :]
    assert course.forgotten == 9 - len(course.past)
    session.go_time(3)
    course, fresh = found(NodeWork(session.run, 0, work)), found(NodeWork(session.run, 0))
    assert course.past == fresh.past and course.forgotten == fresh.forgotten == 0
    assert len(course.past) == 3


def test_a_node_of_a_story() -> None:
    """Node 3 is idle, then job 102's, then the head's; it is free between the two."""
    session = open_session(plain_case(STORY))
    session.go_time(2)
    course = found(NodeWork(session.run, 3))
    assert [(stay.job, stay.start, stay.end) for stay in course.here] == [(2, 2, 6)]
    assert [(stay.job, stay.start, stay.end) for stay in course.expected] == [(1, 12, 17)]
    assert (course.free, course.gap, course.free_from) == ((6, 12), (6, 12), 17)
    assert (course.empty, course.end) == (6, 17)
    assert (course.past == () and course.busy_share == 0) or course.busy_share is None
    session.go_end()
    course = found(NodeWork(session.run, 3))
    assert [(stay.job, stay.start, stay.end) for stay in course.past] == [(2, 2, 5), (1, 10, 15)]
    assert course.busy_share == pytest.approx(8 / 13) and not course.here


def test_outages_and_actions_of_a_node() -> None:
    """Known outages take the node from the free time; one without an end leaves it none."""
    case = plain_case(STORY)
    outages = (Outage(((3, 4),), 7, 9), Outage(((0, 1),), 20, None))
    session = Session(base_case(attrs.evolve(case.scenario, outages=outages)))
    session.go_time(2)
    course = found(NodeWork(session.run, 3))
    assert course.outages == outages[:1] and course.free is not None
    assert course.free[1] <= 7 or course.free[0] >= 9
    assert found(NodeWork(session.run, 0)).free_from is None
    session.act("drain 3")
    course = found(NodeWork(session.run, 3))
    assert course.draining and not course.down and [action.do for action in course.actions] == ["drain"]
    assert found(NodeWork(session.run, 2)).actions == ()
    session.go_time(6)
    course = found(NodeWork(session.run, 3))
    assert course.down and course.free_from is None and course.free is None


@pytest.mark.parametrize("node", [-1, 4, 10**9])
def test_a_node_that_there_is_not_is_refused(node: int) -> None:
    """With the nodes that there are."""
    with pytest.raises(SessionError, match=rf"there is no node {node}; the machine has the nodes 0 to 3"):
        NodeWork(open_session(plain_case(STORY)).run, node)


@pytest.mark.proof
def test_a_work_that_is_broken_off_finds_nothing_and_the_next_one_goes_on() -> None:
    """What it had replayed is not wrong."""
    session = open_session(plain_case(Workload([Job(k, 5, 1, 9) for k in range(9000)], 4)))
    session.go_end()
    work = NodeWork(session.run, 0)
    work.cancel()
    assert work.run() is None
    again, fresh = found(NodeWork(session.run, 0, work)), found(NodeWork(session.run, 0))
    assert again == fresh and fresh.past


def test_the_time_at_which_nodes_are_empty_is_that_of_the_last_estimate() -> None:
    """Now if nobody is there; that of the estimates otherwise."""
    session = open_session(plain_case(STORY))
    session.go_time(2)
    assert [empty_at(session.run, nodes) for nodes in (((3, 4),), ((0, 1),), ((0, 4),))] == [6, 12, 12]
    session.go_end()
    assert empty_at(session.run, ((0, 4),)) == session.time


def test_a_node_of_the_t3d_is_that_of_its_processors() -> None:
    """Two processors make one: whoever has one of them is there."""
    path = Path(__file__).parents[3] / "scenarios" / "fj97" / "t3d-day.toml"
    session = open_session(load(path))
    session.go_event(100)
    simulation = session.run.simulation
    for node in (0, 17, 127):
        course = found(NodeWork(session.run, node))
        there = holding(simulation, 2 * node) | holding(simulation, 2 * node + 1)
        assert {stay.job for stay in course.here} == there
