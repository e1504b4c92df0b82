"""Samples of what may come: what they give if nothing is drawn, and that they know nothing of the future."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadowtime.kernels.core.environment import Site
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.likely.odds import Odds
from shadowtime.kernels.policies import POLICIES, make
from tests.amount import many
from tests.conftest import EXAMPLES
from tests.kernels.core.test_every_policy import NODES, SIDES, simulate
from tests.kernels.drive import SETTINGS, table
from tests.kernels.drive import simulate as simulate_setting
from tests.oracles.jobs import Job, Workload, random_workload, workloads

NAMES = [*{**POLICIES, **SETTINGS}]
STARTING = [name for name in NAMES if name != "manual"]
"""Under the others no sample ends before all its arrivals have come."""
BY_RUNTIMES = ("pbas", "prime")
"""Policies that go by runtimes of jobs that are not over."""
FEW = settings(max_examples=max(1, EXAMPLES // 2))
"""For each policy, as there are many."""


def begin(name: str, workload: Workload) -> Simulation:
    """A simulation under a policy with its default parameters, or under a setting."""
    return simulate_setting(workload, name) if name in SETTINGS else simulate(name, workload)


def start_or_never(simulation: Simulation, job: int) -> int:
    """When a job starts, -1 for never."""
    start = simulation.start_of(job)
    return -1 if start is None else start


def past_of(simulation: Simulation) -> tuple[object, ...]:
    """What shows of how a run has gone."""
    return (
        simulation.now,
        list(simulation.waiting()),
        list(simulation.running()),
        simulation.status().get("in_force"),
    )


@pytest.mark.parametrize("name", NAMES)
@FEW
@given(workload=workloads(8), data=st.data())
def test_without_draws_a_sample_is_the_expected_run(
    name: str, workload: Workload, data: st.DataObject
) -> None:
    """With estimates in place of runtimes and no arrivals, starts are the expected ones, at any moment."""
    simulation = begin(name, workload)
    odds = Odds(simulation)
    for _ in range(2):
        simulation.run(events=data.draw(st.integers(0, 30)))
        waiting = simulation.waiting()
        expected = simulation.expected()
        expected.run()
        starts = [start_or_never(expected, job) for job in waiting]
        assert [*odds.starts(simulation, waiting, seed=1, samples=1, mode="limits")] == starts


@pytest.mark.parametrize("name", STARTING)
@FEW
@given(workload=workloads(8), data=st.data())
def test_a_sample_of_the_truth_is_what_came(name: str, workload: Workload, data: st.DataObject) -> None:
    """With true runtimes and arrivals the starts are those that came, from any moment, in any order."""
    whole = begin(name, workload)
    whole.run()
    came = [start_or_never(whole, job) for job in range(len(workload.jobs))]
    simulation = begin(name, workload)
    start = simulation.copy()
    odds = Odds(simulation)
    for _ in range(3):
        simulation.restore(start)
        simulation.run(events=data.draw(st.integers(0, 30)))
        waiting = [job for job in simulation.waiting() if simulation.start_of(job) is None]
        odds.starts(simulation, waiting, seed=data.draw(st.integers(0, 9)), samples=2)
        found = odds.starts(simulation, waiting, seed=1, samples=1, mode="truth")
        assert [*found] == [came[job] for job in waiting]


def with_another_future(workload: Workload, simulation: Simulation, rng: random.Random) -> Workload:
    """A workload with other runtimes of jobs that are not over at a moment, and other submissions to come."""
    jobs: list[Job] = []
    for row, job in enumerate(workload.jobs):
        if row >= simulation.submitted:
            later = max(job.submit + rng.randint(0, 3), jobs[-1].submit if jobs else 0)
            jobs.append(job._replace(submit=later, runtime=1))
        elif simulation.outcome(row) is None:
            least = min((simulation.progress(row) or 0) + 1, job.estimate)
            jobs.append(job._replace(runtime=rng.randint(least, job.estimate)))
        else:
            jobs.append(job)
    return workload._replace(jobs=jobs)


def check_later(name: str, seed: int) -> None:
    """What comes after a moment, changed, changes no byte of its samples."""
    rng = random.Random(seed)
    workload = random_workload(rng)
    simulation = begin(name, workload)
    simulation.run(events=rng.randint(1, 40))
    other = begin(name, with_another_future(workload, simulation, rng))
    other.run(events=simulation.event)
    if name.split("-")[0] in BY_RUNTIMES and past_of(other) != past_of(simulation):
        # The runtimes have changed what was decided before.
        return
    assert past_of(other) == past_of(simulation)
    waiting = simulation.waiting()
    samples = Odds(simulation).starts(simulation, waiting, seed=5, samples=4)
    assert Odds(other).starts(other, waiting, seed=5, samples=4) == samples


@pytest.mark.parametrize("name", STARTING)
def test_what_comes_later_changes_no_byte(name: str) -> None:
    """Other runtimes of jobs that are not over and other submissions to come give the same samples."""
    for seed in range(6):
        check_later(name, seed)


@pytest.mark.proof
def test_what_comes_later_changes_no_byte_of_thousands() -> None:
    """As above, on many moments."""
    for seed in range(1000, 1000 + many(4000)):
        check_later(STARTING[seed % len(STARTING)], seed)


def test_arrivals_stand_in_no_row_of_a_job_that_asks_for_a_block() -> None:
    """Job 1 of the T3D asks for the block at 128, which an arrival of 256 in its row could not have."""
    jobs = table([Job(0, 60, 256, 600), Job(10**6, 60, 2, 600)])
    site = Site(torus=SIDES, requests={1: (-1, 128, False)})
    simulation = Simulation(jobs, NODES, make("t3d"), site=site)
    simulation.run(events=1)
    odds = Odds(simulation)
    first = odds.starts(simulation, [0], seed=3, samples=2)
    odds.starts(simulation, [0], seed=3, samples=1, mode="limits")
    assert odds.starts(simulation, [0], seed=3, samples=2) == first


def test_blocks_that_are_asked_for_later_change_no_byte() -> None:
    """Job 1 of the T3D comes later and asks for a block, or for another one, or for none."""
    jobs = table([Job(0, 60, 256, 600), Job(1, 60, 128, 600), Job(10**6, 60, 2, 600)])
    found = []
    for later in ({}, {2: (-1, 128, False)}, {2: (-1, 0, True)}):
        site = Site(torus=SIDES, requests={0: (-1, 0, False), **later})
        simulation = Simulation(jobs, NODES, make("t3d"), site=site)
        simulation.run(events=3)
        found.append(Odds(simulation).starts(simulation, [1], seed=3, samples=8))
    assert found[0] == found[1] == found[2]
    assert len(set(found[0])) > 1
