"""What the schedulers that stop running jobs say of those that wait, and the stories that show it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.kernels.core.clock import EVENT_NAMES
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.policies import make
from tests.kernels.drive import after_passes, events
from tests.kernels.planning.preempting import CHECKPOINT, MAUI, STOPPING, check_pending, simulate, table
from tests.oracles.jobs import Workload, workloads
from tests.oracles.small_cases import jobs

FIGURE_3 = Workload(
    jobs((0, 10, 4, 10), (0, 20, 6, 20), (1, 10, 10, 10), (2, 8, 2, 40), (3, 30, 2, 50)), nodes=10
)
NUMBERS = {
    "head_blocked": {"needs", "free", "shadow", "extra", "blocker"},
    "no_room": {"needs", "free", "head", "shadow"},
    "no_room_now": {"needs", "free"},
    "would_delay_head": {"needs", "free", "end", "shadow", "extra", "head"},
    "not_enough_to_stop": {"needs", "free", "stoppable", "shadow", "blocker"},
    "about_to_run": {"needs", "free", "at"},
    "pass_pending": {"needs", "free"},
}


def under(workload: Workload, policy: str, **parameters: object) -> Simulation:
    """A simulation of the workload under a policy with these parameters."""
    return Simulation(table(workload.jobs), workload.nodes, make(policy, parameters))


def test_the_published_example_with_overhead() -> None:
    """N12, Figure 3: at 20 E stops for C, which has its nodes at once and runs 2 s later; E is back at 32."""
    simulation = under(FIGURE_3, "checkpoint", threshold=0, delay=2, extend=3)
    simulation.run(until=19)
    assert simulation.status() == {"head": 2, "reserve_time": 20}
    assert simulation.peek() == (20, EVENT_NAMES.index("finish"), 1)
    simulation.step()
    assert simulation.peek() == (20, EVENT_NAMES.index("reservation_due"), 2)
    simulation.step()
    assert simulation.explain(2) == ("pass_pending", {"needs": 10, "free": 8})
    simulation.step()
    assert simulation.decisions() == [
        (
            "preempt",
            4,
            "preempted_for",
            {"size": 2, "head": 2, "head_needs": 10, "done": 10, "left": 40},
        ),
        ("start", 2, "after_preemption", {"needs": 10, "free": 10, "stopped": 1, "freed": 2, "at": 22}),
        ("reserve", 4, "head_shadow", {"needs": 2, "free": 0, "shadow": 32, "extra": 8}),
    ]
    assert [simulation.state(job) for job in range(5)] == ["F", "F", "W", "F", "O"]
    assert (simulation.free, simulation.start_of(2), simulation.end_of(2)) == (0, None, None)
    assert simulation.explain(2) == ("about_to_run", {"needs": 10, "free": 0, "at": 22})
    assert simulation.terms(4) == {"done": 10, "left": 40}
    assert simulation.explain(4) == (
        "head_blocked",
        {"needs": 2, "free": 0, "shadow": 32, "extra": 8, "blocker": 2},
    )
    simulation.run(until=22)
    assert (simulation.state(2), simulation.start_of(2), simulation.explain(2)) == ("R", 22, None)
    simulation.run(until=32)
    assert simulation.decisions() == [("resume", 4, "head_fits", {"needs": 2, "free": 10})]
    assert (simulation.state(4), simulation.end_of(4), simulation.preemptions(4)) == ("R", 75, 1)
    assert simulation.status() == {}
    simulation.run()
    assert list(simulation.results()["finish"]) == [10, 20, 32, 18, 55]


def test_a_backfilled_job_is_reported_with_its_prediction() -> None:
    """E may pass C because a fifth of its 50 s lie before 20; by its estimate it may run until 60."""
    simulation = under(FIGURE_3, "checkpoint", threshold=0)
    simulation.run(until=10)
    assert simulation.decisions() == [
        ("backfill", 3, "predicted_by_shadow", _prediction(free=4, end=18, limit=50)),
        ("backfill", 4, "predicted_by_shadow", _prediction(free=2, end=20, limit=60)),
    ]


def _prediction(free: int, end: int, limit: int) -> dict[str, int]:
    return {"needs": 2, "free": free, "end": end, "shadow": 20, "limit": limit, "head": 2}


def test_maui_lets_whatever_fits_start_and_stop_again() -> None:
    """C would delay B by far and starts at 0; at 10 B lacks a node and C stops for it."""
    workload = Workload(jobs((0, 10, 3, 10), (0, 5, 4, 5), (0, 20, 1, 20)), nodes=4)
    simulation = under(workload, "maui", preempt=True)
    simulation.run(until=0)
    assert simulation.decisions()[1:] == [
        ("backfill", 2, "fits_out_of_order", {"needs": 1, "free": 1, "head": 1, "head_needs": 4})
    ]
    assert simulation.explain(1) == (
        "not_enough_to_stop",
        {"needs": 4, "free": 0, "stoppable": 1, "shadow": 10, "blocker": 0},
    )
    simulation.run(until=10)
    assert simulation.decisions() == [
        ("preempt", 2, "preempted_for", {"size": 1, "head": 1, "head_needs": 4, "done": 10, "left": 10}),
        ("start", 1, "after_preemption", {"needs": 4, "free": 4, "stopped": 1, "freed": 1, "at": 10}),
    ]
    assert (simulation.state(2), simulation.terms(2)) == ("O", {"done": 10, "left": 10})
    simulation.run(until=15)
    assert simulation.decisions() == [("resume", 2, "head_fits", {"needs": 1, "free": 4})]


@pytest.mark.parametrize("setting", STOPPING)
@given(workload=workloads())
def test_every_wait_is_explained(setting: str, workload: Workload) -> None:
    """At every event every job that waits or is about to run, and no other, has a reason with its numbers."""
    simulation = simulate(workload, setting)
    for _ in events(simulation):
        waiting = list(simulation.waiting())
        for index, job in enumerate(workload.jobs):
            reason, held = simulation.explain(index), simulation.state(index) == "W"
            assert (reason is not None) == (held or index in waiting)
            if reason is not None:
                code, numbers = reason
                assert set(numbers) == NUMBERS[code]
                assert (numbers["needs"], numbers["free"]) == (job.size, simulation.free)
                assert (code == "about_to_run") == held
                assert code != "pass_pending" or simulation.pending


@pytest.mark.parametrize("setting", STOPPING)
@given(workload=workloads())
def test_a_job_that_starts_in_the_coming_pass_waits_for_it(setting: str, workload: Workload) -> None:
    """Between an event and its pass no job's reason names an obstacle that the pass will not find."""
    check_pending(simulate(workload, setting))


@pytest.mark.parametrize("setting", CHECKPOINT)
@given(workload=workloads())
def test_checkpointing_goes_by_the_reserve_time(setting: str, workload: Workload) -> None:
    """After each pass the head waits for its reserve time, where a timer stands; the others may not pass."""
    simulation, sizes = simulate(workload, setting), [job.size for job in workload.jobs]
    for now in after_passes(simulation):
        waiting = list(simulation.waiting())
        if not waiting:
            assert simulation.status() == {}
            continue
        reserve = simulation.status()["reserve_time"]
        assert simulation.status()["head"] == waiting[0]
        assert now < reserve
        upcoming = simulation.peek()
        assert upcoming is not None
        assert upcoming[0] <= reserve
        for job in waiting:
            reason = simulation.explain(job)
            assert reason is not None
            code, numbers = reason
            assert numbers["shadow"] == reserve
            assert (code == "head_blocked") == (job == waiting[0])
            if code != "head_blocked":
                assert numbers["head"] == waiting[0]
                assert (code == "no_room") == (sizes[job] > simulation.free)
            if code == "would_delay_head":
                assert numbers["end"] > reserve
                assert numbers["extra"] < sizes[job]


@pytest.mark.parametrize("setting", MAUI)
@given(workload=workloads())
def test_a_head_waits_while_too_few_can_be_stopped(setting: str, workload: Workload) -> None:
    """After each pass only jobs that started out of order can stop, and they are not enough for the head."""
    simulation, rows = simulate(workload, setting), workload.jobs
    out_of_order: dict[int, bool] = {}
    for now in after_passes(simulation):
        for _, job, code, _ in simulation.decisions():
            out_of_order[job] = code == "fits_out_of_order"
        stoppable = sum(rows[job].size for job in simulation.running() if out_of_order[job])
        heads = 0
        for job in simulation.waiting():
            reason = simulation.explain(job)
            assert reason is not None
            code, numbers = reason
            assert code in ("not_enough_to_stop", "no_room_now")
            assert rows[job].size > simulation.free
            if code == "not_enough_to_stop":
                heads += 1
                assert numbers["stoppable"] == stoppable
                assert simulation.free + stoppable < rows[job].size
                assert not out_of_order[numbers["blocker"]]
                assert simulation.end_of(numbers["blocker"]) == numbers["shadow"] > now
        assert heads == (len(simulation.waiting()) > 0)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"p": 0}, "p is 0; expected 0.000001 to 1"),
        ({"p": 1.5}, "p is 1.5; expected 0.000001 to 1"),
        ({"p": float("nan")}, "p is nan; expected"),
        ({"threshold": -1}, "threshold is -1; expected 0 to"),
        ({"delay": -1}, "delay is -1; expected 0 to"),
        ({"extend": 2**62}, "extend is 4611686018427387904; expected 0 to"),
        ({"limit": -1}, "limit is -1; expected 0 to"),
        ({"memory": -1.0}, "memory is -1.0; expected 0 to"),
        ({"memory": float("nan")}, "memory is nan; expected 0 to"),
        ({"bandwidth": 0.0}, "bandwidth is 0.0; expected 0.000001 to"),
        ({"group": 0}, "group is 0; expected 1 to"),
        ({"memory": 1.0, "extend": 9}, "memory is 1.0; expected neither delay nor extend"),
        ({"memory": 1e6, "bandwidth": 1e-6, "group": 2**31 - 1}, "memory is 1000000.0; expected less"),
    ],
)
def test_what_is_out_of_range_is_refused(parameters: dict[str, object], message: str) -> None:
    """The error names the value and what was expected."""
    with pytest.raises(ValueError, match=message):
        make("checkpoint", parameters)


@given(workload=workloads(), limit=st.integers(1, 3))
def test_no_job_stops_more_often_than_it_may(workload: Workload, limit: int) -> None:
    """And the head has its nodes at its reserve time all the same."""
    simulation = under(workload, "checkpoint", threshold=0, extend=2, limit=limit)
    reserved: dict[int, int] = {}
    for now in after_passes(simulation):
        for kind, job, code, numbers in simulation.decisions():
            if kind == "reserve":
                reserved[job] = numbers["shadow"]
            elif code in ("head_fits", "after_preemption") and job in reserved:
                assert now <= reserved[job]
    assert max(simulation.results()["preemptions"]) <= limit


def test_the_papers_overhead_is_that_of_its_memory() -> None:
    """2 GB a node, 64 nodes an I/O node, 70 % of 0.85 GB/s: 215 s, and 430 s for a restart (section 5.1)."""
    rows = jobs((0, 1000, 60, 1000), (0, 50, 128, 50), (0, 3000, 64, 4000), (0, 3000, 4, 4000))
    fixed, sized = (
        under(Workload(rows, 128), "checkpoint", **overhead)
        for overhead in ({"delay": 215, "extend": 430}, {"memory": 2.0})
    )
    fixed.run()
    sized.run()
    assert list(sized.results()["start"]) == list(fixed.results()["start"]) == [0, 1215, 0, 0]
    # Job 4 has 4 nodes: it restarts in 26 s.
    assert list(fixed.results()["finish"]) == [1000, 1265, 3695, 3695]
    assert list(sized.results()["finish"]) == [1000, 1265, 3695, 3291]
    assert (fixed.policy.head_delay, sized.policy.head_delay) == (215, 215)


def test_a_share_of_a_long_estimate_does_not_overflow() -> None:
    """A millionth of nearly 2^61 seconds, rounded up, is exact to the second."""
    long = 2**61 - 1
    workload = Workload(jobs((0, long // 10**6 + 1, 6, long // 10**6 + 1), (0, 5, 8, 5), (0, 9, 4, long)), 10)
    for share, start in ((0.000001, 0), (0.000002, long // 10**6 + 6)):
        simulation = under(workload, "checkpoint", p=share, threshold=0)
        simulation.run()
        assert simulation.results()["start"][2] == start


@pytest.mark.parametrize("first", ["checkpoint", "maui"])
@given(workload=workloads())
def test_others_take_over_from_who_stops_jobs(first: str, workload: Workload) -> None:
    """A policy that is handed jobs in the middle of stops and restarts brings all of them to their end."""
    stopping = {"threshold": 0, "delay": 2, "extend": 1} if first == "checkpoint" else {"preempt": True}
    candidates = [{"name": first, **stopping}, "conservative", "prime", "easy", "unicos", "flex"]
    for metric, frame in (("response", 1), ("utilization", 3)):
        simulation = under(workload, "pbas", candidates=candidates, metric=metric, frame=frame)
        simulation.run()
        assert simulation.finished == len(workload.jobs)
        for job, finish in zip(workload.jobs, simulation.results()["finish"], strict=True):
            assert finish >= job.submit + job.runtime
