"""Batch means, and the order of the schedulers in Figure 6 of Feitelson & Jette 1997 on a workload model."""

import csv
import random
from array import array
from collections.abc import Sequence
from fractions import Fraction
from math import log
from pathlib import Path
from statistics import fmean, stdev

import pytest

from shadowtime.console.session.case import load
from shadowtime.console.session.lab.cells import Cell, cells_of
from shadowtime.console.session.lab.frames import frame_of, number
from shadowtime.console.session.lab.intervals import BATCH, Value, batch_means, student
from shadowtime.console.session.lab.measures import MEASURES, measured
from shadowtime.console.session.lab.reproduce import Lab
from shadowtime.console.session.lab.store import Store
from shadowtime.console.widgets.study.page import write_report
from shadowtime.kernels.core.jobs import Jobs
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.policies import make
from shadowtime.scenarios.experiment_reader import read_experiment
from shadowtime.scenarios.models.registry import Recipe

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
    ("level", "freedom", "quantile"),
    [
        (0.90, 1, 6.3138), (0.90, 2, 2.9200), (0.90, 3, 2.3534), (0.90, 30, 1.6973), (0.90, 99, 1.6604),
        (0.95, 2, 4.3027), (0.99, 2, 9.9248), (0.999, 2, 31.5991), (0.999, 3, 12.9240), (0.999, 19, 3.8834),
    ],
)  # fmt: skip
def test_the_quantiles_of_student(level: float, freedom: int, quantile: float) -> None:
    """They are those of the tables."""
    assert student(level, freedom) == pytest.approx(quantile, abs=1e-4)


def batched(values: Sequence[float], size: int = BATCH) -> tuple[float, float, int]:
    """The mean of the batches, half the interval, and how many they are; there are enough."""
    found = batch_means(values, size)
    assert found is not None
    assert found.half is not None
    return found.mean, found.half, found.count


def test_the_first_batch_is_dropped() -> None:
    """What happens while the machine fills does not count."""
    assert batched([100.0] * 5 + [1.0, 2.0, 3.0, 2.0, 2.0] * 3, size=5) == (2.0, 0.0, 3)


def test_too_few_values_show_nothing() -> None:
    """Three whole batches are needed beside the first."""
    assert batch_means([1.0] * (4 * BATCH - 1)) is None
    assert batch_means([1.0] * (4 * BATCH)) is not None


def test_more_batches_until_it_is_precise() -> None:
    """As many are used as it takes, and no more; a hundred at most where all are not enough."""
    rng = random.Random(3)
    noisy = [rng.expovariate(1.0) for _ in range(60 * 100)]
    mean, half, count = batched(noisy, size=60)
    assert half <= 0.1 * mean
    assert 3 < count < 99
    assert abs(mean - 1.0) < half
    mean, half, fewer = batched(noisy[: 60 * count], size=60)
    assert (fewer, half > 0.1 * mean) == (count - 1, True)
    wild = [rng.paretovariate(1.05) for _ in range(60 * 150)]
    mean, half, count = batched(wild[: 60 * 20], size=60)
    assert (count, half > 0.1 * mean) == (19, True)
    assert batched(wild, size=60)[2] == 100


@pytest.mark.proof
def test_intervals_cover_the_mean_as_often_as_they_say() -> None:
    """Of many intervals around a mean that is known, nine in ten hold it."""
    rng, held = random.Random(9), 0
    for _ in range(400):
        mean, half, _ = batched([rng.gauss(0.0, 1.0) for _ in range(40 * 11)], size=40)
        held += abs(mean) <= half
    assert 0.85 < held / 400 < 0.95


LONG = """title = "T"
paper = "A & B 2000, Figure 1"
[[grid]]
name = "g"
machine = {nodes = 16}
workload = {model = "feitelson96", jobs = 20000, seed = 1, load = 0.6}
policy = "easy"
[[grid.axis]]
name = "jobs"
sets = "workload.jobs"
values = [13331, 20000]
[[claim]]
title = "Never so slow"
grid = "g"
measure = "batches.mean_slowdown"
along = "jobs"
above = 1e9
"""


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    """An experiment of two cells that were run: one too short for batches, one of six."""
    folder = tmp_path_factory.mktemp("long")
    path = folder / "long.toml"
    path.write_text(LONG)
    lab = Lab((read_experiment(path, MEASURES),), Store(folder))
    lab.run()
    return lab


def expected(cell: Cell, folder: Path) -> tuple[float, float, int]:
    """The same by hand: the jobs by their ends, those that end together in the order of the trace."""
    path = folder / "cell.toml"
    path.write_text(cell.text)
    case = load(path)
    simulation = case.simulation()
    simulation.run()
    return batched(slowdowns(case.jobs, simulation))


@pytest.mark.proof
def test_a_long_cell_has_batch_means(long: Lab, tmp_path: Path) -> None:
    """Of the slowdown, with the interval, from the cell itself; a short one has none."""
    (experiment,), lookup = long.experiments, long.lookup()
    (_, short), (_, cell) = cells_of(long.experiments)
    mean, half, count = expected(cell, tmp_path)
    assert count > 3
    results = [long.store.read(one) for one in (short, cell)]
    assert results[0] is not None
    assert results[1] is not None
    for name, value in (
        ("mean_slowdown", Value(mean, half, count)),
        ("used", Value(count)),
        ("relative_half", Value(half / mean)),
    ):
        assert measured(results[0], f"batches.{name}") == {}
        assert measured(results[1], f"batches.{name}") == {"": value}
    frame = frame_of(experiment.grids["g"], experiment.claims[0].view, lookup)
    assert frame.values == {("20000",): Value(mean, half, count)}
    assert mean != pytest.approx(measured(results[1], "mean_slowdown")[""].mean)


def test_the_interval_of_a_cell_is_shown(long: Lab, tmp_path: Path) -> None:
    """Where a claim fails, and in the CSV of every cell, which has nothing there for other measures."""
    found = long.found(long.experiments[0])
    write_report(long, [found], tmp_path)
    rows = list(csv.DictReader((tmp_path / "long.csv").open()))
    (row,) = [row for row in rows if row["half"]]
    assert (row["jobs"], row["measure"]) == ("20000", "batches.mean_slowdown")
    shown = f"20000 {number(float(row['value']))} ± {number(float(row['half']))}"
    assert found.claims[0].failing == (shown,)


def slowdowns(jobs: Jobs, simulation: Simulation) -> list[float]:
    """Response over runtime of the jobs that are over, in order of their ends, ties in trace order."""
    finishes = simulation.results()["finish"]
    ended = sorted((finish, job) for job, finish in enumerate(finishes) if finish >= 0)
    rows = ((finish, *jobs.row(job)[:2]) for finish, job in ended)
    return [(finish - submit) / runtime for finish, submit, runtime in rows]


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
