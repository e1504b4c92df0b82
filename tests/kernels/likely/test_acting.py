"""Samples in which something is done: they draw as if it were not, and are what the policy makes of it."""

import random
from collections.abc import Iterator

import pytest

from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.likely.odds import Odds
from tests.amount import many
from tests.kernels.likely.acts import acted
from tests.kernels.likely.test_odds import NAMES, STARTING, begin
from tests.oracles.jobs import random_workload

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
