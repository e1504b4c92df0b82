"""What holds under every policy of the table, with its default parameters, a new one included."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.kernels.core.environment import Site
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.policies import POLICIES, make
from tests.kernels.drive import events, observe, table
from tests.oracles.jobs import Workload, workloads

BOLD: dict[str, dict[str, Any]] = {
    "fcfs": {"leapfrog": 2},
    "easy": {"relax": 0.4, "predict": "users", "speculate": 0.3, "scan": "shortest"},
}
"""Policies whose parameters bring a memory of their own."""
NAMES = [*POLICIES, *(f"{name} bold" for name in BOLD)]
NODES = 256
"""The T3D has so many, and no other machine runs its policy."""
SIDES = (8, 4, 8)
STARTED, OVER = "R", "F"


def size_of(workload: Workload, row: int) -> int:
    """Return how many nodes a job needs: a power of two, about its share of the machine of its workload."""
    share = workload.jobs[row].size * NODES // workload.nodes
    return 1 << max(1, share.bit_length() - 1)


def simulate(name: str, workload: Workload) -> Simulation:
    """Return a simulation under a policy, before its first event."""
    jobs = [job._replace(size=size_of(workload, row)) for row, job in enumerate(workload.jobs)]
    name, _, bold = name.partition(" ")
    policy = make(name, BOLD[name] if bold else None)
    users = [row % 3 for row in range(len(jobs))]
    return Simulation(table(jobs, users), NODES, policy, site=Site(torus=SIDES) if name == "t3d" else None)


@pytest.mark.parametrize("name", NAMES)
@given(workload=workloads(6), data=st.data())
def test_forward_and_back_is_the_identity(name: str, workload: Workload, data: st.DataObject) -> None:
    """From any position to any other everything is as in a straight run; so is a fork at its end."""
    simulation, count = simulate(name, workload), len(workload.jobs)
    straight, copies = [observe(simulation, count)], [simulation.copy()]
    for _ in events(simulation):
        straight.append(observe(simulation, count))
        copies.append(simulation.copy())
    for place in data.draw(st.lists(st.integers(0, len(straight) - 1), min_size=1, max_size=5)):
        simulation.restore(copies[place])
        assert observe(simulation, count) == straight[place]
        fork = simulation.fork()
        fork.run()
        assert observe(fork, count) == straight[-1]
        assert observe(simulation, count) == straight[place]


@pytest.mark.parametrize("name", NAMES)
@given(workload=workloads(6))
def test_the_books_balance(name: str, workload: Workload) -> None:
    """At every event nodes are owned by jobs that hold them, and the free ones are counted."""
    simulation = simulate(name, workload)
    for _ in events(simulation):
        owners = list(simulation.owners())
        assert owners.count(-1) == simulation.free
        for job in range(len(workload.jobs)):
            held = sum(count for _, count in simulation.nodes_of(job))
            if simulation.state(job) == STARTED:
                assert held == size_of(workload, job)
            if simulation.state(job) in ("", OVER):
                assert held == 0


@pytest.mark.parametrize("name", NAMES)
@given(workload=workloads(6), data=st.data())
def test_every_waiting_job_has_a_reason_and_a_forecast_changes_nothing(
    name: str, workload: Workload, data: st.DataObject
) -> None:
    """A reason is a code with whole numbers; running a forecast leaves no trace."""
    simulation = simulate(name, workload)
    simulation.run(events=data.draw(st.integers(0, 40)))
    digest = simulation.digest()
    prediction = simulation.forecast()
    prediction.run()
    starts = prediction.starts()
    assert simulation.digest() == digest
    promised = {job: promise[0] for job in simulation.waiting() if (promise := simulation.promise(job))}
    assert list(simulation.promises().items()) == list(promised.items())
    for job in simulation.waiting():
        reason = simulation.explain(job)
        assert reason is not None
        assert reason[0]
        assert starts.get(job, simulation.now) >= simulation.now
