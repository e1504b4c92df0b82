"""The naive variants of EASY and FCFS at the ends of their parameters, and small cases by hand."""

import random

import pytest

from tests.oracles.jobs import Job, mixed_workloads, random_workload
from tests.oracles.space.easy import SCANS, easy
from tests.oracles.space.easy_variants import easy_variant
from tests.oracles.space.fcfs import fcfs
from tests.oracles.space.leapfrog import leapfrogging


@pytest.mark.parametrize("scan", SCANS)
def test_nothing_relaxed_predicted_or_speculated_is_easy(scan: str) -> None:
    """Without a user nothing can be predicted either."""
    for jobs, nodes in mixed_workloads(random.Random(1), 100):
        starts = [[start] for start in easy(jobs, nodes, scan)]
        assert easy_variant(jobs, nodes, scan=scan) == starts
        assert easy_variant(jobs, nodes, scan=scan, predict="users") == starts


def test_nobody_leaps_is_fcfs() -> None:
    """The head alone starts."""
    for jobs, nodes in mixed_workloads(random.Random(2), 100):
        assert leapfrogging(jobs, nodes, 0) == fcfs(jobs, nodes)


def test_so_many_jobs_pass_a_head() -> None:
    """Job 1 blocks three of four nodes; of the four narrow jobs two pass the wide one."""
    jobs = [Job(0, 10, 3, 10), Job(1, 5, 4, 5), *[Job(2, 3, 1, 3)] * 4]
    assert leapfrogging(jobs, 4, 2) == [0, 10, 2, 5, 15, 15]


def test_a_relaxed_head_is_put_off_by_its_share() -> None:
    """It is expected at 10 after a wait of 8: at a quarter of that a job passes that ends at 12."""
    jobs = [Job(0, 10, 3, 10), Job(2, 5, 4, 5), Job(2, 13, 1, 13), Job(2, 10, 1, 10)]
    assert [start for (start,) in easy_variant(jobs, 4, relax=0.5)] == [0, 12, 17, 2]
    assert [start for (start,) in easy_variant(jobs, 4, relax=0.25)] == [0, 12, 17, 2]
    assert [start for (start,) in easy_variant(jobs, 4, relax=0.24)] == [0, 10, 15, 15]


def test_a_prediction_lets_a_short_job_pass() -> None:
    """The user's last two jobs ran for 2 and 5 s: 3 s are predicted in place of 50."""
    jobs = [Job(0, 2, 1, 50), Job(0, 5, 1, 50), Job(6, 20, 3, 20), Job(7, 5, 4, 5), Job(8, 4, 1, 50)]
    users = [1, 1, 2, 2, 1]
    assert [start for (start,) in easy_variant(jobs, 4, users, predict="users")] == [0, 0, 6, 26, 8]
    assert [start for (start,) in easy_variant(jobs, 4, users)] == [0, 0, 6, 26, 31]


def test_a_speculative_run_is_killed_for_the_head() -> None:
    """It is tried for 10 of the 100 s that it asks for, and has run for 9 when the head needs its node."""
    jobs = [Job(0, 9, 3, 20), Job(0, 5, 4, 5), Job(0, 30, 1, 100)]
    assert easy_variant(jobs, 4, speculate=0.1) == [[0], [9], [0, 14]]
    assert easy_variant(jobs, 4, speculate=0.21) == [[0], [9], [14]]


def test_runs_of_a_job_do_not_overlap() -> None:
    """A job that was killed starts once more, and no more nodes run than there are."""
    rng, killed = random.Random(3), 0
    for _ in range(300):
        jobs, nodes = random_workload(rng)
        starts = easy_variant(jobs, nodes, speculate=0.2, relax=0.5)
        killed += sum(len(runs) > 1 for runs in starts)
        assert max(map(len, starts)) <= 2
        final = [(runs[-1], runs[-1] + job.runtime, job.size) for runs, job in zip(starts, jobs, strict=True)]
        for now, _, _ in final:
            assert sum(size for begin, end, size in final if begin <= now < end) <= nodes
    assert killed > 10
