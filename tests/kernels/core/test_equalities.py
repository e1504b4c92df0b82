"""What is the same schedule by another name: degenerate parameters, one candidate, exact estimates."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.policies import make
from tests.kernels.drive import after_passes, table
from tests.oracles.jobs import Job, Workload, exact, read_raw_log, workloads

LOGS = {
    "KTH-SP2-1996-2.1-cln": 100,
    "SDSC-SP2-1998-4.2-cln": 128,
    "CTC-SP2-1996-3.1-cln.derived": 338,
    "SDSC-BLUE-2000-4-cln.derived": 1152,
}
SLACK = {"name": "flex", "slack": 3}
SCHEDULERS: dict[str, tuple[str, dict[str, Any]]] = {
    "easy": ("easy", {}),
    "conservative": ("conservative", {}),
    "flex": ("flex", {"slack": 3}),
    "maui": ("maui", {"windows": "widest"}),
    "dynp": ("dynp", {"lower": 3, "upper": 5, "threshold": 2}),
}


def starts(jobs: list[Job], nodes: int, policy: str, **parameters: object) -> list[int]:
    """The starts of a whole run."""
    simulation = Simulation(table(jobs), nodes, make(policy, parameters))
    simulation.run()
    return list(simulation.results()["start"])


@pytest.mark.parametrize("scheduler", SCHEDULERS)
@given(workload=workloads())
def test_a_choice_of_one_is_that_one(scheduler: str, workload: Workload) -> None:
    """PBAS over one candidate, or over equal ones, and WBAS between equal ones, are the scheduler itself."""
    name, parameters = SCHEDULERS[scheduler]
    alone = starts(*workload, name, **parameters)
    candidate = {"name": name, **parameters}
    for metric in ("utilization", "response", "slowdown"):
        for count in (1, 3):
            chosen = starts(*workload, "pbas", candidates=[candidate] * count, frame=2, metric=metric)
            assert chosen == alone
    assert starts(*workload, "wbas", wide=candidate, narrow=candidate, frame=2, maf=2) == alone


@given(workload=workloads())
def test_orders_that_never_change(workload: Workload) -> None:
    """dynP whose bounds always say FCFS is conservative backfilling planned anew; the others follow."""
    planned = starts(*workload, "conservative", compress="replan")
    assert starts(*workload, "dynp", lower=0, upper=10**9, threshold=1) == planned
    assert starts(*workload, "ivs", utilized=2.0) == planned
    assert starts(*workload, "maui", reservations=1_000_000) == planned
    assert starts(*workload, "dynp", lower=10**9, upper=10**9, threshold=1) == starts(*workload, "sjf")
    assert starts(*workload, "dynp", lower=0, upper=0, threshold=1) == starts(*workload, "ljf")


@given(workload=workloads())
def test_exact_estimates_leave_nothing_to_compress(workload: Workload) -> None:
    """With exact estimates every way of compressing gives one schedule."""
    jobs = exact(workload.jobs)
    assert starts(jobs, workload.nodes, "conservative") == starts(
        jobs, workload.nodes, "conservative", compress="replan"
    )


@given(workload=workloads())
def test_exact_estimates_leave_no_reservation_to_recompute(workload: Workload) -> None:
    """With exact estimates the shadow time and the extra nodes that EASY recomputes are those that it had."""
    jobs = exact(workload.jobs)
    assert starts(jobs, workload.nodes, "easy") == starts(jobs, workload.nodes, "easy", reservation="kept")


@given(workload=workloads())
def test_checkpointing_that_believes_the_estimates(workload: Workload) -> None:
    """With p = 1 nobody is predicted to end early, so nobody is stopped: EASY."""
    assert starts(*workload, "checkpoint", p=1, threshold=0, delay=2, extend=3) == starts(*workload, "easy")


@cache
def log(path: Path, nodes: int) -> list[Job]:
    """The jobs of a log; each is read once."""
    return read_raw_log(path, nodes)


@pytest.mark.proof
@pytest.mark.parametrize("name", LOGS)
def test_real_logs(traces: Path, name: str) -> None:
    """The same on whole logs: p = 1, Maui's plain window, and a choice between equals."""
    jobs, nodes = log(traces / f"{name}.swf.xz", LOGS[name]), LOGS[name]
    easy = starts(jobs, nodes, "easy")
    assert starts(jobs, nodes, "checkpoint", p=1) == easy
    assert starts(jobs, nodes, "maui") == easy
    assert starts(jobs, nodes, "pbas", candidates=["easy", "easy"]) == easy


@pytest.mark.parametrize(
    ("policy", "parameters"),
    [
        ("flex", {"slack": 3}),
        ("flex", {"slack_factor": 2.0, "heavy": True}),
        ("pbas", {"candidates": [SLACK, "easy", "sjf"], "frame": 4}),
        ("wbas", {"wide": SLACK, "narrow": "conservative", "frame": 3, "maf": 3}),
    ],
)
@given(workload=workloads())
def test_deadlines_hold(policy: str, parameters: dict[str, object], workload: Workload) -> None:
    """No job starts after its deadline, and no deadline moves, but where another scheduler takes over."""
    simulation = Simulation(table(workload.jobs), workload.nodes, make(policy, parameters))
    deadlines: dict[int, int] = {}
    force = None
    for now in after_passes(simulation):
        changed = simulation.status().get("in_force")
        if changed != force:
            deadlines.clear()
            force = changed
        for job in simulation.waiting():
            terms = simulation.terms(job)
            if terms:
                assert deadlines.setdefault(job, terms["deadline"]) == terms["deadline"]
                assert terms["slack_left"] >= 0
        for job, deadline in deadlines.items():
            start = simulation.start_of(job)
            assert start is None or start <= deadline
            assert start is not None or now <= deadline
