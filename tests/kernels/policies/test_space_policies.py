"""Maui, prime time and UNICOS MAX agree with their naive programs and say truly why a job waits."""

import random
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.kernels.core.clock import EVENT_NAMES
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.policies import make
from tests.amount import many
from tests.kernels.drive import after_passes, events
from tests.kernels.planning.preempting import check_pending, priorities, table
from tests.oracles.jobs import (
    Job,
    Workload,
    crowded_workload,
    jammed_workload,
    random_workload,
    workloads,
)
from tests.oracles.small_cases import CASES, jobs
from tests.oracles.space.maui import maui
from tests.oracles.space.prime import prime
from tests.oracles.torus.unicos import unicos

Make = Callable[[random.Random], Workload]
KINDS: list[tuple[Make, int]] = [(random_workload, 70), (crowded_workload, 1), (jammed_workload, 1)]
BOUNDARY = EVENT_NAMES.index("boundary")


class Setting(NamedTuple):
    """A policy with its parameters, and the naive program that it must agree with."""

    policy: str
    parameters: dict[str, Any]
    naive: Callable[[list[Job], int], list[int]]


def weighed(**parameters: Any) -> Setting:
    """Maui with these parameters."""
    return Setting(
        "maui",
        parameters,
        lambda rows, nodes: maui(rows, nodes, priorities=priorities(rows), **parameters).starts,
    )


def shifts(**parameters: Any) -> Setting:
    """Prime time with these parameters."""
    return Setting("prime", parameters, partial(prime, **parameters))


# The times of most random workloads are a few seconds; shifts and limits are chosen for that.
SPACE = {
    "maui": weighed(),
    "maui-widest": weighed(windows="widest"),
    "maui-two": weighed(reservations=2),
    "maui-three-widest": weighed(reservations=3, windows="widest"),
    "maui-two-weighed": weighed(reservations=2, weight_size=-0.5, weight_queue_time=1),
    "maui-size": weighed(weight_size=0.25),
    "maui-narrow": weighed(windows="widest", weight_size=-1),
    "maui-wait": weighed(weight_queue_time=2, weight_expansion=0.75),
    "maui-class": weighed(windows="widest", weight_class=0.3, weight_queue_time=1.1, weight_expansion=-0.2),
    "maui-wfp": weighed(weight_wfp=1),
    "maui-wfp-two": weighed(windows="widest", reservations=2, weight_wfp=-0.5, weight_size=0.25),
    "prime": shifts(shift=10, large=3, short=1, long=4, reserve=2),
    "prime-late": shifts(shift=7, large=2, short=2, long=6, reserve=3, phase=12),
    "prime-flicker": shifts(shift=1, large=4, short=2, long=5, reserve=0, phase=-1),
    "prime-morning": shifts(shift=6, large=3, short=1, long=4, reserve=2, length=3, phase=2),
    "prime-all-but": shifts(shift=4, large=2, short=1, long=4, reserve=1, length=7),
    "prime-log": shifts(),
    **{
        f"unicos-{limit}": Setting("unicos", {"limit": limit}, partial(unicos, limit=limit))
        for limit in (0, 2, 9, 3600)
    },
}
PRIME = [name for name in SPACE if name.startswith("prime")]
UNICOS = [name for name in SPACE if name.startswith("unicos")]


def simulate(workload: Workload, setting: str) -> Simulation:
    """A simulation of the workload, before its first event."""
    policy, parameters, _ = SPACE[setting]
    return Simulation(table(workload.jobs), workload.nodes, make(policy, parameters))


def check(workload: Workload, setting: str) -> None:
    """Starts and finishes are those of the naive program."""
    simulation = simulate(workload, setting)
    simulation.run()
    results = simulation.results()
    starts = SPACE[setting].naive(workload.jobs, workload.nodes)
    assert list(results["start"]) == starts
    assert list(results["finish"]) == [
        start + job.runtime for start, job in zip(starts, workload.jobs, strict=True)
    ]


@pytest.mark.parametrize("setting", SPACE)
def test_random_workloads(setting: str) -> None:
    """Ties abound in most of them; in some the queue is long, in one all jobs wait."""
    rng = random.Random(1997)
    for make_one, count in KINDS:
        for _ in range(count):
            check(make_one(rng), setting)


@pytest.mark.proof
@pytest.mark.parametrize("setting", SPACE)
@pytest.mark.parametrize(
    ("make_one", "count"),
    [(random_workload, 12_000), (crowded_workload, 200), (jammed_workload, 20)],
)
def test_many_more_random_workloads(make_one: Make, count: int, setting: str) -> None:
    """The same, with other seeds, until it is a proof for practical purposes."""
    rng = random.Random(2005)
    for _ in range(many(count)):
        check(make_one(rng), setting)


@pytest.mark.parametrize("setting", SPACE)
@given(workload=workloads())
def test_the_smallest_disagreement(setting: str, workload: Workload) -> None:
    """The same once more, by examples that shrink to the smallest workload on which the two differ."""
    check(workload, setting)


@given(workload=workloads())
def test_the_queue_window_is_easy_to_the_word(workload: Workload) -> None:
    """Without weights Maui not only starts whom EASY starts: it decides the same, for the same reasons."""
    runs = [Simulation(table(workload.jobs), workload.nodes, make(policy)) for policy in ("easy", "maui")]
    for simulation in runs:
        assert simulation.step()
    while True:
        easy, mine = runs
        assert mine.decisions() == easy.decisions()
        assert [mine.explain(job) for job in range(len(workload.jobs))] == [
            easy.explain(job) for job in range(len(workload.jobs))
        ]
        assert mine.metrics() == easy.metrics()
        if easy.step() != mine.step() or easy.over:
            break
    assert [simulation.over for simulation in runs] == [True, True]


def test_the_widest_window_is_reported() -> None:
    """The job of 1 s takes the node that in EASY goes to the earlier one of 5 s, since it ends in time."""
    case = next(case for case in CASES if "in time takes no extra" in case.story)
    simulation = Simulation(table(case.jobs), case.nodes, make("maui", {"windows": "widest"}))
    simulation.run(until=1)
    decided = [(kind, job, code) for kind, job, code, _ in simulation.decisions()]
    assert decided == [
        ("start", 0, "head_fits"),
        ("reserve", 1, "head_shadow"),
        ("backfill", 3, "ends_by_shadow"),
    ]


def test_a_second_reservation_is_reported() -> None:
    """D needs the extra nodes of B only, but would delay C, which needs all nodes; E ends before both."""
    rows = jobs((0, 120, 6, 120), (10, 60, 8, 60), (20, 60, 10, 60), (30, 180, 2, 180), (40, 60, 2, 60))
    simulation = Simulation(table(rows), 10, make("maui", {"reservations": 2}))
    simulation.run(until=30)
    assert simulation.explain(1) == (
        "head_blocked",
        {"needs": 8, "free": 4, "shadow": 120, "extra": 2, "blocker": 0},
    )
    assert simulation.explain(2) == ("no_room", {"needs": 10, "free": 4, "head": 1, "shadow": 120})
    assert simulation.explain(3) == ("would_delay_reserved", {"needs": 2, "free": 4, "end": 210, "head": 1})
    simulation.run(until=40)
    assert list(simulation.decisions()) == [
        ("backfill", 4, "beside_reserved", {"needs": 2, "free": 4, "end": 100, "head": 1})
    ]
    simulation.run()
    assert list(simulation.results()["start"]) == [0, 120, 180, 240, 40]
    assert list(simulation.results()["backfilled"]) == [0, 0, 0, 0, 1]


@given(workload=workloads(), seed=st.integers(0, 1000))
def test_reservations_are_the_same_after_going_back(workload: Workload, seed: int) -> None:
    """A pass makes all reservations anew, so that a copy needs none of them."""
    simulation = simulate(workload, "maui-three-widest")
    simulation.run(events=seed % 20)
    copy = simulation.copy()
    simulation.run()
    end = simulation.digest()
    simulation.restore(copy)
    simulation.run()
    assert simulation.digest() == end


def test_a_priority_is_reported_in_millionths() -> None:
    """At 60 B has waited a minute and C none; the wider one leads, and the other one may not delay it."""
    rows = jobs((0, 100, 4, 100), (0, 30, 2, 30), (60, 10, 3, 10))
    parameters = {"weight_queue_time": 0.5, "weight_size": 1.0}
    simulation = Simulation(table(rows), 4, make("maui", parameters))
    simulation.run(until=60)
    assert [simulation.terms(job) for job in range(3)] == [
        {},
        {"priority": 2_500_000},
        {"priority": 3_000_000},
    ]
    assert simulation.explain(2) == (
        "head_blocked",
        {"needs": 3, "free": 0, "shadow": 100, "extra": 1, "blocker": 0},
    )
    assert simulation.explain(1) == ("no_room", {"needs": 2, "free": 0, "head": 2, "shadow": 100})
    simulation.run()
    results = simulation.results()
    assert list(results["start"]) == [0, 110, 100]
    assert list(results["backfilled"]) == [0, 0, 0]


@pytest.mark.parametrize("setting", PRIME)
@given(workload=workloads())
def test_shifts_change_while_jobs_wait(setting: str, workload: Workload) -> None:
    """There is an event at each boundary after which a job waited, and it reports the right shift."""
    simulation = simulate(workload, setting)
    given = {name: int(str(value)) for name, value in simulation.policy.parameters.items()}
    cycle, phase, length = 2 * given["shift"], given["phase"], given["length"] or given["shift"]
    boundary, rang = None, []
    for now, kind, _ in events(simulation):
        if kind == BOUNDARY:
            assert now == boundary
            rang.append(now)
        assert boundary is None or now <= boundary
        into = (now - phase) % cycle
        assert into in (0, length) or boundary is None or now < boundary
        following = now - into + (length if into < length else cycle)
        assert simulation.status() == {"prime": into < length, "boundary": following}
        if not simulation.pending:
            boundary = following if len(simulation.waiting()) else None
    assert rang == sorted(set(rang))


@pytest.mark.parametrize("setting", PRIME)
@given(workload=workloads())
def test_prime_time_is_explained(setting: str, workload: Workload) -> None:
    """After each pass: the rule that a job breaks, the eligible job that ends the scan, or too few nodes."""
    simulation, rows = simulate(workload, setting), workload.jobs
    rules = {name: int(str(value)) for name, value in simulation.policy.parameters.items()}
    for _ in after_passes(simulation):
        ended: int | None = None
        status, free = simulation.status(), simulation.free
        for index in simulation.waiting():
            job, reason = rows[index], simulation.explain(index)
            assert reason is not None
            code, numbers = reason
            assert (numbers["needs"], numbers["free"]) == (job.size, free)
            assert numbers.get("boundary", status["boundary"]) == status["boundary"]
            if ended is not None:
                assert code == "scan_ended"
                assert (numbers["blocker"], numbers["blocker_needs"]) == (ended, rows[ended].size)
                continue
            assert status["prime"] or code == "no_room_now"
            large, long = job.size > rules["large"], job.runtime > rules["long"]
            if code == "no_room_now":
                assert job.size > free
                ended = index
                continue
            assert job.runtime == numbers["runtime"] > numbers["short"] == rules["short"]
            applies = {"too_long_for_prime": long, "too_large_for_prime": large and not long}
            assert applies.get(
                code, not large and not long and free < rules["reserve"] == numbers.get("reserve")
            )


@pytest.mark.parametrize("setting", UNICOS)
@given(workload=workloads())
def test_unicos_is_explained(setting: str, workload: Workload) -> None:
    """After each pass a job does not fit, or is behind the first that does not and has waited too long."""
    simulation, rows = simulate(workload, setting), workload.jobs
    limit = SPACE[setting].parameters["limit"]
    for now in after_passes(simulation):
        blocker: int | None = None
        for index in simulation.waiting():
            numbers = {"needs": rows[index].size, "free": simulation.free}
            if blocker is not None:
                waited = now - rows[blocker].submit
                numbers |= {"blocker": blocker, "blocker_needs": rows[blocker].size}
                assert simulation.explain(index) == (
                    "waited_ends_scan",
                    {**numbers, "waited": waited, "limit": limit},
                )
                continue
            assert simulation.explain(index) == ("no_room_now", numbers)
            assert rows[index].size > simulation.free
            if now - rows[index].submit > limit:
                blocker = index


@pytest.mark.parametrize("setting", SPACE)
@given(workload=workloads())
def test_a_job_that_starts_in_the_coming_pass_waits_for_it(setting: str, workload: Workload) -> None:
    """Between an event and its pass no job's reason names an obstacle that the pass will not find."""
    check_pending(simulate(workload, setting))


@pytest.mark.parametrize(
    ("policy", "parameters", "message"),
    [
        ("prime", {"shift": 0}, "shift is 0; expected 1 to"),
        ("prime", {"reserve": -1}, "reserve is -1; expected 0 or more"),
        ("prime", {"shift": 5, "length": 10}, "length is 10; expected 0 to 9 seconds"),
        ("unicos", {"limit": -1}, "limit is -1; expected 0 or more"),
        ("maui", {"weight_size": float("inf")}, "weight_size is inf; expected -1e[+]12 to 1e[+]12"),
        ("maui", {"weight_class": float("nan")}, "weight_class is nan; expected"),
        ("maui", {"reservations": 0}, "reservations is 0; expected 1 to 1,000,000"),
        ("maui", {"windows": "wide"}, "windows is 'wide'; expected one of queue, widest"),
    ],
)
def test_what_is_out_of_range_is_refused(policy: str, parameters: dict[str, object], message: str) -> None:
    """The error names the value and what was expected."""
    with pytest.raises(ValueError, match=message):
        make(policy, parameters)
