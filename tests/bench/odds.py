"""Likely starts: samples of one moment, of a usual queue and of a deep one."""

from collections.abc import Iterator
from random import Random
from time import process_time

from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.likely.odds import Odds
from shadowtime.kernels.policies import make
from tests.bench.figures import Figure
from tests.bench.workloads import crowd, log_case

MOMENTS = 40
SAMPLES = 100
POLICIES = (("easy", 0.030), ("conservative", None), ("sjf", None))
DEEP = 10_000


def odds() -> Iterator[Figure]:
    """The CPU time of 100 samples at moments of SDSC-BLUE, and of 25 with 10,000 waiting."""
    case = log_case("SDSC-BLUE")
    for policy, goal in POLICIES:
        what = f"100 samples of SDSC-BLUE, {policy}"
        if case is None:
            yield Figure(what, None, "s", goal, "log not found")
            continue
        simulation = Simulation(case.jobs, case.nodes, make(policy, {}))
        yield _moments(what, simulation, len(case.jobs) * 4, goal)
    simulation = Simulation(crowd(DEEP, 1), 1024, make("easy", {}))
    while len(simulation.waiting()) < DEEP and simulation.step():
        pass
    began, sampler = process_time(), Odds(simulation)
    sampler.starts(simulation, simulation.waiting(), seed=1, samples=25)
    yield Figure("25 samples, 10,000 waiting, easy", process_time() - began, "s", None, "in the background")


def _moments(what: str, simulation: Simulation, events: int, goal: float | None) -> Figure:
    sampler, random, took, seen = Odds(simulation), Random(3), 0.0, 0
    for event in sorted(random.randrange(events) for _ in range(MOMENTS)):
        simulation.run(events=event - simulation.event)
        waiting = simulation.waiting()
        if waiting:
            began = process_time()
            sampler.starts(simulation, waiting, seed=1, samples=SAMPLES)
            took, seen = took + process_time() - began, seen + 1
    return Figure(what, took / max(seen, 1), "s", goal, f"mean of {seen} moments")
