"""Where a job is expected, and where it was."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from shadowtime.console.session.nodes.whereabouts import Holder, Idle, Whereabouts, WhereaboutsWork
from shadowtime.console.session.session import Session, open_session
from tests.console.operator import case
from tests.oracles.jobs import Job, Workload, workloads
from tests.session.build import SOME
from tests.session.build import case_of as plain_case
from tests.session.steering import case_of

TURNS = Workload([Job(0, 2, 1, 2), *[Job(0, 1, 1, 1)] * 8, Job(1, 1, 1, 1)], 1)
"""Under gang scheduling the last job gets its node in a row a second before the turn of the row."""
STORY = Workload([Job(0, 10, 3, 12), Job(1, 5, 4, 5), Job(2, 3, 1, 4)], 4)


def test_the_nodes_of_a_waiting_a_running_and_a_finished_job() -> None:
    """Expected by the expected run; held now; held last."""
    session = open_session(plain_case(STORY))
    session.go_time(2)
    holders = (Holder(session.id_of(0), ((0, 3),), 12), Holder(session.id_of(2), ((3, 4),), 6))
    assert WhereaboutsWork(session.run, 1).run() == Whereabouts(((0, 4),), 12, holders)
    third = Holder(session.id_of(1), ((0, 1),), 17, runs=False)
    later = Workload([*STORY.jobs, Job(2, 1, 1, 20)], STORY.nodes)
    behind = open_session(plain_case(later))
    behind.go_time(2)
    found = WhereaboutsWork(behind.run, 3).run()
    assert found is not None and found.holders == (third,)
    assert session.row(0).nodes == ((0, 3),) and session.row(2).nodes == ((3, 4),)
    assert session.row(1).nodes == ()
    session.go_end()
    assert WhereaboutsWork(session.run, 2).run() == Whereabouts(((3, 4),))
    assert session.row(2).nodes == ()


@pytest.mark.parametrize("policy", ["easy", "conservative", "checkpoint", "gang", "pbas"])
@SOME
@example(workload=TURNS, steps=11)
@given(workload=workloads(), steps=st.integers(0, 30))
def test_a_job_that_runs_to_its_estimate_is_found_where_it_is_expected(
    policy: str, workload: Workload, steps: int
) -> None:
    """If nothing else comes and all run to their estimates: start and nodes are those that were expected."""
    session = open_session(case_of(workload, policy))
    session.step(steps)
    for index in session.snapshot().waiting:
        found = WhereaboutsWork(session.run, index).run()
        ahead = session.run.simulation.expected()
        while not ahead.nodes_of(index) and ahead.step():
            pass
        if found is None:
            assert not ahead.nodes_of(index)
        else:
            assert found.since == ahead.now
            units = sum(count for _, count in ahead.nodes_of(index))
            assert sum(stop - first for first, stop in found.nodes) == units


@pytest.mark.parametrize("policy", ["easy", "checkpoint", "gang"])
@SOME
@given(workload=workloads())
def test_a_finished_job_was_where_it_was(policy: str, workload: Workload) -> None:
    """The nodes are those before its last event."""
    case = case_of(workload, policy)
    session, simulation = open_session(case), case.simulation()
    last: dict[int, int] = {}
    while simulation.step():
        for job in simulation.running():
            last[job] = sum(count for _, count in simulation.nodes_of(job))
    session.go_end()
    for job, count in last.items():
        found = WhereaboutsWork(session.run, job).run()
        assert found is not None and sum(stop - first for first, stop in found.nodes) == count


def test_who_comes_to_idle_nodes_before_a_job_would_end_there() -> None:
    """A job is planned on the one idle node before the job of one node; for the others one is too few."""
    jobs = [Job(0, 10, 3, 10), Job(1, 5, 4, 5), Job(2, 30, 1, 30), Job(3, 2, 2, 2)]
    session = open_session(plain_case(Workload(jobs, 4)))
    session.go_time(4)
    ids = [session.id_of(index) for index in range(4)]
    assert {index: _idle(session, index) for index in session.snapshot().waiting} == {
        1: (Idle(((3, 4),), 1),),
        2: (Idle(((3, 4),), 1, ids[1], 10),),
        3: (Idle(((3, 4),), 1),),
    }
    session.go_time(10)
    # The pass of this instant gives job 1 all nodes: it starts, and the others wait for nodes that are held.
    assert {_idle(session, index) for index in session.snapshot().waiting} == {()}


def test_idle_nodes_that_are_too_few_are_so_whoever_comes_to_them() -> None:
    """Job 2 would end after job 1 has come to the idle node; but it asks for two."""
    jobs = [Job(0, 10, 3, 10), Job(1, 5, 4, 5), Job(2, 30, 2, 30)]
    session = open_session(plain_case(Workload(jobs, 4)))
    session.go_time(4)
    assert {_idle(session, index) for index in session.snapshot().waiting} == {(Idle(((3, 4),), 1),)}


def test_nothing_is_idle_where_jobs_take_turns() -> None:
    """A node that is idle in one row has a job in another."""
    session = open_session(case_of(STORY, "gang"))
    session.go_time(2)
    assert {_idle(session, index) for index in range(3)} == {()}


def _idle(session: Session, index: int) -> tuple[Idle, ...]:
    found = WhereaboutsWork(session.run, index).run()
    return () if found is None else found.idle


@pytest.mark.parametrize("policy", ["easy", "conservative", "checkpoint"])
@SOME
@given(workload=workloads(), steps=st.integers(0, 30))
def test_idle_nodes_are_too_few_or_taken(policy: str, workload: Workload, steps: int) -> None:
    """Each idle node once; those to which nobody comes are fewer than the job asks for."""
    session = open_session(case_of(workload, policy))
    session.step(steps)
    simulation = session.run.simulation
    for index in session.snapshot().waiting:
        idle = _idle(session, index)
        if not idle:
            continue
        nodes = [node for each in idle for first, stop in each.nodes for node in range(first, stop)]
        free = [node for node, owner in enumerate(simulation.owners()) if owner == -1]
        assert sorted(nodes) == free and sum(each.count for each in idle) == len(free)
        assert sum(each.count for each in idle if each.job is None) < workload.jobs[index].size
        for each in idle:
            if each.at is None:
                continue
            ahead = simulation.expected()
            while ahead.now < each.at or ahead.owners()[each.nodes[0][0]] < 0:
                assert ahead.owners()[each.nodes[0][0]] < 0 and ahead.step()
            assert ahead.now == each.at
            assert session.id_of(ahead.owners()[each.nodes[0][0]]) == each.job


def test_a_job_that_is_held_or_not_submitted_is_expected_nowhere() -> None:
    """Nor is one of a work that is broken off."""
    session = open_session(plain_case(STORY))
    session.go_time(1)
    assert WhereaboutsWork(session.run, 2).run() is None
    work = WhereaboutsWork(session.run, 1)
    work.cancel()
    assert work.run() is None
    session.act("hold 101")
    assert WhereaboutsWork(session.run, 1).run() is None


def test_the_likely_nodes_are_those_of_most_samples() -> None:
    """Not those of the run in which every job has its estimate."""
    session = open_session(case("busy.swf"))
    session.go("85%")
    head = session.snapshot().waiting[0]
    found = WhereaboutsWork(session.run, head).run()
    assert found is not None and found.likely is None
    work = session.forecasts.start_likely()
    work.run(work.cancel)
    session.forecasts.take_likely(work)
    odds = session.forecasts.likely
    assert odds is not None and odds.chances is not None
    likely = WhereaboutsWork(session.run, head).run()
    assert likely is not None and likely.likely is not None
    assert (likely.nodes, likely.since) == (found.nodes, found.since)
    held = [row for row in odds.chances.made.rows() if row[0] == head]
    for node in range(session.case.nodes):
        times = sum(first <= node < first + count for _, first, count, *_ in held)
        assert any(first <= node < stop for first, stop in likely.likely) == (
            2 * times > odds.chances.samples
        )
