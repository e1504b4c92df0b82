"""Where hundreds wait, too, a steered run is, event by event, that of the naive program."""

import random

import pytest

from tests.kernels.operator.steered_drive import difference
from tests.oracles.deep.steered import DeepSteered
from tests.oracles.deep.workloads import deep_case, deep_workload
from tests.oracles.steered.case import Case, Policy
from tests.oracles.steered.run import Steered
from tests.oracles.steered.workloads import MORE, SPACE, crowded_case, random_case

POLICIES: dict[str, Policy] = {
    "fcfs": ("fcfs", {}),
    "easy": ("easy", {}),
    "easy-shortest": ("easy", {"scan": "shortest"}),
    "easy-kept": ("easy", {"reservation": "kept"}),
    "conservative": ("conservative", {}),
    "replan": ("conservative", {"compress": "replan"}),
    "sjf": ("sjf", {}),
    "ljf": ("ljf", {}),
    "dynp": ("dynp", {"lower": 400, "upper": 1500, "threshold": 5}),
    "ivs": ("ivs", {"delta": 3, "utilized": 0.4, "interactive": 600}),
    "maui": ("maui", {"windows": "widest"}),
    "maui-reservations": ("maui", {"reservations": 3}),
    "maui-reservations-widest": ("maui", {"reservations": 3, "windows": "widest"}),
    "unicos": ("unicos", {"limit": 600}),
}
"""Those that share space and have a naive program that is steered."""
BY_POLICY = pytest.mark.parametrize("policy", POLICIES)


def steered_case(seed: int, policy: str) -> Case:
    """A random case under a policy, which in some goes on under others."""
    rng = random.Random(seed)
    workload = deep_workload(rng, 420, rng.choice((16, 32)))
    case = deep_case(rng, workload._replace(jobs=workload.jobs[:520]), tuple(POLICIES.values()))
    return case._replace(policy=POLICIES[policy])


def check_the_judge(case: Case) -> None:
    """The naive program for deep queues is, event by event, the plain one."""
    plain, judge = Steered(case), DeepSteered(case)
    while (event := plain.step()) is not None:
        assert judge.step() == event, case
    assert judge.step() is None
    assert judge.world.fates() == plain.world.fates(), case


def test_the_judge_on_small_cases() -> None:
    """Who judges here is judged first."""
    rng = random.Random(1)
    for _ in range(300):
        check_the_judge(random_case(rng, (*SPACE, *MORE)))


@pytest.mark.proof
def test_the_judge_on_thousands() -> None:
    """The same on many more, and on some with a queue of dozens."""
    rng = random.Random(2)
    for case in [random_case(rng, (*SPACE, *MORE)) for _ in range(2000)]:
        check_the_judge(case)
    for _ in range(3):
        check_the_judge(crowded_case(rng, (*SPACE, *MORE)))


@pytest.mark.proof
@pytest.mark.parametrize(("policy", "seed"), [("conservative", 1), ("sjf", 1), ("conservative", 100)])
def test_steered_in_a_deep_queue(policy: str, seed: int) -> None:
    """Events, states, owners of nodes, queues, waits, refusals, results and metrics are the same.

    In the last case a compression moves a job to the instant at which a later one is due.
    """
    case = steered_case(seed, policy)
    assert difference(case, DeepSteered(case), every=40) is None


@pytest.mark.proof
@BY_POLICY
def test_steered_much_more(policy: str) -> None:
    """The same with other seeds; a case takes the naive program about a second."""
    for seed in range(100, 103):
        case = steered_case(seed, policy)
        assert difference(case, DeepSteered(case), every=10) is None, seed
