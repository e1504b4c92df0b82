"""Naive checkpoint-based backfilling on workloads that can be followed by hand."""

import random

import pytest

from tests.oracles.jobs import Workload, mixed_workloads
from tests.oracles.outcome import Outcome
from tests.oracles.small_cases import jobs
from tests.oracles.space.checkpoint import checkpoint
from tests.oracles.space.easy import easy

FIGURE_3 = jobs((0, 10, 4, 10), (0, 20, 6, 20), (1, 10, 10, 10), (2, 8, 2, 40), (3, 30, 2, 50))


def random_workloads(count: int) -> list[Workload]:
    """Small workloads full of ties, and a few with a long queue."""
    return mixed_workloads(random.Random(20), count)


def test_the_published_example() -> None:
    """N12, Figure 3: D is done before the reserve time 20, E is stopped there with 10 of its 30 s done."""
    outcome = checkpoint(FIGURE_3, 10, threshold=0)
    assert outcome.starts == [0, 0, 20, 10, 10]
    assert outcome.finishes == [10, 20, 30, 18, 50]
    assert outcome.preemptions == [0, 0, 0, 0, 1]
    assert sum(outcome.waits) / 5 == pytest.approx(8.8)


def test_the_published_example_with_overhead() -> None:
    """C has its nodes at 20, begins at 22; E, back at 32, makes no progress for 3 s and has 20 s to go."""
    outcome = checkpoint(FIGURE_3, 10, threshold=0, delay=2, extend=3)
    assert outcome == Outcome([0, 0, 22, 10, 10], [10, 20, 32, 18, 55], [0, 0, 0, 0, 1], [0, 0, 21, 8, 19])


def test_surplus_nodes_are_free_while_the_head_waits_for_the_transfer() -> None:
    """C needs 9 of the 10 nodes: the last job takes the tenth at 20 though C itself begins at 22."""
    narrower = [*FIGURE_3[:2], FIGURE_3[2]._replace(size=9), *FIGURE_3[3:], *jobs((20, 4, 1, 4))]
    assert checkpoint(narrower, 10, threshold=0, delay=2).starts == [0, 0, 22, 10, 10, 20]


@pytest.mark.proof
@pytest.mark.parametrize(("delay", "extend"), [(0, 0), (7, 9)])
def test_uncut_estimates_give_the_classical_schedule(delay: int, extend: int) -> None:
    """With p = 1 no prediction is ever passed, nobody is stopped and every start is EASY's."""
    for workload in random_workloads(300):
        outcome = checkpoint(*workload, p=1, threshold=0, delay=delay, extend=extend)
        assert outcome.starts == easy(*workload)
        assert not any(outcome.preemptions)


def test_estimates_below_the_threshold_are_not_cut() -> None:
    """The window is 400 s: 0.2 of an estimate of 1800 s lies within it, an estimate of 1799 s does not."""
    for estimate, start in ((1799, 405), (1800, 0)):
        workload = jobs((0, 400, 6, 400), (0, 5, 8, 5), (0, 300, 4, estimate))
        assert checkpoint(workload, 10).starts == [0, 400, start]


def test_a_cut_prediction_is_rounded_up() -> None:
    """The window is 2 s: 0.2 of 10 s is 2 s, of 11 s 3 s."""
    for estimate, start in ((10, 0), (11, 7)):
        workload = jobs((0, 2, 6, 2), (0, 5, 8, 5), (0, 9, 4, estimate))
        assert checkpoint(workload, 10, threshold=0).starts[2] == start


def test_the_share_is_a_number_of_millionths() -> None:
    """0.1 + 0.2 is a little more than 0.3 in floating point, and 3 s of 10 s all the same."""
    workload = jobs((0, 3, 6, 3), (0, 5, 8, 5), (0, 9, 4, 10))
    assert checkpoint(workload, 10, p=0.1 + 0.2, threshold=0).starts[2] == 0


def test_a_head_that_fits_at_its_reserve_time_waits_for_no_transfer() -> None:
    """The backfilled job was done in time: nobody's state is saved and the head begins at once."""
    workload = jobs((0, 10, 6, 10), (0, 5, 8, 5), (0, 8, 2, 40))
    assert checkpoint(workload, 10, threshold=0, delay=100).starts == [0, 10, 0]


def test_the_earlier_started_of_two_equals_is_stopped() -> None:
    """At 10 the head lacks 2 nodes: the job that has run since 0 gives them, not the one since 1."""
    workload = jobs((0, 10, 6, 10), (0, 5, 8, 5), (0, 30, 2, 50), (1, 30, 2, 100))
    assert checkpoint(workload, 10, threshold=0) == Outcome(
        [0, 10, 0, 1], [10, 15, 35, 31], [0, 0, 1, 0], [0, 10, 5, 0]
    )


@pytest.mark.parametrize("delay", [0, 2])
def test_the_largest_is_stopped_first_though_its_prediction_has_not_passed(delay: int) -> None:
    """At 10 the prediction of E (2 nodes) has passed, so that the head fits; D (3 nodes, until 20) is larger.

    D stops, the head starts, and one node is left. D is now the head and fits with E's nodes, since E counts
    as ended: E stops and D goes on at the same instant. With overhead both heads begin 2 s later.
    """
    workload = jobs((0, 10, 5, 10), (0, 5, 7, 5), (0, 60, 3, 100), (0, 30, 2, 50))
    outcome = checkpoint(workload, 10, threshold=0, delay=delay)
    assert outcome.starts == [0, 10 + delay, 0, 0]
    assert outcome.finishes == [10, 15 + delay, 60 + delay, 35 + delay]
    assert outcome.preemptions == [0, 0, 1, 1]
    assert outcome.waits == [0, 10 + delay, delay, 5 + delay]


def test_those_stopped_together_stand_in_order_of_arrival() -> None:
    """At 10 Y (3 nodes) stops first, then X (2 nodes), yet X, the earlier, is the head and is back at 14.

    With Y before it X could not start then, and Y itself would be back at 15. As it is, Y is back at 25, when
    the last job, backfilled at 15, stops for it.
    """
    workload = jobs(
        (0, 10, 4, 10),
        (0, 14, 1, 14),
        (0, 15, 1, 15),
        (0, 25, 2, 25),
        (0, 20, 8, 20),
        (0, 40, 2, 50),
        (0, 20, 3, 50),
        (15, 40, 1, 50),
    )
    outcome = checkpoint(workload, 13, threshold=0)
    assert outcome.starts == [0, 0, 0, 0, 10, 0, 0, 15]
    assert outcome.finishes == [10, 14, 15, 25, 30, 44, 35, 60]
    assert outcome.preemptions == [0, 0, 0, 0, 0, 1, 1, 1]


def test_candidates_are_scanned_in_the_order_of_the_queue() -> None:
    """At 12 one node is free: Y, which stopped at 10 with X, comes before B, which arrived before both.

    At 0 the prediction of B is too long for the window; it starts when Y has ended.
    """
    workload = jobs(
        (0, 10, 4, 10), (0, 12, 1, 12), (0, 20, 9, 20), (0, 5, 1, 60), (0, 20, 4, 50), (0, 20, 1, 50)
    )
    outcome = checkpoint(workload, 10, threshold=0)
    assert outcome.starts == [0, 0, 10, 22, 0, 0]
    assert outcome.finishes == [10, 12, 30, 27, 40, 22]


def test_a_short_job_that_was_stopped_is_still_predicted_to_take_its_whole_estimate() -> None:
    """At 105 the window ends at 145. X has 30 of its 50 s left and does not start: 50 s are too long.

    It was within the extra nodes at 80, and stopped at 100 with P, which is back at 145, for the third job.
    """
    workload = jobs(
        (0, 100, 4, 100),
        (0, 145, 1, 145),
        (0, 200, 9, 200),
        (0, 300, 3, 500),
        (0, 105, 1, 500),
        (0, 105, 1, 500),
        (80, 40, 2, 50),
    )
    outcome = checkpoint(workload, 12, threshold=60)
    assert outcome.starts == [0, 0, 100, 0, 0, 0, 80]
    assert outcome.finishes == [100, 145, 300, 345, 105, 105, 320]
    assert outcome.preemptions == [0, 0, 0, 1, 0, 0, 1]


def test_the_predicted_end_of_a_head_counts_from_the_beginning_of_its_run() -> None:
    """C has its nodes at 10 and runs from 15 to 35: until then, not until 30, the last job may be backfilled.

    That one comes at 14 with a prediction of 21 s while the fifth waits for C's nodes.
    """
    workload = jobs(
        (0, 10, 6, 10), (0, 12, 2, 12), (0, 20, 7, 20), (0, 30, 2, 50), (13, 5, 8, 5), (14, 10, 1, 105)
    )
    outcome = checkpoint(workload, 10, threshold=0, delay=5)
    assert outcome.starts == [0, 0, 15, 0, 35, 14]
    assert outcome.finishes == [10, 12, 35, 32, 40, 24]


@pytest.mark.parametrize(
    ("extend", "finishes", "last_wait"),
    [(3, [12, 30, 25, 31, 40, 51, 19, 41], 15), (15, [12, 30, 25, 43, 40, 71, 19, 62], 24)],
)
def test_the_beginning_of_a_restarted_run_is_no_progress(
    extend: int, finishes: list[int], last_wait: int
) -> None:
    """E stops at 13 with 4 s done, is backfilled at 19, stops again at 30 and is back at once, as the head.

    Its second run of 11 s brought 8 s when T_extend is 3 s, and nothing, not less, when it is 15 s.
    """
    workload = jobs(
        (2, 10, 2, 40),
        (2, 28, 1, 28),
        (2, 12, 5, 12),
        (4, 12, 2, 22),
        (4, 10, 4, 20),
        (9, 30, 1, 30),
        (9, 10, 1, 20),
        (11, 12, 1, 12),
    )
    outcome = checkpoint(workload, 7, threshold=0, extend=extend)
    assert outcome.starts == [2, 2, 13, 4, 30, 9, 9, 25]
    assert outcome.finishes == finishes
    assert outcome.preemptions == [0, 0, 0, 1, 0, 2, 0, 1]
    assert outcome.waits == [0, 0, 11, 12, 26, 6, 0, last_wait]


def test_a_job_that_was_stopped_as_often_as_it_may_be_is_not_stopped_again() -> None:
    """F stops at 13, is backfilled at 19 by the rest of its estimate, and runs on at 30, when others stop."""
    workload = jobs(
        (2, 10, 2, 40),
        (2, 28, 1, 28),
        (2, 12, 5, 12),
        (4, 12, 2, 22),
        (4, 10, 4, 20),
        (9, 30, 1, 30),
        (9, 10, 1, 20),
        (11, 12, 1, 12),
    )
    often, once = (checkpoint(workload, 7, threshold=0, extend=3, limit=limit) for limit in (0, 1))
    assert often.preemptions == [0, 0, 0, 1, 0, 2, 0, 1]
    assert once.preemptions == [0, 0, 0, 1, 0, 1, 0, 1]
    assert (often.finishes[5], once.finishes[5]) == (51, 48)


def test_the_widest_that_stops_sets_the_delay() -> None:
    """Jobs of 3 and of 1 node stop at 10. Through I/O nodes for two nodes they take 4 s and 2 s to save."""
    workload = jobs((0, 10, 6, 10), (0, 5, 10, 5), (0, 30, 3, 50), (0, 30, 1, 50))
    outcome = checkpoint(workload, 10, threshold=0, memory=2, bandwidth=1, group=2)
    assert outcome.starts == [0, 14, 0, 0]
    # They restart at 19: the one with 8 s, the other with 4 s without progress, and 20 s to go.
    assert outcome.finishes == [10, 19, 47, 43]


@pytest.mark.parametrize(("memory", "seconds"), [(1.4, 1), (1.5, 2), (2.4, 2), (2.5, 3)])
def test_halves_of_a_second_are_rounded_up(memory: float, seconds: int) -> None:
    """One job of one node is saved."""
    workload = jobs((0, 10, 6, 10), (0, 5, 10, 5), (0, 30, 1, 50))
    assert checkpoint(workload, 10, threshold=0, memory=memory, bandwidth=1).starts[1] == 10 + seconds


def test_a_job_restarted_as_the_head_is_not_stopped_again() -> None:
    """At 40 the head lacks 2 nodes: they come from Y, backfilled, not from X, which is larger.

    X was backfilled at 0 and stopped at 10, but has run as the head since 20.
    """
    workload = jobs(
        (0, 10, 6, 10), (0, 10, 10, 10), (0, 40, 4, 50), (5, 20, 3, 20), (21, 5, 6, 5), (22, 30, 2, 50)
    )
    outcome = checkpoint(workload, 10, threshold=0)
    assert outcome.starts == [0, 10, 0, 20, 40, 22]
    assert outcome.finishes == [10, 20, 50, 40, 45, 57]
    assert outcome.preemptions == [0, 0, 1, 0, 0, 1]


@pytest.mark.proof
def test_every_second_is_accounted_for() -> None:
    """A response is wait, runtime and lost time: T_extend for the last run of a job that was stopped.

    Each earlier restart that was stopped in its turn lost T_extend at most.
    """
    stopped = 0
    for jobs_, nodes in random_workloads(600):
        outcome = checkpoint(jobs_, nodes, p=0.3, threshold=3, delay=2, extend=3)
        for job, finish, wait, preemptions in zip(
            jobs_, outcome.finishes, outcome.waits, outcome.preemptions, strict=True
        ):
            lost = finish - job.submit - wait - job.runtime
            assert min(preemptions, 1) * 3 <= lost <= preemptions * 3
            stopped += preemptions > 1
    assert stopped > 10
