"""The compiled schedulers give every job of the KTH log its published start, with ties and without."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.policies import make
from tests.kernels.drive import SETTINGS as NAIVE
from tests.kernels.drive import adaptive, by_width, finished, table
from tests.oracles.jobs import Job, Workload, read_log, read_starts
from tests.oracles.outcome import Outcome
from tests.oracles.space.checkpoint import checkpoint
from tests.oracles.space.maui import maui
from tests.oracles.space.prime import prime
from tests.oracles.torus.unicos import unicos

NODES = 100
SETTINGS = {"fcfs": "fcfs", "easy": "easy-arrival", "sjbf": "easy-shortest", "cons": "conservative-arrival"}
MEANS = {
    "fcfs": (353776.41, 6814.973),
    "easy": (6834.59, 92.688),
    "sjbf": (5903.69, 69.394),
    "cons": (7316.24, 88.967),
}

DAY = 86_400
# Mean wait and bounded slowdown that independent runs of the same rules gave, as they were published. IVS is
# given every job as batch here, as in those runs: no queue of the log says which is interactive.
FIGURES: list[tuple[str, dict[str, Any], str, str]] = [
    ("sjf", {}, "4568.5", "45.4"),
    ("ljf", {}, "8516.0", "110.8"),
    ("dynp", {}, "7834.2", "91.9"),
    ("ivs", {"interactive": 0}, "7792.0", "98.3"),
    ("maui", {"windows": "widest"}, "6290.2", "82.8"),
    ("flex", {"slack": 0}, "6559.0", "75.9"),
    ("flex", {"slack": 1800}, "5996.2", "64.3"),
    ("flex", {"slack": 3600}, "5812.0", "60.0"),
    ("flex", {"slack": 7200}, "5582.1", "57.1"),
    ("flex", {"slack_factor": 0.5}, "6028.7", "62.4"),
    ("pbas", {"metric": "utilization", "frame": 7 * DAY}, "6125.2", "69.1"),
    ("pbas", {"metric": "response", "frame": DAY // 2}, "6083.4", "70.5"),
    # Published as 6115.3: rounded twice.
    ("wbas", {"maf": 7500, "frame": DAY}, "6115.2", "75.5"),
    ("wbas", {"maf": 7500, "frame": DAY // 12}, "5980.6", "71.6"),
    ("wbas", {"maf": 750, "frame": DAY}, "6093.1", "70.8"),
    ("prime", {}, "343861", "1184"),
    ("unicos", {}, "353662", "6813"),
    ("checkpoint", {"p": 0.2, "threshold": 1800}, "5808.6", "76.8"),
    ("checkpoint", {"p": 0.2, "threshold": 1800, "delay": 215, "extend": 430}, "5973.3", "76.9"),
]

read_once = cache(read_log)


def log(published: Path, name: str) -> list[Job]:
    """The jobs of a published log; each is read once."""
    return read_once(published / f"{name}.swf.xz")


@pytest.mark.proof
@pytest.mark.parametrize("name", ["KTH-SP2", "KTH-SP2.tiefree"])
@pytest.mark.parametrize("policy", SETTINGS)
def test_no_start_differs(published: Path, policy: str, name: str) -> None:
    """Every one of the 28,481 jobs starts when two independent programs agree that it does."""
    results = finished(Workload(log(published, name), NODES), SETTINGS[policy]).results()
    expected = read_starts(published / f"{name}.{policy}.csv.xz")
    differing = [
        index for index, pair in enumerate(zip(results["start"], expected, strict=True)) if len({*pair}) > 1
    ]
    assert differing == []


@pytest.mark.proof
@pytest.mark.parametrize("policy", SETTINGS)
def test_the_published_means(published: Path, policy: str) -> None:
    """Mean wait and mean bounded slowdown of the log with ties, to the decimals that were published."""
    values = finished(Workload(log(published, "KTH-SP2"), NODES), SETTINGS[policy]).metrics()
    wait, slowdown = values["mean_wait"], values["mean_bounded_slowdown"]
    assert wait is not None
    assert slowdown is not None
    assert (round(wait, 2), round(slowdown, 3)) == MEANS[policy]


@pytest.mark.proof
@pytest.mark.parametrize(("policy", "parameters", "wait", "slowdown"), FIGURES)
def test_the_figures_of_independent_runs(
    published: Path, policy: str, parameters: dict[str, Any], wait: str, slowdown: str
) -> None:
    """Every scheduler gives the published mean wait and bounded slowdown, to the digits published."""
    simulation = Simulation(table(log(published, "KTH-SP2")), NODES, make(policy, parameters))
    simulation.run()
    values = simulation.metrics()
    digits = [len(text.partition(".")[2]) for text in (wait, slowdown)]
    found = values["mean_wait"], values["mean_bounded_slowdown"]
    assert [f"{value:.{places}f}" for value, places in zip(found, digits, strict=True)] == [wait, slowdown]


@pytest.mark.proof
def test_how_many_jobs_are_stopped(published: Path) -> None:
    """Checkpointing at p = 0.2 stops 10.3 % of the jobs at least once."""
    simulation = Simulation(table(log(published, "KTH-SP2")), NODES, make("checkpoint"))
    simulation.run()
    assert f"{simulation.metrics()['preempt_ratio']:.3f}" == "0.103"


# Frames of a few seconds, as random workloads have them, would be ten thousands of reviews here.
DAILY = {
    "pbas": adaptive(
        ("flex", {}), ("maui", {"windows": "widest"}), ("easy", {}), frame=DAY, metric="response"
    ),
    "wbas": by_width(("flex", {}), ("maui", {"windows": "widest"}), frame=DAY // 4, maf=300),
}
REAL = {name: each for name, each in NAIVE.items() if each.policy not in DAILY} | DAILY


@pytest.mark.proof
@pytest.mark.parametrize("setting", REAL)
def test_the_first_two_thousand_jobs(published: Path, setting: str) -> None:
    """The naive program, too, starts each of them when the compiled one does."""
    jobs = log(published, "KTH-SP2")[:2000]
    policy, parameters, naive = REAL[setting]
    simulation = Simulation(table(jobs), NODES, make(policy, parameters))
    simulation.run()
    assert list(simulation.results()["start"]) == naive(jobs, NODES)


OTHERS: dict[str, tuple[str, dict[str, Any], Callable[[list[Job], int], Outcome]]] = {
    "checkpoint": ("checkpoint", {}, checkpoint),
    "checkpoint-overhead": (
        "checkpoint",
        {"delay": 215, "extend": 430},
        lambda jobs, nodes: checkpoint(jobs, nodes, delay=215, extend=430),
    ),
    "maui-widest": ("maui", {"windows": "widest"}, lambda jobs, nodes: maui(jobs, nodes, windows="widest")),
    "maui-weights": (
        "maui",
        {"weight_queue_time": 1.0, "weight_size": 0.5},
        lambda jobs, nodes: maui(jobs, nodes, weight_queue_time=1.0, weight_size=0.5),
    ),
    "maui-preempt": ("maui", {"preempt": True}, lambda jobs, nodes: maui(jobs, nodes, preempt=True)),
}


@pytest.mark.parametrize("name", OTHERS)
def test_the_first_two_thousand_jobs_of_those_who_stop_jobs(published: Path, name: str) -> None:
    """Starts, finishes and preemptions are those of the naive program."""
    jobs = log(published, "KTH-SP2")[:2000]
    policy, parameters, naive = OTHERS[name]
    simulation = Simulation(table(jobs), NODES, make(policy, parameters))
    simulation.run()
    results, expected = simulation.results(), naive(jobs, NODES)
    assert list(results["start"]) == expected.starts
    assert list(results["finish"]) == expected.finishes
    assert list(results["preemptions"]) == expected.preemptions


@pytest.mark.parametrize(("policy", "naive"), [("prime", prime), ("unicos", unicos)])
def test_the_first_two_thousand_jobs_of_the_others(
    published: Path, policy: str, naive: Callable[[list[Job], int], list[int]]
) -> None:
    """The same for prime time and for UNICOS MAX."""
    jobs = log(published, "KTH-SP2")[:2000]
    simulation = Simulation(table(jobs), NODES, make(policy))
    simulation.run()
    assert list(simulation.results()["start"]) == naive(jobs, NODES)
