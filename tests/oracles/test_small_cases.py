"""The naive schedulers give the small cases that were worked out by hand."""

import random
from collections.abc import Callable

import pytest

from tests.oracles.jobs import Job, exact, random_workload
from tests.oracles.metrics import metrics, queue_lengths
from tests.oracles.small_cases import CASES, ROW_NAMES, ROWS, SmallCase
from tests.oracles.space.conservative import conservative
from tests.oracles.space.easy import easy
from tests.oracles.space.fcfs import fcfs

POLICIES: dict[str, Callable[[list[Job], int, str], list[int]]] = {"easy": easy, "conservative": conservative}


@pytest.mark.parametrize(("case", "policy", "setting"), ROWS, ids=ROW_NAMES)
def test_the_starts_of_a_small_case(case: SmallCase, policy: str, setting: str) -> None:
    """Each policy gives each small case exactly the starts that were worked out."""
    assert POLICIES[policy](case.jobs, case.nodes, setting) == case.starts[policy, setting]


def test_nothing_passes_the_head_under_fcfs() -> None:
    """A job that would fit beside the running ones waits until the head has started."""
    assert fcfs([Job(0, 5, 3, 9), Job(1, 2, 4, 2), Job(1, 1, 1, 1), Job(6, 1, 4, 1)], 4) == [0, 5, 7, 8]


def test_the_mean_wait_of_the_head_that_needs_the_whole_machine() -> None:
    """The classical schedule of that case has the published mean wait of 14.8 s."""
    case = next(case for case in CASES if "empties" in case.story)
    assert metrics(case.jobs, case.starts["easy", "arrival"], case.nodes, now=60)[
        "mean_wait"
    ] == pytest.approx(14.8)


def test_an_overdue_job_counts_as_ending_in_a_second() -> None:
    """A running job whose predicted end has passed counts as ending at now + 1: the shadow is never now."""
    overdue = [Job(0, 10, 3, 2), Job(5, 1, 4, 1), Job(5, 1, 1, 1), Job(5, 1, 1, 2)]
    assert easy(overdue, 4) == [0, 10, 5, 11]


@pytest.mark.proof
def test_exact_estimates_make_all_compressions_equal() -> None:
    """With exact estimates nothing ends early, so every way of compressing gives the same schedule."""
    rng = random.Random(10)
    for _ in range(300):
        workload = random_workload(rng)
        jobs = exact(workload.jobs)
        never = conservative(jobs, workload.nodes, "never")
        assert conservative(jobs, workload.nodes, "arrival") == never
        assert conservative(jobs, workload.nodes, "replan") == never


@pytest.mark.proof
def test_wrong_estimates_distinguish_the_compressions() -> None:
    """That equality is no accident of the programs: with surplus in the estimates all three differ."""
    rng, differing = random.Random(11), set()
    for _ in range(300):
        workload = random_workload(rng)
        never, arrival, replan = (
            conservative(workload.jobs, workload.nodes, way) for way in ("never", "arrival", "replan")
        )
        pairs = {"never": never != arrival, "replan": replan != arrival}
        differing |= {way for way, differs in pairs.items() if differs}
    assert differing == {"never", "replan"}


@pytest.mark.parametrize("policy", [fcfs, easy, conservative])
def test_little(policy: Callable[[list[Job], int], list[int]]) -> None:
    """The mean queue length times the span is the sum of the waits."""
    rng = random.Random(12)
    for _ in range(300):
        jobs, nodes = random_workload(rng)
        starts = policy(jobs, nodes)
        waits = sum(start - job.submit for job, start in zip(jobs, starts, strict=True))
        assert sum(queue_lengths(jobs, starts, max(starts))) == waits
