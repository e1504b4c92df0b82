"""Random workloads in which hundreds or thousands of jobs wait at the same time.

Each is a mixture drawn anew: bags of equal jobs, sizes in powers of two or odd ones, estimates that are
exact, loose, round, or the same for all. In some a job in front holds the machine, or nearly all of it, while
the queue fills, and ends at its estimate or early, and more jobs come while the queue drains; in others the
jobs come faster than they are done.
"""

import random
from collections.abc import Callable

from tests.oracles.jobs import Job, Workload
from tests.oracles.steered.case import Action, Case, Outage, Policy

POPULAR = (1, 5, 60, 300, 600, 900, 1800, 3600, 5400, 7200)
"""Estimates that users ask for, in seconds."""

JOB_ACTIONS = ("hold", "release", "suspend", "resume", "start", "priority", "cancel")
LATER = {"hold": "release", "suspend": "resume", "drain": "up", "down": "up"}
"""What is often taken back."""

Size = Callable[[random.Random, int], int]
Estimate = Callable[[random.Random, int], int]

SIZES: dict[str, Size] = {
    "powers": lambda rng, nodes: 1 << rng.randrange(nodes.bit_length()),
    "odd": lambda rng, nodes: rng.randint(1, nodes) | 1,
    "narrow": lambda rng, nodes: rng.choice((1, 1, 1, 2, 3)),
    "wide": lambda rng, nodes: rng.randint(nodes // 3, nodes),
    "tenth": lambda rng, nodes: rng.randint(1, 1 + nodes // 10),
    "any": lambda rng, nodes: rng.choice((1, 2, 4, 7, 8, rng.randint(1, nodes))),
}
RUNTIMES = ((1, 4), (1, 90), (20, 600), (1, 3600))
"""The least and the most of the jobs of a workload: of a few seconds, all is a tie."""
ESTIMATES: dict[str, Estimate] = {
    "exact": lambda rng, runtime: runtime,
    "loose": lambda rng, runtime: runtime * rng.randint(1, 50),
    "long": lambda rng, runtime: runtime + rng.choice((7200, 86400, rng.randint(1, 86400))),
    "popular": lambda rng, runtime: next((time for time in POPULAR if time >= runtime), runtime),
    "same": lambda rng, runtime: 259_200,
    "any": lambda rng, runtime: runtime + rng.choice((0, 0, rng.randint(0, 60), rng.randint(0, 4 * runtime))),
}


def deep_workload(rng: random.Random, waiting: int, nodes: int | None = None) -> Workload:
    """One workload in which about `waiting` jobs wait at the same time, and more of them come later."""
    nodes = nodes or rng.choice((9, 32, 64, 100, 128, 430, 1024))
    kinds = _kinds(rng, rng.choice((3, 12, 60, waiting)), nodes)
    return (
        _behind(rng, kinds, waiting, nodes) if rng.random() < 0.5 else _crowding(rng, kinds, waiting, nodes)
    )


def _kinds(rng: random.Random, count: int, nodes: int) -> list[Job]:
    """What the jobs of a workload are like: all much the same, or of every sort."""
    sizes, estimates = list(SIZES.values()), list(ESTIMATES.values())
    if rng.random() < 0.4:
        sizes, estimates = rng.sample(sizes, 2), rng.sample(estimates, 2)
    least, most = rng.choice(RUNTIMES)
    kinds = []
    for _ in range(count):
        runtime = rng.randint(least, most)
        size = min(nodes, rng.choice(sizes)(rng, nodes))
        kinds.append(Job(0, runtime, size, rng.choice(estimates)(rng, runtime)))
    return kinds


def _behind(rng: random.Random, kinds: list[Job], waiting: int, nodes: int) -> Workload:
    """A job in front, then all the others, of which most come nearly at once."""
    # Where the first job leaves room, all come at once: the queue would drain as it fills.
    room = rng.choice((0, 0, 0, 1, nodes // 8))
    submit, span = 0, 0 if room else rng.choice((0, 3, waiting // 4, waiting))
    runtime = span + rng.randint(1, 500)
    jobs = [Job(0, runtime, nodes - room, runtime + rng.choice((0, 1, 700, 80_000)))]
    bag = 0
    while len(jobs) < waiting + room:
        if bag == 0:
            kind, bag = rng.choice(kinds), rng.choice((1, 1, 2, 8, 40))
        submit = min(span, submit + rng.choice((0, 0, 0, 1, 4 * span // waiting)))
        jobs.append(kind._replace(submit=submit))
        bag -= 1
    drained = sum(job.area for job in jobs) // nodes
    for _ in range(rng.choice((0, waiting // 10, waiting // 4, waiting))):
        submit += rng.randint(0, max(1, 2 * drained // waiting))
        jobs.append(rng.choice(kinds)._replace(submit=submit))
    return Workload(jobs, nodes)


def _crowding(rng: random.Random, kinds: list[Job], waiting: int, nodes: int) -> Workload:
    """Jobs that come `pace` times as fast as the machine can be done with them."""
    pace = rng.choice((1.5, 3, 10))
    count = int(waiting * pace / (pace - 1))
    jobs, clock, bag = list[Job](), 0.0, 0
    while len(jobs) < count:
        if bag == 0:
            kind, bag = rng.choice(kinds), rng.choice((1, 1, 2, 8, 40))
        clock += rng.choice((0, 0, 1, 2)) * kind.area / nodes / pace * 4 / 3
        jobs.append(kind._replace(submit=int(clock)))
        bag -= 1
    return Workload(jobs, nodes)


def deep_case(rng: random.Random, workload: Workload, policies: tuple[Policy, ...]) -> Case:
    """The workload with what an operator does and what fails; some go on under other policies."""
    jobs, nodes = workload
    span = jobs[-1].submit + sum(job.area for job in jobs) // nodes
    actions = list[Action]()
    for _ in range(rng.choice((0, 4, 15, 40))):
        actions += _some_actions(rng, len(jobs), nodes, span)
    for _ in range(rng.choice((0, 0, 1, 3))):
        actions.append(_at_some_time(rng, Action("policy", policy=rng.choice(policies)), len(jobs), span))
    outages = tuple(_outage(rng, nodes, span) for _ in range(rng.choice((0, 1, 4, 8))))
    on_failure = rng.choice(("kill", "requeue", "checkpoint"))
    return Case(jobs, nodes, rng.choice(policies), tuple(actions), outages, on_failure, rng.choice((1, 60)))


def _at_some_time(rng: random.Random, action: Action, count: int, span: int) -> Action:
    """The action at an instant, or after an event of some number."""
    if rng.random() < 0.5:
        return action._replace(after=rng.randint(0, 3 * count))
    return action._replace(at=rng.choice((rng.randint(0, 600), rng.randint(0, span))))


def _some_actions(rng: random.Random, count: int, nodes: int, span: int) -> list[Action]:
    """An action, and often the one that takes it back later."""
    if rng.random() < 0.8:
        action = Action(rng.choice(JOB_ACTIONS), job=rng.randrange(count), to=rng.randint(-2, 3))
    else:
        action = Action(rng.choice(("drain", "down", "up")), nodes=_some_nodes(rng, nodes))
    action = _at_some_time(rng, action, count, span)
    if action.do not in LATER or rng.random() < 0.1:
        return [action]
    back, pause = action._replace(do=LATER[action.do]), rng.choice((0, 1, 60, span // 10))
    if action.at is not None:
        return [action, back._replace(at=action.at + pause)]
    return [action, back._replace(after=(action.after or 0) + pause % count)]


def _some_nodes(rng: random.Random, nodes: int) -> tuple[int, ...]:
    """Up to half of the nodes."""
    return tuple(sorted(rng.sample(range(nodes), rng.randint(1, max(1, nodes // 2)))))


def _outage(rng: random.Random, nodes: int, span: int) -> Outage:
    """An outage that ends."""
    start = rng.choice((rng.randint(0, 600), rng.randint(0, span)))
    return Outage(_some_nodes(rng, nodes), start, start + rng.randint(1, span // 4 + 1), rng.random() < 0.5)
