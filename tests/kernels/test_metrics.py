"""The metrics that the kernel keeps as events happen are those of the definitions."""

import random
from array import array
from statistics import fmean, pstdev

import pytest

from kernels.jobs import Jobs
from kernels.policies import make
from kernels.simulation import Simulation
from tests.kernels.drive import CONSERVATIVE, SETTINGS, after_passes, finished, simulate
from tests.oracles.conservative import conservative, first_reservations
from tests.oracles.jobs import Workload, crowded_workload, random_workload
from tests.oracles.metrics import metrics


def check(simulation: Simulation, workload: Workload, starts: list[int]) -> None:
    """Every metric that the naive program knows has its value so far, or is None where there is none."""
    expected = metrics(workload.jobs, starts, workload.nodes, simulation.now)
    values = simulation.metrics()
    for name, value in expected.items():
        if value is None:
            assert values[name] is None, name
        else:
            assert values[name] == pytest.approx(value, rel=1e-9, abs=1e-12), name


@pytest.mark.parametrize("setting", SETTINGS)
def test_metrics_at_the_end(setting: str) -> None:
    """Small workloads with many ties, and some in which the queue is long."""
    rng = random.Random(17)
    for make_workload, count in ((random_workload, 150), (crowded_workload, 3)):
        for _ in range(count):
            workload = make_workload(rng)
            simulation = finished(workload, setting)
            check(simulation, workload, list(simulation.results()["start"]))


@pytest.mark.parametrize("setting", SETTINGS)
def test_metrics_so_far(setting: str) -> None:
    """After every pass: waits of the started, responses of the ended, areas up to now."""
    rng = random.Random(18)
    for _ in range(40):
        workload = random_workload(rng)
        starts = list(finished(workload, setting).results()["start"])
        simulation = simulate(workload, setting)
        for _ in after_passes(simulation):
            check(simulation, workload, starts)


def test_stability() -> None:
    """The standard deviation (of the whole population) of the mean waits of the months of submission."""
    rng = random.Random(19)
    for _ in range(20):
        jobs, nodes = crowded_workload(rng)
        months = sorted(rng.randint(0, 3) for _ in jobs)
        submit, runtime, size, estimate = (array("q", column) for column in zip(*jobs, strict=True))
        columns = Jobs(submit=submit, runtime=runtime, size=size, estimate=estimate, group=array("q", months))
        simulation = Simulation(columns, nodes, make("easy", {}))
        simulation.run()
        waits = [start - job.submit for start, job in zip(simulation.results()["start"], jobs, strict=True)]
        means = [
            fmean(wait for wait, its_month in zip(waits, months, strict=True) if its_month == month)
            for month in set(months)
        ]
        assert simulation.metrics()["stability"] == pytest.approx(pstdev(means))


def test_no_stability_without_months() -> None:
    """A table without groups has none."""
    assert finished(random_workload(random.Random(1)), "fcfs").metrics()["stability"] is None


def test_how_far_first_promises_were_off() -> None:
    """The mean of |start - first promise| over the jobs that have started; None for who promises nothing."""
    rng = random.Random(20)
    for _ in range(100):
        workload = random_workload(rng)
        starts, simulation = conservative(*workload), simulate(workload, CONSERVATIVE)
        promises = first_reservations(*workload)
        for now in after_passes(simulation):
            off = [
                abs(start - promise) for start, promise in zip(starts, promises, strict=True) if start <= now
            ]
            assert simulation.metrics()["mean_prediction_error"] == pytest.approx(fmean(off))
        assert finished(workload, "easy-arrival").metrics()["mean_prediction_error"] is None
