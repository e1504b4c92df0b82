"""Whole recorded runs: the cluster over time, and each cycle alone, beside what a real cluster did."""

import pytest

from shadowtime.console.session.slurm import forecast_of
from shadowtime.scenarios.slurm import parse_hosts
from tests.oracles.slurm.runs.agreement import lateness, mean_wait, own_cycles, recorded_cycles, recorded_end
from tests.oracles.slurm.runs.dynamic import INTERVAL, NODES, Run, folder, moment, read_run, whole_run

BUILTIN, BACKFILL = folder("24.11.5/builtin-1"), folder("24.11.5/backfill-1")
needs_runs = pytest.mark.skipif(BUILTIN is None or BACKFILL is None, reason="no recorded runs")


@pytest.mark.proof
@needs_runs
def test_main_passes_alone_start_every_job_within_two_seconds() -> None:
    """`sched/builtin`, given when the jobs ended."""
    assert BUILTIN is not None
    run = read_run(BUILTIN)
    late = lateness(run, whole_run(run, "sched/builtin"), recorded_end(run))
    assert max(abs(seconds) for seconds in late) <= 2


@pytest.mark.proof
@needs_runs
def test_with_recorded_cycles_every_job_starts_within_two_seconds() -> None:
    """`sched/backfill`, given when the jobs ended and the cycles came."""
    assert BACKFILL is not None
    run = read_run(BACKFILL)
    assert max(abs(seconds) for seconds in recorded_cycles(run)) <= 2


@needs_runs
@pytest.mark.proof
def test_with_its_own_cycles_nine_in_ten_start_within_an_interval() -> None:
    """`sched/backfill`, given how long the jobs last and an entry takes; the mean wait is within 5 %.

    A job that ends in the second of a cycle changes what follows, so the middle one of three runs counts.
    """
    assert BACKFILL is not None
    run = read_run(BACKFILL)
    runs = [own_cycles(run, share) for share in (0.9, 1.0, 1.1)]
    near = sorted(sum(abs(seconds) <= INTERVAL for seconds in late) / len(late) for late in runs)
    assert near[1] >= 0.9
    assert all(abs(sum(late) / len(late)) <= 0.05 * mean_wait(run) for late in runs)


@pytest.mark.proof
@needs_runs
def test_every_recorded_cycle_starts_the_same_jobs_on_the_same_nodes() -> None:
    """The state before each cycle comes from the record, so that no difference carries over."""
    assert BACKFILL is not None
    run, asked, begun, wrong = read_run(BACKFILL), 0, 0, []
    for at, after in zip(run.cycles, [*run.cycles[1:], float("inf")], strict=True):
        gone, started, queued = before(run, at)
        if queued <= started:
            continue
        rows = forecast_of(moment(run, at, gone, started, queued), int(at)).rows
        ours = {
            int(row.job_id): frozenset(parse_hosts(row.nodes)) for row in rows if row.outcome == "started"
        }
        theirs = {
            start.job: run.jobs[start.job].nodes
            for start in run.starts
            if start.by_backfill and at <= start.at < min(after, at + 25)
        }
        asked, begun = asked + 1, begun + len(theirs)
        if ours != theirs:
            wrong.append((at, sorted(ours), sorted(theirs)))
    assert asked > 300
    assert begun > 70
    assert not wrong, wrong[:5]


def before(run: Run, at: float) -> tuple[set[int], set[int], set[int]]:
    """The jobs that have ended, have started and were submitted before an instant."""
    started = {start.job for start in run.starts if start.at < at}
    gone = {job for job, end in run.ends.items() if end < at}
    queued = {job for job, submit in run.submits.items() if submit < at}
    return gone, started, queued


def test_the_recorded_cluster_is_the_small_one() -> None:
    """The runs have as many nodes as their configuration says."""
    if BACKFILL is None:
        pytest.skip("no recorded runs")
    assert f"NodeName=n[1-{NODES}] " in (BACKFILL / "slurm.conf").read_text(encoding="utf-8")
