"""Where hundreds or thousands wait, too, every scheduler starts every job when the naive programs do."""

import random
from functools import cache
from pathlib import Path

import pytest

from tests.amount import many
from tests.kernels import drive
from tests.kernels.deep.table import COMPILED, ROWS, by_mean, by_vote, differences, most_waiting, workload_of
from tests.oracles.deep import candidates as deep_candidates
from tests.oracles.deep import programs as deep
from tests.oracles.deep.workloads import deep_workload
from tests.oracles.jobs import (
    Job,
    Workload,
    crowded_workload,
    random_workload,
    read_log,
    read_raw_log,
    read_starts,
)
from tests.oracles.space import meta
from tests.oracles.space.candidates import Candidate
from tests.oracles.space.conservative import conservative
from tests.oracles.space.easy import SCANS, easy
from tests.oracles.space.orders import dynp, ivs, ljf, replanned, sjf

BY_ROW = pytest.mark.parametrize("name", ROWS)
CHUNKS = 10
"""The proofs of a policy are so many tests, for several processes to share."""
NODES = 8192
"""Of RICC."""
FEW = (5, 10, 26, 30)
"""Numbers of workloads on which starts that are planned a second late are seen under all who plan anew."""
PINNED = (1291, 1868, 1985, 1987)
"""Numbers of workloads on which a bound that looked right was wrong."""
CHOICE: list[Candidate] = [("conservative", {}), ("easy", {}), ("ljf", {})]

read_once = cache(read_log)


def check_the_judges(workload: Workload) -> None:
    """The naive programs for deep queues give the starts of the plain ones."""
    jobs, nodes = workload
    for way in ("arrival", "replan"):
        assert deep.conservative(jobs, nodes, way) == conservative(jobs, nodes, way)
    for scan in SCANS:
        assert deep.easy(jobs, nodes, scan) == easy(jobs, nodes, scan)
    for name, plain in {"sjf": sjf, "ljf": ljf, "planned": replanned}.items():
        assert ROWS[name].naive(jobs, nodes)["start"] == plain(jobs, nodes)
    assert by_mean(jobs, nodes, **drive.BOUNDS) == dynp(jobs, nodes, **drive.BOUNDS)
    assert by_vote(jobs, nodes, **drive.VOTES) == ivs(jobs, nodes, **drive.VOTES)
    for metric in ("utilization", "slowdown"):
        chosen = meta.pbas(jobs, nodes, CHOICE, frame=4, metric=metric).starts
        assert deep_candidates.pbas(jobs, nodes, CHOICE, frame=4, metric=metric) == chosen
    chosen = meta.wbas(jobs, nodes, CHOICE[0], CHOICE[2], frame=4, maf=3).starts
    assert deep_candidates.wbas(jobs, nodes, CHOICE[0], CHOICE[2], frame=4, maf=3) == chosen


@pytest.mark.proof
def test_the_judges_on_small_workloads() -> None:
    """Who judges here is judged first, by programs that hold no plan from one job to the next."""
    rng = random.Random(1)
    for _ in range(40):
        check_the_judges(random_workload(rng))


@pytest.mark.proof
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_the_judges_on_thousands(chunk: int) -> None:
    """The same on many more, and on some with a queue of dozens."""
    rng = random.Random(100 + chunk)
    for workload in [random_workload(rng) for _ in range(many(600))] + [
        crowded_workload(rng) for _ in range(2)
    ]:
        check_the_judges(workload)


@pytest.mark.proof
def test_the_queues_are_deep() -> None:
    """The workloads are what they claim to be."""
    for number in range(12):
        workload = workload_of(ROWS["conservative"], number)
        assert most_waiting(workload.jobs, deep.conservative(*workload)) > 300


@pytest.mark.proof
@BY_ROW
def test_hundreds_wait(name: str) -> None:
    """No start differs on a few random workloads; nor an end or a preemption, where jobs are stopped."""
    for number in FEW if name in COMPILED else FEW[:1]:
        assert differences(ROWS[name], workload_of(ROWS[name], number)) == [], number


@pytest.mark.proof
@pytest.mark.parametrize("number", PINNED)
def test_workloads_on_which_a_bound_was_wrong(number: int) -> None:
    """No start differs there either."""
    row = ROWS["conservative"]
    assert differences(row, workload_of(row, number)) == []


def published_jobs(published: Path) -> list[Job]:
    """Nearly ten thousand jobs of RICC, of which hundreds wait most of the time."""
    return read_once(published / "deep" / "RICC-a.swf.xz")


@pytest.mark.proof
def test_a_stretch_of_a_log_with_published_starts(published: Path) -> None:
    """Conservative backfilling starts each job when two independent programs agree that it does."""
    jobs = published_jobs(published)
    starts = read_starts(published / "deep" / "RICC-a.conservative.csv.xz")
    naive = deep.conservative(jobs, NODES)
    assert [job for job, pair in enumerate(zip(naive, starts, strict=True)) if len({*pair}) > 1] == []
    row = ROWS["conservative"]._replace(naive=lambda *_: {"start": starts})
    assert differences(row, Workload(jobs, NODES)) == []


@pytest.mark.parametrize("scan", SCANS)
def test_the_same_stretch_under_easy(published: Path, scan: str) -> None:
    """EASY, in each of its orders, starts each job when the naive program does."""
    assert differences(ROWS[f"easy-{scan}"], Workload(published_jobs(published), NODES)) == []


@pytest.mark.proof
@pytest.mark.parametrize("name", ["replan", "sjf", "ljf", "planned", "dynp", "ivs"])
def test_the_same_stretch_planned_anew(published: Path, name: str) -> None:
    """So do the policies that plan the whole queue in each pass."""
    assert differences(ROWS[name], Workload(published_jobs(published), NODES)) == []


@pytest.mark.proof
@BY_ROW
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_many_more(name: str, chunk: int) -> None:
    """The same on more random workloads, until it is a proof for practical purposes."""
    row = ROWS[name]
    for number in range(1000 + chunk, 1000 + row.proofs, CHUNKS):
        assert differences(row, workload_of(row, number)) == [], number


@pytest.mark.proof
@pytest.mark.parametrize("name", COMPILED)
def test_thousands_wait(name: str) -> None:
    """Three to five thousand jobs in the queue."""
    for number in range(2):
        workload = deep_workload(random.Random(number), 3000 + 2000 * number)
        assert differences(ROWS[name], workload) == [], number


STRETCHES = {
    "may": (15_000, 12_000),
    "june": (75_000, 6000),
    "july": (225_000, 5000),
}
"""Of RICC: the first job and how many, in weeks in which a thousand wait and more."""


@cache
def ricc(traces: Path) -> list[Job]:
    """All jobs of the log; it is read once."""
    return read_raw_log(traces / "RICC-2010-2.swf.xz", NODES)


@pytest.mark.proof
def test_two_months_of_a_log(traces: Path) -> None:
    """Conservative backfilling agrees with the program that tries every job, start for start.

    These are the first 190,000 jobs of 447,784, with up to 8,000 in the queue: of the others 16,000 wait at a
    time, and to try them all in each compression takes more than five minutes.
    """
    assert differences(ROWS["conservative"], Workload(ricc(traces)[:190_000], NODES)) == []


@pytest.mark.proof
@pytest.mark.parametrize("name", ["replan", "sjf", "ljf", "dynp", "ivs"])
@pytest.mark.parametrize("stretch", STRETCHES)
def test_deep_weeks_of_a_log(traces: Path, stretch: str, name: str) -> None:
    """No start of the others differs where a real queue is deep."""
    first, count = STRETCHES[stretch]
    jobs = ricc(traces)[first : first + count]
    assert differences(ROWS[name], Workload(jobs, NODES)) == []
