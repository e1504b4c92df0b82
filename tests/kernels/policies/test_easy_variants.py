"""Leapfrogging, relaxed heads, predictions and speculation agree with the naive programs."""

import random
from typing import Any

import pytest

from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.policies import make
from tests.amount import many
from tests.kernels.drive import table
from tests.oracles.jobs import Job, Workload, crowded_workload, jammed_workload, random_workload
from tests.oracles.space.easy_variants import easy_variant
from tests.oracles.space.leapfrog import leapfrogging

VARIANTS: dict[str, dict[str, Any]] = {
    "relaxed": {"relax": 0.5},
    "relaxed-little": {"relax": 0.013, "scan": "widest"},
    "relaxed-much": {"relax": 10.0, "scan": "shortest"},
    "predicted": {"predict": "users"},
    "predicted-shortest": {"predict": "users", "scan": "shortest"},
    "predicted-longest": {"predict": "users", "scan": "longest"},
    "speculative": {"speculate": 0.1},
    "speculative-half": {"speculate": 0.5, "scan": "narrowest"},
    "speculative-shortest": {"speculate": 0.000001, "scan": "shortest"},
    "relaxed-predicted": {"relax": 0.3, "predict": "users", "scan": "shortest"},
    "relaxed-speculative": {"relax": 0.7, "speculate": 0.2},
    "predicted-speculative": {"predict": "users", "speculate": 0.3, "scan": "longest"},
    "all": {"relax": 1.5, "predict": "users", "speculate": 0.4, "scan": "shortest"},
}
LEAPS = (0, 1, 2, 5, 1_000_000)
SCALES = (1, 1, 17, 61, 997, 20_000)
"""Seconds that a second of a workload becomes: corrections add from a minute to a hundred hours."""


def scaled(rng: random.Random, workload: Workload) -> Workload:
    """The same workload with longer times, now and then with estimates far above the runtimes."""
    scale, far = rng.choice(SCALES), rng.choice((1, 1, 5, 40))
    jobs = [
        Job(
            job.submit * scale,
            job.runtime * scale,
            job.size,
            (job.runtime + far * (job.estimate - job.runtime)) * scale,
        )
        for job in workload.jobs
    ]
    return Workload(jobs, workload.nodes)


def drawn(rng: random.Random, workload: Workload) -> tuple[Workload, list[int]]:
    """A workload and the user of each job: few, so that there is a history; -1 for none."""
    users = rng.randint(1, 4)
    return scaled(rng, workload), [rng.randint(-1, users) for _ in workload.jobs]


def check(workload: Workload, users: list[int], name: str) -> None:
    """Starts, ends and preemptions are those of the naive program."""
    jobs, nodes = workload
    simulation = Simulation(table(jobs, users), nodes, make("easy", VARIANTS[name]))
    simulation.run()
    results = simulation.results()
    starts = easy_variant(jobs, nodes, users, **VARIANTS[name])
    assert list(results["start"]) == [runs[0] for runs in starts]
    assert list(results["finish"]) == [runs[-1] + job.runtime for runs, job in zip(starts, jobs, strict=True)]
    assert list(results["preemptions"]) == [len(runs) - 1 for runs in starts]


@pytest.mark.parametrize(
    ("policy", "parameters"),
    [
        ("easy", {"relax": 1e-9}),
        ("easy", {"speculate": 0.0000005}),
        ("easy", {"relax": 10.1}),
        ("fcfs", {"leapfrog": 2**70}),
        ("fcfs", {"leapfrog": -1}),
    ],
)
def test_what_is_out_of_range_is_refused(policy: str, parameters: dict[str, float]) -> None:
    """Also a share that would count as none."""
    with pytest.raises(ValueError, match="expected 0"):
        make(policy, parameters)


def check_leaps(workload: Workload, leapfrog: int) -> None:
    """The same for leapfrogging."""
    jobs, nodes = workload
    simulation = Simulation(table(jobs), nodes, make("fcfs", {"leapfrog": leapfrog}))
    simulation.run()
    assert list(simulation.results()["start"]) == leapfrogging(jobs, nodes, leapfrog)


@pytest.mark.parametrize("name", VARIANTS)
def test_random_workloads(name: str) -> None:
    """Ties abound in most of them; in some the queue is long."""
    rng = random.Random(2007)
    for make_one, count in ((random_workload, 100), (crowded_workload, 2), (jammed_workload, 1)):
        for _ in range(count):
            check(*drawn(rng, make_one(rng)), name)


@pytest.mark.parametrize("relax", [10.0, 1.0, 0.000001])
def test_a_head_that_waits_for_ages_is_put_off_as_far(relax: float) -> None:
    """Its latest start may lie beyond every instant: then whoever ends at all may pass it."""
    rng = random.Random(60)
    for _ in range(100):
        jobs, nodes = random_workload(rng)
        scale = (1 << 62) // (jobs[-1].submit + sum(job.estimate for job in jobs) + 1)
        long = [Job(job.submit * scale, job.runtime * scale, job.size, job.estimate * scale) for job in jobs]
        simulation = Simulation(table(long), nodes, make("easy", {"relax": relax}))
        simulation.run()
        found = easy_variant(long, nodes, relax=relax)
        assert list(simulation.results()["start"]) == [runs[0] for runs in found]


@pytest.mark.parametrize("leapfrog", LEAPS)
def test_random_leaps(leapfrog: int) -> None:
    """The same for leapfrogging."""
    rng = random.Random(1998)
    for make_one, count in ((random_workload, 100), (crowded_workload, 2), (jammed_workload, 1)):
        for _ in range(count):
            check_leaps(make_one(rng), leapfrog)


@pytest.mark.proof
@pytest.mark.parametrize("name", VARIANTS)
def test_many_more_random_workloads(name: str) -> None:
    """With other seeds, until it is a proof for practical purposes."""
    rng = random.Random(2002)
    for make_one, count in ((random_workload, 10_000), (crowded_workload, 300), (jammed_workload, 20)):
        for _ in range(many(count)):
            check(*drawn(rng, make_one(rng)), name)


@pytest.mark.proof
@pytest.mark.parametrize("leapfrog", LEAPS)
def test_many_more_random_leaps(leapfrog: int) -> None:
    """The same for leapfrogging."""
    rng = random.Random(2003)
    for make_one, count in ((random_workload, 10_000), (crowded_workload, 300), (jammed_workload, 20)):
        for _ in range(many(count)):
            check_leaps(make_one(rng), leapfrog)
