"""A job as the naive schedulers see it, and the two ways in which workloads come to the tests.

Everywhere in the oracles a workload is a plain list of jobs in trace order (submissions ascending) and a job
is named by its place in that list, which is also its place in the order of arrival.
"""

import lzma
import random
from pathlib import Path
from typing import NamedTuple

from hypothesis import strategies as st


class Job(NamedTuple):
    """What a trace says of a job: times in seconds, size in nodes, runtime <= estimate."""

    submit: int
    runtime: int
    size: int
    estimate: int

    @property
    def area(self) -> int:
        """Node-seconds of work."""
        return self.size * self.runtime


class Workload(NamedTuple):
    """Jobs in trace order and the number of nodes of the machine that they meet."""

    jobs: list[Job]
    nodes: int


def read_log(path: Path) -> list[Job]:
    """Jobs of an xz-packed SWF file that needs no cleaning, in the order of its lines."""
    with lzma.open(path, "rt") as lines:
        rows = [[int(field) for field in line.split()] for line in lines if line[:1] not in ";\n"]
    return [Job(submit=row[1], runtime=row[3], size=row[7], estimate=row[8]) for row in rows]


def read_raw_log(path: Path, nodes: int) -> list[Job]:
    """Jobs of an xz-packed SWF log: sizes as requested, killed at the estimate, none that is impossible."""
    jobs = []
    with lzma.open(path, "rt", errors="replace") as lines:
        for line in lines:
            if line[:1] in ";\n":
                continue
            row = [int(float(field)) for field in line.split()]
            size, estimate = row[7] if row[7] > 0 else row[4], row[8] if row[8] > 0 else row[3]
            if row[3] > 0 and 0 < size <= nodes:
                jobs.append(Job(row[1], min(row[3], estimate), size, estimate))
    return sorted(jobs, key=lambda job: job.submit)


def read_starts(path: Path) -> list[int]:
    """Starts of an xz-packed `job_id,start` table, in the order of its lines."""
    with lzma.open(path, "rt") as lines:
        next(lines)
        return [int(line.split(",")[1]) for line in lines]


def random_workload(rng: random.Random) -> Workload:
    """One workload: mostly few jobs with tiny numbers, so that ties abound; now and then larger numbers."""
    nodes, count = rng.randint(1, 9), rng.randint(1, 14)
    gap, runtime, slack = rng.randint(0, 6), rng.randint(1, 7), rng.randint(0, 9)
    if rng.random() < 0.1:
        nodes, count = rng.randint(1, 200), rng.randint(10, 40)
        gap, runtime, slack = rng.randint(0, 400), rng.randint(1, 1000), rng.randint(0, 2000)
    jobs, submit = [], rng.randint(0, 3)
    for _ in range(count):
        submit += rng.randint(0, gap)
        length, surplus = rng.randint(1, runtime), rng.choice((0, rng.randint(0, slack)))
        jobs.append(Job(submit, length, rng.randint(1, nodes), length + surplus))
    return Workload(jobs, nodes)


def crowded_workload(rng: random.Random) -> Workload:
    """One workload whose queue grows to dozens of jobs: nearly all arrive before the first few have ended."""
    nodes, count = rng.randint(4, 64), rng.randint(40, 120)
    jobs, submit = [], 0
    for _ in range(count):
        submit += rng.choice((0, 0, 1, rng.randint(0, 4)))
        length = rng.randint(1, 30)
        size = min(nodes, rng.choice((1, 1, 2, rng.randint(1, nodes))))
        jobs.append(Job(submit, length, size, length + rng.choice((0, 1, rng.randint(0, 60)))))
    return Workload(jobs, nodes)


def jammed_workload(rng: random.Random, count: int = 150) -> Workload:
    """One workload in which nearly all of `count` jobs wait at the same time, for a machine of real size."""
    nodes = rng.choice((64, 100, 128))
    jobs, submit = [], 0
    for _ in range(count):
        submit += rng.choice((0, 0, 0, 1))
        length = rng.randint(1, 200)
        size = rng.choice((1, 1, 2, 4, 8, 16, rng.randint(1, nodes)))
        surplus = rng.choice((0, rng.randint(0, 50), rng.randint(0, 400)))
        jobs.append(Job(submit, length, size, length + surplus))
    return Workload(jobs, nodes)


@st.composite
def workloads(draw: st.DrawFn, most_jobs: int = 12, most_nodes: int = 8) -> Workload:
    """Hypothesis strategy of workloads that shrink towards few, short, narrow jobs with exact estimates."""
    nodes = draw(st.integers(1, most_nodes))
    rows = st.tuples(st.integers(0, 4), st.integers(1, 6), st.integers(1, nodes), st.integers(0, 8))
    jobs, submit = [], 0
    for gap, runtime, size, surplus in draw(st.lists(rows, min_size=1, max_size=most_jobs)):
        submit += gap
        jobs.append(Job(submit, runtime, size, runtime + surplus))
    return Workload(jobs, nodes)


def exact(jobs: list[Job]) -> list[Job]:
    """The same jobs with perfect estimates."""
    return [job._replace(estimate=job.runtime) for job in jobs]


def mixed_workloads(rng: random.Random, count: int) -> list[Workload]:
    """So many small workloads full of ties, and a tenth as many with a long queue."""
    crowded = [crowded_workload(rng) for _ in range(count // 20)]
    jammed = [jammed_workload(rng) for _ in range(count // 20)]
    return [random_workload(rng) for _ in range(count)] + crowded + jammed
