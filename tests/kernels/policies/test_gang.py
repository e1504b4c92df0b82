"""The compiled gang scheduler agrees with the naive one, event by event and with whole turns skipped."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.kernels.core.clock import EVENT_NAMES
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.policies import make
from tests.amount import many
from tests.kernels.drive import events, observe, table
from tests.oracles.gang.policy import gang, moments
from tests.oracles.jobs import Job, Workload, crowded_workload, random_workload, read_log, workloads
from tests.oracles.space.fcfs import fcfs

SETTINGS: dict[str, dict[str, Any]] = {
    "default": {},
    "short": {"quantum": 3},
    "seconds": {"quantum": 1},
    "no-alternates": {"quantum": 4, "alternate": False},
    "no-unification": {"quantum": 3, "unify": False},
    "neither": {"quantum": 2, "alternate": False, "unify": False},
    "overhead": {"quantum": 4, "overhead": 3},
    "little-overhead": {"overhead": 2},
    "first": {"packing": "first", "quantum": 3},
    "best": {"packing": "best", "quantum": 3},
    "two-rows": {"slots": 2, "quantum": 2},
    "three-rows": {"packing": "best", "slots": 3, "overhead": 1, "quantum": 5},
    "long": {"quantum": 600},
}
BY_SETTING = pytest.mark.parametrize("setting", SETTINGS)


def simulate(workload: Workload, setting: str) -> Simulation:
    """A simulation of the workload, before its first event."""
    return Simulation(table(workload.jobs), workload.nodes, make("gang", SETTINGS[setting]))


def finished(workload: Workload, setting: str) -> Simulation:
    """A simulation that was run to its end, skipping what it can."""
    simulation = simulate(workload, setting)
    simulation.run()
    assert simulation.over
    return simulation


def check(workload: Workload, setting: str) -> None:
    """First starts, finishes, preemptions and switches are those of the naive program."""
    simulation, expected = finished(workload, setting), gang(*workload, **SETTINGS[setting])
    results = simulation.results()
    assert list(results["start"]) == expected.starts
    assert list(results["finish"]) == expected.finishes
    assert list(results["preemptions"]) == expected.preemptions
    assert simulation.status()["switches"] == expected.switches


@BY_SETTING
def test_random_workloads(setting: str) -> None:
    """Ties abound in most of them, and most turns can be skipped in one."""
    rng = random.Random(1997)
    for make_one in (*[random_workload] * 40, crowded_workload):
        check(make_one(rng), setting)


@pytest.mark.proof
@BY_SETTING
@pytest.mark.parametrize(("make_one", "count"), [(random_workload, 5000), (crowded_workload, 100)])
def test_many_more(make_one: Callable[[random.Random], Workload], count: int, setting: str) -> None:
    """The same, with other seeds, until it is a proof for practical purposes."""
    rng = random.Random(8)
    for _ in range(many(count)):
        check(make_one(rng), setting)


@BY_SETTING
@given(workload=workloads())
def test_the_smallest_disagreement(setting: str, workload: Workload) -> None:
    """The same once more, by examples that shrink."""
    check(workload, setting)


@pytest.mark.proof
@BY_SETTING
@given(workload=workloads())
def test_the_matrix_after_every_pass(setting: str, workload: Workload) -> None:
    """Rows, current row, who runs, and the utilization of the slots are those of the naive program."""
    simulation = simulate(workload, setting)
    expected = iter(moments(*workload, **SETTINGS[setting]))
    for time, kind, _ in events(simulation):
        if EVENT_NAMES[kind] != "pass":
            continue
        moment, status = next(expected), simulation.status()
        assert moment.now == time
        assert [list(row) for row in status["rows"]] == [[job for job, _ in row] for row in moment.rows]
        assert status["current"] == moment.current
        assert set(simulation.running()) == set(moment.running)
        assert simulation.metrics()["utilization_slots"] == pytest.approx(moment.utilization_slots)
        shares = status["slot_utilizations"]
        assert len(shares) == len(moment.rows)
        assert sum(shares) == pytest.approx(moment.utilization_slots * len(shares))
        if shares:
            running = sum(workload.jobs[job].size for job in moment.running)
            assert shares[status["current"]] == pytest.approx(running / workload.nodes)
        owners = list(simulation.owners())
        for row in moment.rows:
            for job, columns in row:
                held = [
                    node for base, count in simulation.nodes_of(job) for node in range(base, base + count)
                ]
                assert held == list(columns)
                assert (job in moment.running) == all(owners[node] == job for node in columns)
    assert next(expected, None) is None


@BY_SETTING
@given(workload=workloads(8), portions=st.lists(st.integers(1, 60), min_size=1, max_size=8))
def test_skipping_turns_is_stepping(setting: str, workload: Workload, portions: list[int]) -> None:
    """However a position is reached, every byte is the same: by single events, by portions, by instants."""
    jobs = [job._replace(runtime=40 * job.runtime, estimate=99 * job.estimate) for job in workload.jobs]
    stretched = Workload(jobs, workload.nodes)
    stepped, run = simulate(stretched, setting), simulate(stretched, setting)
    until = 0
    for portion in portions:
        done = run.run(events=portion)
        assert sum(stepped.step() for _ in range(portion)) == done
        assert run.digest() == stepped.digest()
        until = max(until, run.now) + 3 * portion
        run.run(until=until)
        while (upcoming := stepped.peek()) is not None and upcoming[0] <= until:
            stepped.step()
        assert observe(run, len(workload.jobs)) == observe(stepped, len(workload.jobs))
    run.run()
    while stepped.step():
        pass
    assert run.digest() == stepped.digest()


@pytest.mark.proof
@BY_SETTING
@given(workload=workloads(6), data=st.data())
def test_forward_and_back_is_the_identity(setting: str, workload: Workload, data: st.DataObject) -> None:
    """From any position to any other all is there as a straight run has it."""
    simulation, count = simulate(workload, setting), len(workload.jobs)
    straight, copies = [observe(simulation, count)], [simulation.copy()]
    for _ in events(simulation):
        straight.append(observe(simulation, count))
        copies.append(simulation.copy())
    places = st.integers(0, len(straight) - 1)
    for place in data.draw(st.lists(places, min_size=1, max_size=6)):
        simulation.restore(copies[place])
        assert observe(simulation, count) == straight[place]
        further = min(place + data.draw(places), len(straight) - 1)
        simulation.run(events=further - place)
        assert observe(simulation, count) == straight[further]


@pytest.mark.proof
@BY_SETTING
@given(workload=workloads(8))
def test_forecasts_are_the_naive_ones(setting: str, workload: Workload) -> None:
    """Starts of those that have not run, and all ends, if estimates were right and nobody else came."""
    simulation = simulate(workload, setting)
    for _ in events(simulation):
        jobs = [
            job if simulation.state(index) == "F" else job._replace(runtime=job.estimate)
            for index, job in enumerate(workload.jobs[: simulation.submitted])
        ]
        expected = gang(jobs, workload.nodes, **SETTINGS[setting])
        unstarted = [job for job in range(len(jobs)) if simulation.start_of(job) is None]
        alive = [job for job in range(len(jobs)) if simulation.state(job) != "F"]
        forecast = simulation.forecast()
        forecast.run()
        assert forecast.starts() == {job: expected.starts[job] for job in unstarted}
        assert forecast.ends() == {job: expected.finishes[job] for job in alive}


@given(workload=workloads())
def test_one_row_is_first_come_first_served(workload: Workload) -> None:
    """With a single row that takes the lowest columns nobody shares anything: FCFS, job for job."""
    simulation = Simulation(
        table(workload.jobs), workload.nodes, make("gang", {"slots": 1, "packing": "first"})
    )
    simulation.run()
    assert list(simulation.results()["start"]) == fcfs(*workload)


@BY_SETTING
@given(workload=workloads())
def test_every_wait_is_explained(setting: str, workload: Workload) -> None:
    """Who waits for a row, or in it for its turn, has a reason; who runs or is over has none."""
    simulation = simulate(workload, setting)
    for _ in events(simulation):
        for job in range(len(workload.jobs)):
            reason = simulation.explain(job)
            assert (reason is None) == (simulation.state(job) in ("", "R", "F"))
            if reason is not None and reason[0] == "waits_for_row":
                assert reason[1]["needs"] == workload.jobs[job].size
                assert reason[1]["turn"] >= simulation.now


def test_the_dilemma_of_partitioning() -> None:
    """The 128-node case: 50, 75 and 25 % under partitioning; 87.5 and 62.5 % of two slots under gang."""
    hour = 3600
    jobs = [Job(0, hour, 64, hour), Job(600, 2 * hour, 128, 2 * hour), Job(1200, 8 * hour, 32, 8 * hour)]
    simulation = Simulation(table(jobs), 128, make("gang", {"quantum": 600}))
    seen = []
    for _, kind, _ in events(simulation):
        if EVENT_NAMES[kind] == "pass":
            seen.append(simulation.metrics()["utilization_slots"])
    assert 0.875 in seen
    assert 0.625 in seen
    assert seen.index(0.875) < seen.index(0.625)


@pytest.mark.proof
@pytest.mark.parametrize("setting", ["default", "long", "little-overhead"])
def test_a_real_log(published: Path, setting: str) -> None:
    """On the whole of KTH the end of every job is the same with turns skipped and event by event."""
    workload = Workload(read_log(published / "KTH-SP2.swf.xz"), 100)
    skipped, stepped = finished(workload, setting), simulate(workload, setting)
    while stepped.run(decisions=10_000):
        pass
    assert skipped.digest() == stepped.digest()
    assert skipped.results() == stepped.results()


@pytest.mark.proof
def test_the_first_jobs_of_a_log(published: Path) -> None:
    """The naive program agrees on a thousand jobs of KTH."""
    check(Workload(read_log(published / "KTH-SP2.swf.xz")[:1000], 100), "long")
