"""The metrics of a schedule are those that the kernel keeps while it simulates."""

import pytest

from shadowtime.console.session import open_session
from shadowtime.console.session.comparison.schedule import Ran, schedule_metrics
from tests.console.operator import under


@pytest.mark.parametrize("policy", ["easy", "fcfs", "conservative", "sjf"])
@pytest.mark.parametrize("name", ["dilemma.toml", "busy.swf"])
def test_every_metric_is_that_of_the_simulation(policy: str, name: str) -> None:
    """But for those that a schedule does not show: lost capacity, the months, predictions."""
    case = under(policy, name)
    session = open_session(case)
    session.go_end()
    outcomes = session.outcomes()
    found = outcomes.report()["metrics"]
    assert isinstance(found, dict)
    columns, done = case.columns, outcomes.columns
    rows = zip(columns.size, columns.submit, done["start"], done["finish"], done["backfilled"], strict=True)
    ran = [Ran(size, submit, start, end, bool(passed)) for size, submit, start, end, passed in rows]
    ours = schedule_metrics(ran, case.nodes)
    assert ours.keys() == found.keys()
    unknown = {"lost_capacity", "stability", "mean_prediction_error"}
    for metric in found.keys() - unknown:
        assert ours[metric] == pytest.approx(found[metric]), metric


def test_jobs_that_do_not_start_count_in_the_queue_alone() -> None:
    """Two jobs of one node on two nodes; the second never starts."""
    found = schedule_metrics([Ran(1, 0, 0, 100, False), Ran(1, 0, None, None, False)], 2)
    assert (found["mean_wait"], found["mean_queue_length"], found["utilization"]) == (0, 1, 0.5)
