"""Samples in which something is done: they draw as if it were not, and are what the policy makes of it."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.likely.odds import Odds
from shadowtime.kernels.operator.steering import Intervention
from shadowtime.kernels.policies import PlainPolicy, PolicyError
from tests.amount import many
from tests.kernels.drive import table
from tests.kernels.likely.acts import acted
from tests.kernels.likely.test_odds import NAMES, STARTING, begin
from tests.oracles.jobs import Job, random_workload

NEVER = -1


def moment(name: str, rng: random.Random) -> Simulation:
    """Return a random moment under a policy."""
    simulation = begin(name, random_workload(rng))
    simulation.run(events=rng.randint(0, 40))
    return simulation


def alive(simulation: Simulation) -> list[int]:
    """The jobs that have been submitted and are not over."""
    return [*simulation.waiting(), *simulation.held(), *simulation.running()]


def times_of(simulation: Simulation, followed: Simulation, jobs: list[int]) -> list[int]:
    """When jobs start in a run that is followed to its end, or end if they had started; -1 for never."""
    followed.run()

    def times() -> Iterator[int | None]:
        for job in jobs:
            yield followed.start_of(job) if simulation.start_of(job) is None else followed.finish_of(job)

    return [NEVER if time is None else time for time in times()]


def check_without_draws(name: str, seed: int) -> None:
    """With estimates in place of runtimes, and nobody to come, it is the expected run with the actions."""
    simulation = moment(name, random.Random(seed))
    expected = acted(simulation.expected(), random.Random(seed))
    jobs = alive(simulation)
    found = Odds(simulation).starts(
        simulation, jobs, seed=1, samples=1, mode="limits", done=expected.deeds, ends=True
    )
    assert list(found) == times_of(simulation, expected.simulation, jobs)


def check_truth(name: str, seed: int) -> None:
    """With true runtimes and arrivals a sample is what comes of the actions."""
    simulation = moment(name, random.Random(seed))
    found = acted(simulation, random.Random(seed), requests=False)
    jobs, odds = alive(simulation), Odds(simulation)
    truth = odds.starts(simulation, jobs, seed=1, samples=1, mode="truth", done=found.deeds, ends=True)
    assert list(truth) == times_of(simulation, found.simulation, jobs)


@pytest.mark.parametrize("name", NAMES)
def test_without_draws_it_is_the_impact_at_the_limits(name: str) -> None:
    """Under every policy, at random moments."""
    for seed in range(6):
        check_without_draws(name, seed)


@pytest.mark.parametrize("name", STARTING)
def test_of_the_truth_it_is_what_comes(name: str) -> None:
    """Under every policy, at random moments."""
    for seed in range(4):
        check_truth(name, seed)


@pytest.mark.proof
def test_thousands_of_moments_at_which_something_is_done() -> None:
    """Both, under all policies."""
    for seed in range(1000, 1000 + many(3000)):
        check_without_draws(NAMES[seed % len(NAMES)], seed)
        check_truth(STARTING[seed % len(STARTING)], seed)


class Wide:
    """Starts what fits, and fails at a job of one node."""

    def __init__(self) -> None:
        self.memory = 0

    def schedule(self, machine: Any) -> None:
        """One after the other."""
        for job in machine.waiting:
            if job.size == 1:
                raise RuntimeError
            if job.size <= machine.free:
                machine.start(job)
                return


def waiting_moment() -> Simulation:
    """Job 0 runs, the others wait."""
    jobs = [Job(0, 50, 4, 90), *(Job(1 + k, 20 + k, 2 + k % 3, 80) for k in range(6))]
    simulation = Simulation(table(jobs), 4, PlainPolicy("wide", {}, Wide))
    simulation.run(until=10)
    assert len(list(simulation.waiting())) == 6
    return simulation


def test_a_sample_that_fails_leaves_no_request_behind() -> None:
    simulation = waiting_moment()
    odds, now = Odds(simulation), simulation.event
    held, released = (Intervention(verb, after=now, job=2) for verb in ("hold", "release"))
    first = odds.starts(simulation, [1, 2, 3], seed=1, samples=4)
    with pytest.raises(PolicyError):
        odds.starts(simulation, [1, 2, 3], seed=1, samples=4, done=[held, (2, 1, 1), released])
    assert odds.starts(simulation, [1, 2, 3], seed=1, samples=4) == first


@pytest.mark.parametrize("request_", [(7, 1, 1), (-1, 1, 1), (10**8, 1, 1), (2, 0, 1), (2, 5, 1), (2, 1, 0)])
def test_a_request_that_cannot_be_is_refused(request_: tuple[int, int, int]) -> None:
    simulation = waiting_moment()
    with pytest.raises((IndexError, ValueError)):
        Odds(simulation).starts(simulation, [1], seed=1, samples=1, done=[request_])


def test_what_is_given_back_needs_the_job_that_it_waits_for() -> None:
    """Without anything done, it is given back all the same."""
    simulation = waiting_moment()
    hold = Intervention("hold", at=1000, job=3)
    with pytest.raises(IndexError):
        Odds(simulation).starts(simulation, [3], seed=1, samples=1, back=[hold])
    held = Odds(simulation).starts(simulation, [3], seed=1, samples=1, back=[hold], after=1, mode="limits")
    assert list(held) == [NEVER]
