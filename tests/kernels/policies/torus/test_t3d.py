"""The schedulers of the torus agree with their naive programs, to the second, whatever the operator does."""

import random
from array import array
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from shadowtime.kernels.core.environment import Site
from shadowtime.kernels.core.jobs import SERVICES, Jobs
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.policies import make
from tests.amount import many
from tests.kernels.handles import Operator
from tests.kernels.policies.torus.torus_drive import PASS, TORUS, View, base_of, play, simulate, table, view
from tests.oracles.torus.classes import CLASSES, HOUR, YEAR, Rules
from tests.oracles.torus.nodes_of_unicos import t3d_unicos
from tests.oracles.torus.nqs import Front
from tests.oracles.torus.t3d import Action, Moment, Scheduler, T3DJob
from tests.oracles.torus.workloads import T3DCase, random_asking_case, random_case, random_nqs_case

Draw = Callable[[random.Random], T3DCase]
Row = tuple[int, str, int, int]
I, D, P, B, S = CLASSES  # noqa: E741


def scheduler_of(case: T3DCase) -> Scheduler:
    """The naive program, before the first instant."""
    rules = dict(case.rules)
    nqs = rules.pop("nqs", None)
    return Scheduler(case.jobs, case.actions, Rules(**rules), nqs)


def naive_view(moment: Moment, front: Front | None) -> View:
    """What the naive program shows, in the terms of the compiled one: who is over has nothing left."""
    count = range(len(moment.states))
    away = {} if front is None else front.turned_away
    states = ["F" if s == "C" or k in away else s for k, s in enumerate(moment.states)]
    for job in moment.held:
        states[job] = "N"
    here = [states[k] not in ("F", "") and k not in away for k in count]
    return View(
        states,
        [base_of(moment.blocks[k]) if here[k] else None for k in count],
        [moment.wires[k] if here[k] else None for k in count],
        [moment.classes[k] if here[k] else None for k in count],
        moment.reserved,
        sorted(moment.held),
    )


def column(values: Sequence[int]) -> list[int | None]:
    """A column of results, with None where nothing happened."""
    return [None if value == -1 else value for value in values]


def check(case: T3DCase) -> None:
    """The same states, blocks, wires, classes and reservation after every pass, and the same outcome.

    Where nobody waits no table or period matters, and the compiled program makes no pass for it.
    """
    simulation, refused = simulate(case), list[Action]()
    views: dict[int, View] = {}
    for kind in play(simulation, case.actions, refused):
        if kind == PASS:
            views[simulation.now] = view(simulation, len(case.jobs))
    naive = scheduler_of(case)
    for now in naive.run():
        moment = naive.moment()
        if now in views or set(moment.states) & {"N", "W", "O"}:
            assert views[now] == naive_view(moment, naive.front)
    outcome, results = naive.outcome(), simulation.results()
    assert refused == outcome.refused
    assert column(results["start"]) == outcome.starts
    assert column(results["finish"]) == outcome.finishes
    for job, finish in enumerate(outcome.finishes):
        assert finish is None or results["preemptions"][job] == outcome.preemptions[job]
    assert simulation.status()["relocations"] == outcome.relocations


@pytest.mark.proof
@pytest.mark.parametrize(
    ("draw", "count"), [(random_case, 35), (random_nqs_case, 15), (random_asking_case, 40)]
)
def test_random_workloads(draw: Draw, count: int) -> None:
    """Times are small most often, so that everything falls together; many actions are refused."""
    for seed in range(count):
        check(draw(random.Random(seed)))


@pytest.mark.proof
@pytest.mark.parametrize(
    ("draw", "count"), [(random_case, 3000), (random_nqs_case, 2000), (random_asking_case, 3000)]
)
def test_many_more_random_workloads(draw: Draw, count: int) -> None:
    """The same, with other seeds, until it is a proof for practical purposes."""
    for seed in range(many(count)):
        check(draw(random.Random(10_000 + seed)))


@pytest.mark.parametrize("draw", [random_case, random_nqs_case])
def test_unicos_in_blocks(draw: Draw) -> None:
    """UNICOS on the same machine, with and without NQS, for limits that are short, usual and none."""
    for seed in range(60):
        rng = random.Random(seed)
        case, limit = draw(rng), rng.choice((3600, 20, 200, 0))
        nqs, epoch = case.rules.get("nqs"), case.rules["epoch"]
        site = {"nqs": nqs, "epoch": epoch}
        simulation = simulate(T3DCase(case.jobs, [], {**site, "limit": limit}), "unicos")
        simulation.run()
        outcome, results = t3d_unicos(case.jobs, limit, nqs, epoch), simulation.results()
        assert column(results["start"]) == outcome.starts
        assert column(results["finish"]) == outcome.finishes


def by_table(table: str, *rows: Row, **rules: Any) -> tuple[list[int], list[int], list[int]]:
    """First runs, finishes and preemptions of rows of (submission, class, size, runtime)."""
    jobs = [T3DJob(submit, runtime, size, runtime, klass) for submit, klass, size, runtime in rows]
    simulation = simulate(T3DCase(jobs, [], {"table": table, **rules}))
    simulation.run()
    results = simulation.results()
    return list(results["start"]), list(results["finish"]), list(results["preemptions"])


FOUR: list[Row] = [(0, P, 128, 5000), (0, P, 64, 5000), (0, I, 32, 5000)]


def test_the_cases_worked_by_hand() -> None:
    """Those of the definition: a block of least cost, a do-not-disturb time, and the limit of large jobs."""
    last: Row = (1000, I, 8, 100)
    assert by_table("day", *FOUR, (0, P, 32, 5000), last) == (
        [64, 32, 16, 16, 1034],
        [5064, 5032, 5016, 5180, 1134],
        [0, 0, 0, 1, 0],
    )
    assert by_table("day", *FOUR, (900, P, 32, 5000), last) == (
        [64, 32, 16, 916, 1270],
        [5064, 5032, 5016, 6080, 1370],
        [0, 0, 0, 1, 0],
    )
    assert by_table("day", (0, P, 256, 100)) == ([3728], [3828], [0])
    assert by_table("night", (0, P, 256, 100)) == ([128], [228], [0])
    assert by_table("night", *FOUR, (0, P, 32, 5000), last)[0] == [64, 32, 16, 16, 1034]


def test_who_can_never_start_does_not_keep_the_run_going() -> None:
    """A benchmark of 128 waits a year for pass 1; with strict limits the run ends without it."""
    assert by_table("clock", (0, B, 128, 10))[0] == [YEAR + 64]
    assert by_table("clock", (0, B, 128, 10), strict_limits=True)[0] == [-1]


def test_a_job_that_no_queue_takes_is_refused_with_the_reason() -> None:
    """No queue of the old limits takes 256 processors for more than four hours."""
    job = T3DJob(5, 60, 256, 5 * HOUR, P)
    simulation = simulate(T3DCase([job], [], {"nqs": "before"}))
    simulation.run()
    assert simulation.decisions() == [
        (
            "refuse",
            0,
            "nqs_no_queue",
            {"needs": 256, "estimate": 5 * HOUR, "processors": 256, "longest": 4 * HOUR},
        )
    ]
    assert (simulation.state(0), simulation.start_of(0), simulation.finish_of(0)) == ("F", None, None)


def test_a_wide_or_long_interactive_job_is_refused_if_that_is_limited() -> None:
    """64 processors and 2 h are allowed, to a debugged job too; a batch job may have more."""
    jobs = [(0, I, 64, 2 * HOUR), (0, I, 128, 60), (0, D, 2, 2 * HOUR + 1), (0, D, 32, 60), (0, P, 128, 60)]
    assert [start >= 0 for start in by_table("day", *jobs, interactive_limits=True)[0]] == [
        True,
        False,
        False,
        True,
        True,
    ]
    assert all(start >= 0 for start in by_table("day", *jobs)[0])


@pytest.mark.parametrize(
    ("jobs", "code", "numbers"),
    [
        ([(32, 1), (32, 1), (32, 1)], "nqs_queue_user", {"in_use": 1, "limit": 1, "queue": 0}),
        ([(32, 1), (64, 1), (32, 1)], "nqs_user", {"in_use": 2, "limit": 2}),
        ([(2, k) for k in range(5)], "nqs_queue_run", {"in_use": 4, "limit": 4, "queue": 0}),
        ([(64, 1), (64, 2)], "nqs_processors", {"in_use": 64, "limit": 96}),
    ],
)
def test_a_job_has_the_limit_of_nqs_that_holds_it_back(
    jobs: list[tuple[int, int]], code: str, numbers: dict[str, int]
) -> None:
    """With what counts already, and the limit; it is 5 o'clock."""
    rows = [T3DJob(0, 9, size, 60, P, user) for size, user in jobs]
    simulation = simulate(T3DCase(rows, [], {"nqs": "before", "epoch": 5 * HOUR}))
    simulation.run(until=0)
    reason = simulation.explain(len(rows) - 1)
    assert reason == (code, {"needs": rows[-1].size, "free": simulation.free, **numbers})
    assert simulation.terms(len(rows) - 1)["queue"] == (0 if rows[-1].size == 32 or rows[-1].size == 2 else 1)


@pytest.mark.parametrize(
    ("at", "do", "to", "answer"),
    [
        (0, "suspend", -1, ("not_submitted", {"at": 5})),
        (6, "suspend", -1, ("wrong_state", {"state": ord("i")})),
        (6, "resume", -1, ("wrong_state", {"state": ord("i")})),
        (6, "class", 5, ("no_such_class", {"service": 5})),
        (6, "hold", -1, ("not_offered", {})),
        (70, "suspend", -1, ("storage_full", {"size": 128, "stored": 0, "storage": 127})),
        (200, "cancel", -1, ("is_over", {})),
    ],
)
def test_a_refused_action_says_why_and_changes_nothing(at: int, do: str, to: int, answer: object) -> None:
    """The job comes at 5, is loaded until 69 and runs until 169."""
    job = T3DJob(5, 100, 128, 100, P)
    simulation = simulate(T3DCase([job], [], {"storage": 127}))
    operator = Operator(simulation)
    operator.run_up_to(at)
    digest = simulation.digest()
    assert operator.act(at, do, 0, to) == answer
    assert simulation.digest() == digest


def test_an_action_is_an_event_with_a_pass() -> None:
    """It has a number, a kind and a job; what was done to a job is seen at once."""
    rows = [T3DJob(0, 900, 256, 900, P), T3DJob(0, 10, 256, 10, P)]
    simulation = simulate(T3DCase(rows, [], {"table": "night"}))
    operator = Operator(simulation)
    operator.run_up_to(300)
    event = simulation.event
    assert operator.act(300, "suspend", 0) is None
    assert (simulation.event, simulation.last) == (event + 1, (300, 13, 0))
    assert (simulation.state(0), simulation.pending) == ("o", True)
    assert simulation.preemptions(0) == 0
    assert operator.act(541, "cancel", 1) is None
    assert (simulation.state(1), simulation.free) == ("F", 256)
    assert simulation.state(0) == "S"
    assert simulation.explain(0) == ("suspended", {"needs": 256, "since": 540})
    assert operator.act(600, "resume", 0) is None
    simulation.run()
    assert (simulation.start_of(0), simulation.finish_of(0)) == (128, 600 + 240 + 900 - 172)
    assert (simulation.start_of(1), simulation.finish_of(1)) == (None, None)


@pytest.mark.parametrize(
    ("policy", "parameters", "message"),
    [
        ("t3d", {"storage": -1}, "storage is -1; expected 0 to"),
        ("t3d", {"table": "dusk"}, "table is 'dusk'; expected one of clock, day, night"),
        ("t3d", {"classes": {"batch": {}}}, "there is no class 'batch'; expected one of interactive"),
        ("t3d", {"classes": {"debug": {"wait": 1}}}, "class debug has no 'wait'; expected one of priority"),
        ("t3d", {"classes": {"standby": {"do_not_disturb": 0}}}, "do_not_disturb of class standby is 0"),
        ("t3d", {"classes": {"standby": {"limit": True}}}, "limit of class standby is True; expected 0 to"),
        ("pbas", {"candidates": ["easy", "t3d"]}, "a candidate is t3d; expected a scheduler"),
    ],
)
def test_what_is_out_of_range_is_refused(policy: str, parameters: dict[str, object], message: str) -> None:
    """The error names the value and what was expected. Who could always be disturbed might never progress."""
    with pytest.raises(ValueError, match=message):
        make(policy, parameters)


def test_a_candidate_schedules_without_blocks() -> None:
    """Who chooses between UNICOS and another counts processors: on the torus as on a flat machine."""
    for seed in range(10):
        case = random_case(random.Random(seed))
        frames = {"frame": 200, "metric": "response", "candidates": ["unicos", "easy"]}
        on_torus = simulate(T3DCase(case.jobs, [], frames), "pbas")
        flat = Simulation(table(case.jobs), 256, make("pbas", frames))
        on_torus.run()
        flat.run()
        assert on_torus.results() == flat.results()


def numbers(*values: int) -> "array[int]":
    """A column."""
    return array("q", values)


def test_another_machine_is_refused() -> None:
    """The T3D's scheduler knows the blocks of one torus, and jobs that fill a block."""
    odd = Jobs(submit=numbers(0), runtime=numbers(9), estimate=numbers(9), size=numbers(48))
    with pytest.raises(ValueError, match="t3d schedules a torus of 8 x 4 x 8 processors"):
        Simulation(odd, 256, make("t3d"))
    with pytest.raises(ValueError, match="row 0: size is 48; expected 2, 4, 8, 16, 32, 64, 128 or 256"):
        Simulation(odd, 256, make("t3d"), site=Site(torus=TORUS))
    with pytest.raises(ValueError, match="a torus of 8 x 4 x 8 has not 128 nodes"):
        Simulation(odd, 128, make("easy"), site=Site(torus=TORUS))
    with pytest.raises(ValueError, match="row 0: service is 5; expected 0 to 4"):
        Jobs(submit=numbers(0), runtime=numbers(9), estimate=numbers(9), size=numbers(2), service=numbers(5))
    with pytest.raises(ValueError, match="row 0: user is -2; expected -1 to"):
        Jobs(submit=numbers(0), runtime=numbers(9), estimate=numbers(9), size=numbers(2), user=numbers(-2))
    assert SERVICES == (I, D, P, B, S)
