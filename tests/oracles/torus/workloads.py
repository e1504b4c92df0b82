"""Random workloads for the T3D, with the parameters and the operator's actions that go with them.

Their submissions ascend. Most have small times, so that do-not-disturb times, longest waits, transfers and
changes of the table fall close together and often into the same instant.
"""

import random
from typing import Any, NamedTuple

from tests.oracles.torus.classes import CLASSES, YEAR, ClassRule
from tests.oracles.torus.jobs import Action, T3DJob
from tests.oracles.torus.machine import SHAPES, WIRES, blocks

SIZES = list(SHAPES)
NAMES = list(CLASSES)
HOUR, DAY = 3600, 86400


class T3DCase(NamedTuple):
    """A workload, what the operator does, and the parameters of `t3d`."""

    jobs: list[T3DJob]
    actions: list[Action]
    rules: dict[str, Any]


def random_classes(rng: random.Random) -> dict[str, ClassRule]:
    """Classes with the published priorities and limits, most often, and with small times."""

    def small(rule: ClassRule) -> ClassRule:
        wait = 0 if rule.max_wait == 0 else rng.choice((rng.randint(0, 60), rng.randint(60, 400), YEAR))
        return rule._replace(
            max_wait=wait,
            do_not_disturb=rule.do_not_disturb if rule.do_not_disturb == YEAR else rng.randint(1, 3),
            limit=rule.limit if rng.random() < 0.8 else rng.choice((64, 128, 256)),
            priority=rule.priority if rng.random() < 0.95 else rng.randint(1, 4),
        )

    return {name: small(rule) for name, rule in CLASSES.items()}


def random_rules(rng: random.Random) -> dict[str, Any]:
    """Parameters: those of the text most often; the clock stands shortly before day or night begins."""
    rules: dict[str, Any] = {
        "table": rng.choice(("clock", "clock", "day", "night")),
        "epoch": rng.randint(0, 6) * DAY + rng.choice((7, 18)) * HOUR - rng.randint(0, 900),
    }
    if rng.random() < 0.2:
        rules["strict_limits"] = True
    if rng.random() < 0.2:
        rules["io"] = "serial"
    if rng.random() < 0.2:
        rules["storage"] = rng.choice((32, 128, 256))
    if rng.random() < 0.2:
        rules["system_limit"] = rng.choice((256, 320, 400))
    if rng.random() < 0.1:
        rules["job_limit"] = 128
    if rng.random() < 0.1:
        rules["large"], rules["large_limit"] = rng.choice(((32, 128), (128, 128), (64, 256)))
    if rng.random() < 0.2:
        rules["restore"] = "same"
    return rules


def random_jobs(rng: random.Random, count: int, gap: int, longest: int) -> list[T3DJob]:
    """Jobs that come at most `gap` seconds after one another and run for at most `longest`."""
    weights = [rng.choice((1, 1, 2, 4)) for _ in SIZES]
    jobs, submit = [], rng.randint(0, 3)
    for _ in range(count):
        submit += rng.choice((0, rng.randint(0, gap)))
        runtime = rng.randint(1, longest)
        size = rng.choices(SIZES, weights)[0]
        klass = rng.choices(NAMES, (6, 1, 6, 1, 3))[0]
        jobs.append(T3DJob(submit, runtime, size, runtime * rng.choice((1, 1, 3)), klass, rng.randint(1, 4)))
    return jobs


def random_actions(rng: random.Random, jobs: list[T3DJob], count: int, longest: int) -> list[Action]:
    """Actions in order of time, many of which will be refused; who is suspended is resumed, mostly."""
    actions = []
    for _ in range(count):
        job = rng.randrange(len(jobs))
        at = jobs[job].submit + rng.randint(0, longest + 100)
        do = rng.choice(("suspend", "suspend", "suspend", "class", "class", "cancel", "resume"))
        actions.append(Action(at, do, job, rng.choice(NAMES) if do == "class" else None))
        if do == "suspend" and rng.random() < 0.9:
            actions.append(Action(at + rng.choice((0, 1, rng.randint(0, longest))), "resume", job))
    if count > 20:
        actions += restless(rng, rng.randrange(len(jobs)), jobs[0].submit)
    return sorted(actions, key=lambda action: action.at)


def restless(rng: random.Random, job: int, at: int) -> list[Action]:
    """One job that is suspended and resumed again and again, in whatever state that finds it."""
    actions = []
    for _ in range(60):
        at += rng.randint(1, 60)
        actions += [Action(at, "suspend", job), Action(at + rng.randint(0, 1), "resume", job)]
    return actions


def random_case(rng: random.Random) -> T3DCase:
    """One workload with small times, or now and then one with the times of the text."""
    if rng.random() < 0.15:
        jobs = random_jobs(rng, rng.randint(10, 30), 300, rng.choice((600, 8000)))
        actions = random_actions(rng, jobs, rng.randint(0, 8), 4000)
        return T3DCase(jobs, actions, {"epoch": rng.randint(0, 7 * DAY)})
    longest = rng.choice((20, 200, 600))
    jobs = random_jobs(rng, rng.randint(2, 30), rng.choice((5, 30, 100)), longest)
    actions = random_actions(rng, jobs, rng.choice((0, 0, rng.randint(1, 12), rng.randint(30, 60))), longest)
    return T3DCase(jobs, actions, {**random_rules(rng), "classes": random_classes(rng)})


def random_asking_case(rng: random.Random) -> T3DCase:
    """One workload in which some jobs ask for wires or blocks, or are locked, under both rules for wires."""
    case = random_nqs_case(rng) if rng.random() < 0.2 else random_case(rng)
    return asking(rng, case)


def asking(rng: random.Random, case: T3DCase) -> T3DCase:
    """The same workload, with what its jobs ask for."""
    often = rng.choice((0.1, 0.5, 0.9))

    def asked(job: T3DJob) -> T3DJob:
        wire = rng.randrange(WIRES) if rng.random() < often else None
        base = rng.choice(blocks(job.size)).base if rng.random() < often / 3 else None
        return job._replace(wire=wire, base=base, locked=rng.random() < often / 4)

    wires = rng.choice(("shared", "apart", "apart"))
    return case._replace(jobs=[asked(job) for job in case.jobs], rules={**case.rules, "wires": wires})


def random_nqs_case(rng: random.Random) -> T3DCase:
    """One workload that passes through NQS: long estimates, few users, the whole day."""
    jobs, longest = [], rng.choice((600, 3 * HOUR))
    for job in random_jobs(rng, rng.randint(5, 40), rng.choice((60, HOUR)), longest):
        estimate = max(
            job.runtime, rng.choice((60, HOUR // 4, HOUR, 4 * HOUR, 4 * HOUR + 1, 19 * HOUR, 2 * DAY))
        )
        jobs.append(job._replace(estimate=estimate))
    actions = random_actions(rng, jobs, rng.choice((0, 6)), longest)
    rules = {"nqs": rng.choice(("before", "after")), "epoch": rng.randint(0, 7 * DAY)}
    return T3DCase(jobs, actions, rules)
