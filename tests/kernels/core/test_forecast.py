"""The expected starts: what happens if every estimate is right and nothing else comes."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given

from shadowtime.kernels.core.simulation import Simulation
from tests.kernels.drive import CONSERVATIVE, EASY, PASS, SETTINGS, events, simulate
from tests.oracles.jobs import Job, Workload, workloads


def naive_forecast(simulation: Simulation, workload: Workload, setting: str) -> dict[int, int]:
    """The naive program's starts of the waiting jobs, on a workload that leads to the same position.

    Jobs that have not come are cut, and those that are not over run for their estimates: up to now the naive
    program cannot detect the difference.
    """
    jobs = [
        job if simulation.state(index) == "F" else job._replace(runtime=job.estimate)
        for index, job in enumerate(workload.jobs[: simulation.submitted])
    ]
    starts = SETTINGS[setting].naive(jobs, workload.nodes)
    return {index: starts[index] for index in simulation.waiting()}


def forecast(simulation: Simulation) -> dict[int, int]:
    """The kernel's expected starts at this position."""
    prediction = simulation.forecast()
    assert prediction.event == simulation.event
    prediction.run()
    return prediction.starts()


# What a virtual machine has done by now does not follow from who is over on the real one.
ALONE = [name for name in SETTINGS if not name.startswith("pbas")]


@pytest.mark.proof
@pytest.mark.parametrize("setting", ALONE)
@given(workload=workloads(10))
def test_forecasts_are_the_naive_ones(setting: str, workload: Workload) -> None:
    """At every event, in mid-instant too, every waiting job is expected when the naive program starts it."""
    simulation = simulate(workload, setting)
    for _ in events(simulation):
        expected = naive_forecast(simulation, workload, setting)
        digest = simulation.digest()
        assert forecast(simulation) == expected
        assert simulation.digest() == digest


@pytest.mark.proof
@pytest.mark.parametrize("setting", SETTINGS)
@given(workload=workloads(8))
def test_a_forecast_may_be_run_later_and_elsewhere(setting: str, workload: Workload) -> None:
    """It speaks of the moment at which it was made, even when run in another thread after the end."""
    simulation, prompt, late = simulate(workload, setting), [], []
    for _ in events(simulation):
        prompt.append(forecast(simulation))
        late.append(simulation.forecast())
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(lambda prediction: prediction.run(), late))
    assert [prediction.starts() for prediction in late] == prompt


@given(workload=workloads())
def test_conservative_keeps_what_it_promises_and_expects(workload: Workload) -> None:
    """No waiting job is expected after its promise, and none starts after it."""
    simulation = simulate(workload, CONSERVATIVE)
    promises: list[tuple[int, int]] = []
    for _, kind, _ in events(simulation):
        if kind == PASS:
            for job, time in forecast(simulation).items():
                promise = simulation.promise(job)
                assert promise is not None
                assert time <= promise[0]
                promises.append((job, promise[0]))
    starts = simulation.results()["start"]
    assert all(starts[job] <= time for job, time in promises)


def test_an_expected_start_is_not_a_promise() -> None:
    """Under conservative backfilling too, a job may start after the time at which it was expected.

    Compression is not idempotent: were all estimates right and nothing else came, on-time completions would
    move the fifth job from its promised 20 to 13. What really comes lets the sixth job in before it.
    """
    jobs = [
        Job(0, 1, 2, 6),
        Job(0, 2, 4, 10),
        Job(0, 3, 3, 3),
        Job(1, 2, 2, 7),
        Job(1, 5, 4, 7),
        Job(2, 2, 3, 5),
        Job(2, 6, 2, 6),
        Job(4, 1, 1, 8),
    ]
    simulation = simulate(Workload(jobs, 4), CONSERVATIVE)
    simulation.run(until=3)
    assert (forecast(simulation)[4], simulation.promise(4)) == (13, (20, "guaranteed"))
    simulation.run()
    assert simulation.start_of(4) == 14


@pytest.mark.parametrize(
    "setting", [*EASY, "fcfs", "sjf", "ljf", "dynp", "ivs", "conservative-replan", "pbas-slowdown"]
)
@given(workload=workloads(8))
def test_who_reserves_nothing_promises_nothing(setting: str, workload: Workload) -> None:
    """Who plans anew promises nothing to anybody, nor does FCFS; EASY nothing to those behind the head."""
    simulation = simulate(workload, setting)
    for _ in events(simulation):
        behind = list(simulation.waiting())[1 if setting.startswith("easy") else 0 :]
        assert [simulation.promise(job) for job in behind] == [None] * len(behind)
