"""The CPUs and the queue of the last weeks are those of the naive program."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.console.session.case import load
from shadowtime.console.session.progress import no_progress
from shadowtime.console.session.report.accounted import longest_waits
from shadowtime.console.session.report.cluster import (
    Accounted,
    ClusterReport,
    Earlier,
    captures_of,
    cluster_report,
    course,
    from_captures,
)
from shadowtime.console.session.slurm.board.making import board
from shadowtime.console.session.slurm.board.standing import standings
from shadowtime.console.session.slurm.capturing import Folder
from shadowtime.console.session.slurm.lanes.whole_run import slurm_lane
from shadowtime.console.session.slurm.likely.odds import Likely
from shadowtime.console.session.slurm.parameters import Overrides
from shadowtime.console.session.work import Broken
from shadowtime.scenarios.slurm.accounted.records import Past
from tests.oracles.slurm.small import NOW as THEN
from tests.oracles.slurm.small import cluster
from tests.scenarios.slurm.support import NOW, number, write
from tests.session.report import naive
from tests.session.slurm.captures import contents, running, waiting
from tests.session.slurm.likely.test_odds import run

ROWS = st.lists(st.tuples(*[st.integers(0, 9)] * 3, st.integers(1, 8), st.sampled_from("rwd")), max_size=12)


@given(rows=ROWS, bounds=st.sets(st.integers(-3, 40), min_size=2, max_size=6))
def test_the_course_is_that_of_the_seconds(
    rows: list[tuple[int, int, int, int, str]], bounds: set[int]
) -> None:
    """Done, running and waiting jobs: CPUs held and jobs waiting are the means over each stretch."""
    late, found, jobs = 10**6, [], []
    for eligible, wait, runs, cpus, state in rows:
        start = late if state == "w" else eligible + wait
        end = late if state != "d" else start + runs
        jobs.append(naive.Times(eligible, start, end, cpus, ""))
        found.append(Accounted(cpus, eligible, *(None if at == late else at for at in (start, end))))
    edges = sorted(bounds)
    for each, (begin, end) in zip(course(found, edges), pairwise(edges), strict=True):
        seconds = range(begin, end)
        assert (each.begin, each.end) == (begin, end)
        assert each.busy == pytest.approx(sum(naive.busy(jobs, at) for at in seconds) / len(seconds))
        assert each.queue == pytest.approx(sum(naive.waiting(jobs, at) for at in seconds) / len(seconds))
        before = max(begin - 1, edges[0])
        assert each.longest == max(naive.waiting(jobs, at) for at in range(before, end))


@given(rows=ROWS)
def test_the_longest_waits_have_what_was_so_meanwhile(rows: list[tuple[int, int, int, int, str]]) -> None:
    """CPUs held, by all and by user, and jobs that passed: second by second and job by job."""
    jobs = [
        run(n, at + wait - THEN, at + wait + runs - THEN, user=f"u{n % 2}", eligible=at, given=cpus)
        for n, (at, wait, runs, cpus, _) in enumerate(rows)
    ]
    users = {
        user: [
            naive.Times(job.eligible, job.start, job.end or 0, job.given, user)
            for job in jobs
            if job.user == user
        ]
        for user in ("u0", "u1")
    }
    reasons = [(at, {n: "Priority" for n in range(len(rows)) if n % 2}) for at in range(0, 20, 2)]
    capture = attrs.evolve(cluster(8, []), past=Past(tuple(jobs)), taken=10**6)
    found = longest_waits(capture, 100, reasons)
    waits = sorted((job.start - job.eligible for job in jobs), reverse=True)
    assert [each.wait for each in found][:1] == [wait for wait in waits if wait][:1]
    assert sum(1 + each.alike for each in found) >= min(10, sum(wait > 0 for wait in waits))
    for each in found:
        seconds = range(each.job.eligible, each.job.start)
        held = {
            user: sum(naive.busy(of, at) for at in seconds) / 100 / len(seconds) for user, of in users.items()
        }
        assert dict(each.holders) == {user: pytest.approx(share) for user, share in held.items() if share}
        assert each.busy == pytest.approx(sum(held.values()))
        assert each.passed == sum(
            job.eligible > each.job.eligible and job.start < each.job.start for job in jobs
        )
        assert sum(each.reasons.values()) == (each.job.id % 2) * sum(at in seconds for at, _ in reasons)
        alike = [job for job in jobs if (job.user, job.eligible) == (each.job.user, each.job.eligible)]
        assert each.alike == len(alike) - 1 and each.wait == max(job.start - job.eligible for job in alike)


def test_captures_before_one_forecast_and_it_shows_what_came(tmp_path: Path) -> None:
    """A job that waits in two captures and runs in the last one is two forecasts with a start."""
    begun = running(3, ("n1", "n2"), NOW + 300)
    jobs = running(1, ("n1", "n2"), NOW - 300), waiting(3), waiting(4)
    for name, after, of in (("wed", 0, "test"), ("thu", 60, "test"), ("mon", 90, "other")):
        write(tmp_path / name, contents(jobs, after, of))
    write(tmp_path / "fri", contents((begun,), 330))
    (write(tmp_path / "sat", contents((begun,), 400)) / "squeue.json").write_text("{")
    (*before, last), faults = captures_of(Folder(tmp_path))
    assert [Path(source.name).name for source in (*before, last)] == ["wed", "thu", "mon", "fri"]
    assert len(faults) == 1 and "sat" in faults[0]
    past = Past((run(3, NOW - THEN, NOW - THEN + 300, eligible=NOW - 10),))
    found = from_captures(before, board(attrs.evolve(last.take(), past=past)), no_progress)
    assert [(entry.job, entry.made - NOW, entry.began) for entry in found.entries if entry.job == "3"] == [
        ("3", 0, NOW + 300),
        ("3", 60, NOW + 300),
    ]
    assert [(at - NOW, list(reasons)) for at, reasons in found.reasons] == [(0, [3]), (60, [3])]


def _report(jobs: list[dict[str, Any]], folder: Path, options: str = "") -> ClusterReport:
    """The report of a cluster, with an accounting of one job that is over and one that runs."""
    found = contents(jobs)
    found["config.txt"] = found["config.txt"].replace("bf_interval=5", f"bf_interval=5{options}")
    began = NOW - THEN
    past = Past((run(1, began - 500, began - 400), run(2, began - 90 * 86400, None)))
    capture = attrs.evolve(Folder(write(folder, found)).take(), past=past)
    return cluster_report(board(capture), Likely({}, 0, past), None, Earlier())


def test_the_window_is_that_of_the_accounting(tmp_path: Path) -> None:
    """A job that waits for long, or runs for long, does not move its begin: nothing is known of then."""
    found = _report([waiting(3) | {"submit_time": number(7), "eligible_time": number(7)}], tmp_path)
    assert found.window == range(NOW - 400, NOW + 1)
    assert {each.longest for each in found.stretches} == {1}
    assert found.stretches[-1].busy == 4


def test_jobs_that_the_cycle_does_not_reach_wait(tmp_path: Path) -> None:
    """Behind a bound of the cycle jobs wait as well; held ones do not."""
    jobs = [waiting(n, overlay={"priority": number(0 if n == 6 else 1000 - n)}) for n in (5, 4, 3, 6)]
    jobs += [running(n, (f"n{n}", f"n{n + 2}"), NOW - 300) for n in (1, 2)]
    whole, bound = (_report(jobs, tmp_path / name, name) for name in ("", ",bf_max_job_test=1"))
    assert [row.job for row in whole.longest] == [row.job for row in bound.longest] == ["3", "4", "5"]
    assert [each.longest for each in whole.stretches] == [each.longest for each in bound.stretches]
    assert standings(bound.board, "user")[0].longest_job == "3"


def test_a_report_can_be_stopped_in_each_lane(tmp_path: Path) -> None:
    """Also in those of Slurm itself, which come first."""

    def stop(_: int, __: int) -> None:
        raise Broken

    lane = slurm_lane(write(tmp_path, contents([waiting(3)])), load(tmp_path), Overrides())
    with pytest.raises(Broken):
        lane.run(stop)
