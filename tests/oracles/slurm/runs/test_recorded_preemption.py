"""Who is preempted, suspended and resumed on recorded clusters."""

import pytest

from tests.oracles.slurm.runs.dynamic import folder
from tests.oracles.slurm.runs.preempting import (
    first_starts,
    near,
    whole_run,
    wrong_nodes,
    wrong_steps,
    wrong_victims,
)
from tests.oracles.slurm.runs.shared_nodes import gang, requeue, suspend

REQUEUE, SUSPEND, GANG = folder("24.11.5/requeue-1"), folder("24.11.5/suspend-1"), folder("26.05.5/gang-2")
needs_runs = pytest.mark.skipif(None in (REQUEUE, SUSPEND, GANG), reason="no recorded runs")


@needs_runs
def test_the_same_jobs_are_suspended_and_resumed() -> None:
    """At each turn, start and end, in the recorded order."""
    assert SUSPEND is not None
    assert GANG is not None
    count, wrong = wrong_steps(gang(GANG))
    assert count > 300 and not wrong, wrong[:5]
    count, wrong = wrong_steps(suspend(SUSPEND))
    assert count > 300 and not wrong, wrong[:5]


@needs_runs
def test_the_same_jobs_are_requeued() -> None:
    """And the job for which they are starts on the same nodes."""
    assert REQUEUE is not None
    count, wrong = wrong_victims(requeue(REQUEUE))
    assert count == 18 and not wrong, wrong


@needs_runs
def test_a_job_that_suspends_others_starts_on_the_same_nodes() -> None:
    """So does every other job that a main pass starts."""
    assert SUSPEND is not None
    count, wrong = wrong_nodes(suspend(SUSPEND))
    assert count == 60 and not wrong, wrong[:5]


@needs_runs
def test_a_job_that_takes_turns_starts_on_the_same_nodes() -> None:
    """But for two, whose rows are not explained."""
    assert GANG is not None
    count, wrong = wrong_nodes(gang(GANG))
    assert count == 43 and len(wrong) <= 2, wrong


@needs_runs
@pytest.mark.proof
def test_a_run_with_requeues_is_met_over_time() -> None:
    """Given the cycles: each requeue within five seconds, nine in ten first starts within an interval."""
    assert REQUEUE is not None
    record = requeue(REQUEUE)
    events = whole_run(record)
    ours = [(event.at, int(event.job)) for event in events if event.what == "requeue"]
    recorded = [(row.at, row.job) for row in record.rows if row.what == "requeue"]
    assert near(recorded, ours, 5) == len(recorded) == len(ours)
    first: dict[int, int] = {}
    for event in events:
        if event.nodes:
            first.setdefault(int(event.job), event.at)
    starts = first_starts(record)
    assert near(starts, [(at, job) for job, at in first.items()], 30) >= 0.9 * len(starts)
