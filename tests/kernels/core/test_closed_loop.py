"""Submissions that wait for the end of another job are those of the naive program."""

import random
from array import array
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import pytest

from shadowtime.kernels.core.closed_loop import NO_JOB, close_loop
from shadowtime.kernels.core.jobs import Jobs
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.policies import make
from tests.kernels.drive import table
from tests.oracles.closed_loop import closed_loop
from tests.oracles.gang.policy import gang
from tests.oracles.jobs import Job, Workload, crowded_workload, random_workload
from tests.oracles.space.conservative import conservative
from tests.oracles.space.easy import easy
from tests.oracles.space.fcfs import fcfs
from tests.oracles.space.orders import dynp

Naive = Callable[[list[Job], int], list[int]]


class Setting(NamedTuple):
    """A policy with its parameters, and the ends of jobs by the naive program."""

    policy: str
    parameters: dict[str, Any]
    ends: Naive


def of_starts(starts: Naive) -> Naive:
    """The ends of jobs that run without a break."""
    return lambda jobs, nodes: [
        start + job.runtime for start, job in zip(starts(jobs, nodes), jobs, strict=True)
    ]


def taking_turns(**parameters: Any) -> Setting:
    """Gang scheduling."""
    return Setting("gang", parameters, lambda jobs, nodes: gang(jobs, nodes, **parameters).finishes)


DYNP: dict[str, Any] = {"lower": 3, "upper": 5, "threshold": 2}
SETTINGS = {
    "fcfs": Setting("fcfs", {}, of_starts(fcfs)),
    "easy": Setting("easy", {}, of_starts(easy)),
    "conservative": Setting("conservative", {}, of_starts(conservative)),
    "dynp": Setting("dynp", DYNP, of_starts(partial(dynp, **DYNP))),
    "gang": taking_turns(quantum=3),
    "gang-long": taking_turns(quantum=600),
    "gang-overhead": taking_turns(quantum=4, overhead=2),
}


class Loop(NamedTuple):
    """A workload, whom each job follows, and after how many seconds."""

    workload: Workload
    after: list[int | None]
    think: list[int]


def random_loop(workload: Workload, rng: random.Random) -> Loop:
    """Chains and trees: most jobs follow an earlier one of the list, some at once."""
    count = len(workload.jobs)
    after = [rng.randrange(job) if job and rng.random() < 0.6 else None for job in range(count)]
    return Loop(workload, after, [rng.choice((0, 0, 1, rng.randint(0, 9))) for _ in range(count)])


def close(loop: Loop, setting: Setting) -> list[tuple[int, int]]:
    """The closed loop by the kernel."""
    after = [NO_JOB if before is None else before for before in loop.after]

    def begin(jobs: Jobs) -> Simulation:
        return Simulation(jobs, loop.workload.nodes, make(setting.policy, setting.parameters))

    return close_loop(table(loop.workload.jobs), after, loop.think, begin)


@pytest.mark.proof
@pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)
@pytest.mark.parametrize(("make_one", "count"), [(random_workload, 300), (crowded_workload, 2)])
def test_random_loops(make_one: Callable[[random.Random], Workload], count: int, setting: Setting) -> None:
    """Each job comes when the naive program says, and those of one instant in the order of the table."""
    rng = random.Random(17)
    for _ in range(count):
        loop = random_loop(make_one(rng), rng)
        assert close(loop, setting) == sorted(
            (submit, job) for job, submit in enumerate(naive(loop, setting))
        )


def naive(loop: Loop, setting: Setting) -> list[int]:
    """The submissions by the naive program."""
    jobs, nodes = loop.workload
    return closed_loop(jobs, loop.after, loop.think, lambda given: setting.ends(given, nodes))


def test_a_job_that_follows_itself_never_comes() -> None:
    """Nor does one that follows it; the others are not kept waiting."""
    jobs = [Job(0, 5, 1, 5), Job(0, 5, 1, 5), Job(3, 5, 1, 5)]
    loop = Loop(Workload(jobs, 4), [0, 0, None], [0, 0, 0])
    assert close(loop, SETTINGS["fcfs"]) == [(3, 2)]
    assert close(Loop(Workload(jobs[:1], 4), [0], [0]), SETTINGS["fcfs"]) == []


def test_a_run_with_these_submissions_has_the_same_ends() -> None:
    """The table that was filled on the way, and one made of what came out."""
    jobs = [Job(0, 10, 2, 10), Job(1, 5, 2, 5), Job(2, 3, 1, 3)]
    loop = Loop(Workload(jobs, 3), [None, 0, 1], [0, 7, 0])
    assert close(loop, SETTINGS["easy"]) == [(0, 0), (17, 1), (22, 2)]
    submits = array("q", [0, 17, 22])
    lengths, sizes = array("q", [10, 5, 3]), array("q", [2, 2, 1])
    settled = Jobs(submit=submits, runtime=lengths, estimate=lengths, size=sizes)
    simulation = Simulation(settled, 3, make("easy", {}))
    simulation.run()
    assert list(simulation.results()["finish"]) == [10, 22, 25]


def test_a_row_outside_either_table_is_refused() -> None:
    """And a copy is a table of its own."""
    jobs = table([Job(0, 10, 2, 10), Job(4, 5, 1, 5)])
    other = jobs.copied()
    other.put(1, jobs, 0, submit=9)
    assert (other.row(1), jobs.row(1)) == ((9, 10, 10, 2), (4, 5, 5, 1))
    for row, place in ((2, 0), (0, 2), (-1, 0)):
        with pytest.raises(IndexError, match="the table has 2"):
            other.put(row, jobs, place, submit=0)
