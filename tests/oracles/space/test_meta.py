"""Naive PBAS and WBAS on workloads that can be followed by hand; both are no more than their candidates."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.oracles.jobs import Job, Workload, random_workload, read_log
from tests.oracles.small_cases import jobs
from tests.oracles.space.candidates import MAKERS, Candidate, scheduler_of
from tests.oracles.space.conservative import conservative
from tests.oracles.space.easy import easy
from tests.oracles.space.fcfs import fcfs
from tests.oracles.space.flex import flex
from tests.oracles.space.maui import maui
from tests.oracles.space.meta import FLEX, MAUI, OF_JOB, MetaOutcome, average_size, pbas, wbas
from tests.oracles.space.orders import ljf, sjf
from tests.oracles.space.virtual import Machine, State, run

FCFS: Candidate = ("fcfs", {})
EASY: Candidate = ("easy", {})
CONSERVATIVE: Candidate = ("conservative", {})
FLEX_4: Candidate = ("flex", {"slack": 4, "cost": "area"})

ORACLES: dict[str, tuple[Candidate, Callable[[list[Job], int], list[int]]]] = {
    "fcfs": (FCFS, fcfs),
    "easy": (EASY, easy),
    "conservative": (CONSERVATIVE, conservative),
    "sjf": (("sjf", {}), sjf),
    "ljf": (("ljf", {}), ljf),
    "flex": (FLEX_4, lambda jobs, nodes: flex(jobs, nodes, 4, cost="area").starts),
    "maui queue": (("maui", {}), easy),
    "maui widest": (MAUI, lambda jobs, nodes: maui(jobs, nodes, windows="widest").starts),
}


def workloads(seed: int, count: int) -> list[Workload]:
    """Small workloads full of ties."""
    rng = random.Random(seed)
    return [random_workload(rng) for _ in range(count)]


def test_the_widest_windows() -> None:
    """A job that ends in time takes no extra nodes even when it comes after one that does."""
    case = jobs((1, 2, 4, 3), (1, 1, 4, 2), (1, 2, 1, 5), (1, 1, 1, 1), (3, 2, 3, 6))
    assert run(case, Machine(State(case, 5), scheduler_of(MAUI))) == [1, 3, 2, 1, 4]


@pytest.mark.proof
@pytest.mark.parametrize("name", ORACLES)
def test_one_candidate_is_that_scheduler(name: str) -> None:
    """With nobody to change to, PBAS starts every job when its only candidate alone would."""
    candidate, oracle = ORACLES[name]
    for workload in workloads(41, 60):
        assert pbas(*workload, [candidate], frame=3) == MetaOutcome(oracle(*workload), [])


@pytest.mark.proof
@pytest.mark.parametrize("name", ORACLES)
def test_equal_candidates_are_that_scheduler(name: str) -> None:
    """Where all do the same nobody is better; and WBAS hands nothing over to the scheduler that it has."""
    candidate, oracle = ORACLES[name]
    for workload in workloads(42, 40):
        alone = MetaOutcome(oracle(*workload), [])
        assert pbas(*workload, [candidate] * 3, frame=3, metric="response", phase=1) == alone
        assert wbas(*workload, candidate, candidate, frame=3, maf=2) == alone


def test_defaults_spelled_out_are_the_same_candidate() -> None:
    """A table that repeats the defaults makes no other scheduler."""
    case = jobs((0, 30, 3, 30), (1, 5, 4, 5), (12, 5, 4, 5), (31, 1, 1, 1))
    assert wbas(case, 4, ("flex", {"slack": 3600, "cost": "wait"}), FLEX, frame=10).switches == []


# Four nodes, three of them taken until 30. B needs all four; only backfilling starts C before B.
BACKFILLED = jobs((0, 30, 3, 30), (1, 5, 4, 5), (2, 20, 1, 20))


def test_pbas_takes_the_one_that_keeps_more_nodes_busy() -> None:
    """In (0, 10] FCFS keeps 30 node-seconds busy, EASY on its virtual machine 38: at 10 EASY takes over.

    What EASY did virtually is forgotten: C, which it had started at 2, waits on the real machine and starts
    at 10, in the pass of the change itself.
    """
    assert pbas(BACKFILLED, 4, [FCFS, EASY], frame=10) == ([0, 30, 10], [(10, 1)])


def test_pbas_begins_with_the_first_listed() -> None:
    """EASY listed first has C at 2 and is never outdone."""
    assert pbas(BACKFILLED, 4, [EASY, FCFS], frame=10) == ([0, 30, 2], [])


def test_of_equal_rivals_the_first_listed_takes_over() -> None:
    """EASY and conservative backfilling are better than FCFS, and equally good."""
    assert pbas(BACKFILLED, 4, [FCFS, EASY, CONSERVATIVE], frame=10).switches == [(10, 1)]
    assert pbas(BACKFILLED, 4, [FCFS, CONSERVATIVE, EASY], frame=10).starts == [0, 30, 10]


def test_the_phase_moves_the_first_switch() -> None:
    """With phase 4 the first frame is (0, 4]: 12 node-seconds against 14, and C starts at 4."""
    assert pbas(BACKFILLED, 4, [FCFS, EASY], frame=10, phase=4) == ([0, 30, 4], [(4, 1)])


def test_the_first_frame_begins_with_the_first_submission() -> None:
    """The same workload 1000 s later has the same schedule 1000 s later."""
    later = [job._replace(submit=job.submit + 1000) for job in BACKFILLED]
    assert pbas(later, 4, [FCFS, EASY], frame=10) == ([1000, 1030, 1010], [(1010, 1)])


def test_pbas_keeps_the_active_one_on_ties() -> None:
    """Nothing can be backfilled, so both do the same and FCFS stays."""
    assert pbas(BACKFILLED[:2], 4, [FCFS, EASY], frame=10) == ([0, 30], [])


def test_pbas_waits_until_all_have_completed_something() -> None:
    """In (0, 20] nothing ends on either machine: nobody can be compared.

    In (20, 30] the mean response is 30 s on FCFS's machine and (20 + 30)/2 on EASY's, where C ended at 22.
    The change comes after A's completion at 30, so that EASY starts B, and C behind it.
    """
    assert pbas(BACKFILLED, 4, [FCFS, EASY], frame=10, metric="response") == ([0, 30, 35], [(30, 1)])


def test_slowdown_is_another_metric() -> None:
    """In (20, 30] all jobs that ended had started at once: slowdown 1 on both machines, and FCFS stays."""
    assert pbas(BACKFILLED, 4, [FCFS, EASY], frame=10, metric="slowdown") == ([0, 30, 35], [])


def test_every_frame_is_judged_alone() -> None:
    """What EASY did in a frame that could not be judged is not remembered in the next.

    On EASY's machine C, now of 2 s, ends at 4 with a response of 2 s, on FCFS's nothing ends by 10 or by 20.
    In (20, 30] A ends on both: equal. The mean of 2 and 30 would have made EASY the better one.
    """
    case = [*BACKFILLED[:2], *jobs((2, 2, 1, 2))]
    assert pbas(case, 4, [FCFS, EASY], frame=10, metric="response") == ([0, 30, 35], [])


@pytest.mark.parametrize(("history", "switches"), [(10, []), (20, []), (30, [(30, 1)])])
def test_a_longer_history_remembers(history: int, switches: list[tuple[int, int]]) -> None:
    """The same case: at 30 only a history of 30 s knows that C ended at 4 on EASY's machine.

    The mean response is then (2 + 30)/2 against 30.
    """
    case = [*BACKFILLED[:2], *jobs((2, 2, 1, 2))]
    outcome = pbas(case, 4, [FCFS, EASY], frame=10, metric="response", history=history)
    assert outcome == ([0, 30, 35], switches)


def test_what_a_metric_says_of_one_job() -> None:
    """Runtime 2 and wait 4: slowdown 3, bounded 1. Runtime 15 and wait 30: slowdown 3, bounded 3."""
    assert [OF_JOB["slowdown"](6, 2), OF_JOB["bounded_slowdown"](6, 2)] == [3_000_000, 1_000_000]
    assert [OF_JOB["slowdown"](45, 15), OF_JOB["bounded_slowdown"](45, 15)] == [3_000_000, 3_000_000]
    assert [OF_JOB["wait"](45, 15), OF_JOB["response"](45, 15)] == [30, 45]


def test_the_outgoing_one_goes_on_virtually_from_the_real_state() -> None:
    """FCFS gives way to EASY at 10 and has the machine back at 50.

    From 10 on it goes on virtually with A running and B, C waiting, as they really stood: B at 30, C and D at
    35, E at 45, which makes 30 node-seconds in (40, 50]. On the real machine, with C long gone, D and E start
    at 35 and D ends at 45: 25 node-seconds.
    """
    case = [*BACKFILLED, *jobs((31, 10, 3, 10), (32, 40, 1, 40))]
    assert pbas(case, 4, [FCFS, EASY], frame=10) == ([0, 30, 10, 35, 35], [(10, 1), (50, 0)])


def test_deadlines_of_the_virtual_machine_bind() -> None:
    """Flex takes over from FCFS at 10 and keeps what it promised virtually, to jobs that wait there or not.

    Two nodes. On Flex's virtual machine X started at 2, with a deadline of 2 + 4. On the real one it waits,
    and the fresh plan has B at 20, X and Q at 30: X may not move any more, its known deadline being past. So
    R, 3 s on both nodes, would cost least in front of all, at 20, but goes behind all, to 48.
    """
    case = jobs((0, 20, 1, 20), (1, 10, 2, 10), (2, 18, 1, 18), (3, 12, 1, 12), (11, 3, 2, 3))
    assert pbas(case, 2, [FCFS, ("flex", {"slack": 4})], frame=10) == ([0, 20, 30, 30, 48], [(10, 1)])


@pytest.mark.parametrize(
    ("sizes", "maf", "average"),
    [
        ([10, 10, 10, 10, 10, 60], 5, 20.0),
        ([10, 10, 10, 10, 60], 5, 20.0),
        ([10, 60], 5, 35.0),
        ([10, 60], 1, 60.0),
        ([], 5, 0.0),
    ],
)
def test_the_average_size(sizes: list[int], maf: int, average: float) -> None:
    """AP = 10, MAF = 5, P = 60 gives 20; fewer than MAF jobs have their plain mean; MAF = 1 has no memory."""
    assert average_size(sizes, maf) == average


# Four nodes; means of all sizes so far 8/3 at 10, 3 at 20, 2.6 at 40; of the last ten seconds 8/3, 4, 1.
GROWING = jobs((0, 30, 3, 30), (1, 5, 4, 5), (2, 5, 1, 5), (12, 5, 4, 5), (31, 1, 1, 1))


def test_wbas_follows_the_size_of_what_comes() -> None:
    """FCFS for narrow jobs until 20: D alone came in [10, 20), larger than the mean, so that EASY takes over.

    It backfills C at once. In [20, 30) nothing comes and EASY is kept; E, the only one of [30, 40), is small,
    and FCFS has the machine again from 40 on.
    """
    assert wbas(GROWING, 4, EASY, FCFS, frame=10) == ([0, 30, 20, 35, 40], [(20, 0), (40, 1)])


def test_wbas_counts_an_arrival_at_the_switch_in_the_next_frame() -> None:
    """D comes at 20 itself: [10, 20) is empty, and the change comes at 30 only."""
    late = [*GROWING[:3], GROWING[3]._replace(submit=20), GROWING[4]]
    assert wbas(late, 4, EASY, FCFS, frame=10).switches[0] == (30, 0)


def test_wbas_needs_larger_jobs_than_before() -> None:
    """Equal sizes throughout: the two means are equal, which is not less, and `narrow` stays."""
    even = [job._replace(size=3) for job in GROWING]
    assert wbas(even, 4, EASY, FCFS, frame=10).switches == []


@pytest.mark.parametrize(("maf", "switches"), [(7500, []), (5, [(20, 0)])])
def test_the_moving_average_forgets(maf: int, switches: list[tuple[int, int]]) -> None:
    """In [0, 10) come ten jobs of 2 nodes, then ten of 10; in [10, 20) five of 6, then ten of 2; one at 25.

    At 10 neither average is below the 6 of the frame. At 20 the frame has 3.3: the plain mean is 4.9, but the
    average of about 5 jobs has forgotten the 6 and is 2.5.
    """
    sizes = [2] * 10 + [10] * 10 + [6] * 5 + [2] * 10 + [2]
    submits = [*range(10), *[9] * 10, *range(10, 15), *[15] * 10, 25]
    case = [Job(submit, 1, size, 1) for submit, size in zip(submits, sizes, strict=True)]
    assert wbas(case, 300, EASY, FCFS, frame=10, maf=maf).switches == switches


@pytest.mark.proof
@pytest.mark.parametrize("metric", ["utilization", "response", "slowdown"])
def test_a_change_loses_no_job_and_no_node(metric: str) -> None:
    """Whatever changes hands: each job starts, none before its submission, and never do too many run."""
    rng, changes = random.Random(43), 0
    candidates = [candidate for candidate, _ in ORACLES.values()]
    for workload in workloads(44, 100):
        chosen, frame = rng.sample(candidates, rng.randint(2, 4)), rng.choice((1, 2, 5, 20))
        performance = pbas(*workload, chosen, frame, metric, rng.randrange(frame))
        size = wbas(*workload, chosen[0], chosen[1], frame, rng.choice((1, 5, 50)))
        for outcome in (performance, size):
            changes += len(outcome.switches)
            rows = list(zip(workload.jobs, outcome.starts, strict=True))
            assert all(start >= job.submit for job, start in rows)
            for now in outcome.starts:
                busy = sum(job.size for job, start in rows if start <= now < start + job.runtime)
                assert busy <= workload.nodes
    assert changes > 100


# Sums of waits of the first 1,000 jobs of the KTH log and numbers of changes, as a second program gives them.
ALL = [FCFS, CONSERVATIVE, EASY, FLEX, MAUI, ("sjf", {}), ("ljf", {})]
KTH: list[tuple[Callable[..., MetaOutcome], dict[str, Any], int, int]] = [
    (pbas, {"frame": 43200, "metric": "response"}, 1_928_096, 5),
    (pbas, {"frame": 43200, "metric": "slowdown", "phase": 7200}, 2_187_475, 8),
    (pbas, {"frame": 86400, "metric": "slowdown", "candidates": ALL}, 2_484_261, 6),
    (wbas, {"frame": 7200}, 2_251_467, 37),
    (wbas, {"wide": ALL[5], "narrow": CONSERVATIVE, "maf": 50, "frame": 40000}, 1_868_134, 14),
]


@pytest.mark.proof
@pytest.mark.parametrize(("policy", "parameters", "waits", "changes"), KTH)
def test_two_programs_agree_on_a_real_log(
    published: Path,
    policy: Callable[..., MetaOutcome],
    parameters: dict[str, Any],
    waits: int,
    changes: int,
) -> None:
    """Another program, written apart in another language, gives the same waits and as many changes."""
    log = read_log(published / "KTH-SP2.swf.xz")[:1000]
    outcome = policy(log, 100, **parameters)
    assert sum(start - job.submit for start, job in zip(outcome.starts, log, strict=True)) == waits
    assert len(outcome.switches) == changes


def test_every_candidate_is_tried() -> None:
    """No scheduler that may be a candidate is left out above."""
    assert {candidate[0] for candidate, _ in ORACLES.values()} == set(MAKERS)
