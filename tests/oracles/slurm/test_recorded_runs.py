"""Whole recorded runs: the cluster over time, and each cycle alone, beside what a real cluster did."""

import pytest

from console.session.slurm import forecast_of
from scenarios.slurm import Capture, parse_hosts
from tests.oracles.slurm.dynamic import NODES, Run, folder, moment, read_run, whole_run
from tests.oracles.slurm.over_time import EndOf, OverTime

BUILTIN, BACKFILL = folder("24.11.5/builtin-1"), folder("24.11.5/backfill-1")
needs_runs = pytest.mark.skipif(BUILTIN is None or BACKFILL is None, reason="no recorded runs")


def recorded_end(run: Run) -> EndOf:
    """A job ends when it was recorded to end; one that starts after that, as long after as it lasted."""

    def end_of(job: int, start: int) -> int:
        recorded = run.jobs[job]
        return recorded.end if recorded.end > start else start + recorded.runtime

    return end_of


def lateness(run: Run, capture: Capture, end_of: EndOf, cycles: frozenset[int] | None = None) -> list[int]:
    """Seconds by which each job starts after its recorded start."""
    begin = min(job.submit for job in run.jobs.values()) - 10
    over_time = OverTime(capture, begin, end_of)
    over_time.cycles = cycles
    events = over_time.run(max(job.end for job in run.jobs.values()) + 10)
    starts = [event for event in events if event.what in ("main pass", "backfill")]
    assert len(starts) == len(run.jobs)
    return [event.at - run.jobs[int(event.job)].start for event in starts]


def mean_wait(run: Run) -> float:
    """The mean of the recorded waits."""
    return sum(job.start - job.submit for job in run.jobs.values()) / len(run.jobs)


@needs_runs
def test_main_passes_alone_start_every_job_within_five_seconds() -> None:
    """`sched/builtin`, given when the jobs ended."""
    assert BUILTIN is not None
    run = read_run(BUILTIN)
    late = lateness(run, whole_run(run, "sched/builtin"), recorded_end(run))
    assert max(abs(seconds) for seconds in late) <= 5


@needs_runs
def test_with_recorded_cycles_nine_in_ten_start_within_an_interval() -> None:
    """`sched/backfill`, given when the jobs ended and the cycles came."""
    assert BACKFILL is not None
    run = read_run(BACKFILL)
    cycles = frozenset(int(at) for at in run.cycles)
    late = lateness(run, whole_run(run, "sched/backfill"), recorded_end(run), cycles)
    assert sum(abs(seconds) <= 30 for seconds in late) >= 0.9 * len(late)


@needs_runs
def test_with_its_own_cycles_the_mean_wait_is_within_five_percent() -> None:
    """`sched/backfill`, given how long the jobs last."""
    assert BACKFILL is not None
    run = read_run(BACKFILL)
    late = lateness(run, whole_run(run, "sched/backfill"), lambda job, start: start + run.jobs[job].runtime)
    assert abs(sum(late) / len(late)) <= 0.05 * mean_wait(run)


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
