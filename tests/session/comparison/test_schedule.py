"""The metrics of a schedule are those that the kernel keeps while it simulates."""

import pytest

from shadowtime.console.session import open_session
from shadowtime.console.session.comparison.schedule import Ran, Schedule, schedule_metrics
from shadowtime.kernels.core.metrics import summary
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


@pytest.mark.parametrize("policy", ["easy", "sjf"])
def test_a_schedule_has_its_metrics_at_every_instant(policy: str) -> None:
    """Those of the simulation after its event, with the jobs that have come by then."""
    case = under(policy)
    session = open_session(case)
    outcomes, columns = session.outcomes().columns, case.columns
    seen = 0
    while session.step():
        snapshot = session.snapshot()
        if snapshot.pending:
            continue
        now, simulation = session.time, session.run.simulation
        came = [index for index, submit in enumerate(columns.submit) if submit <= now]
        ran = [
            Ran(
                columns.size[index],
                columns.submit[index],
                simulation.start_of(index),
                simulation.finish_of(index),
                bool(outcomes["backfilled"][index]),
            )
            for index in came
        ]
        ours = summary(Schedule(ran, case.nodes, now))
        for metric in (
            *("utilization_now", "queue_length", "running", "free_nodes", "mean_wait", "mean_response"),
            *("mean_slowdown", "mean_bounded_slowdown", "utilization", "mean_queue_length"),
        ):
            wanted = getattr(snapshot.metrics, metric)
            assert ours[metric] == (wanted if wanted is None else pytest.approx(wanted)), (now, metric)
            seen += wanted is not None
    assert seen > 30
