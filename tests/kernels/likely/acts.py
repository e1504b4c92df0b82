"""What may be done at a moment: random actions, and requests of users, as a sample and a run take them."""

import random
from collections.abc import Sequence
from typing import Any, NamedTuple

from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.operator.steering import Intervention
from shadowtime.kernels.policies import make

OF_JOBS = ("hold", "release", "cancel", "suspend", "resume", "start", "priority")
OF_NODES = ("drain", "down", "up")
OTHERS = ("fcfs", "easy", "conservative", "sjf", "gang")
"""Policies that may come into force."""


class Acted(NamedTuple):
    """What is done, and the run in which it has been done."""

    deeds: Sequence[Any]
    """Actions, or the row of a job with the size and the estimate that it asks for from here on."""
    simulation: Simulation


def acted(simulation: Simulation, rng: random.Random, *, most: int = 3, requests: bool = True) -> Acted:
    """Return a run that goes on from a simulation with up to so many random actions that it accepts.

    With `requests` users ask for something, too.
    """
    deeds: list[Any] = []
    simulation = simulation.fork()
    for _ in range(rng.randint(1, most)):
        waiting = list(simulation.waiting())
        if requests and waiting and rng.random() < 0.2:
            found = asking(simulation, rng.choice(waiting), rng)
        else:
            found = Acted([action(simulation, rng)], simulation)
            if simulation.refusal(found.deeds[0]) is not None:
                continue
            found = Acted(found.deeds, done(simulation, found.deeds[0]))
        deeds += found.deeds
        simulation = found.simulation
    return Acted(deeds, simulation)


def action(simulation: Simulation, rng: random.Random) -> Intervention:
    """Return a random action at the moment, which may be refused."""
    if rng.random() < 0.3:
        first = rng.randrange(simulation.nodes)
        nodes = [(first, rng.randint(1, simulation.nodes - first))]
        return Intervention(rng.choice(OF_NODES), after=simulation.event, nodes=nodes)
    if rng.random() < 0.1:
        return Intervention("policy", after=simulation.event, policy=make(rng.choice(OTHERS)))
    job = rng.randrange(max(1, simulation.submitted))
    return Intervention(rng.choice(OF_JOBS), after=simulation.event, job=job, to=rng.randint(0, 3))


def done(simulation: Simulation, given: Intervention) -> Simulation:
    """Return a run in which an action is done right here."""
    other = simulation.acting([given])
    other.step()
    return other


def asking(simulation: Simulation, job: int, rng: random.Random) -> Acted:
    """Return a run in which a job that waits asks for less; it is held meanwhile."""
    _, _, estimate, size = simulation.jobs.row(job)
    asked = (job, size // 2 if size >= 4 and rng.random() < 0.5 else size, rng.randint(1, estimate))
    hold = Intervention("hold", after=simulation.event, job=job)
    if simulation.refusal(hold) is not None or simulation.start_of(job) is not None:
        return Acted([], simulation)
    simulation = done(simulation, hold)
    simulation = simulation.acting((), simulation.jobs.asking(job, size=asked[1], estimate=asked[2]))
    release = Intervention("release", after=simulation.event, job=job)
    return Acted([hold, asked, release], done(simulation, release))
