"""The figures of a machine's report are those of the naive program, and its reasons those of the session."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.console.session.case import Case
from shadowtime.console.session.comparison.runs import compare
from shadowtime.console.session.comparison.verdict import FEWEST, Window
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.progress import no_progress
from shadowtime.console.session.report.machine import machine_report, rival_of, window_of
from shadowtime.console.session.report.stretches import MOST, edges_of, stretches
from shadowtime.console.session.report.waits import waits_by_user
from shadowtime.console.session.report.worst import WORST, explained, longest_waits, together
from shadowtime.console.session.session import Session
from tests.oracles.jobs import Job, Workload, workloads
from tests.session.build import SOME, case_of
from tests.session.report import naive


def times_of(case: Case) -> list[naive.Times]:
    """The schedule of a case."""
    simulation = case.simulation()
    simulation.run()
    found, columns = simulation.results("start", "finish"), case.columns
    return [
        naive.Times(*row)
        for row in zip(
            columns.submit, found["start"], found["finish"], columns.size, columns.user, strict=True
        )
    ]


@pytest.mark.parametrize("policy", ["fcfs", "easy", "conservative"])
@SOME
@given(workload=workloads(), bounds=st.sets(st.integers(-3, 60), min_size=2, max_size=5))
def test_stretches_are_those_of_the_seconds(policy: str, workload: Workload, bounds: set[int]) -> None:
    """Busy nodes and waiting jobs are the means over the seconds of each stretch."""
    case = case_of(workload, policy)
    jobs, edges = times_of(case), sorted(bounds)
    found = list(stretches(case.simulation(), edges))
    assert [(each.begin, each.end) for each in found] == list(pairwise(edges))
    for each in found:
        seconds = range(each.begin, each.end)
        assert each.busy == pytest.approx(sum(naive.busy(jobs, at) for at in seconds) / len(seconds))
        assert each.queue == pytest.approx(sum(naive.waiting(jobs, at) for at in seconds) / len(seconds))
        assert each.longest >= max(naive.waiting(jobs, at) for at in seconds)


def test_the_longest_queue_is_the_one_that_is_sought() -> None:
    """The longest queue of the whole run is that of `:seek largest-queue`."""
    session = Session(case_of(Workload([Job(0, 5, 4, 9), *[Job(1, 2, 3, 4)] * 4, Job(3, 1, 1, 1)], 4)))
    search = session.stops.worst("largest-queue")
    search.run()
    found = stretches(session.case.simulation(), edges_of(range(0, 30)))
    assert search.worst is not None
    assert max(each.longest for each in found) == search.worst.value


@given(begin=st.integers(-(10**9), 10**9), span=st.integers(1, 10**10))
def test_edges_part_a_window(begin: int, span: int) -> None:
    """The edges ascend from the begin to the end, in equal stretches but for the last."""
    edges = edges_of(range(begin, begin + span))
    lengths = [late - early for early, late in pairwise(edges)]
    assert (edges[0], edges[-1]) == (begin, begin + span)
    assert len(lengths) <= MOST
    assert len(set(lengths[:-1])) <= 1
    assert 0 < lengths[-1] <= lengths[0]


@SOME
@given(workload=workloads(), begin=st.integers(0, 10))
def test_waits_are_those_of_the_jobs(workload: Workload, begin: int) -> None:
    """Waits by user are those of the jobs that are submitted in the window."""
    case, window = case_of(workload), range(begin, begin + 20)
    simulation = case.simulation()
    simulation.run()
    jobs = [job for job in times_of(case) if job.submit in window]
    found = waits_by_user(case, simulation, window)
    assert found.left == 0
    assert {each.name for each in found.groups} == {job.user for job in jobs}
    for each in found.groups:
        own = [job for job in jobs if job.user == each.name]
        waits = [job.start - job.submit for job in own]
        slowed = [max(1.0, (job.end - job.submit) / max(job.end - job.start, 10)) for job in own]
        assert (each.jobs, each.longest) == (len(own), max(waits))
        assert each.mean == pytest.approx(sum(waits) / len(waits))
        assert each.median == pytest.approx(naive.up_to(waits, 0.5))
        assert each.late == pytest.approx(naive.up_to(waits, 0.9))
        assert each.slowdown == pytest.approx(sum(slowed) / len(slowed))
        assert each.used == sum(job.size * (job.end - job.start) for job in own)
    assert sum(each.jobs for each in found.classes.values()) == len(jobs)


@SOME
@given(workload=workloads(most_jobs=20))
def test_the_longest_waits_have_the_reasons_of_the_session(workload: Workload) -> None:
    """Who waited longest, why at each look, who had the machine, and who passed."""
    case = case_of(workload)
    jobs, session = times_of(case), Session(case)
    window = range(0, 10**6)
    starts = [job.start for job in jobs]
    places = longest_waits(case, starts, window)
    by_wait = sorted((job.submit - job.start, place) for place, job in enumerate(jobs))
    assert list(places) == [place for wait, place in by_wait if wait][:WORST]
    for found in explained(case, starts, [job.end for job in jobs], places, no_progress):
        assert found.wait == jobs[found.index].start - jobs[found.index].submit
        assert list(found.after) == [
            case.columns.id[place]
            for place, job in enumerate(jobs)
            if job.end == found.start and place != found.index
        ]
        kinds = found.kinds()
        codes = Counter(look.reason.code if look.reason else "" for look in found.looks)
        assert [kind.looks for kind in kinds] == sorted(codes.values(), reverse=True)
        for kind in kinds:
            assert kind.example in found.looks
            assert kind.looks == codes[kind.example.reason.code if kind.example.reason else ""]
        assert found.passed == naive.passed(jobs, found.index)
        held: Counter[str] = Counter()
        for look in found.looks:
            assert found.submit <= look.at < found.start
            session.go_time(look.at)
            assert look.reason == session.why(found.id)
            for job in jobs:
                if job.start <= look.at < job.end:
                    held[job.user] += job.size
        whole = case.nodes * len(found.looks)
        assert dict(found.holders) == {user: nodes / whole for user, nodes in held.items()}
        session.go_time(found.start)
        assert found.decision == session.turned(found.id)


def test_a_long_wait_has_each_kind_of_reason_with_its_share() -> None:
    """Job 3 waits 60 s: 40 without room behind job 2, and 20 as the first of the queue."""
    jobs = [Job(0, 40, 2, 40), Job(0, 20, 3, 20), Job(0, 30, 2, 30)]
    case = case_of(Workload(jobs, 3), "easy")
    times = times_of(case)
    starts, ends = [job.start for job in times], [job.end for job in times]
    (wait,) = explained(case, starts, ends, [2], no_progress)
    assert (wait.wait, len(wait.looks), list(wait.after)) == (60, 60, [case.columns.id[1]])
    shares = {kind.example.reason.code: kind.looks for kind in wait.kinds() if kind.example.reason}
    assert shares == {"no_room": 40, "head_blocked": 20}
    assert wait.behind() == {case.columns.id[1]: 40}


def test_waits_behind_the_same_job_are_one_entry() -> None:
    """Two jobs behind one head are together; a job that waits at another time is by itself."""
    jobs = [Job(0, 50, 2, 50), Job(0, 9, 3, 9), Job(1, 9, 2, 9), Job(2, 9, 2, 9)]
    later = [Job(200, 50, 2, 50), Job(200, 9, 3, 9), Job(201, 9, 2, 9)]
    case = case_of(Workload([*jobs, *later], 3), "easy")
    times = times_of(case)
    waits = explained(case, [job.start for job in times], [job.end for job in times], [3, 2, 6], no_progress)
    assert [[wait.index for wait in group] for group in together(waits)] == [[3, 2], [6]]


def test_a_window_is_read_as_places() -> None:
    """Places of the one grammar bound it; the second one may count from the first."""
    case = case_of(Workload([Job(0, 5, 2, 9), Job(3, 4, 2, 4), Job(7, 2, 2, 9)], 2))
    assert window_of(case) == range(0, 12)
    assert window_of(case, "2", "+3s") == range(2, 6)
    assert window_of(case, "101 submit") == range(3, 12)
    for wrong in (("5", "4"), ("8", "9"), ("yesterday", None), ("50%", None)):
        with pytest.raises(SessionError):
            window_of(case, *wrong)


def test_users_are_judged_by_themselves() -> None:
    """The other policy is another one; each user has the evidence of the own jobs."""
    many = 3 * FEWEST
    jobs = [Job(3 * at, 4 + at % 5, 1 + at % 3, 9) for at in range(many)]
    case = case_of(Workload(jobs, 3))
    found = machine_report(case, range(0, 10**5), rival_of(case))
    assert found.rival.names[0] != found.rival.names[1]
    assert found.rival.all.jobs == many
    waits = {each.name: each for each in found.waits.groups}
    for row in found.rival.users:
        assert row.jobs == waits[row.user].jobs
        assert row.means[0] == pytest.approx(waits[row.user].mean)
        alone = compare([case, rival_of(case)], window=Window(0, 10**5 - 1, row.user)).verdict
        assert alone is not None
        assert found.evidence[row.user] == alone.evidence[0] is not None
    assert found.decided == {user for user, own in found.evidence.items() if own and own.carries}
    area = sum(job.area for job in jobs)
    assert found.utilization == pytest.approx(area / (3 * 10**5))
