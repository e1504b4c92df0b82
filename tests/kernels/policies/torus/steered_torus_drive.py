"""How the tests drive the T3D's scheduler beside the naive program, where nodes fail and an operator acts."""

import random

import pytest

from shadowtime.kernels.core.jobs import SERVICES
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.operator.steering import Intervention, Outage, Steering
from shadowtime.kernels.policies import make
from tests.kernels.operator.steered_drive import ranges
from tests.kernels.policies.torus.torus_drive import View, base_of, site_of, small_case, table, view
from tests.oracles.steered import case as steered_case
from tests.oracles.steered.torus import Deed, SteeredTorus, TorusCase
from tests.oracles.torus.machine import PROCESSORS
from tests.oracles.torus.workloads import asking


def torus_case(rng: random.Random) -> TorusCase:
    """A few jobs, crowded, with an operator, and nodes that go and come."""
    case = small_case(rng)
    jobs, actions, rules = asking(rng, case) if rng.random() < 0.4 else case
    longest = jobs[-1].submit + 400
    deeds = [Deed(*action) for action in actions]
    for _ in range(rng.choice((0, 1, 3, 6))):
        do, nodes = rng.choice(("drain", "down", "up")), some_nodes(rng)
        at = rng.randint(0, longest)
        deeds.append(Deed(at, do, nodes=nodes))
        if do != "up" and rng.random() < 0.8:
            deeds.append(Deed(at + rng.choice((0, rng.randint(1, 200))), "up", nodes=nodes))
    outages = []
    for _ in range(rng.choice((0, 1, 2, 4))):
        start = rng.randint(0, longest)
        until = None if rng.random() < 0.1 else start + rng.randint(1, 300)
        outages.append(steered_case.Outage(some_nodes(rng), start, until, rng.random() < 0.8))
    on_failure = rng.choice(("kill", "requeue", "checkpoint"))
    deeds.sort(key=lambda deed: deed.at)
    return TorusCase(jobs, deeds, outages, on_failure, rng.choice((1, 7, 60)), rules)


def some_nodes(rng: random.Random) -> tuple[int, ...]:
    """One node, a few, or many in a row."""
    first = rng.randrange(PROCESSORS)
    return tuple(range(first, min(PROCESSORS, first + rng.choice((1, 1, 2, 16, 128)))))


def action_of(deed: Deed) -> Intervention:
    """A deed as the kernel takes it."""
    to = SERVICES.index(deed.to) if deed.to is not None else 0
    columns = (to, 0, 0) if deed.do == "class" else None
    return Intervention(deed.do, at=deed.at, job=deed.job, to=to, nodes=ranges(deed.nodes), columns=columns)


def simulate(case: TorusCase, policy: str = "t3d") -> Simulation:
    """A simulation of a case, before its first event."""
    rules = dict(case.rules)
    site = site_of(case.jobs, rules)
    classes = {name: rule._asdict() for name, rule in rules.pop("classes", {}).items()}
    if classes:
        rules["classes"] = classes
    steering = Steering(
        [action_of(deed) for deed in case.deeds],
        [Outage(ranges(o.nodes), o.start, o.until, o.kill) for o in case.outages],
        case.on_failure,
        case.interval,
    )
    made = make(policy, rules) if policy == "t3d" else make(policy)
    return Simulation(table(case.jobs), PROCESSORS, made, site=site, steering=steering)


def seen(naive: SteeredTorus) -> View:
    """The machine of the naive program, as a simulation shows it: of those that are over nothing is shown."""
    moment = naive.moment()
    away = naive.front.turned_away if naive.front is not None else {}
    over = [state in ("F", "C") or job in away for job, state in enumerate(moment.states)]
    unseen = [gone or not state for gone, state in zip(over, moment.states, strict=True)]
    held = moment.held
    return View(
        [
            "F" if gone else "N" if job in held else state
            for job, (gone, state) in enumerate(zip(over, moment.states, strict=True))
        ],
        [None if no else base_of(block) for no, block in zip(unseen, moment.blocks, strict=True)],
        [None if no else wire for no, wire in zip(unseen, moment.wires, strict=True)],
        [
            None if no and job not in held else klass
            for job, (no, klass) in enumerate(zip(unseen, moment.classes, strict=True))
        ],
        moment.reserved,
        sorted(held),
    )


def difference(case: TorusCase) -> str | None:
    """Where the simulation is not what the naive program has, after a pass or at the end; None without."""
    naive, simulation, count = SteeredTorus(case), simulate(case), len(case.jobs)
    for now in naive.run():
        simulation.run(until=now)
        mine, theirs = view(simulation, count), seen(naive)
        if mine != theirs:
            return f"after {simulation.last}: {mine}; expected {theirs}"
        owners = sum(owner == -1 for owner in simulation.owners())
        idle = sum(node not in naive.floor.out and naive.floor.holder(node) is None for node in range(256))
        if (simulation.free, owners) != (idle, idle):
            return f"{simulation.free} and {owners} idle after {simulation.last}; expected {idle}"
    simulation.run()
    results, outcome = simulation.results(), naive.outcome()
    for name, expected in (
        ("start", outcome.starts),
        ("finish", outcome.finishes),
        ("preemptions", outcome.preemptions),
    ):
        wanted = [-1 if value is None else value for value in expected]
        if list(results[name]) != wanted:
            return f"{name}: {list(results[name])}; expected {wanted}"
    sums, _, _ = simulation.tally()
    if sums["wasted"] != pytest.approx(naive.wasted):
        return f"wasted: {sums['wasted']}; expected {naive.wasted}"
    return None
