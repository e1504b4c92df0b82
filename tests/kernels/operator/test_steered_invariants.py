"""What holds in every steered run of the compiled simulation, under every policy that there is."""

import random
from typing import Any

import pytest

from shadowtime.kernels.core.simulation import Simulation
from tests.kernels.drive import observe
from tests.kernels.operator.steered_drive import simulate, steering_of
from tests.oracles.steered.case import Case
from tests.oracles.steered.workloads import SPACE, random_case

POLICIES: dict[str, dict[str, Any]] = {
    "easy": {},
    "conservative": {},
    "dynp": {"lower": 3, "upper": 5, "threshold": 2},
    "ivs": {"delta": 1, "utilized": 0.4, "interactive": 3},
    "maui": {"preempt": True},
    "flex": {"slack": 4},
    "pbas": {"frame": 6},
    "wbas": {"frame": 5, "maf": 3},
    "checkpoint": {"p": 0.25, "threshold": 0, "delay": 2, "extend": 3},
    "gang": {"quantum": 3, "overhead": 1},
    "unicos": {"limit": 5},
    "prime": {"shift": 9, "large": 3, "short": 3, "long": 6, "reserve": 2},
}
BY_POLICY = pytest.mark.parametrize("policy", POLICIES)


def cases(seed: int, count: int, policy: str) -> list[Case]:
    """Random cases that begin under a policy; every other one goes on under others."""
    rng, others = random.Random(seed), tuple(POLICIES.items())
    return [
        random_case(rng, others, switches=number % 2 == 1)._replace(policy=(policy, POLICIES[policy]))
        for number in range(count)
    ]


@BY_POLICY
def test_nobody_is_forgotten(policy: str) -> None:
    """At the end nothing runs, and whoever waits is behind a job that the nodes in service cannot hold."""
    for case in cases(31, 150, policy):
        simulation = simulate(case)
        simulation.run()
        assert not list(simulation.running()), case
        sizes = [case.jobs[job].size for job in simulation.waiting()]
        # Under gang a block is out with any of its nodes, so that a narrow job may find none.
        assert not sizes or simulation.policy_name == "gang" or max(sizes) > simulation.free, case


@BY_POLICY
def test_nodes_and_jobs_match(policy: str) -> None:
    """After every event each running job has its size in nodes, and no node is counted twice."""
    for case in cases(32, 80, policy):
        simulation = simulate(case)
        while simulation.step():
            owners = list(simulation.owners())
            busy = sum(owner >= 0 for owner in owners)
            for job in set(owners) - {-1, -2}:
                assert owners.count(job) == case.jobs[job].size, case
            if simulation.policy_name != "gang":
                assert simulation.free == owners.count(-1), case
            assert busy <= case.nodes


@pytest.mark.proof
@BY_POLICY
def test_stepping_is_running(policy: str) -> None:
    """Every byte is the same, whether the run is stepped, run or put back to a copy and run again."""
    for case in cases(33, 60, policy):
        count = len(case.jobs)
        straight, stepped = simulate(case), simulate(case)
        straight.run()
        copies, seen = [stepped.copy()], [observe(stepped, count)]
        while stepped.step():
            copies.append(stepped.copy())
            seen.append(observe(stepped, count))
        assert stepped.digest() == straight.digest(), case
        rng = random.Random(len(copies))
        for _ in range(8):
            place, steps = rng.randrange(len(copies)), rng.randint(0, 5)
            stepped.restore(copies[place])
            for _ in range(min(steps, len(copies) - 1 - place)):
                stepped.step()
            assert observe(stepped, count) == seen[min(place + steps, len(copies) - 1)], case


@BY_POLICY
def test_a_branch_is_a_run_of_its_own(policy: str) -> None:
    """A branch with other actions from here on is, to the byte, the run that had them from the beginning."""
    rng = random.Random(36)
    for case in cases(37, 80, policy):
        count, simulation = len(case.jobs), simulate(case)
        simulation.run(events=rng.randint(0, 30))
        other = _other_future(rng, case, simulation)
        whole = simulate(other)
        whole.run(events=simulation.event)
        if whole.event < simulation.event:
            continue  # A review of WBAS may have come only since the case had more to come.
        branch = simulation.branch(steering_of(other))
        assert observe(branch, count) == observe(whole, count), (case, other)
        before = observe(simulation, count)
        whole.run()
        branch.run()
        assert observe(branch, count) == observe(whole, count), (case, other)
        assert observe(simulation, count) == before


def _other_future(rng: random.Random, case: Case, simulation: Simulation) -> Case:
    """Return the case with the actions up to now, and with others after them."""
    now, event = simulation.now, simulation.event
    timed = sorted((a for a in case.actions if a.at is not None), key=lambda action: action.at or 0)
    numbered = sorted((a for a in case.actions if a.at is None), key=lambda action: action.after or 0)
    past, number = 0, 0
    for action in numbered:
        number = max(number, action.after or 0) + 1
        past += number <= event
    later = []
    for action in random_case(rng, SPACE, switches=False).actions:
        job = None if action.job is None else action.job % len(case.jobs)
        nodes = tuple(sorted({node % case.nodes for node in action.nodes}))
        when = (None, event + rng.randint(0, 9)) if rng.random() < 0.5 else (now + rng.randint(1, 9), None)
        later.append(action._replace(job=job, nodes=nodes, at=when[0], after=when[1]))
    return case._replace(actions=(*timed[: simulation.acted - past], *numbered[:past], *later))
