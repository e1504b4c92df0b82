"""The T3D's scheduler agrees with the naive program, pass by pass, where nodes fail and an operator acts."""

import random

import pytest

from shadowtime.kernels.core.environment import Site
from shadowtime.kernels.core.jobs import SERVICES
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.operator.steering import Intervention, Steering
from shadowtime.kernels.policies import make
from tests.amount import many
from tests.kernels.policies.torus.steered_torus_drive import action_of, difference, simulate, torus_case
from tests.kernels.policies.torus.torus_drive import TORUS, table
from tests.oracles.steered.case import Outage
from tests.oracles.steered.torus import Deed, TorusCase
from tests.oracles.torus.jobs import T3DJob


def check(seed: int, count: int) -> None:
    """States, blocks, wires, classes, idle nodes, results and wasted node-seconds are the same."""
    rng = random.Random(seed)
    for _ in range(count):
        case = torus_case(rng)
        assert difference(case) is None, case


@pytest.mark.proof
def test_random_cases() -> None:
    """Crowded blocks, transfers side by side and one at a time, with NQS and without."""
    check(41, 100)


@pytest.mark.proof
def test_many_more() -> None:
    """The same, with other seeds, until it is a proof for practical purposes."""
    check(42, many(6000))


@pytest.mark.parametrize(
    ("deed", "wasted"),
    [
        (Deed(20, "down", nodes=(0,)), 0),
        (Deed(150, "down", nodes=(0,)), (18 + 100) * 64),
        (Deed(240, "down", nodes=(0,)), (60 + 40 + 100) * 64),
        (Deed(240, "cancel", 0), (60 + 40) * 64),
    ],
)
def test_what_moves_when_a_node_fails_is_wasted(deed: Deed, wasted: int) -> None:
    """In its first loading, which counts nowhere; in a save; in a restore, which a cancel ends as well."""
    deeds = [Deed(132, "suspend", 0), Deed(200, "resume", 0), deed]
    deeds.sort(key=lambda each: each.at)
    case = TorusCase([T3DJob(0, 1000, 64, 1000, "production")], deeds, [], "kill", 300, {})
    simulation = simulate(case)
    simulation.run()
    sums, _, _ = simulation.tally()
    assert sums["wasted"] == wasted


def test_a_class_lasts_beyond_the_policy_that_set_it() -> None:
    """Nobody is active, since no node is in service; another policy takes over and hands back."""
    jobs = [T3DJob(0, 1000, 64, 1000, "production")]
    deeds = [Deed(0, "drain", nodes=tuple(range(256))), Deed(10, "class", 0, "debug")]
    steering = Steering(
        [
            *map(action_of, deeds),
            Intervention("policy", at=20, policy=make("unicos")),
            Intervention("policy", at=30, policy=make("t3d")),
        ]
    )
    simulation = Simulation(table(jobs), 256, make("t3d"), site=Site(torus=TORUS), steering=steering)
    simulation.run(until=9)
    assert simulation.classes() == {} and simulation.terms(0)["service"] == SERVICES.index("production")
    simulation.run()
    assert simulation.refused() == [] and simulation.classes() == {0: 1}
    assert simulation.terms(0)["service"] == SERVICES.index("debug")


def test_a_struck_job_with_a_claim_can_be_suspended() -> None:
    """It was loaded before, though nothing of it is saved; the block of another one is assigned to it."""
    jobs = [T3DJob(1, 97, 16, 291, "standby"), T3DJob(2, 68, 128, 68, "interactive")]
    outage = Outage(tuple(range(242, 256)), 26, 240, True)
    case = TorusCase(jobs, [Deed(39, "suspend", 1)], [outage], "checkpoint", 1, {})
    simulation = simulate(case)
    simulation.run(until=38)
    assert simulation.state(1) == "W"
    simulation.run(until=39)
    assert simulation.state(1) == "S" and simulation.refused() == []
    assert difference(case) is None
