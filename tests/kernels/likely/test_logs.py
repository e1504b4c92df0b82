"""Samples on real logs: estimates give the expected starts, the truth those that came, the future nothing."""

import lzma
import random
from functools import cache
from pathlib import Path

import pytest

from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.likely.odds import Odds
from shadowtime.kernels.policies import make
from tests.conftest import folder
from tests.kernels.drive import table
from tests.oracles.jobs import Job
from tests.oracles.likely.workloads import UsersWorkload

LOGS = {"KTH": ("KTH-SP2-1996-2.1-cln.swf.xz", 100), "CTC": ("CTC-SP2-1996-3.1-cln.derived.swf.xz", 338)}
MOMENTS = 6
"""Of each log under each policy."""

pytestmark = pytest.mark.proof


@cache
def logged(path: Path, nodes: int) -> UsersWorkload:
    """The jobs of a log with their users; those that no machine of so many nodes could run are left out."""
    rows = []
    with lzma.open(path, "rt", errors="replace") as lines:
        for line in lines:
            row = line.split()
            if row and row[0].isdigit():
                submit, runtime, used, size, estimate, user = (
                    int(float(row[k])) for k in (1, 3, 4, 7, 8, 11)
                )
                size, estimate = size if size > 0 else used, estimate if estimate > 0 else runtime
                if runtime > 0 and 0 < size <= nodes:
                    rows.append((Job(submit, min(runtime, estimate), size, estimate), user))
    rows.sort(key=lambda row: row[0].submit)
    return UsersWorkload([job for job, _ in rows], [user for _, user in rows], nodes)


def begin(workload: UsersWorkload, policy: str) -> Simulation:
    """A simulation of a log, before its first event."""
    return Simulation(table(workload.jobs, workload.users), workload.nodes, make(policy))


def with_another_future(workload: UsersWorkload, simulation: Simulation, rng: random.Random) -> UsersWorkload:
    """The log with other runtimes of jobs that are not over at a moment, and with nobody who comes later."""
    jobs = list(workload.jobs[: simulation.submitted])
    for row in (*simulation.waiting(), *simulation.running()):
        least = min((simulation.progress(row) or 0) + 1, jobs[row].estimate)
        jobs[row] = jobs[row]._replace(runtime=rng.randint(least, jobs[row].estimate))
    return UsersWorkload(jobs, workload.users[: len(jobs)], workload.nodes)


@pytest.mark.parametrize(
    ("log", "policy"), [("KTH", "easy"), ("KTH", "conservative"), ("KTH", "sjf"), ("CTC", "easy")]
)
def test_samples_of_a_real_log(log: str, policy: str) -> None:
    """At random moments at which jobs wait: 0 differences."""
    name, nodes = LOGS[log]
    workload = logged(folder("SHADOWTIME_TRACES") / name, nodes)
    whole = begin(workload, policy)
    whole.run()
    waited = [row for row in range(len(workload.jobs)) if whole.start_of(row) != workload.jobs[row].submit]
    rng = random.Random(nodes)
    simulation, checked = begin(workload, policy), 0
    odds = Odds(simulation)
    for row in sorted(rng.sample(waited, MOMENTS)):
        simulation.run(until=workload.jobs[row].submit)
        waiting = list(simulation.waiting())
        expected = simulation.expected()
        expected.run()
        limits = odds.starts(simulation, waiting, seed=1, samples=1, mode="limits")
        assert list(limits) == [expected.start_of(job) for job in waiting]
        truth = odds.starts(simulation, waiting, seed=1, samples=1, mode="truth")
        assert list(truth) == [whole.start_of(job) for job in waiting]
        checked += len(waiting)
    other = begin(with_another_future(workload, simulation, rng), policy)
    other.run(events=simulation.event)
    assert list(other.waiting()) == waiting
    found = odds.starts(simulation, waiting, seed=5, samples=2)
    assert Odds(other).starts(other, waiting, seed=5, samples=2) == found
    assert checked > MOMENTS
