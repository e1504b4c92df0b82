"""What a gang scheduler keeps between events is scratch: every byte is the same without it."""

import random
from typing import Any

import pytest

from shadowtime.kernels.core.clock import EVENT_NAMES
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.operator.steering import Intervention, Steering
from shadowtime.kernels.policies import make
from tests.kernels.drive import events, table
from tests.kernels.operator.steered_drive import simulate as simulate_case
from tests.oracles.gang.policy import gang
from tests.oracles.jobs import Job, Workload
from tests.oracles.steered.case import Case, Policy
from tests.oracles.steered.workloads import GANG, SPACE, crowded_case, random_case

SETTINGS: dict[str, dict[str, Any]] = {
    "default": {},
    "short": {"quantum": 3},
    "no-alternates": {"alternate": False},
    "no-unification": {"unify": False},
    "neither": {"quantum": 7, "alternate": False, "unify": False},
    "overhead": {"quantum": 6, "overhead": 5},
    "first": {"packing": "first"},
    "best": {"packing": "best", "overhead": 1},
    "few-rows": {"slots": 5},
    "best-in-few-rows": {"packing": "best", "slots": 4},
}
BY_SETTING = pytest.mark.parametrize("setting", SETTINGS)
CHECKPOINT: Policy = ("checkpoint", {"p": 0.2, "threshold": 2, "delay": 15, "extend": 40})


def deep_workload(rng: random.Random, count: int, nodes: int) -> Workload:
    """Jobs of all sizes: three of four come within a minute, the others one by one later."""
    jobs, submit = list[Job](), 0
    for index in range(count):
        submit += rng.choice((0, 0, 1, 3)) if index < count * 3 / 4 else rng.randint(0, 400)
        size = rng.choice(
            (1, 8, 32, nodes // 3, nodes // 2 + 1, nodes, rng.randint(1, nodes), rng.randint(1, 64))
        )
        length = rng.choice((rng.randint(1, 9), rng.randint(20, 80), 10 * rng.randint(2, 12)))
        jobs.append(Job(submit, length, size, length + rng.choice((0, rng.randint(0, 99)))))
    return Workload(jobs, nodes)


def simulate(workload: Workload, setting: str) -> Simulation:
    """A simulation of the workload, before its first event."""
    return Simulation(table(workload.jobs), workload.nodes, make("gang", SETTINGS[setting]))


def forget(simulation: Simulation) -> None:
    """Leave nothing but the state."""
    simulation.restore(simulation.copy())


def compare(run: Simulation, other: Simulation, rng: random.Random, longest: int) -> None:
    """Go on in portions, the other event by event without scratch: state and last decisions stay the same.

    Between portions the first goes somewhere else now and then, and comes back.
    """
    copies = [run.copy()]
    while not other.over:
        if rng.random() < 0.5:
            done = run.run(events=rng.randint(1, longest))
        else:
            done = run.run(until=run.now + rng.randint(0, longest))
        for _ in range(done):
            forget(other)
            assert other.step()
        assert run.digest() == other.digest()
        if done:
            assert run.decisions() == other.decisions()
        if rng.random() < 0.2:
            copies.append(run.copy())
            run.restore(rng.choice(copies))
            run.run(events=rng.randint(0, longest))
            run.restore(copies[-1])
    assert run.over
    assert run.results() == other.results()
    assert run.metrics() == other.metrics()


@pytest.mark.proof
@BY_SETTING
def test_deep_matrices_are_the_naive_ones(setting: str) -> None:
    """Starts, finishes, preemptions and switches on machines of real size, in matrices of many rows."""
    rng = random.Random(f"deep {setting}")
    for nodes in (300, 1152):
        workload = deep_workload(rng, 32, nodes)
        simulation, expected = simulate(workload, setting), gang(*workload, **SETTINGS[setting])
        while simulation.run(events=rng.randint(1, 300)):
            pass
        results = simulation.results()
        assert list(results["start"]) == expected.starts
        assert list(results["finish"]) == expected.finishes
        assert list(results["preemptions"]) == expected.preemptions
        assert simulation.status()["switches"] == expected.switches
        assert max(row for row, _ in expected.placements) + 1 >= SETTINGS[setting].get("slots", 5)


@BY_SETTING
@pytest.mark.parametrize("longest", [12, 3000])
def test_nothing_but_the_state_counts(setting: str, longest: int) -> None:
    """Forgetting the matrix and who runs in each row, before every event or now and then, changes no byte."""
    rng = random.Random(f"forget {setting} {longest}")
    for count in (30, 90) if longest > 99 else (30,):
        workload = deep_workload(rng, count, rng.choice((256, 300, 512, 1000, 1152)))
        compare(simulate(workload, setting), simulate(workload, setting), rng, longest)


@BY_SETTING
def test_more_than_sixty_four_jobs_share_a_machine(setting: str) -> None:
    """A choice of more jobs than a word has bits, with jobs that come and go on both sides of the 64th."""
    if "slots" in SETTINGS[setting]:
        return
    rng = random.Random(f"many {setting}")
    jobs = [
        Job(rng.randint(0, 30), rng.randint(1, 60), rng.choice((16, 64, 200, 256)), 99) for _ in range(150)
    ]
    workload = Workload(sorted(jobs), 256)
    run, other = simulate(workload, setting), simulate(workload, setting)
    run.run(until=31)
    for _ in range(run.event):
        other.step()
    assert len(run.running()) + len(run.held()) > 64
    compare(run, other, rng, 500)


def stretched(case: Case, factor: int) -> Case:
    """The case with all its times made longer, so that turns pass between one thing and the next."""
    return case._replace(
        jobs=[
            Job(factor * job.submit, factor * job.runtime, job.size, factor * job.estimate)
            for job in case.jobs
        ],
        actions=tuple(
            action if action.at is None else action._replace(at=factor * action.at) for action in case.actions
        ),
        outages=tuple(
            outage._replace(
                start=factor * outage.start, until=None if outage.until is None else factor * outage.until
            )
            for outage in case.outages
        ),
    )


@pytest.mark.parametrize(
    "policies", [GANG, (*GANG, *SPACE), (*GANG, CHECKPOINT)], ids=["gang", "all", "checkpoint"]
)
@pytest.mark.parametrize("factor", [1, 30])
def test_an_operator_and_failures_change_nothing(policies: tuple[Policy, ...], factor: int) -> None:
    """The same with holds, suspensions, starts, cancellations, outages, and other policies in between."""
    rng = random.Random(f"steered {len(policies)} {factor}")
    for number in range(60):
        case = crowded_case(rng, policies) if number % 20 == 0 else random_case(rng, policies)
        case = stretched(case, factor)
        compare(simulate_case(case), simulate_case(case), rng, rng.choice((5, 40, 40 * factor)))


def test_a_job_that_was_restarted_by_another_policy_ends_in_time() -> None:
    """A job taken over in a long restart, without progress, runs in every row and ends in time."""
    jobs = [
        Job(0, 100, 2, 200),
        Job(1, 5000, 6, 5000),
        Job(2, 900, 4, 980),
        Job(3, 300, 2, 400),
        *(Job(5300, 9000, 4, 9000) for _ in range(2)),
    ]
    policy = make("checkpoint", {"p": 0.2, "threshold": 2, "delay": 15, "extend": 5000})
    steering = Steering([Intervention("policy", at=5250, policy=make("gang", {"quantum": 3}))])
    run, other = (Simulation(table(jobs), 6, policy, steering=steering) for _ in range(2))
    run.run(until=7500)
    assert run.status()["rows"] == ((3, 4), (5,))
    assert run.preemptions(3) == 1
    run.run(events=5000)
    while other.event < run.event:
        other.step()
    assert run.digest() == other.digest()
    assert run.finish_of(3) == 10_415


@BY_SETTING
def test_forecasts_know_no_scratch(setting: str) -> None:
    """A forecast from a run that keeps its matrix is that from one that has forgotten it."""
    rng = random.Random(f"forecast {setting}")
    workload = deep_workload(rng, 40, 1000)
    simulation = simulate(workload, setting)
    for count, (_, kind, _) in enumerate(events(simulation)):
        if count % 50 or EVENT_NAMES[kind] != "pass":
            continue
        kept = simulation.forecast()
        forget(simulation)
        forgotten = simulation.forecast()
        kept.run()
        forgotten.run()
        assert kept.starts() == forgotten.starts()
        assert kept.ends() == forgotten.ends()


@BY_SETTING
@pytest.mark.parametrize("seed", range(4))
def test_turns_are_passed_over_up_to_where_something_else_happens(setting: str, seed: int) -> None:
    """Each switch with its pass, fewer events than allowed, and nobody starts or gets other nodes in them."""
    rng = random.Random(seed)
    workload = deep_workload(rng, 12, 128)
    run, other = simulate(workload, setting), simulate(workload, setting)
    jobs, passed = range(len(workload.jobs)), 0
    while other.step():
        run.run(events=1)
        most = rng.choice((None, 0, 1, 2, 7, 40))
        done = run.pass_turns(most)
        assert done % 2 == 0 and (most is None or done < max(most, 1))
        assert not done or not len(run.decisions())
        held = [other.nodes_of(job) for job in jobs]
        starts = [other.start_of(job) for job in jobs]
        for _ in range(done):
            assert other.step()
            assert other.last is not None and EVENT_NAMES[other.last[1]] in ("switch_slot", "pass")
            assert [other.nodes_of(job) for job in jobs] == held
            assert [other.start_of(job) for job in jobs] == starts
        assert run.digest() == other.digest()
        passed += done
    assert passed or setting == "default"


def test_nothing_is_passed_over_where_no_rows_take_turns() -> None:
    simulation = Simulation(table([Job(0, 9, 2, 9), Job(0, 9, 2, 9)]), 2, make("easy"))
    while not simulation.over:
        assert simulation.pass_turns() == 0
        simulation.step()
