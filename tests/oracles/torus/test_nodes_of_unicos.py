"""Naive UNICOS MAX on the T3D, on workloads that can be followed by hand."""

import random

import pytest

from tests.oracles.torus.jobs import T3DJob
from tests.oracles.torus.machine import loading_time
from tests.oracles.torus.nodes_of_unicos import UnicosOutcome, t3d_unicos
from tests.oracles.torus.unicos import unicos
from tests.oracles.torus.workloads import random_jobs


def run(*rows: tuple[int, int, int], limit: int = 3600, nqs: str | None = None) -> UnicosOutcome:
    """What becomes of (submission, size, runtime) jobs, all production."""
    jobs = [T3DJob(submit, runtime, size, runtime, "production") for submit, size, runtime in rows]
    return t3d_unicos(jobs, limit, nqs)


def test_every_job_takes_the_lowest_free_block() -> None:
    """The second job of 8 takes the lowest hole, not the smallest: nobody looks for the best fit."""
    outcome = run((0, 8, 100), (0, 128, 900), (0, 64, 900), (1, 8, 900), (200, 8, 10))
    assert [block.base for block in outcome.blocks if block] == [
        (0, 0, 0),
        (4, 0, 0),
        (2, 0, 0),
        (0, 0, 4),
        (0, 0, 0),
    ]
    assert outcome.starts == [4, 64, 32, 5, 204]
    assert outcome.finishes == [104, 964, 932, 905, 214]


@pytest.mark.parametrize(("limit", "start"), [(51, 50 + 16), (50, 1064 + 128 + 10 + 16)])
def test_a_job_that_has_waited_the_limit_holds_back_the_rest(limit: int, start: int) -> None:
    """At 50 the second has waited 50 s: that is enough if the limit is 50, other than on a flat machine."""
    outcome = run((0, 128, 1000), (0, 256, 10), (50, 32, 20), limit=limit)
    assert outcome.starts == [64, 1064 + 128, start]


def test_nobody_is_preempted_and_large_jobs_know_no_limit() -> None:
    """Four of 64 run side by side; the fifth waits for the first that is over."""
    assert run(*[(0, 64, 500)] * 5).starts == [32, 32, 32, 32, 564]


def test_a_machine_without_holes_is_flat() -> None:
    """With jobs of one size and loading counted as running, it is UNICOS on so many nodes."""
    rng = random.Random(33)
    for _ in range(50):
        size = rng.choice((16, 64, 256))
        jobs = [job._replace(size=size) for job in random_jobs(rng, 20, 60, 200)]
        flat = [job._replace(runtime=job.runtime + loading_time(size), size=1) for job in jobs]
        starts = unicos(flat, 256 // size, limit=99)  # type: ignore[arg-type]
        assert t3d_unicos(jobs, 100).starts == [start + loading_time(size) for start in starts]


def test_jobs_of_one_user_come_one_by_one_through_nqs() -> None:
    """The third is turned away; the second may not be released beside the first, of the same user and queue.

    Its patience counts from its release.
    """
    outcome = run((0, 32, 5000), (0, 32, 100), (0, 256, 5 * 3600), (10, 32, 100), nqs="before")
    assert outcome.starts == [16, 5016 + 16, None, 5132 + 16]
