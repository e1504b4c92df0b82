"""Naive prime and non-prime time on workloads that can be followed by hand."""

import random

import pytest

from tests.oracles.jobs import Job, Workload, crowded_workload, random_workload
from tests.oracles.space.fcfs import fcfs
from tests.oracles.space.prime import prime

RULES = {"shift": 100, "large": 4, "short": 5, "long": 50, "reserve": 4}
"""By day 5 s for everybody, 50 s on up to 4 nodes while 4 are free; a day is 100 s, and a night."""


def day(*rows: tuple[int, int, int], nodes: int = 8, phase: int = 0) -> list[int]:
    """Starts of (submit, runtime, size) jobs under the rules above; the estimates are far too long."""
    jobs = [Job(submit, runtime, size, 10 * runtime + 1000) for submit, runtime, size in rows]
    return prime(jobs, nodes, phase=phase, **RULES)


def random_workloads() -> list[Workload]:
    """Small workloads full of ties, and a few with a long queue."""
    rng = random.Random(23)
    return [random_workload(rng) for _ in range(400)] + [crowded_workload(rng) for _ in range(10)]


@pytest.mark.parametrize(
    ("runtime", "size", "start"),
    [(5, 8, 0), (6, 8, 100), (5, 5, 0), (6, 5, 100), (50, 4, 0), (51, 4, 100), (50, 1, 0), (51, 1, 100)],
)
def test_who_may_start_by_day(runtime: int, size: int, start: int) -> None:
    """Up to 5 s on any number of nodes, up to 50 s on up to 4 nodes; the others wait for the night."""
    assert day((0, runtime, size)) == [start]


def test_a_pass_at_the_boundary_needs_no_other_event() -> None:
    """Nothing runs and nobody comes: the long job starts all the same when the night begins."""
    assert day((7, 60, 8)) == [100]


def test_the_shift_that_begins_is_in_force_at_the_boundary() -> None:
    """A long job that comes at 200, when the day begins, waits until 300; one that comes at 199 does not."""
    assert day((199, 60, 3), (200, 60, 3)) == [199, 300]


def test_running_jobs_cross_a_boundary_untouched() -> None:
    """The job that started by night runs far into the day, and a middling one from day into night."""
    assert day((150, 100, 4), (290, 50, 4), (300, 200, 5)) == [150, 290, 340]


def test_those_not_eligible_are_skipped_and_the_first_eligible_that_does_not_fit_ends_the_scan() -> None:
    """The job of 60 s may not start by day and lets others pass; the one of 5 s that lacks nodes does not."""
    assert day((0, 20, 4), (0, 60, 2), (1, 5, 5), (2, 5, 1)) == [0, 100, 20, 20]


def test_a_job_that_may_not_start_does_not_end_the_scan_though_it_does_not_fit() -> None:
    """The second job lacks nodes and is not eligible: the third passes it."""
    assert day((0, 20, 4), (0, 60, 8), (1, 5, 1)) == [0, 100, 1]


def test_by_night_the_first_that_does_not_fit_holds_back_all() -> None:
    """Nothing is backfilled: the job of one node waits for the one ahead of it."""
    assert day((100, 60, 4), (101, 60, 5), (102, 1, 1)) == [100, 160, 160]


def test_the_reserve_is_counted_before_the_start_and_after_the_starts_ahead() -> None:
    """The second of two middling jobs takes the last 4 nodes: they are free when it asks, and that is enough.

    In the second workload the job ahead leaves 3 nodes: the middling job is skipped and the short one starts.
    """
    assert day((0, 20, 4), (0, 20, 4), (0, 5, 1)) == [0, 0, 20]
    assert day((0, 5, 5), (0, 20, 2), (0, 5, 1)) == [0, 5, 0]


def test_the_phase_moves_the_boundaries_both_ways() -> None:
    """With a phase of 150 the day is [-50, 50), [150, 250), ...; a long job waits for its end."""
    assert day((0, 60, 8), phase=150) == [50]
    assert day((50, 60, 8), phase=150) == [50]
    assert day((149, 60, 4), (150, 60, 4), phase=150) == [149, 250]
    assert day((0, 60, 8), phase=-250) == [50]


def test_without_rules_it_is_first_come_first_served() -> None:
    """In an endless night, or by day when no job is longer than the short ones, nobody passes the head."""
    for jobs, nodes in random_workloads():
        assert prime(jobs, nodes, phase=43200) == fcfs(jobs, nodes)
        assert prime(jobs, nodes, shift=7, short=1000) == fcfs(jobs, nodes)
