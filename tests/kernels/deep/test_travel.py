"""Where hundreds wait, too, a simulation is a value: it can be put back, copied, forked and run on."""

import random

import pytest

from shadowtime.kernels.core.simulation import Simulation
from tests.kernels.deep.table import ROWS
from tests.kernels.drive import observe
from tests.kernels.operator.steered_drive import simulate
from tests.oracles.deep.workloads import deep_case, deep_workload
from tests.oracles.steered.case import Case, Policy

BY_ROW = pytest.mark.parametrize("name", ROWS)
OTHERS: tuple[Policy, ...] = tuple(
    (ROWS[name].policy, dict(ROWS[name].parameters))
    for name in ("conservative", "sjf", "dynp", "easy-arrival", "gang-first", "pbas")
)
"""Policies under which a steered run may go on."""
PLACES = 8
"""Positions at which a copy is taken."""


def case_of(name: str, number: int, steered: bool) -> Case:
    """A random run of a row's policy; `steered`, with actions, outages and other policies."""
    rng, row = random.Random(number), ROWS[name]
    workload = deep_workload(rng, row.travelling, rng.choice((16, 64, 128)))
    policy = (row.policy, dict(row.parameters))
    if not steered:
        return Case(*workload, policy)
    return deep_case(rng, workload, (policy, *OTHERS))._replace(policy=policy)


def check_travel(case: Case, rng: random.Random, visits: int) -> None:
    """From any copy to any other, and from any of them to the end, every byte is that of the straight run."""
    count, whole, traveller = len(case.jobs), simulate(case), simulate(case)
    whole.run()
    places = sorted(rng.randint(0, whole.event) for _ in range(PLACES))
    copies, seen = [], []
    for place in places:
        traveller.run(events=place - traveller.event)
        copies.append(traveller.copy())
        seen.append(observe(traveller, count))
    for _ in range(visits):
        number = rng.randrange(PLACES)
        traveller.restore(copies[number])
        assert observe(traveller, count) == seen[number]
        again, fork = traveller.copy(), traveller.fork()
        assert (again.event, again.now) == (copies[number].event, copies[number].now)
        traveller.run(events=rng.randint(0, 60))
        traveller.restore(again)
        assert observe(traveller, count) == seen[number]
        later = rng.randrange(number, PLACES)
        traveller.run(events=places[later] - places[number])
        assert observe(traveller, count) == seen[later]
        check_end(fork, whole)
    check_end(traveller, whole)


def check_end(simulation: Simulation, whole: Simulation) -> None:
    """Run on to the end, which is that of the straight run."""
    simulation.run()
    assert simulation.results() == whole.results()
    assert simulation.digest() == whole.digest()


@BY_ROW
@pytest.mark.parametrize("steered", [False, True], ids=["alone", "steered"])
def test_travelling_in_a_deep_queue(name: str, steered: bool) -> None:
    """Copies, forks and restores at random moments change nothing."""
    check_travel(case_of(name, 5, steered), random.Random(6), 2)


@pytest.mark.proof
@BY_ROW
@pytest.mark.parametrize("steered", [False, True], ids=["alone", "steered"])
def test_travelling_much_more(name: str, steered: bool) -> None:
    """The same with other seeds."""
    for number in range(100, 103):
        check_travel(case_of(name, number, steered), random.Random(number), 5)
