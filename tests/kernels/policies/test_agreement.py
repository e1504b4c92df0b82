"""The compiled schedulers agree, job for job, with the naive ones on thousands of random workloads."""

import random
from collections.abc import Callable

import pytest
from hypothesis import given

from tests.amount import many
from tests.kernels.drive import CONSERVATIVE, SETTINGS, finished
from tests.oracles.jobs import Workload, crowded_workload, jammed_workload, random_workload, workloads
from tests.oracles.metrics import is_backfilled
from tests.oracles.space.conservative import first_reservations

Make = Callable[[random.Random], Workload]
SLOW = ("flex", "pbas", "wbas")
"""Their naive programs take tens of times as long as the others'."""


def check(workload: Workload, setting: str) -> None:
    """Starts, finishes and the mark of a backfilled job are those of the naive program."""
    starts = SETTINGS[setting].naive(workload.jobs, workload.nodes)
    results = finished(workload, setting).results()
    assert list(results["start"]) == starts
    assert list(results["finish"]) == [
        start + job.runtime for start, job in zip(starts, workload.jobs, strict=True)
    ]
    backfilled = [is_backfilled(index, workload.jobs, starts) for index in range(len(starts))]
    assert [bool(mark) for mark in results["backfilled"]] == backfilled
    assert not any(results["preemptions"])


@pytest.mark.parametrize("setting", SETTINGS)
def test_random_workloads(setting: str) -> None:
    """Ties abound in most of them; in some the queue is long, in one all jobs wait."""
    rng, slow = random.Random(2002), SETTINGS[setting].policy in SLOW
    for make, count in ((random_workload, 100), (crowded_workload, 0 if slow else 2)):
        for _ in range(count // 8 if slow else count):
            check(make(rng), setting)
    check(jammed_workload(rng, 30) if slow else jammed_workload(rng), setting)


@pytest.mark.proof
@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize(
    ("make", "count"),
    [(random_workload, 25_000), (crowded_workload, 500), (jammed_workload, 30)],
)
def test_many_more_random_workloads(make: Make, count: int, setting: str) -> None:
    """The same, with other seeds, until it is a proof for practical purposes."""
    rng = random.Random(1998)
    for _ in range(many(count // 10 if SETTINGS[setting].policy in SLOW else count)):
        check(make(rng), setting)


@pytest.mark.proof
@pytest.mark.parametrize("setting", SETTINGS)
def test_hundreds_in_the_queue(setting: str) -> None:
    """Short cuts that pay only in long queues change nothing there."""
    count = 2000 if setting == "fcfs" or setting.startswith("easy") else 300
    if SETTINGS[setting].policy in SLOW:
        count = 120
    check(jammed_workload(random.Random(7), count), setting)


@pytest.mark.parametrize("setting", SETTINGS)
@given(workload=workloads())
def test_the_smallest_disagreement(setting: str, workload: Workload) -> None:
    """The same once more, by examples that shrink to the smallest workload on which the two differ."""
    check(workload, setting)


@given(workload=workloads())
def test_the_first_promise_is_the_reservation_at_submission(workload: Workload) -> None:
    """Under conservative backfilling a job is first promised the anchor point that its submission found."""
    results = finished(workload, CONSERVATIVE).results()
    assert list(results["first_promise"]) == first_reservations(workload.jobs, workload.nodes)
