"""How the tests drive the schedulers of the torus: from a naive workload, with its operator."""

import random
from array import array
from collections.abc import Iterator
from typing import Any, NamedTuple

from shadowtime.kernels.core.clock import EVENT_NAMES
from shadowtime.kernels.core.environment import WEEK, Site
from shadowtime.kernels.core.jobs import SERVICES, Jobs
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.policies import make
from tests.kernels.handles import Operator
from tests.oracles.torus.jobs import Action, T3DJob
from tests.oracles.torus.machine import Block
from tests.oracles.torus.workloads import (
    T3DCase,
    random_actions,
    random_classes,
    random_jobs,
    random_nqs_case,
    random_rules,
)

PASS = EVENT_NAMES.index("pass")
ACTION = EVENT_NAMES.index("action")
TORUS = (8, 4, 8)


class View(NamedTuple):
    """What the compiled scheduler shows of its jobs after a pass, in the terms of the naive one."""

    states: list[str]
    blocks: list[int | None]
    """The lowest processor of what a job holds, or has been assigned."""
    wires: list[int | None]
    classes: list[str | None]
    reserved: int | None
    held: list[int]


def table(jobs: list[T3DJob]) -> Jobs:
    """The kernel's columns of a naive list of jobs."""

    def column(values: Iterator[int]) -> "array[int]":
        return array("q", values)

    return Jobs(
        submit=column(job.submit for job in jobs),
        runtime=column(job.runtime for job in jobs),
        estimate=column(job.estimate for job in jobs),
        size=column(job.size for job in jobs),
        service=column(SERVICES.index(job.klass) for job in jobs),
        user=column(job.user for job in jobs),
    )


def simulate(case: T3DCase, policy: str = "t3d") -> Simulation:
    """A simulation of the workload, before its first event; `limit` is for UNICOS."""
    rules: dict[str, Any] = dict(case.rules)
    site = site_of(case.jobs, rules)
    classes = {name: rule._asdict() for name, rule in rules.pop("classes", {}).items()}
    if classes:
        rules["classes"] = classes
    return Simulation(table(case.jobs), 256, make(policy, rules), site=site)


def site_of(jobs: list[T3DJob], rules: dict[str, Any]) -> Site:
    """The surroundings of the machine, taken out of the rules, and what the jobs ask for."""
    requests = {
        row: (-1 if job.wire is None else job.wire, -1 if job.base is None else number(job.base), job.locked)
        for row, job in enumerate(jobs)
        if job.wire is not None or job.base is not None or job.locked
    }
    nqs, epoch = rules.pop("nqs", None), rules.pop("epoch", 0) % WEEK
    return Site(torus=TORUS, nqs=nqs, epoch=epoch, requests=requests)


def number(base: tuple[int, int, int]) -> int:
    """The number of a processor at Z, Y and X."""
    z, y, x = base
    return x + 8 * y + 32 * z


def base_of(block: Block | None) -> int | None:
    """The number of the lowest processor of a naive block."""
    if block is None:
        return None
    return number(block.base)


def act(simulation: Simulation, action: Action) -> tuple[str, dict[str, int]] | None:
    """Let the operator do what the action says, after every event that comes before it."""
    to = -1 if action.to is None else SERVICES.index(action.to)
    return Operator(simulation).act(action.at, action.do, action.job, to)


def play(simulation: Simulation, actions: list[Action], refused: list[Action] | None = None) -> Iterator[int]:
    """Run to the end with the operator's actions; stop after every event, with its kind.

    Actions that are refused are no events; they go to the list, where there is one.
    """
    for action in sorted(actions, key=lambda action: action.at):
        while (coming := simulation.peek()) is not None and coming[:2] < (action.at, ACTION):
            assert simulation.step()
            yield coming[1]
        if act(simulation, action) is None:
            yield ACTION
        elif refused is not None:
            refused.append(action)
    while simulation.step():
        assert simulation.last is not None
        yield simulation.last[1]


def view(simulation: Simulation, count: int) -> View:
    """What there is to see now."""
    status = simulation.status()
    terms = [simulation.terms(job) for job in range(count)]
    return View(
        [simulation.state(job) for job in range(count)],
        [term.get("base") for term in terms],
        [term.get("wire") for term in terms],
        [SERVICES[term["service"]] if "service" in term else None for term in terms],
        status["reservation"]["job"] if status["reservation"] else None,
        [job for job in range(count) if "queue" in terms[job]],
    )


def small_case(rng: random.Random) -> T3DCase:
    """A few jobs, crowded, with an operator; every other one passes through NQS."""
    if rng.random() < 0.4:
        case = random_nqs_case(rng)
        return T3DCase(case.jobs[:9], [a for a in case.actions if a.job < 9], case.rules)
    jobs = random_jobs(rng, rng.randint(2, 9), 20, 120)
    actions = random_actions(rng, jobs, rng.randint(0, 6), 200)
    return T3DCase(jobs, actions, {**random_rules(rng), "classes": random_classes(rng)})
