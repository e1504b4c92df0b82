"""The compiled simulation agrees with the naive one, event by event, whatever is done to a run."""

import random

import pytest

from tests.amount import many
from tests.kernels.operator.steered_drive import difference
from tests.oracles.jobs import Job
from tests.oracles.steered.case import Action, Case, Outage, Policy
from tests.oracles.steered.workloads import GANG, MORE, NEWER, SPACE, crowded_case, random_case

POLICIES: dict[str, tuple[Policy, ...]] = {policy[0]: (policy,) for policy in SPACE}
POLICIES |= {"space": SPACE, "more": MORE, "gang": GANG, "newer": NEWER, "all": (*SPACE, *MORE, *GANG)}
"""Each case begins under one of these policies and may go on under others of the same line."""
BY_POLICIES = pytest.mark.parametrize("policies", POLICIES)


def check(seed: int, policies: str, few: int, crowded: int) -> None:
    """Events, states, owners of nodes, queues, waits, refusals, results and metrics are the same."""
    rng = random.Random(seed)
    cases = [random_case(rng, POLICIES[policies]) for _ in range(few)]
    for case in cases + [crowded_case(rng, POLICIES[policies]) for _ in range(crowded)]:
        assert difference(case) is None, case


@pytest.mark.proof
@BY_POLICIES
def test_random_cases(policies: str) -> None:
    """Small machines in crowded instants, and a few long queues."""
    check(24, policies, 300, 6)


@pytest.mark.proof
@BY_POLICIES
def test_many_more(policies: str) -> None:
    """The same, with other seeds, until it is a proof for practical purposes."""
    check(25, policies, many(10_000), many(300))


@pytest.mark.parametrize("after", range(2, 14))
@pytest.mark.parametrize("overhead", [0, 1])
def test_a_second_row_in_the_instant_in_which_a_quantum_ends(after: int, overhead: int) -> None:
    """The operator makes it before the switch of that instant, or after it."""
    actions = (Action("start", after=2, job=0), Action("start", after=after, job=1))
    policy = ("gang", {"quantum": 3, "overhead": overhead, "placing": False})
    jobs = [Job(0, 20, 4, 20), Job(0, 20, 8, 20)]
    assert difference(Case(jobs, 8, policy, actions, (Outage((7,), 1, 3),))) is None
