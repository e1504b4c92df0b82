"""What holds of every plan of whole nodes, on random clusters: nobody is promised a node that another has."""

import random

import pytest

from shadowtime.scenarios.slurm import Capture, Job
from tests.oracles.slurm.cycle import Row, plan
from tests.oracles.slurm.small import NOW, cluster, running, waiting


def random_cluster(seed: int, release: str) -> Capture:
    """Up to 12 nodes, a few running jobs, up to 30 waiting ones."""
    draw = random.Random(seed)
    nodes = draw.randint(1, 12)
    free, jobs = list(range(1, nodes + 1)), list[Job]()
    draw.shuffle(free)
    while free and draw.random() < 0.8:
        places = [free.pop() for _ in range(draw.randint(1, len(free)))]
        jobs.append(running(len(jobs) + 1, places, draw.randint(1, 5000)))
    for _ in range(draw.randint(1, 30)):
        jobs.append(waiting(len(jobs) + 1, draw.randint(1, nodes), draw.choice([1, 5, 17, 60, 90])))
    weights = {place: draw.choice([1, 1, 3]) for place in range(1, nodes + 1)}
    return cluster(nodes, jobs, release, weights=weights, window=draw.choice([60, 1440]))


def busy(capture: Capture, rows: list[Row]) -> list[tuple[int, int, str, str]]:
    """(begin, end, node, job) of everything that runs or is promised."""
    limits = {str(job.id): 60 * (job.limit or 0) for job in capture.jobs}
    holding = [job for job in capture.jobs if job.holding]
    held = [(NOW, job.end, name, str(job.id)) for job in holding for name in job.nodes]
    for row in rows:
        if row.start is not None and row.outcome in ("planned", "started"):
            held += [(row.start, row.start + limits[row.job], name, row.job) for name in row.nodes]
    return held


@pytest.mark.parametrize("seed", range(200))
def test_no_node_is_promised_twice(seed: int) -> None:
    """Of two jobs on one node, running or planned, one ends before the other begins."""
    capture = random_cluster(seed, ("24.11.5", "26.05.5")[seed % 2])
    rows = plan(capture, NOW)
    held = sorted(busy(capture, rows))
    for place, (_, end, node, job) in enumerate(held):
        for begin, _, other_node, other in held[place + 1 :]:
            assert other_node != node or begin >= end, f"{job} and {other} on {node}"
    sizes = {str(job.id): job.request.least_nodes for job in capture.jobs}
    assert all(len(row.nodes) == sizes[row.job] for row in rows if row.nodes)
    assert len(rows) == sum(job.waiting for job in capture.jobs)


@pytest.mark.parametrize("seed", range(60))
def test_a_start_now_is_not_missed(seed: int) -> None:
    """A job that is planned for later does not fit on the nodes that nobody before it holds."""
    capture = random_cluster(seed, "26.05.5")
    rows = plan(capture, NOW)
    held = [item for item in busy(capture, []) if item[1] > NOW]
    limits = {str(job.id): 60 * (job.limit or 0) for job in capture.jobs}
    sizes = {str(job.id): job.request.least_nodes for job in capture.jobs}
    names = {node.name for node in capture.nodes}
    for row in rows:
        if row.outcome in ("planned", "skipped", "beyond window"):
            end = NOW + limits[row.job] + 60
            free = names - {node for begin, _, node, _ in held if begin <= end}
            assert len(free) < sizes[row.job], row
        if row.outcome in ("planned", "started"):
            assert row.start is not None
            held += [
                (row.start - row.start % 60, row.start + limits[row.job], node, row.job) for node in row.nodes
            ]
