"""Workloads with users, who ask for the same again and again."""

import random
from typing import NamedTuple

from tests.oracles.jobs import Job
from tests.oracles.likely.known import NO_USER
from tests.oracles.likely.sample import WEEK


class UsersWorkload(NamedTuple):
    """Jobs in trace order, the number of the user of each, and the nodes of the machine."""

    jobs: list[Job]
    users: list[int]
    nodes: int


def repeated_workload(
    rng: random.Random, count: int | None = None, paces: tuple[float, ...] = (0.1, 0.4, 0.7, 1.0)
) -> UsersWorkload:
    """One workload of few users with few requests each. It lasts seconds, or a week and more, or nine.

    At pace 1 the machine could just do what is asked for if all ran to their estimates. Below it queues grow.
    """
    nodes = rng.choice((1, 2, 8, 8, 64))
    count = count or rng.choice((4, 12, 25, 25, 60))
    requests = [
        (user, rng.randint(1, max(1, nodes // rng.choice((1, 2, 4)))), rng.randint(1, rng.choice((4, 20))))
        for user in rng.choice(((0,), (0, 1), (0, 3, NO_USER), range(6)))
        for _ in range(rng.randint(1, 4))
    ]
    work = sum(size * estimate for _, size, estimate in requests) / len(requests)
    gap = work / nodes * rng.choice(paces)
    stretch = max(1, round(rng.choice((0, 0, 0.6, 1.5, 4, 12)) * WEEK / (gap * count)))
    likes = rng.choice((0.0, 0.2, 0.5))
    jobs, users, submit = [], [], rng.choice((0, 7))
    for _ in range(count):
        user, size, limit = rng.choice(requests)
        submit += rng.choice((0, rng.randint(0, max(1, round(4 * gap * stretch)))))
        estimate = limit * stretch
        runtime = estimate if rng.random() < likes else rng.randint(1, estimate)
        jobs.append(Job(submit, runtime, size, estimate))
        users.append(user)
    return UsersWorkload(jobs, users, nodes)
