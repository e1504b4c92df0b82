"""The expected run of the kernel is that of the naive program, whatever was done before and is done here."""

import random

import pytest

from shadowtime.kernels.core.clock import EVENT_NAMES
from shadowtime.kernels.core.simulation import Simulation
from tests.amount import many
from tests.kernels.operator.steered_drive import action_of, simulate
from tests.oracles.steered.case import Case
from tests.oracles.steered.expected import acting, expected
from tests.oracles.steered.run import Steered, steps
from tests.oracles.steered.workloads import GANG, MORE, SPACE, crowded_case, random_case

POLICIES = (*SPACE, *MORE, *GANG)


def at_random(rng: random.Random, case: Case) -> tuple[Steered, Simulation]:
    """A case at a random event, in the naive program and in the kernel."""
    whole = Steered(case)
    count = sum(1 for _ in steps(whole))
    naive, simulation = Steered(case), simulate(case)
    for _ in range(rng.randint(0, count)):
        naive.step()
        simulation.step()
    return naive, simulation


def same_to_the_end(naive: Steered, simulation: Simulation) -> bool:
    """Whether the two go on event by event alike, and every job on the machine starts and ends alike."""
    jobs = [job for job in range(simulation.submitted) if simulation.state(job) != "F"]
    for event in steps(naive):
        if not simulation.step() or simulation.last is None:
            return False
        time, kind, job = simulation.last
        if (time, EVENT_NAMES[kind], None if job < 0 else job) != event[1:]:
            return False
    alike = [
        (simulation.start_of(job), simulation.finish_of(job))
        == (naive.world.records[job].start, naive.world.records[job].finish)
        for job in jobs
    ]
    return not simulation.step() and all(alike)


def agree(seed: int, crowded: bool) -> None:
    """An expected run, and one with something done in it, agree with the naive program."""
    rng = random.Random(seed)
    case = crowded_case(rng, POLICIES) if crowded else random_case(rng, POLICIES)
    naive, simulation = at_random(rng, case)
    assert same_to_the_end(expected(naive), simulation.expected()), seed
    actions = list(random_case(rng, SPACE, switches=False).actions)
    for action in actions:
        if action.job is not None and action.job >= len(case.jobs):
            continue
        if any(node >= case.nodes for node in action.nodes):
            continue
        here = action._replace(at=None, after=len(naive.events))
        other = acting(naive, [here])
        if other is None:
            continue
        acted = simulation.acting([action_of(here)])
        acted.step()
        assert same_to_the_end(expected(other), acted.expected()), (seed, here)
        within = acting(expected(naive), [here])
        believed = simulation.expected([action_of(here)])
        assert within is not None
        believed.step()
        assert same_to_the_end(within, believed), (seed, here)


@pytest.mark.parametrize("start", range(0, 300, 50))
def test_expected_runs_agree(start: int) -> None:
    for seed in range(start, start + 50):
        agree(seed, crowded=False)
    agree(start, crowded=True)


@pytest.mark.proof
@pytest.mark.parametrize("start", range(1000, 4000, 500))
def test_many_expected_runs_agree(start: int) -> None:
    for seed in range(start, start + many(500)):
        agree(seed, crowded=seed % 10 == 0)
