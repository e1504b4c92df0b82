"""Naive Flex on workloads that can be followed by hand, and what it promises on all others."""

import random
from pathlib import Path
from typing import Any

import pytest

from tests.oracles.jobs import Workload, crowded_workload, exact, random_workload, read_log
from tests.oracles.small_cases import jobs
from tests.oracles.space.conservative import conservative
from tests.oracles.space.flex import COSTS, Flex, flex
from tests.oracles.space.virtual import State


def workloads(seed: int, count: int, crowded: int) -> list[Workload]:
    """Small workloads full of ties, and some whose queue grows to dozens of jobs."""
    rng = random.Random(seed)
    small = [random_workload(rng) for _ in range(count)]
    return small + [crowded_workload(rng) for _ in range(crowded)]


# Four nodes, three of them taken for 10 s. B needs all four; C would fit beside the first job.
MOVING = jobs((0, 10, 3, 10), (1, 10, 4, 10), (2, 12, 1, 12))


def test_a_newcomer_moves_a_job_that_came_before_it() -> None:
    """C costs B 4 s of wait and saves 18 s of its own; B's slack of 4 s just allows it."""
    outcome = flex(MOVING, 4, slack=4)
    assert outcome.starts == [0, 14, 2]
    assert outcome.deadlines == [4, 14, 24]
    assert outcome.first_planned == [0, 10, 2]


def test_no_job_is_moved_past_its_deadline() -> None:
    """With a slack of 3 s B's deadline is 13: C, which would start B at 14, has to go behind it."""
    outcome = flex(MOVING, 4, slack=3)
    assert outcome.starts == [0, 10, 20]
    assert outcome.deadlines == [3, 13, 23]


def test_an_early_completion_lets_the_moved_job_come_back() -> None:
    """C ends at 7, long before its estimate: B, moved to 14 by it, is put back at 10."""
    early = [*MOVING[:2], MOVING[2]._replace(runtime=5)]
    assert flex(early, 4, slack=4).starts == [0, 10, 2]


def test_a_job_due_now_may_still_be_moved() -> None:
    """C comes at the very instant at which B is to start, and takes its place: nothing had started yet."""
    due = jobs((0, 10, 1, 10), (1, 10, 1, 10), (10, 3, 1, 3))
    assert flex(due, 1, slack=3).starts == [0, 13, 10]
    assert flex(due, 1, slack=2).starts == [0, 10, 20]


def test_at_equal_cost_the_newcomer_goes_behind() -> None:
    """B and C are alike, so that either order costs the same: C goes as far back as it can."""
    alike = jobs((0, 10, 2, 10), (1, 10, 2, 10), (2, 10, 2, 10))
    assert flex(alike, 2, slack=100).starts == [0, 10, 20]


def test_slack_0_is_not_conservative() -> None:
    """A completion moves C from 20 to 10, but its deadline stays 20: D takes the room and C goes to 16."""
    pulled = jobs((0, 5, 2, 20), (0, 10, 2, 10), (1, 10, 4, 10), (6, 10, 2, 10))
    outcome = flex(pulled, 4, slack=0)
    assert outcome.starts == [0, 0, 16, 6]
    assert outcome.deadlines == [0, 0, 20, 20]
    assert conservative(pulled, 4) == [0, 0, 10, 20]


@pytest.mark.proof
def test_slack_0_is_conservative_when_nothing_ends_early() -> None:
    """With exact estimates no job's plan ever gets ahead of its deadline, so nothing can be moved."""
    for workload in workloads(31, 100, 0):
        jobs_, nodes = exact(workload.jobs), workload.nodes
        for cost in ("wait", "slowdown", "area"):
            assert flex(jobs_, nodes, slack=0, cost=cost).starts == conservative(jobs_, nodes)


# Ten nodes, taken whole by the first job of each group. In the first group C is a little shorter and narrower
# than B. In the second one G needs more than half of the nodes and would delay two jobs of 30 s by its 20 s.
CHOOSING = jobs(
    *((0, 10, 10, 10), (1, 6, 10, 6), (2, 5, 6, 5)),
    *((100, 10, 10, 10), (101, 30, 5, 30), (101, 30, 5, 30), (102, 20, 6, 20)),
)


@pytest.mark.parametrize(
    ("cost", "first", "second"),
    [
        # C ahead of B: 22 s against 23. G behind: 56 s against 66.
        ("wait", [0, 15, 10], [100, 110, 110, 140]),
        # C ahead: 2,200,000 against 2,300,000. G ahead: 2,333,332 against 2,500,000.
        ("slowdown", [0, 15, 10], [100, 130, 130, 110]),
        # C behind: 174 node-seconds against 188. G behind: 318 against 338.
        ("area", [0, 10, 16], [100, 110, 110, 140]),
    ],
)
def test_each_cost_chooses_otherwise(cost: str, first: list[int], second: list[int]) -> None:
    """The same two questions, three answers."""
    assert flex(CHOOSING, 10, slack=20, cost=cost).starts == first + second


def test_costs_are_integers() -> None:
    """A slowdown is in whole millionths, floored job by job, with 10 s for the shortest estimates."""
    long, short = jobs((0, 1, 3, 12), (0, 1, 3, 2))
    assert [COSTS["slowdown"](job, 20) for job in (long, short)] == [1_666_666, 2_000_000]
    assert [COSTS["wait"](long, 20), COSTS["area"](long, 20)] == [20, 60]


def test_heavy_jobs_get_less_slack() -> None:
    """Node-seconds 40, 120, 1, of means 40, 80, 53.7: only B is above its mean and gets 2/3 of 100 s."""
    outcome = flex(jobs((0, 10, 4, 10), (1, 30, 4, 30), (2, 1, 1, 1)), 4, slack=100, heavy=True)
    assert outcome.deadlines == [100, 10 + 66, 40 + 100]
    assert outcome.starts == [0, 11, 10]


@pytest.mark.parametrize(("factor", "slack"), [(0.5, 2), (1.0, 4), (3.0, 13)])
def test_slack_as_a_share_of_the_mean_wait(factor: float, slack: int) -> None:
    """The last job comes when two have started, after 0 s and 9 s; the one before comes just too early.

    C comes at 10, when B starts, but B's wait counts only after that instant's pass: mean 0, no slack.
    """
    serial = jobs((0, 10, 4, 10), (1, 10, 4, 10), (10, 10, 4, 10), (12, 10, 4, 10))
    assert flex(serial, 4, slack_factor=factor).deadlines == [0, 10, 20, 30 + slack]


def test_taking_over_keeps_what_was_promised_if_it_can() -> None:
    """Fresh starts 10, 20, 30: a deadline of 25 stands, one of 24 moves to 30, and a new job gets slack."""
    scheduler = Flex(slack=7)
    scheduler.deadlines = {1: 25, 3: 24}
    waiting = jobs((0, 10, 1, 10), (1, 10, 1, 10), (2, 10, 1, 10), (3, 10, 1, 10))
    scheduler.take_over(State(waiting, 1, {0: 0}, [1, 2, 3], submitted=4), 5)
    assert [(item.job, item.start, item.deadline) for item in scheduler.plan] == [
        (1, 10, 25),
        (2, 20, 27),
        (3, 30, 30),
    ]
    assert scheduler.deadlines == {1: 25, 2: 27, 3: 30}


def test_taking_over_gives_the_slack_of_that_instant() -> None:
    """Twice the mean wait of 4.5 s is 9 s; with `heavy` jobs 0 and 1 have shares of the mean of all three."""
    waiting = jobs((0, 10, 1, 60), (1, 10, 1, 10), (2, 10, 1, 20))
    state = State(waiting, 1, {}, [0, 1], waits=9, started=2, submitted=3)
    slacks = {}
    for heavy in (False, True):
        scheduler = Flex(slack_factor=2.0, heavy=heavy)
        scheduler.take_over(state, 5)
        slacks[heavy] = [item.deadline - item.start for item in scheduler.plan]
    assert slacks == {False: [9, 9], True: [4, 9]}


@pytest.mark.proof
@pytest.mark.parametrize("cost", ["wait", "slowdown", "area"])
@pytest.mark.parametrize("heavy", [False, True])
def test_no_job_starts_after_its_deadline(cost: str, heavy: bool) -> None:
    """Nor is it ever planned after it; and deadlines are never more than the slack after the first plan."""
    rng, moved = random.Random(32), 0
    for workload in workloads(33, 150, 1):
        slack, factor = rng.choice((0, 1, 4, 30)), rng.choice((None, None, 0.5, 2.0))
        outcome = flex(*workload, slack, factor, cost, heavy)
        for job, start, deadline, first in zip(workload.jobs, *outcome, strict=True):
            assert job.submit <= start <= deadline
            assert job.submit <= first <= deadline
            moved += start > first
    assert moved > 20, "the deadlines have not been put to the test"


# (parameters, sum of waits of the first 1,000 jobs of the KTH log), as a second program gives them.
KTH: list[tuple[dict[str, Any], int]] = [
    ({}, 1_905_870),
    ({"heavy": True}, 1_985_772),
    ({"cost": "slowdown"}, 1_861_659),
    ({"cost": "area", "heavy": True}, 2_009_812),
    ({"slack_factor": 0.5}, 2_186_913),
]


@pytest.mark.proof
@pytest.mark.parametrize(("parameters", "waits"), KTH)
def test_two_programs_agree_on_a_real_log(published: Path, parameters: dict[str, Any], waits: int) -> None:
    """Another program, written apart in another language, gives the same waits."""
    log = read_log(published / "KTH-SP2.swf.xz")[:1000]
    outcome = flex(log, 100, **parameters)
    assert sum(start - job.submit for start, job in zip(outcome.starts, log, strict=True)) == waits
