"""What may never happen, whatever the workload."""

import pytest
from hypothesis import given

from tests.kernels.drive import CONSERVATIVE, EASY, SETTINGS, after_passes, events, finished, simulate
from tests.oracles.jobs import Job, Workload, workloads


@pytest.mark.proof
@pytest.mark.parametrize("setting", SETTINGS)
@given(workload=workloads())
def test_nodes_are_never_owned_twice(setting: str, workload: Workload) -> None:
    """At every event each running job owns exactly its size in nodes, and every other node is free."""
    simulation = simulate(workload, setting)
    for _ in events(simulation):
        owners, running = list(simulation.owners()), list(simulation.running())
        assert len(owners) == workload.nodes
        assert {owner for owner in owners if owner != -1} == set(running)
        assert len(running) == len(set(running))
        assert [owners.count(job) for job in running] == [workload.jobs[job].size for job in running]
        assert simulation.free == owners.count(-1)


@pytest.mark.parametrize("setting", SETTINGS)
@given(workload=workloads())
def test_every_job_is_in_one_place(setting: str, workload: Workload) -> None:
    """A job waits, runs or is over, never two of them; each runs once, after its submission."""
    simulation = simulate(workload, setting)
    submitted = over = 0
    for time, _, _ in events(simulation):
        waiting, running = list(simulation.waiting()), list(simulation.running())
        assert waiting == sorted(waiting)
        assert not set(waiting) & set(running)
        assert simulation.submitted == len(waiting) + len(running) + simulation.finished
        assert simulation.submitted >= submitted
        assert simulation.finished >= over
        submitted, over = simulation.submitted, simulation.finished
        for job in running:
            start = simulation.start_of(job)
            assert start is not None
            assert workload.jobs[job].submit <= start <= time <= start + workload.jobs[job].runtime
            assert simulation.end_of(job) == start + workload.jobs[job].estimate
    assert (submitted, over) == (len(workload.jobs), len(workload.jobs))


@pytest.mark.parametrize("setting", EASY)
@given(workload=workloads())
def test_easy_never_delays_the_shadow_time_of_its_head(setting: str, workload: Workload) -> None:
    """Once announced, the shadow time of a head never moves later while it stays the head."""
    simulation = simulate(workload, setting)
    announced: dict[int, int] = {}
    for now in after_passes(simulation):
        for head in list(simulation.waiting())[:1]:
            reason = simulation.explain(head)
            assert reason is not None
            code, numbers = reason
            assert code == ("head_reserved" if "kept" in setting else "head_blocked")
            assert now < numbers["shadow"] <= announced.get(head, numbers["shadow"])
            announced[head] = numbers["shadow"]
    starts = simulation.results()["start"]
    assert all(starts[head] <= shadow for head, shadow in announced.items())


@given(workload=workloads())
def test_conservative_never_moves_a_reservation_later(workload: Workload) -> None:
    """A promise is guaranteed: of every job, after every pass, it is no later than ever, and it is kept."""
    simulation = simulate(workload, CONSERVATIVE)
    promised: dict[int, int] = {}
    for _ in after_passes(simulation):
        for job in simulation.waiting():
            promise = simulation.promise(job)
            assert promise is not None
            time, kind = promise
            assert kind == "guaranteed"
            assert simulation.now < time <= promised.get(job, time)
            promised[job] = time
    starts = simulation.results()["start"]
    assert all(starts[job] <= time for job, time in promised.items())


def test_planning_anew_breaks_promises() -> None:
    """The invariant is not empty: planned anew, the last job starts a second after its first given time."""
    workload = Workload([Job(0, 2, 2, 2), Job(0, 1, 1, 4), Job(0, 1, 3, 3), Job(0, 1, 1, 2)], 3)
    simulation = simulate(workload, "conservative-replan")
    simulation.run(until=0)
    prediction = simulation.forecast()
    prediction.run()
    assert prediction.starts()[3] == 2
    assert list(finished(workload, "conservative-replan").results()["start"]) == [0, 0, 2, 3]
    assert list(finished(workload, CONSERVATIVE).results()["start"]) == [0, 0, 2, 1]
