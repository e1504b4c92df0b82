"""The CPUs and the queue of the last weeks are those of the naive program."""

from itertools import pairwise
from pathlib import Path

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.console.session.progress import no_progress
from shadowtime.console.session.report.accounted import longest_waits
from shadowtime.console.session.report.cluster import Accounted, course
from shadowtime.console.session.report.earlier import from_captures
from shadowtime.console.session.slurm.board.making import board
from shadowtime.console.session.slurm.capturing import Folder
from shadowtime.console.session.slurm.lanes.courses import captured_in
from shadowtime.scenarios.slurm.accounted.records import Past
from tests.oracles.slurm.small import NOW as THEN
from tests.oracles.slurm.small import cluster
from tests.scenarios.slurm.support import NOW, write
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
        assert each.longest >= max(naive.waiting(jobs, at) for at in seconds)


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


def test_captures_before_one_forecast_and_it_shows_what_came(tmp_path: Path) -> None:
    """A job that waits in two captures and runs in the last one is two forecasts with a start."""
    begun = running(3, ("n1", "n2"), NOW + 300)
    for name, after in (("9", 0), ("10", 60)):
        write(tmp_path / name, contents((running(1, ("n1", "n2"), NOW - 300), waiting(3)), after))
    write(tmp_path / "11", contents((begun,), 330))
    *before, last = (Folder(path) for path in captured_in(tmp_path))
    assert [source.path.name for source in before] == ["9", "10"]
    found = from_captures(before, board(last.take()), no_progress)
    assert [(entry.job, entry.made - NOW, entry.began) for entry in found.entries] == [
        ("3", 0, NOW + 300),
        ("3", 60, NOW + 300),
    ]
    assert [(at - NOW, list(reasons)) for at, reasons in found.reasons] == [(0, [3]), (60, [3])]
