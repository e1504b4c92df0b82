"""Every decision and every wait is explained by a rule and by the numbers that settle it."""

import random
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.kernels.core.simulation import Simulation
from tests.kernels.drive import EASY, PASS, SETTINGS, SWITCH, after_passes, events, simulate
from tests.kernels.operator import steered_drive
from tests.kernels.operator.test_steered_invariants import POLICIES
from tests.kernels.policies.torus import steered_torus_drive
from tests.oracles.jobs import Job, Workload, workloads
from tests.oracles.space.conservative import Hold, moments, profile
from tests.oracles.space.easy import Decision, easy_passes, shadow_of
from tests.oracles.space.plan import Plan
from tests.oracles.steered.workloads import random_case

NUMBERS = {
    "head_blocked": {"needs", "free", "shadow", "extra", "blocker"},
    "head_reserved": {"needs", "free", "shadow", "extra"},
    "behind_head": {"needs", "free", "head", "head_needs", "shadow"},
    "enough_passed": {"needs", "free", "head", "head_needs", "shadow", "limit"},
    "no_room": {"needs", "free", "head", "shadow"},
    "would_delay_head": {"needs", "free", "end", "shadow", "extra", "head"},
    "reserved": {"needs", "free", "reserved", "short_at", "short_free"},
    "planned": {"needs", "free", "planned", "short_at", "short_free", "place"},
    "planned_by_deadline": {"needs", "free", "planned", "deadline", "short_at", "short_free"},
    "missed_turn": {"needs", "free", "reserved"},
    "pass_pending": {"needs", "free"},
}
CODES = {
    **{order: {"planned"} for order in ("sjf", "ljf", "dynp", "ivs")},
    "flex": {"planned_by_deadline", "missed_turn"},
    "fcfs": {"head_blocked", "behind_head", "enough_passed", "no_room"},
    "easy": {"head_blocked", "head_reserved", "no_room", "would_delay_head"},
    "conservative": {"reserved", "planned", "missed_turn"},
}
CODES["pbas"] = CODES["wbas"] = set.union(*CODES.values())

Reason = tuple[str, dict[str, int]]


@pytest.mark.parametrize("setting", EASY)
@given(workload=workloads())
def test_easy_decides_what_the_naive_program_decides(setting: str, workload: Workload) -> None:
    """Pass by pass, the same decisions in the same order, under the same rule, with the same numbers."""
    simulation = simulate(workload, setting)
    decided = [(now, list(simulation.decisions())) for now in after_passes(simulation)]
    parameters: dict[str, Any] = dict(SETTINGS[setting].parameters)
    assert decided == list(without_repetition(easy_passes(*workload, **parameters)))


def without_repetition(
    passes: Iterable[tuple[int, list[Decision]]],
) -> Iterator[tuple[int, list[tuple[str, int, str, dict[str, int]]]]]:
    """The passes, with a reservation only if its head or its shadow time is new."""
    last = None
    for now, decisions in passes:
        rows = []
        for kind, job, reason, numbers in decisions:
            reservation = (job, numbers["shadow"]) if kind == "reserve" else None
            if reservation is None or reservation != last:
                rows.append((kind, job, reason, numbers))
            last = reservation or last
        yield now, rows


@pytest.mark.proof
@pytest.mark.parametrize("setting", SETTINGS)
@given(workload=workloads())
def test_only_a_pass_decides(setting: str, workload: Workload) -> None:
    """Cause, then effect: a completion or a submission decides nothing; a switch is an event of its own."""
    simulation = simulate(workload, setting)
    for _, kind, _ in events(simulation):
        assert kind in (PASS, SWITCH) or simulation.decisions() == []


@given(workload=workloads())
def test_conservative_shows_each_reservation_and_each_move(workload: Workload) -> None:
    """The decisions lead from what was reserved before each pass to what the naive program has after it."""
    simulation = simulate(workload, "conservative-arrival")
    reserved: dict[int, int] = {}
    for moment, now in zip(moments(*workload), after_passes(simulation), strict=True):
        for kind, job, code, numbers in simulation.decisions():
            assert numbers["needs"] == workload.jobs[job].size
            if kind == "reserve":
                assert (code, job in reserved) == ("anchor", False)
                reserved[job] = numbers["at"]
            elif kind == "move":
                assert (code, numbers["was"]) == ("compressed", reserved[job])
                assert now <= numbers["at"] < numbers["was"]
                reserved[job] = numbers["at"]
            else:
                assert (code, numbers["reserved"]) == ("reservation_due", now)
                assert numbers["free"] >= numbers["needs"]
        started = [job for job, at in reserved.items() if at == now]
        assert reserved == moment.reserved
        reserved = {job: at for job, at in reserved.items() if job not in started}
        assert list(simulation.waiting()) == sorted(reserved)


@pytest.mark.parametrize("setting", SETTINGS)
@given(workload=workloads())
def test_every_wait_is_explained(setting: str, workload: Workload) -> None:
    """At every event every waiting job, and no other, has a reason with all its numbers."""
    simulation, jobs = simulate(workload, setting), workload.jobs
    for _ in events(simulation):
        waiting = list(simulation.waiting())
        for job in range(len(jobs)):
            reason = simulation.explain(job)
            if job not in waiting:
                assert reason is None
                continue
            assert reason is not None
            code, numbers = reason
            assert set(numbers) == NUMBERS[code]
            assert (numbers["needs"], numbers["free"]) == (jobs[job].size, simulation.free)


@pytest.mark.proof
@pytest.mark.parametrize(("setting", "sign"), [("sjf", 1), ("ljf", -1), ("conservative-replan", 0)])
@given(workload=workloads(), data=st.data())
def test_only_those_before_a_job_in_the_plan_are_in_its_way(
    setting: str, sign: int, workload: Workload, data: st.DataObject
) -> None:
    """Its planned start, its place, and when it first lacks nodes, whichever job was asked about before."""
    simulation, jobs = simulate(workload, setting), workload.jobs
    for now in after_passes(simulation):
        plan = Plan(workload.nodes, now)
        for job in simulation.running():
            start = simulation.start_of(job)
            assert start is not None
            plan.take(jobs[job].size, now, max(start + jobs[job].estimate, now + 1))
        expected = {}
        for place, job in enumerate(
            sorted(simulation.waiting(), key=lambda job: (sign * jobs[job].estimate, job)), 1
        ):
            size, length = jobs[job].size, jobs[job].estimate
            start = plan.earliest(size, length)
            short = next((time, free) for time, free in plan.steps if free < size)
            expected[job] = (start, place, *short)
            plan.take(size, start, start + length)
        for job in data.draw(st.permutations(list(expected))):
            code, numbers = simulation.explain(job) or ("", {})
            assert code == "planned"
            found = tuple(numbers[key] for key in ("planned", "place", "short_at", "short_free"))
            assert found == expected[job]


@pytest.mark.proof
@pytest.mark.parametrize("setting", [name for name in SETTINGS if name != "pbas-kept"])
@given(workload=workloads())
def test_the_numbers_of_a_wait_are_true(setting: str, workload: Workload) -> None:
    """After each pass, what a reason says of the machine is what the machine shows."""
    simulation = simulate(workload, setting)
    policy = setting.partition("-")[0]
    kept: tuple[int, int, int] | None = None
    for now in after_passes(simulation):
        waiting = list(simulation.waiting())
        if "kept" in setting and policy == "easy":
            kept = check_kept(simulation, workload.jobs, now, kept)
            continue
        for job in waiting:
            reason = simulation.explain(job)
            assert reason is not None
            assert reason[0] in CODES[policy]
            if "shadow" not in reason[1]:
                check_plan(simulation, workload, now, job, reason)
            else:
                check_behind_head(simulation, workload.jobs, now, job, reason)


def check_behind_head(simulation: Simulation, jobs: list[Job], now: int, job: int, reason: Reason) -> None:
    """The reasons of FCFS and EASY rest on the head and on its shadow time."""
    code, numbers = reason
    head, running = simulation.waiting()[0], list(simulation.running())
    ends = {other: simulation.end_of(other) or 0 for other in running}
    shadow, extra = shadow_of(
        jobs[head], now, simulation.free, [(ends[other], jobs[other].size) for other in running]
    )
    assert numbers["shadow"] == shadow
    assert (code == "head_blocked") == (job == head)
    if code == "head_blocked":
        assert numbers["extra"] == extra
        assert ends[numbers["blocker"]] == shadow
        assert jobs[job].size > simulation.free
        return
    assert numbers["head"] == head
    if code == "behind_head":
        assert numbers["head_needs"] == jobs[head].size
    elif code == "no_room":
        assert jobs[job].size > simulation.free
    else:
        assert (numbers["end"], numbers["extra"]) == (now + jobs[job].estimate, extra)
        assert shadow < numbers["end"]
        assert extra < jobs[job].size <= simulation.free


def check_kept(
    simulation: Simulation, jobs: list[Job], now: int, kept: tuple[int, int, int] | None
) -> tuple[int, int, int] | None:
    """The reasons rest on the reservation that the pass left: the head, its shadow time, and its extra nodes.

    Only the extra nodes of a kept reservation change: jobs that end after the shadow time took them.
    """
    for kind, job, code, numbers in simulation.decisions():
        if kind == "reserve":
            assert kept is None or kept[0] != job
            kept = (job, numbers["shadow"], numbers["extra"])
        elif code == "within_extra":
            assert kept is not None
            kept = (kept[0], kept[1], kept[2] - jobs[job].size)
    waiting = list(simulation.waiting())
    for job in waiting:
        code, numbers = simulation.explain(job) or ("", {})
        assert kept is not None
        head, shadow, extra = kept
        assert (waiting[0], numbers["shadow"]) == (head, shadow) and now < shadow
        assert (code == "head_reserved") == (job == head)
        if code == "no_room":
            assert jobs[job].size > simulation.free
        else:
            assert numbers["extra"] == extra
        if code == "would_delay_head":
            assert numbers["end"] == now + jobs[job].estimate > shadow
            assert extra < jobs[job].size <= simulation.free
    return kept


def check_plan(simulation: Simulation, workload: Workload, now: int, job: int, reason: Reason) -> None:
    """A reserved job cannot start now: within its estimate, the others' plans leave it short of nodes.

    The others' plans are known as long as each promises its own; planning anew promises nothing.
    """
    code, numbers = reason
    if "reserved" not in numbers:
        assert now < numbers["planned"] <= numbers.get("deadline", numbers["planned"])
        assert now <= numbers["short_at"] < now + workload.jobs[job].estimate
        assert numbers["short_free"] < workload.jobs[job].size
        return
    promise = simulation.promise(job)
    assert promise is not None
    assert promise[0] == numbers["reserved"]
    steps = profile(plans_of_others(simulation, workload.jobs, job), workload.nodes, now)
    end = now + workload.jobs[job].estimate
    short = [(time, free) for time, free in steps if time < end and free < workload.jobs[job].size]
    assert [(numbers["short_at"], numbers["short_free"])] == short[:1] if code == "reserved" else short == []


def plans_of_others(simulation: Simulation, jobs: list[Job], job: int) -> list[Hold]:
    """What is running and reserved, as promised, without one job."""
    holds = []
    for other in [*simulation.running(), *simulation.waiting()]:
        promise = simulation.promise(other)
        start = simulation.start_of(other) if promise is None else promise[0]
        assert start is not None
        if other != job:
            holds.append(Hold(start, start + jobs[other].estimate, jobs[other].size))
    return holds


STEERED = {**POLICIES, "fcfs": {}, "sjf": {}, "ljf": {}, "manual": {}}
WAITS = frozenset("NWOSHio")
"""The letters of the jobs that are here and do not run."""


def without_reason(simulation: Simulation, count: int) -> list[tuple[int, str, int, str]]:
    """Event, policy, job and state wherever a job does not run and nothing says why, to the end of a run."""
    found = []
    while simulation.step():
        for job in range(min(count, simulation.submitted)):
            letter = simulation.state(job)
            reason = simulation.explain(job)
            if (letter in WAITS) != (reason is not None and reason[0] != ""):
                found.append((simulation.event, simulation.policy_name, job, letter))
    return found


@pytest.mark.parametrize("policy", STEERED)
def test_every_wait_of_a_steered_run_is_explained(policy: str) -> None:
    """At every event, whatever an operator did and whatever failed: also of who is suspended or held."""
    rng = random.Random(38)
    for number in range(60):
        case = random_case(rng, tuple(STEERED.items()), switches=number % 2 == 1)
        case = case._replace(policy=(policy, STEERED[policy]))
        assert without_reason(steered_drive.simulate(case), len(case.jobs)) == [], case


@pytest.mark.proof
@pytest.mark.parametrize("policy", ["t3d", "unicos"])
def test_every_wait_on_a_steered_torus_is_explained(policy: str) -> None:
    """Also of jobs that are loaded and saved, or that NQS holds."""
    rng = random.Random(39)
    for _ in range(40):
        case = steered_torus_drive.torus_case(rng)
        assert without_reason(steered_torus_drive.simulate(case, policy), len(case.jobs)) == [], case
