"""Naive UNICOS MAX on workloads that can be followed by hand."""

import random

import pytest

from tests.oracles.jobs import random_workload
from tests.oracles.small_cases import jobs
from tests.oracles.space.fcfs import fcfs
from tests.oracles.torus.unicos import unicos


@pytest.mark.parametrize(("limit", "start"), [(50, 50), (49, 110)])
def test_a_job_that_has_waited_more_than_the_limit_holds_back_the_rest(limit: int, start: int) -> None:
    """At 50 the second job has waited 50 s: the third passes it, unless the limit is less than that."""
    workload = jobs((0, 100, 3, 100), (0, 10, 4, 10), (50, 20, 1, 20))
    assert unicos(workload, 4, limit=limit) == [0, 100, start]


def test_a_job_that_fits_never_ends_the_scan() -> None:
    """At 100 all have waited for more than the limit. The second and third fit; the fourth does not.

    So the fifth, which would fit, has to wait until the fourth has its nodes, and then until it has ended.
    """
    workload = jobs((0, 100, 4, 100), (0, 10, 2, 10), (0, 20, 1, 20), (0, 5, 3, 5), (0, 5, 1, 5))
    assert unicos(workload, 4, limit=60) == [0, 100, 100, 110, 115]


def test_a_job_is_passed_over_as_long_as_its_patience_lasts() -> None:
    """Small jobs pass the wide one again and again, each beside the one before, until 60 s are over."""
    workload = jobs((0, 40, 2, 40), (0, 10, 4, 10), (30, 40, 2, 40), (60, 40, 2, 40), (61, 40, 2, 40))
    assert unicos(workload, 4, limit=60) == [0, 100, 30, 60, 110]


def test_the_starts_do_not_depend_on_the_estimates() -> None:
    """Nobody looks at an estimate."""
    rng = random.Random(24)
    for _ in range(100):
        workload = random_workload(rng)
        longer = [job._replace(estimate=job.estimate + rng.randint(0, 50)) for job in workload.jobs]
        assert unicos(longer, workload.nodes, limit=3) == unicos(workload.jobs, workload.nodes, limit=3)


def test_without_patience_it_is_first_come_first_served() -> None:
    """When every wait is too long the first that does not fit holds back all."""
    rng = random.Random(25)
    for _ in range(400):
        workload = random_workload(rng)
        assert unicos(*workload, limit=-1) == fcfs(*workload)
