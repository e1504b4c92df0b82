"""One backfill cycle of a large Slurm cluster: 5,000 waiting jobs, 500 of them tried; and steps over it."""

from collections.abc import Iterator
from random import Random

import attrs

from shadowtime.console.session.slurm import forecast_of
from shadowtime.console.session.slurm.stepping.cluster import Boards
from shadowtime.console.session.slurm.stepping.history import History, starts
from shadowtime.scenarios.slurm import Capture, Job, Share
from tests.bench.figures import Figure, cpu_seconds
from tests.oracles.slurm.small import NOW, cluster, running, waiting

NODES, SHARED, WAITING, CPUS, GOAL = 10_000, 1_000, 5_000, 64, 0.15


def planning() -> Iterator[Figure]:
    """The CPU time of a forecast, with jobs of whole nodes and with jobs that share nodes."""
    for what, made in (("whole nodes", whole_nodes()), ("shared nodes", shared_nodes())):
        seconds = cpu_seconds(lambda made=made: forecast_of(made, NOW), 3)  # type: ignore[misc]
        remark = f"{len(made.nodes)} nodes, {WAITING} waiting, {len(forecast_of(made, NOW).rows)} tried"
        yield Figure(f"backfill cycle, {what}", seconds, "s", GOAL, remark)
        yield from _steps(what, made)


def _steps(what: str, made: Capture) -> Iterator[Figure]:
    """The CPU time of a step to the next start with the board after it, and of ten steps back."""
    history = History(made, NOW)
    boards = Boards(history)

    def forward() -> None:
        history.next(starts)
        boards.board(history.number)

    seconds = cpu_seconds(forward, 3)
    yield Figure(f"to the next start, {what}", seconds, "s", None, f"{history.number} events")
    yield Figure(f"ten steps back, {what}", cpu_seconds(lambda: _back(history), 1), "s", 0.1)


def _back(history: History) -> None:
    for _ in range(10):
        history.back()
        history.capture_at(history.number)


def whole_nodes() -> Capture:
    """A full cluster whose jobs take whole nodes."""
    random, jobs = Random(1), list[Job]()
    free = list(range(1, NODES + 1))
    while len(free) > NODES // 50:
        size = min(len(free), int(2 ** random.uniform(0, 7)))
        jobs.append(running(len(jobs) + 1, free[:size], random.randint(60, 20000)))
        free = free[size:]
    for _ in range(WAITING):
        limit = random.choice([10, 30, 60, 240, 600])
        jobs.append(waiting(len(jobs) + 1, int(2 ** random.uniform(0, 7)), limit))
    return cluster(NODES, jobs, max_job_test=500)


def shared_nodes() -> Capture:
    """A full cluster whose jobs take some CPUs of one or more nodes."""
    random, jobs = Random(1), list[Job]()
    for node in range(1, SHARED + 1):
        left = CPUS
        while left > 8:
            cpus = min(left, int(2 ** random.uniform(0, 6)))
            job = running(len(jobs) + 1, [node], random.randint(60, 20000), exclusive=False)
            jobs.append(attrs.evolve(job, shares=(Share(f"n{node}", cpus, 0, ""),)))
            left -= cpus
    for _ in range(WAITING):
        nodes, each = random.choice([1, 1, 1, 2, 4, 16]), int(2 ** random.uniform(0, 6))
        limit = random.choice([10, 30, 60, 240, 600])
        cpus = nodes * each
        jobs.append(waiting(len(jobs) + 1, nodes, limit, exclusive=False, cpus=cpus, tasks=cpus))
    plain = cluster(SHARED, jobs, max_job_test=500)
    return attrs.evolve(
        plain,
        nodes=tuple(attrs.evolve(node, cpus=CPUS, cores=CPUS) for node in plain.nodes),
        partitions=tuple(attrs.evolve(part, exclusive=False) for part in plain.partitions),
        settings=attrs.evolve(plain.settings, select_parameters=frozenset(("CR_CORE",))),
    )
