"""Naive Maui on workloads that can be followed by hand."""

import random

import pytest

from tests.oracles.jobs import Workload, exact, mixed_workloads
from tests.oracles.outcome import Outcome
from tests.oracles.small_cases import CASES, jobs
from tests.oracles.space.easy import easy
from tests.oracles.space.maui import maui


def random_workloads(count: int) -> list[Workload]:
    """Small workloads full of ties, and a few with a long queue."""
    return mixed_workloads(random.Random(21), count)


@pytest.mark.proof
def test_the_queue_window_is_easy() -> None:
    """With one reservation and the queue in order of arrival every start is EASY's."""
    for workload in random_workloads(400):
        outcome = maui(*workload)
        assert outcome.starts == easy(*workload)
        assert outcome.waits == [
            start - job.submit for start, job in zip(outcome.starts, workload.jobs, strict=True)
        ]


def test_jobs_that_end_in_time_go_before_those_within_the_extra_nodes() -> None:
    """In the widest window the job of 1 s takes the node that in EASY goes to an earlier one of 5 s."""
    case = next(case for case in CASES if "in time takes no extra" in case.story)
    assert maui(case.jobs, case.nodes, windows="queue").starts == [1, 3, 1, 3, 4]
    assert maui(case.jobs, case.nodes, windows="widest").starts == [1, 3, 2, 1, 4]


@pytest.mark.proof
def test_the_windows_differ_on_exact_estimates_too() -> None:
    """The order of the two scans matters whatever the estimates are."""
    differing = 0
    for workload in random_workloads(400):
        jobs_, nodes = exact(workload.jobs), workload.nodes
        differing += maui(jobs_, nodes, windows="widest") != maui(jobs_, nodes, windows="queue")
    assert differing > 3


def test_the_heaviest_priority_is_the_head() -> None:
    """The wider of two waiting jobs is the head, and the narrower one may not delay it."""
    workload = jobs((0, 10, 3, 10), (1, 50, 2, 50), (2, 5, 4, 5), (3, 20, 1, 20))
    assert maui(workload, 4).starts == [0, 10, 60, 3]
    assert maui(workload, 4, weight_size=1.0).starts == [0, 15, 10, 15]


def test_equal_priorities_keep_their_places() -> None:
    """Of two jobs of the same class the earlier goes first; the class of the third puts it before both."""
    workload = jobs((0, 10, 4, 10), (1, 5, 4, 5), (2, 5, 4, 5), (3, 5, 4, 5))
    assert maui(workload, 4, weight_class=2.5, priorities=[1, 1, 1, 2]).starts == [0, 15, 20, 10]


def test_the_expansion_grows_faster_for_short_jobs() -> None:
    """At 100 the job of 10 s has an expansion of (90 + 10)/10, that of 50 s one of (99 + 50)/50."""
    workload = jobs((0, 100, 4, 100), (1, 50, 4, 50), (10, 10, 4, 10))
    assert maui(workload, 4, weight_expansion=1.0).starts == [0, 110, 100]


def test_the_minutes_waited_are_no_whole_numbers() -> None:
    """One second more in the queue outweighs nothing but a tie: at 100 the waits are 99 s and 98 s."""
    workload = jobs((0, 100, 4, 100), (1, 5, 2, 5), (2, 5, 3, 5))
    assert maui(workload, 4, weight_queue_time=1.0, weight_size=1 / 61).starts == [0, 100, 105]
    assert maui(workload, 4, weight_queue_time=1.0, weight_size=1 / 59).starts == [0, 105, 100]


def test_priorities_are_weighed_anew_in_each_pass() -> None:
    """The wide job leads by its size when it comes; at 1000 the others have waited a minute longer each."""
    workload = jobs((0, 1000, 4, 1000), (0, 5, 1, 5), (90, 5, 4, 5))
    assert maui(workload, 4, weight_queue_time=1.0, weight_size=1.0).starts == [0, 1005, 1000]
    assert maui(workload, 4, weight_queue_time=2.5, weight_size=1.0).starts == [0, 1000, 1005]


def test_whatever_fits_starts_out_of_order_until_the_head_fits_without_it() -> None:
    """C would delay the head by far and starts at 0. At 10 the head lacks a node: C stops, B starts.

    D has to wait for more than C's node could give it, so that it stops nobody when it comes.
    """
    workload = jobs((0, 10, 3, 10), (0, 5, 4, 5), (0, 20, 1, 20), (3, 1, 2, 1))
    assert maui(workload, 4, preempt=True) == Outcome(
        [0, 10, 0, 15], [10, 15, 25, 16], [0, 0, 1, 0], [0, 10, 5, 12]
    )


def test_nobody_stops_when_the_head_fits_anyway() -> None:
    """At 10 three nodes are free and the head needs two: C goes on beside it."""
    workload = jobs((0, 10, 3, 10), (0, 5, 2, 5), (0, 20, 1, 20))
    assert maui(workload, 4, preempt=True) == Outcome([0, 10, 0], [10, 15, 20], [0, 0, 0], [0, 10, 0])


def test_the_largest_stops_first() -> None:
    """At 10 the head lacks one node: D (2 nodes) stops, not E (1 node).

    One node is left then, and D is the head: E stops for it, and D goes on at the same instant.
    """
    workload = jobs((0, 10, 5, 10), (0, 5, 6, 5), (0, 30, 2, 30), (0, 30, 1, 30))
    assert maui(workload, 8, preempt=True) == Outcome(
        [0, 10, 0, 0], [10, 15, 30, 35], [0, 0, 1, 1], [0, 10, 0, 5]
    )


def test_the_earlier_started_of_two_equals_stops() -> None:
    """At 10 the head lacks one node: C (since 0) stops, not D (since 1); then D stops for C."""
    workload = jobs((0, 10, 5, 10), (0, 5, 6, 5), (0, 30, 2, 30), (1, 30, 2, 30))
    assert maui(workload, 9, preempt=True) == Outcome(
        [0, 10, 0, 1], [10, 15, 30, 36], [0, 0, 1, 1], [0, 10, 0, 5]
    )


def test_a_stopped_job_may_start_out_of_order_again_and_stop_again() -> None:
    """X and Y stop at 10 for the third job. At 12 the head X does not fit but Y does; at 14 Y stops for X.

    X, now restarted as the head, keeps its nodes though the last job, the head from 20 on, needs them all.
    """
    workload = jobs(
        (0, 12, 1, 12),
        (0, 14, 1, 14),
        (0, 10, 6, 10),
        (0, 10, 10, 10),
        (0, 30, 3, 30),
        (0, 30, 2, 30),
        (15, 5, 13, 5),
    )
    outcome = maui(workload, 13, preempt=True)
    assert outcome.starts == [0, 0, 0, 10, 0, 0, 38]
    assert outcome.finishes == [12, 14, 10, 20, 34, 38, 43]
    assert outcome.preemptions == [0, 0, 0, 0, 1, 2, 0]
    assert outcome.waits == [0, 0, 0, 10, 4, 8, 23]


def test_a_stopped_job_has_waited_since_it_stopped() -> None:
    """X stops at 600. At 1200 it has waited 10 minutes and the last job 19: that one is the head."""
    workload = jobs((0, 600, 3, 600), (0, 600, 4, 600), (0, 3000, 1, 3000), (60, 600, 4, 600))
    by_place = maui(workload, 4, preempt=True)
    assert by_place.starts == [0, 600, 0, 3600]
    by_wait = maui(workload, 4, preempt=True, weight_queue_time=1.0)
    assert by_wait.starts == [0, 600, 0, 1200]
    assert by_wait.finishes == [600, 1200, 4200, 1800]


def test_a_stopped_job_takes_its_place_by_priority_at_once() -> None:
    """At 10 X stops for H. Y comes before X by its class, fits and starts as a head, not out of order.

    So the last job, which lacks Y's node, cannot stop it and has to wait until H has ended.
    """
    workload = jobs((0, 10, 5, 10), (1, 20, 7, 20), (1, 50, 4, 50), (10, 50, 1, 50), (12, 5, 3, 5))
    by_class = maui(workload, 10, preempt=True, weight_class=1.0, priorities=[0, 5, 0, 3, 9])
    assert by_class == Outcome([0, 10, 1, 10, 30], [10, 30, 71, 60, 35], [0, 0, 1, 0, 0], [0, 9, 20, 0, 18])


@pytest.mark.proof
def test_every_second_is_accounted_for() -> None:
    """With preemption a response is wait and runtime: progress is kept and nothing else is lost."""
    stopped = 0
    for jobs_, nodes in random_workloads(300):
        outcome = maui(jobs_, nodes, preempt=True, weight_expansion=1.0)
        for job, finish, wait in zip(jobs_, outcome.finishes, outcome.waits, strict=True):
            assert finish == job.submit + wait + job.runtime
        stopped += sum(preemptions > 1 for preemptions in outcome.preemptions)
    assert stopped > 10
