"""The naive orders of the queue, and the deciders between them, on workloads that can be followed by hand."""

import random

import pytest

from tests.oracles.jobs import (
    Job,
    Workload,
    crowded_workload,
    exact,
    jammed_workload,
    random_workload,
)
from tests.oracles.small_cases import CASES, jobs
from tests.oracles.space.conservative import conservative
from tests.oracles.space.orders import (
    dynp,
    dynp_decider,
    dynp_switches,
    ivs,
    ivs_switches,
    ljf,
    replanned,
    sjf,
)

BEYOND = 10**9
"""A bound that no estimate reaches."""


def random_workloads(count: int) -> list[Workload]:
    """Small workloads full of ties, and a few with a long queue."""
    rng = random.Random(22)
    crowded = [crowded_workload(rng) for _ in range(count // 40)]
    jammed = [jammed_workload(rng, 60) for _ in range(count // 80)]
    return [random_workload(rng) for _ in range(count)] + crowded + jammed


def test_the_order_decides_who_goes_first() -> None:
    """Three jobs wait for the whole machine, two of them with the same estimate: the earlier goes first."""
    workload = jobs((0, 10, 4, 10), (1, 5, 4, 7), (2, 5, 4, 9), (3, 5, 4, 7))
    assert replanned(workload, 4) == [0, 10, 15, 20]
    assert sjf(workload, 4) == [0, 10, 20, 15]
    assert ljf(workload, 4) == [0, 15, 10, 20]


def test_a_job_may_not_delay_those_before_it_in_the_order() -> None:
    """A node is free from 1 on. Under SJF the long job must not push the short one, which needs all four."""
    workload = jobs((0, 10, 3, 10), (1, 10, 4, 10), (1, 20, 1, 20))
    assert sjf(workload, 4) == [0, 10, 20]
    assert ljf(workload, 4) == [0, 21, 1]


def test_a_job_may_fill_a_hole_before_those_ahead_of_it() -> None:
    """Each job has its place: the third in the order runs in the hole before the second, not at its cost."""
    workload = jobs((0, 10, 3, 10), (1, 5, 4, 5), (2, 8, 1, 8))
    assert sjf(workload, 4) == [0, 10, 2]
    assert sjf([*workload[:2], Job(3, 8, 1, 8)], 4) == [0, 10, 15]


def test_planning_anew_may_break_what_would_have_been_promised() -> None:
    """The small case in which compression and planning anew differ: the fourth job loses a second."""
    case = next(case for case in CASES if "planning anew" in case.story)
    assert replanned(case.jobs, case.nodes) == case.starts["conservative", "replan"] == [2, 2, 4, 5, 5]


@pytest.mark.proof
def test_planning_in_every_pass_is_planning_after_completions() -> None:
    """FCFS planned in every pass gives the starts of conservative backfilling planned anew at completions.

    Between two completions every waiting job keeps its place in a plan made anew. What has started since
    stands where the plan had it, and nothing is earlier than its old place: that was the first that those
    before it leave, and they stand where they stood. A new arrival comes last in both. Nor is a start due
    without a completion: each is the predicted end of a job, which either ends then or has ended early.
    """
    for jobs_, nodes in random_workloads(600):
        assert replanned(jobs_, nodes) == conservative(jobs_, nodes, "replan")


@pytest.mark.proof
def test_exact_estimates_make_all_compressions_equal() -> None:
    """With exact estimates planning in every pass changes nothing: no reservation ever gets better."""
    for workload in random_workloads(400):
        jobs_, nodes = exact(workload.jobs), workload.nodes
        expected = replanned(jobs_, nodes)
        assert all(conservative(jobs_, nodes, way) == expected for way in ("arrival", "replan", "never"))


@pytest.mark.proof
def test_bounds_that_leave_no_choice() -> None:
    """Bounds on one side of every estimate make dynP one of the orders, if it is asked whoever waits."""
    for jobs_, nodes in random_workloads(200):
        assert dynp(jobs_, nodes, lower=BEYOND, upper=BEYOND, threshold=1) == sjf(jobs_, nodes)
        assert dynp(jobs_, nodes, lower=0, upper=BEYOND, threshold=1) == replanned(jobs_, nodes)
        assert dynp(jobs_, nodes, lower=0, upper=0, threshold=1) == ljf(jobs_, nodes)
        assert dynp(jobs_, nodes, lower=BEYOND, upper=BEYOND, threshold=BEYOND) == replanned(jobs_, nodes)
        assert ivs(jobs_, nodes, utilized=1.5) == replanned(jobs_, nodes)


@pytest.mark.parametrize(
    ("estimates", "policy"),
    [
        ([7200] * 4, "ljf"),
        ([7200] * 5, "sjf"),
        ([7200] * 4 + [7201], "fcfs"),
        ([9000] * 5, "fcfs"),
        ([9000] * 4 + [9001], "ljf"),
        ([1] * 5, "sjf"),
    ],
)
def test_the_bounds_of_dynp(estimates: list[int], policy: str) -> None:
    """Means of 7200, 7200.2, 9000 and 9000.2 s; four waiting jobs are too few and LJF stays."""
    waiting = [Job(0, 1, 1, estimate) for estimate in estimates]
    decide = dynp_decider(waiting, lower=7200, upper=9000, threshold=5)
    assert decide("ljf", list(range(len(waiting))), 0) == policy


def test_dynp_looks_at_the_arrivals_of_the_instant() -> None:
    """The fifth to wait comes at 5, when the first job ends: SJF is in force before anything starts.

    From then on fewer than five wait and SJF stays.
    """
    workload = jobs((0, 5, 4, 5), *((1, 10, 4, 10 + rank) for rank in (4, 3, 2, 1)), (5, 10, 4, 10))
    assert dynp(workload, 4) == [0, 45, 35, 25, 15, 5]
    assert dynp_switches(workload, 4) == [(5, "sjf")]
    assert dynp(workload, 4, threshold=6) == [0, 5, 15, 25, 35, 45]
    assert dynp_switches(workload, 4, threshold=6) == []


def test_dynp_changes_its_mind_as_the_queue_changes() -> None:
    """With a threshold of 2 the mean is 10 at 1, 55 at 2, 110 at 3, 55 at 140, 77.5 at 149.

    At 239 the last job waits alone: LJF stays.
    """
    workload = jobs((0, 50, 4, 50), (1, 9, 4, 10), (1, 9, 4, 10), (2, 90, 4, 145), (3, 90, 4, 275))
    bounds = {"lower": 10, "upper": 55, "threshold": 2}
    changes = [(1, "sjf"), (2, "fcfs"), (3, "ljf"), (140, "fcfs"), (149, "ljf")]
    assert dynp_switches(workload, 4, **bounds) == changes
    assert dynp(workload, 4, **bounds) == [0, 140, 239, 149, 50]


VOTERS = jobs(
    (0, 5000, 3, 5000), (0, 100, 3, 100), (1, 10, 3, 901), (2, 10, 3, 900), (3, 10, 3, 20), (4, 10, 3, 40)
)
"""Half of six nodes is busy throughout; four jobs want the other half from 100 on, the first a batch job."""


def test_the_vote_of_ivs() -> None:
    """LJF at 1, with one batch job; kept at 2, when they are as many; SJF at 3; kept at 120, as many again.

    At 130 the batch job is alone. At 5000 nobody waits and no node is busy: that is FCFS too.
    """
    assert ivs_switches(VOTERS, 6) == [(1, "ljf"), (3, "sjf"), (130, "ljf"), (5000, "fcfs")]
    assert ivs(VOTERS, 6) == [0, 0, 130, 120, 100, 110]


def test_ivs_wants_a_majority_above_delta() -> None:
    """With a delta of 1 SJF needs three against the one batch job; with 2 that has to be gone, at 110."""
    assert ivs_switches(VOTERS, 6, delta=1) == [(4, "sjf"), (5000, "fcfs")]
    assert ivs_switches(VOTERS, 6, delta=2) == [(110, "sjf"), (5000, "fcfs")]
    assert ivs_switches(VOTERS, 6, delta=3) == []


def test_ivs_falls_back_to_fcfs_when_few_nodes_are_busy() -> None:
    """Busy is what runs before the pass: at 100 three of six nodes, less than 0.51 of them.

    With 0.51 the machine is utilized only while both of the first jobs run.
    """
    assert ivs_switches(VOTERS, 6, utilized=0.51) == [(1, "ljf"), (3, "sjf"), (100, "fcfs")]
    assert ivs(VOTERS, 6, utilized=0.51) == [0, 0, 100, 110, 120, 130]


def test_ivs_asks_for_classes_where_the_log_has_them() -> None:
    """Only "interactive" is interactive then, whatever the estimates; without any class they count."""
    classes = ["batch", "batch", "interactive", "batch", "", "night"]
    assert ivs_switches(VOTERS, 6, classes=classes)[:2] == [(1, "sjf"), (3, "ljf")]
    assert ivs_switches(VOTERS, 6, classes=[""] * 6) == ivs_switches(VOTERS, 6)
