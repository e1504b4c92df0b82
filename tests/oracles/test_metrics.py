"""The naive metrics on a schedule of three jobs that can be added up by hand."""

import pytest

from tests.oracles.jobs import Job
from tests.oracles.metrics import Run, metrics, preemption_metrics

# Ten nodes. A has 6 of them in [0, 10). B needs 8 and waits from 1 to 10. C takes 2 in [4, 24), past B.
JOBS = [Job(0, 10, 6, 10), Job(1, 5, 8, 5), Job(4, 20, 2, 20)]
STARTS = [0, 10, 4]
AT_THE_END = {
    "mean_wait": 9 / 3,
    "mean_response": (10 + 14 + 20) / 3,
    "mean_slowdown": (1 + 14 / 5 + 1) / 3,
    "mean_bounded_slowdown": (1 + 14 / 10 + 1) / 3,
    "mean_bounded_slowdown_fw98": (1 + 14 / 10 + 1) / 3,
    "mean_bounded_slowdown_n12": (1 + 19 / 10 + 1) / 3,
    "utilization": 140 / (10 * 24),
    "utilization_to_last_arrival": 24 / (10 * 4),
    "mean_queue_length": 9 / 24,
    "backfill_ratio": 1 / 3,
    "lost_capacity": 0.0,
    "utilization_now": 0.0,
    "queue_length": 0,
}
# At 12 B and C run and only A is over.
AT_TWELVE = {
    "mean_wait": 9 / 3,
    "mean_response": 10,
    "mean_slowdown": 1,
    "mean_bounded_slowdown": 1,
    "mean_bounded_slowdown_fw98": 1,
    "mean_bounded_slowdown_n12": 1,
    "utilization": (60 + 2 * 8 + 8 * 2) / (10 * 12),
    "utilization_to_last_arrival": 24 / (10 * 4),
    "mean_queue_length": 9 / 12,
    "backfill_ratio": 1 / 3,
    "lost_capacity": 0.0,
    "utilization_now": 1.0,
    "queue_length": 0,
}


@pytest.mark.parametrize(("now", "expected"), [(24, AT_THE_END), (12, AT_TWELVE)])
def test_the_metrics_of_three_jobs(now: int, expected: dict[str, float]) -> None:
    """Each metric is what its definition gives when added up by hand."""
    assert metrics(JOBS, STARTS, 10, now) == pytest.approx(expected)


def test_capacity_is_lost_while_a_waiting_job_would_fit() -> None:
    """Under FCFS the third job would fit in the 4 idle nodes of [4, 10), and in the 2 of [10, 15)."""
    lost = metrics(JOBS, [0, 10, 15], 10, 35)["lost_capacity"]
    assert lost == pytest.approx((6 * 4 + 5 * 2) / (10 * 35))


def test_short_jobs_distinguish_the_bounded_slowdowns() -> None:
    """A job of 2 s that waits 1 s: 1 (never below one), 0.3 (may be), 1.1 (the wait counts in full)."""
    values = metrics([Job(0, 1, 1, 1), Job(0, 2, 1, 2)], [0, 1], 1, 3)
    assert values["mean_bounded_slowdown"] == pytest.approx(1)
    assert values["mean_bounded_slowdown_fw98"] == pytest.approx((0.1 + 0.3) / 2)
    assert values["mean_bounded_slowdown_n12"] == pytest.approx((1 + 1.1) / 2)


def test_no_value_where_nothing_can_be_divided_by() -> None:
    """At the first submission nothing has ended and no time has passed."""
    values = metrics([Job(5, 3, 1, 3)], [5], 2, 5)
    empty = {name for name, value in values.items() if value is None}
    assert empty == {
        "mean_response",
        "mean_slowdown",
        "mean_bounded_slowdown",
        "mean_bounded_slowdown_fw98",
        "mean_bounded_slowdown_n12",
        "utilization",
        "utilization_to_last_arrival",
        "mean_queue_length",
        "lost_capacity",
    }


def test_the_figures_of_preemption() -> None:
    """Four nodes, a day long: one job of three is stopped twice, its nodes are saved each time.

    It holds 2 nodes: a restart costs it 60 s, of which the second run lasts only 20. The head for which it
    stopped first holds 4 nodes idle for 30 s.
    """
    runs = [
        Run(0, 2, taken=0, begins=0, idle=0, leaves=100, stopped=True),
        Run(1, 4, taken=100, begins=130, idle=0, leaves=1000, stopped=False),
        Run(0, 2, taken=1000, begins=1000, idle=60, leaves=1020, stopped=True),
        Run(2, 4, taken=1020, begins=1020, idle=0, leaves=2000, stopped=False),
        Run(0, 2, taken=2000, begins=2000, idle=60, leaves=86_400, stopped=False),
    ]
    assert preemption_metrics(runs, 4, 0, 86_400) == {
        "preempt_ratio": pytest.approx(1 / 3),
        "checkpoints_per_node_day": pytest.approx((2 + 2) / 4),
        "wasted_ratio": pytest.approx((4 * 30 + 2 * 20 + 2 * 60) / (4 * 86_400)),
    }
    assert preemption_metrics([], 4, 0, 0) == dict.fromkeys(
        ("preempt_ratio", "checkpoints_per_node_day", "wasted_ratio")
    )
