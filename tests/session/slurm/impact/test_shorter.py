"""Who would start now with a shorter limit: as the naive search finds it, which tries every limit."""

from collections import defaultdict

import attrs
import pytest

from shadowtime.console.session.slurm.impact.shorter import ShorterLimits
from shadowtime.console.session.slurm.problem import problem
from shadowtime.console.session.slurm.queue import queue
from shadowtime.kernels.slurm.cycle import plan
from shadowtime.kernels.slurm.records import Outcome
from shadowtime.scenarios.slurm import ArrayPart, Capture, Job
from shadowtime.scenarios.slurm.changes import number_of
from tests.oracles.slurm.small import NOW, cluster, reserved, running, waiting
from tests.session.slurm.clusters import Draw

SHORT = (14, 44, 46, 76)
"""Clusters of which some jobs would start with less time."""
MORE = 10
LONGEST = 20
"""Minutes that a job may ask for, so that every limit can be tried."""


def with_limit(capture: Capture, number: int, minutes: int) -> Capture:
    """The cluster with another limit of a job, or of the tasks of an array that wait."""
    jobs = (
        attrs.evolve(job, limit=minutes) if job.waiting and number_of(job) == number else job
        for job in capture.jobs
    )
    return attrs.evolve(capture, jobs=tuple(jobs))


def starts(capture: Capture, number: int) -> bool:
    """Whether the whole cycle starts a job."""
    entries = queue(capture, NOW)
    places = plan(problem(capture, entries, NOW))
    return any(
        place.outcome is Outcome.STARTED and number_of(entries[place.entry].job) == number for place in places
    )


def naive(capture: Capture) -> dict[int, int]:
    """Job -> the longest limit below its own, in minutes, with which it starts and does not otherwise."""
    jobs: dict[int, list[Job]] = defaultdict(list)
    for job in capture.jobs:
        if job.waiting and job.priority:
            jobs[number_of(job)].append(job)
    most = {each.name: each.most_minutes or 0 for each in capture.partitions}
    found = {}
    for number, same in jobs.items():
        whole = max(job.limit or max(most[name] for name in job.partitions) for job in same)
        if not starts(capture, number):
            limits = (m for m in range(whole - 1, 0, -1) if starts(with_limit(capture, number, m), number))
            longest = next(limits, None)
            if longest is not None:
                found[number] = longest
    return found


def found_by(capture: Capture) -> dict[int, int]:
    """The same as the program finds it."""
    rows = ShorterLimits(capture, NOW).run()
    assert rows is not None
    assert [row.lost for row in rows] == sorted(row.limit - row.longest for row in rows)
    return {row.number: row.longest // 60 for row in rows}


@pytest.mark.parametrize(
    "seed", [*SHORT, *(pytest.param(seed, marks=pytest.mark.proof) for seed in range(MORE))]
)
def test_the_longest_limit_is_that_of_the_naive_search(seed: int) -> None:
    """On random clusters with reservations, arrays, several partitions, limits and shared nodes."""
    capture = Draw(seed).capture()
    jobs = (attrs.evolve(job, limit=min(job.limit or LONGEST, LONGEST)) for job in capture.jobs)
    capture = attrs.evolve(capture, jobs=tuple(jobs))
    found = found_by(capture)
    assert found == naive(capture)
    assert found or seed not in SHORT


def test_idle_nodes_until_a_reservation_and_until_a_job() -> None:
    """Node 3 is idle until the reservation begins; node 4 until the first job of the queue comes there.

    The time of a job that is planned begins up to a minute before its start.
    """
    first = waiting(10, 3, 60)
    jobs = [running(1, [1, 2], 1500), first, waiting(11, 1, 120), waiting(12, 2, 60), waiting(13, 1, 30)]
    capture = cluster(4, jobs, reservations=[reserved("course", [3], 600, 9000)])
    assert found_by(capture) == naive(capture) == {11: 24, 12: 10, 13: 24}
    (row,) = (each for each in ShorterLimits(capture, NOW).run() or () if each.number == 12)
    assert (row.size, row.nodes, row.longest, row.lost, row.change) == (
        2,
        "n[3-4]",
        600,
        3000,
        "limit 12 10m",
    )


def test_a_limit_that_the_partition_does_not_allow_may_be_shortened() -> None:
    """A job without an entry gets one; one without a limit has that of its partition."""
    capture = cluster(2, [running(1, [1], 3000), waiting(10, 1, 500), waiting(11, 1, 500, limit=None)])
    (partition,) = capture.partitions
    capture = attrs.evolve(capture, partitions=(attrs.evolve(partition, most_minutes=100),))
    assert found_by(capture)[10] == naive(capture)[10] == 100


def test_who_is_held_waits_for_others_or_is_believed_not_to_start_is_left_out() -> None:
    """And tasks of an array are one job."""
    begin = NOW + 600
    tasks = waiting(20, 1, 60, array=ArrayPart(20, None, "1-3", 0))
    jobs = [
        running(1, [1], 1500), waiting(9, 2, 60),
        waiting(10, 1, 60, priority=0), waiting(11, 1, 60, eligible=begin),
        waiting(12, 1, 60, dependency="afterok:1(unfulfilled)"), waiting(13, 1, 60, reason="BadConstraints"),
        tasks,
    ]  # fmt: skip
    assert found_by(cluster(2, jobs)) == {20: 24}


def test_a_search_that_is_broken_off_finds_nothing() -> None:
    """It ends before the next trial."""
    work = ShorterLimits(cluster(2, [running(1, [1], 1500), waiting(9, 2, 60), waiting(10, 1, 60)]), NOW)
    work.cancel()
    assert work.run() is None


def test_a_job_that_is_planned_now_and_does_not_start_may_start_in_another_partition() -> None:
    """The partition that takes only short jobs starts it; the other one does not start its account's jobs."""
    capture = cluster(2, [waiting(10, 1, 90, partitions=("batch", "short"), account="physics")])
    (batch,) = capture.partitions
    short = attrs.evolve(batch, name="short", most_minutes=60)
    batch = attrs.evolve(batch, denied_accounts=("physics",))
    capture = attrs.evolve(capture, partitions=(batch, short))
    assert found_by(capture) == naive(capture) == {10: 60}
