"""Random steered workloads: small machines, few jobs, crowded instants, and an operator who never rests.

Many actions come in pairs (hold and release, suspend and resume, down and up), so that jobs and nodes come
back; many find their job in another state and are refused.
"""

import random

from tests.oracles.jobs import Job, Workload, crowded_workload
from tests.oracles.steered.case import Action, Case, Outage, Policy

SPACE: tuple[Policy, ...] = (("fcfs", {}), ("easy", {}), ("conservative", {}), ("sjf", {}), ("ljf", {}))
MORE: tuple[Policy, ...] = (
    *(("easy", {"scan": scan}) for scan in ("shortest", "longest", "widest", "narrowest")),
    ("easy", {"reservation": "kept"}),
    ("conservative", {"compress": "replan"}),
    ("maui", {"windows": "widest"}),
    ("dynp", {"lower": 4, "upper": 6, "threshold": 2}),
    ("ivs", {"delta": 0, "utilized": 0.4, "interactive": 4}),
    ("unicos", {"limit": 5}),
)
GANG: tuple[Policy, ...] = (
    ("gang", {"quantum": 3}),
    ("gang", {"quantum": 2, "packing": "first"}),
    ("gang", {"quantum": 4, "packing": "best", "slots": 2}),
    ("gang", {"quantum": 3, "overhead": 2}),
    ("gang", {"quantum": 2, "alternate": False, "unify": False}),
)
NEWER: tuple[Policy, ...] = (
    ("maui", {"reservations": 2}),
    ("maui", {"reservations": 3, "windows": "widest"}),
    ("gang", {"quantum": 3, "placing": False}),
)
"""A list of their own: the seeds of the lists above give the cases that they always gave."""
JOB_ACTIONS = ("hold", "release", "suspend", "resume", "start", "priority", "cancel")
WEIGHTS = (6, 2, 8, 2, 3, 3, 1)
LATER = {"hold": "release", "suspend": "resume", "drain": "up", "down": "up"}


def random_case(rng: random.Random, policies: tuple[Policy, ...], switches: bool = True) -> Case:
    """One case that begins under one of the policies, and with `switches` goes on under others."""
    nodes, jobs = rng.randint(1, 12), list[Job]()
    gap, runtime, slack = rng.randint(0, 4), rng.randint(1, 12), rng.randint(0, 6)
    submit = rng.randint(0, 3)
    for _ in range(rng.randint(1, 9)):
        submit += rng.randint(0, gap)
        length = rng.randint(1, runtime)
        size = min(nodes, rng.choice((1, 2, rng.randint(1, nodes))))
        jobs.append(Job(submit, length, size, length + rng.choice((0, rng.randint(0, slack)))))
    return _steered(rng, Workload(jobs, nodes), submit + 2 * runtime, policies, switches)


def crowded_case(rng: random.Random, policies: tuple[Policy, ...]) -> Case:
    """One case whose queue grows to dozens of jobs."""
    jobs, nodes = crowded_workload(rng)
    jobs = jobs[: rng.randint(20, 45)]
    return _steered(rng, Workload(jobs, nodes), jobs[-1].submit + 60, policies, True)


def _steered(
    rng: random.Random, workload: Workload, span: int, policies: tuple[Policy, ...], switches: bool
) -> Case:
    """The workload with actions and outages in its span."""
    jobs, nodes = workload
    actions = list[Action]()
    for _ in range(rng.choice((0, 1, 2, 4, 8, 14))):
        actions += _some_actions(rng, len(jobs), nodes, span)
    if switches:
        for _ in range(rng.choice((0, 0, 1, 3))):
            when = _moment(rng, span)
            actions.append(Action("policy", policy=rng.choice(policies), at=when[0], after=when[1]))
    rng.shuffle(actions)
    outages = tuple(_outage(rng, nodes, span) for _ in range(rng.choice((0, 0, 1, 2, 4))))
    on_failure = rng.choice(("kill", "requeue", "checkpoint"))
    policy = rng.choice(policies)
    return Case(jobs, nodes, policy, tuple(actions), outages, on_failure, rng.randint(1, 4))


def _moment(rng: random.Random, span: int) -> tuple[int | None, int | None]:
    """An instant or the number of an event."""
    return (None, rng.randint(0, 30)) if rng.random() < 0.4 else (rng.randint(0, span), None)


def _some_actions(rng: random.Random, count: int, nodes: int, span: int) -> list[Action]:
    """An action, and often the one that takes it back a little later."""
    at, after = _moment(rng, span)
    if rng.random() < 0.75:
        do = rng.choices(JOB_ACTIONS, WEIGHTS)[0]
        action = Action(do, at, after, rng.randrange(count), to=rng.randint(-2, 3))
    else:
        action = Action(rng.choice(("drain", "down", "up")), at, after, nodes=_some_nodes(rng, nodes))
    if action.do not in LATER or rng.random() < 0.25:
        return [action]
    back = action._replace(do=LATER[action.do])
    if at is not None:
        return [action, back._replace(at=at + rng.randint(0, 9))]
    assert after is not None
    return [action, back._replace(after=after + rng.randint(0, 9))]


def _some_nodes(rng: random.Random, nodes: int) -> tuple[int, ...]:
    """A range of nodes, or a few that lie anywhere."""
    if rng.random() < 0.5:
        first = rng.randrange(nodes)
        return tuple(range(first, rng.randint(first + 1, nodes)))
    return tuple(sorted(rng.sample(range(nodes), rng.randint(1, nodes))))


def _outage(rng: random.Random, nodes: int, span: int) -> Outage:
    """An outage, which seldom lasts for ever."""
    start = rng.randint(0, span)
    until = None if rng.random() < 0.1 else start + rng.randint(1, 10)
    return Outage(_some_nodes(rng, nodes), start, until, rng.random() < 0.5)
