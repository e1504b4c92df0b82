"""Who may have which nodes: what samples record, beside a run that is looked at after every event."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.kernels.charts.cells import Grid
from shadowtime.kernels.charts.chances import Chances
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.likely.odds import Odds
from tests.kernels.charts.test_bars import naive
from tests.kernels.drive import simulate
from tests.kernels.likely.test_odds import FEW
from tests.oracles.jobs import Workload, workloads

LONG = 10**5


def stand(workload: Workload, name: str, events: int) -> tuple[Simulation, Odds]:
    simulation = simulate(workload, name)
    odds = Odds(simulation)
    simulation.run(events=events)
    return simulation, odds


@pytest.mark.parametrize("name", ["fcfs", "easy-arrival", "conservative-arrival"])
@FEW
@given(workload=workloads(8), events=st.integers(1, 30), samples=st.integers(1, 5))
def test_samples_without_draws_have_the_nodes_of_the_expected_run(
    name: str, workload: Workload, events: int, samples: int
) -> None:
    """Each second of each node of each known job is whole, once all samples are added."""
    simulation, odds = stand(workload, name, events)
    waiting, now = simulation.waiting(), simulation.now
    expected = simulation.expected()
    wanted = {(node, at, job) for node, at, job, _ in naive(expected, now, LONG)}
    chances = Chances(samples)
    odds.starts(simulation, waiting, seed=1, samples=samples, mode="limits", chances=chances)
    assert chances.whole
    grid = Grid(simulation.nodes, 0, 1, simulation.nodes, now, 1, 2)
    grid.add(chances.made)
    grid.fill()
    found = Counter[tuple[int, int, int]]()
    for job, first, count, since, until, kind in chances.made.rows():
        assert kind == "%"
        found.update((node, at, job) for node in range(first, first + count) for at in range(since, until))
    assert found == dict.fromkeys(wanted, samples)
    for node in range(simulation.nodes):
        assert all(run[3:] == ("%", 8) for run in grid.runs(node))


@FEW
@given(workload=workloads(8), events=st.integers(1, 30))
def test_what_is_recorded_changes_no_sample(workload: Workload, events: int) -> None:
    simulation, odds = stand(workload, "easy-arrival", events)
    waiting, chances = simulation.waiting(), Chances(2)
    plain = odds.starts(simulation, waiting, seed=3, samples=4)
    assert odds.starts(simulation, waiting, seed=3, samples=4, chances=chances) == plain
    assert chances.drawn == 2
    assert all(job < simulation.submitted for job, *_ in chances.made.rows())


def test_too_many_samples_are_refused() -> None:
    with pytest.raises(ValueError, match="65 samples; expected 1 to 64"):
        Chances(65)
