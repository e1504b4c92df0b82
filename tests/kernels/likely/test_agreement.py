"""The compiled samples of what may come are those of the naive program, bit for bit."""

import random

import pytest

from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.likely.odds import Odds
from shadowtime.kernels.policies import make
from tests.amount import many
from tests.kernels.drive import SETTINGS, table
from tests.kernels.likely.naive import known_of, starts_of
from tests.oracles.likely.sample import Sample
from tests.oracles.likely.workloads import UsersWorkload, repeated_workload

SAMPLES = 18
"""So many have different mixtures."""
SPACE = ("easy-arrival", "fcfs", "conservative-arrival", "easy-shortest", "flex", "dynp")


def begin_of(setting: str):
    policy, parameters, _ = SETTINGS[setting]

    def begin(workload: UsersWorkload) -> Simulation:
        return Simulation(table(workload.jobs, workload.users), workload.nodes, make(policy, parameters))

    return begin


def differences(workload: UsersWorkload, setting: str, rng: random.Random, samples: int, moments: int):
    """Yield ..."""
    begin = begin_of(setting)
    simulation = begin(workload)
    odds = Odds(simulation)
    for _ in range(moments):
        simulation.run(events=rng.randint(1, 1 + 4 * len(workload.jobs) // moments))
        waiting = [*simulation.waiting()]
        known = known_of(simulation, workload)
        seed = rng.choice((0, 1, rng.getrandbits(63)))
        first = rng.randrange(SAMPLES)
        found = [*odds.starts(simulation, waiting, seed=seed, samples=samples, first=first)]
        for place, k in enumerate(range(first, first + samples)):
            sample = Sample(known, seed, k)
            runtimes, arrivals = odds.runtimes(simulation, seed=seed, sample=k)
            ours = [(a.row, a.submit, a.runtime) for _, a in zip(arrivals, sample.arrivals(), strict=False)]
            if runtimes != sample.runtimes:
                yield "runtimes", simulation.event, k, runtimes, sample.runtimes
            if arrivals != ours:
                yield "arrivals", simulation.event, k, arrivals, ours
            starts = starts_of(begin, simulation, workload, sample, waiting)
            mine = found[place * len(waiting) : (place + 1) * len(waiting)]
            if starts != mine:
                yield "starts", simulation.event, k, mine, starts
