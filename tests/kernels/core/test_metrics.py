"""The metrics that the kernel keeps as events happen are those of the definitions."""

import random
from array import array
from collections.abc import Mapping
from statistics import fmean, pstdev

import pytest

from shadowtime.kernels.core.jobs import Jobs
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.policies import make
from tests.kernels.drive import CONSERVATIVE, SETTINGS, after_passes, events, finished, simulate, table
from tests.oracles.jobs import Workload, crowded_workload, random_workload
from tests.oracles.metrics import Run, metrics, preemption_metrics
from tests.oracles.space.conservative import conservative, first_reservations

PREEMPTING: Mapping[str, Mapping[str, object]] = {
    "maui": {"preempt": True},
    "checkpoint": {"p": 0.4, "threshold": 2, "delay": 2, "extend": 3},
}
"""Policies that stop jobs, as they do it in small workloads."""


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


@pytest.mark.proof
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


def runs_of(simulation: Simulation, workload: Workload, restart: int) -> list[Run]:
    """Step to the end and note each stay of a job on its nodes; a restarted job loses `restart` seconds."""
    runs: list[Run] = []
    stays: dict[int, tuple[int, int, int]] = {}  # job -> taken, begins, preemptions before
    for now, _, _ in events(simulation):
        for job in range(len(workload.jobs)):
            state, stopped = simulation.state(job), simulation.preemptions(job)
            if job in stays and (state not in "WR" or stopped > stays[job][2]):
                taken, begins, before = stays.pop(job)
                idle = restart if before else 0
                size = workload.jobs[job].size
                runs.append(Run(job, size, taken, begins, idle, now, stopped > before))
            if state in ("W", "R"):
                since = simulation.since(job)
                assert since is not None
                stays[job] = (stays[job][0] if job in stays else now, since, stopped)
    assert not stays
    return runs


@pytest.mark.parametrize("policy", PREEMPTING)
def test_the_figures_of_preemption(policy: str) -> None:
    """How many jobs were stopped, how many nodes were saved, and what share of the machine that cost."""
    rng, parameters = random.Random(21), PREEMPTING[policy]
    restart = parameters.get("extend", 0)
    assert isinstance(restart, int)
    stops = 0
    for make_workload, count in ((random_workload, 150), (crowded_workload, 3)):
        for _ in range(count):
            workload = make_workload(rng)
            simulation = Simulation(table(workload.jobs), workload.nodes, make(policy, parameters))
            runs = runs_of(simulation, workload, restart)
            stops += sum(run.stopped for run in runs)
            first = workload.jobs[0].submit
            expected = preemption_metrics(runs, workload.nodes, first, simulation.now)
            found = {name: simulation.metrics()[name] for name in expected}
            assert found == pytest.approx(expected)
    assert stops > 50
