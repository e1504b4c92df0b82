"""Batch means, and the order of the schedulers in Figure 6 of Feitelson & Jette 1997 on a workload model."""

import random
from array import array
from fractions import Fraction
from math import log
from statistics import fmean, stdev

import pytest

from console.session.batches import BATCH, Interval, batch_means, slowdowns, student
from kernels.jobs import Jobs
from kernels.policies import make
from kernels.simulation import Simulation
from scenarios.models import Recipe

NODES = 128
SCHEDULERS: dict[str, tuple[str, dict[str, object]]] = {
    "gang 10 s": ("gang", {"quantum": 10}),
    "gang 600 s": ("gang", {"quantum": 600}),
    "backfill": ("conservative", {}),
    "prime": ("prime", {}),
    "fcfs": ("fcfs", {}),
}

NEIGHBOURS = (
    ("gang 10 s", "gang 600 s"),
    ("gang 600 s", "backfill"),
    ("gang 600 s", "prime"),
    ("backfill", "fcfs"),
    ("prime", "fcfs"),
)


@pytest.mark.parametrize(
    ("freedom", "quantile"), [(2, 2.920), (3, 2.353), (5, 2.015), (10, 1.812), (30, 1.697), (99, 1.660)]
)
def test_the_quantiles_of_student(freedom: int, quantile: float) -> None:
    """They are those of the tables, to the accuracy that is promised."""
    assert student(0.90, freedom) == pytest.approx(quantile, rel=0.02)


def test_the_first_batch_is_dropped() -> None:
    """What happens while the machine fills does not count."""
    found = batch_means([100.0] * 5 + [1.0, 2.0, 3.0, 2.0, 2.0] * 3, size=5)
    assert found == Interval(2.0, 0.0, 3)


def test_too_few_values_tell_nothing() -> None:
    """Three whole batches are needed beside the first."""
    assert batch_means([1.0] * (4 * BATCH - 1)) is None
    assert batch_means([1.0] * (4 * BATCH)) is not None


def test_more_batches_until_it_is_precise() -> None:
    """As many are used as it takes, and no more; without end where even all of them are not enough."""
    rng = random.Random(3)
    noisy = [rng.expovariate(1.0) for _ in range(60 * 100)]
    found = batch_means(noisy, size=60)
    assert found is not None
    assert found.precise
    assert 3 < found.batches < 99
    assert found.low < 1.0 < found.high
    wild = [rng.paretovariate(1.05) for _ in range(60 * 20)]
    everything = batch_means(wild, size=60)
    assert everything is not None
    assert (everything.precise, everything.batches) == (False, 19)


def test_intervals_cover_the_mean_as_often_as_they_say() -> None:
    """Of many intervals around a mean that is known, nine in ten hold it."""
    rng, held = random.Random(9), 0
    for _ in range(400):
        found = batch_means([rng.gauss(0.0, 1.0) for _ in range(40 * 11)], size=40)
        assert found is not None
        held += found.low <= 0.0 <= found.high
    assert 0.85 < held / 400 < 0.95


def test_slowdowns_come_in_order_of_termination() -> None:
    """Ties in trace order."""
    workload = Recipe("feitelson96", 200, 4, Fraction(7, 10)).make(NODES).workload
    jobs = table(workload.submit, workload.runtime, workload.size)
    simulation = Simulation(jobs, NODES, make("easy"))
    simulation.run()
    found = slowdowns(jobs, simulation)
    assert len(found) == 200
    assert fmean(found) == pytest.approx(simulation.metrics()["mean_slowdown"])


def table(submit: "array[int]", runtime: "array[int]", size: "array[int]") -> Jobs:
    """Jobs whose estimates are exact: nobody is judged by what users guess."""
    return Jobs(submit=submit, runtime=runtime, estimate=runtime, size=size)


@pytest.mark.proof
@pytest.mark.parametrize("load", ["0.5", "0.7", "0.9"])
def test_the_order_of_figure_6(load: str) -> None:
    """Gang with 10 s is before gang with 600 s, before backfilling and before prime time, and FCFS is last.

    Mean slowdowns vary wildly from one sequence of jobs to another, but all meet the same sequence: of
    the ratio between neighbours the whole 90 % interval, over thirty sequences, is above one.
    """
    logs: dict[str, list[float]] = {name: [] for name in SCHEDULERS}
    for seed in range(30):
        workload = Recipe("feitelson96", 3 * BATCH, seed, Fraction(load)).make(NODES).workload
        jobs = table(workload.submit, workload.runtime, workload.size)
        for name, (policy, parameters) in SCHEDULERS.items():
            simulation = Simulation(jobs, NODES, make(policy, parameters))
            simulation.run()
            logs[name].append(log(fmean(slowdowns(jobs, simulation)[BATCH:])))
    for better, worse in NEIGHBOURS:
        ratios = [of - than for of, than in zip(logs[worse], logs[better], strict=True)]
        half = student(0.90, len(ratios) - 1) * stdev(ratios) / len(ratios) ** 0.5
        assert fmean(ratios) - half > 0, (better, worse, ratios)
