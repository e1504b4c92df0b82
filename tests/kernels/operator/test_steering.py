"""Actions, outages and changes of policy as a part of a run: the rules as stories, and going back over them.

The naive program of `tests/oracles/steered/run.py` settles the rules for the policies that share space and
for gang; here is what it says nothing of: branches, copies of another branch, forecasts, reasons, the torus.
"""

import random
from array import array
from typing import NamedTuple

import pytest

from shadowtime.kernels.core.environment import Site
from shadowtime.kernels.core.jobs import Jobs
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.operator.steering import Intervention, Outage, Steering
from shadowtime.kernels.policies import make
from tests.kernels.drive import PASS
from tests.kernels.policies.torus.torus_drive import TORUS
from tests.kernels.policies.torus.torus_drive import table as torus_table
from tests.oracles.torus.workloads import random_jobs

SMALL = [(0, 10, 2, 10), (0, 5, 4, 5), (1, 3, 1, 3), (2, 4, 1, 20)]


def table(rows: list[tuple[int, int, int, int]]) -> Jobs:
    """Jobs of (submit, runtime, size, estimate)."""
    submit, runtime, size, estimate = (array("q", column) for column in zip(*rows, strict=True))
    return Jobs(submit=submit, runtime=runtime, size=size, estimate=estimate)


def steered(
    actions: list[Intervention],
    policy: str = "easy",
    rows: list[tuple[int, int, int, int]] = SMALL,
    outages: list[Outage] | None = None,
    **machine: object,
) -> Simulation:
    """A steered simulation on 4 nodes, before its first event."""
    steering = Steering(actions, outages or (), **machine)  # type: ignore[arg-type]
    return Simulation(table(rows), 4, make(policy), steering=steering)


def decided(simulation: Simulation) -> list[tuple[str, str]]:
    """Kinds and codes of what the last event decided."""
    return [(kind, code) for kind, _, code, _ in simulation.decisions()]


def test_a_numbered_action_is_the_next_event() -> None:
    simulation = steered([Intervention("hold", after=2, job=1)])
    simulation.run(events=3)
    assert simulation.last == (0, 13, 1) and simulation.state(1) == "H"
    assert decided(simulation) == [("move", "operator_held")]
    assert simulation.acted == 1


def test_what_cannot_be_done_is_an_event_and_nothing_else() -> None:
    """Only a waiting job can be held: no pass follows, and nothing has changed."""
    simulation = steered([Intervention("hold", after=3, job=0)])
    simulation.run(events=3)
    assert simulation.refusal(Intervention("hold", at=0, job=0)) == ("only_waiting_held", {"state": ord("R")})
    simulation.step()
    assert simulation.decisions() == [("refuse", 0, "only_waiting_held", {"state": ord("R")})]
    assert not simulation.pending and simulation.state(0) == "R" and simulation.acted == 1


def test_a_cancelled_job_has_no_finish_and_a_struck_one_has() -> None:
    simulation = steered([Intervention("cancel", at=3, job=0)], outages=[Outage([(0, 4)], 6, 8, True)])
    simulation.run()
    assert (simulation.outcome(0), simulation.finish_of(0)) == ("cancelled", None)
    struck = [job for job in range(4) if simulation.outcome(job) == "struck"]
    assert struck and all(simulation.finish_of(job) == 6 for job in struck)
    assert simulation.finished + len(struck) + 1 == 4


def test_a_job_that_no_node_is_left_for_holds_nobody_back() -> None:
    """Its shadow time is never; the reason says that nodes are not in service."""
    simulation = steered([Intervention("drain", at=0, nodes=[(3, 1)])])
    simulation.run()
    assert list(simulation.waiting()) == [1]
    assert simulation.explain(1) == ("out_of_service", {"needs": 4, "free": 3, "nodes": 3})


def test_the_end_of_an_outage_is_known_once_it_has_begun() -> None:
    """The head waits for the node that is down, and a forecast knows when it is back."""
    simulation = steered([], rows=[(0, 9, 1, 9), (1, 2, 4, 2)], outages=[Outage([(3, 1)], 0, 30)])
    simulation.run(until=1)
    assert simulation.explain(1) == (
        "head_waits_for_nodes",
        {"needs": 4, "free": 2, "shadow": 30, "extra": 0},
    )
    forecast = simulation.forecast()
    forecast.run()
    assert forecast.starts() == {1: 30}


def test_a_drain_that_is_over_before_its_job_holds_nobody_back() -> None:
    """No node is out of service: the head waits for the end of the job, which brings both."""
    simulation = steered([], rows=[(0, 9, 2, 9), (1, 2, 4, 2)], outages=[Outage([(0, 1)], 2, 5)])
    simulation.run(until=2)
    found = simulation.explain(1)
    assert found is not None and found[0] == "head_blocked"
    assert (found[1]["shadow"], found[1]["blocker"]) == (9, 0)


def test_nobody_foresees_an_outage() -> None:
    simulation = steered([], rows=[(0, 9, 4, 9), (1, 2, 4, 2)], outages=[Outage([(3, 1)], 5, 30)])
    simulation.run(until=1)
    forecast = simulation.forecast()
    forecast.run()
    assert forecast.starts() == {1: 9}


def test_a_drained_node_stays_with_its_job() -> None:
    simulation = steered([Intervention("drain", at=1, nodes=[(0, 2)])], rows=[(0, 9, 2, 9)])
    simulation.run(until=1)
    assert list(simulation.owners()) == [0, 0, -1, -1] and list(simulation.draining()) == [0, 1]
    simulation.run()
    assert list(simulation.owners()) == [-2, -2, -1, -1] and simulation.free == 2


def test_a_parameter_of_another_policy_is_refused() -> None:
    simulation = steered([Intervention("parameter", at=0, policy=make("flex")), Intervention("policy", at=0)])
    simulation.run(events=1)
    assert decided(simulation) == [("refuse", "other_policy")]
    simulation.step()
    assert decided(simulation) == [("refuse", "other_policy")] and simulation.policy_name == "easy"


def test_flex_keeps_deadlines_over_a_change_of_its_parameters() -> None:
    """Not over a change of policy, which has no past."""
    for do, deadline in (("parameter", 10 + 3600), ("policy", 10 + 60)):
        changed = Intervention(do, at=2, policy=make("flex", {"slack": 60}))
        simulation = steered([changed], "flex", [(0, 10, 4, 10), (1, 1, 4, 1)])
        simulation.run(until=2)
        assert simulation.terms(1)["deadline"] == deadline, do


SPACE = ("fcfs", "easy", "conservative", "sjf", "dynp", "ivs", "maui", "flex", "pbas", "wbas", "checkpoint")
POLICIES = (*SPACE, "prime", "gang", "unicos", "manual")
DOS = ("hold", "release", "cancel", "suspend", "resume", "start", "priority")


def random_actions(
    rng: random.Random, jobs: int, nodes: int, count: int, after: int = -1
) -> list[Intervention]:
    """Actions of every kind; with `after` numbered ones only, that follow that event or later ones."""
    made = []
    for _ in range(count):
        at, number = (None, after + rng.randint(0, 9)) if after >= 0 else (rng.randint(0, 40), None)
        kind = rng.random()
        if kind < 0.65:
            do, to = rng.choice(DOS), rng.randint(-2, 2)
            made.append(Intervention(do, at=at, after=number, job=rng.randrange(jobs), to=to))
        elif kind < 0.85:
            first = rng.randrange(nodes)
            spans = [(first, rng.randint(1, nodes - first))]
            made.append(Intervention(rng.choice(("drain", "down", "up")), at=at, after=number, nodes=spans))
        else:
            made.append(Intervention("policy", at=at, after=number, policy=make(rng.choice(POLICIES))))
    return sorted(made, key=lambda action: (action.at or 0) + (action.after or 0))


class Run(NamedTuple):
    """What a run on 4 nodes is made from."""

    rows: list[tuple[int, int, int, int]]
    policy: str
    steering: Steering

    def begin(self) -> Simulation:
        return Simulation(table(self.rows), 4, make(self.policy), steering=self.steering)


def random_run(rng: random.Random, policy: str) -> Run:
    """A small random workload under that policy, with actions, outages and switches."""
    rows = []
    for submit in sorted(rng.randint(0, 20) for _ in range(8)):
        runtime = rng.randint(1, 9)
        rows.append((submit, runtime, rng.randint(1, 4), runtime + rng.randint(0, 5)))
    outages = []
    for _ in range(rng.randint(0, 2)):
        start = rng.randint(0, 30)
        outages.append(Outage([(rng.randrange(4), 1)], start, start + rng.randint(1, 20), rng.random() < 0.5))
    failure = rng.choice(("kill", "requeue", "checkpoint"))
    return Run(rows, policy, Steering(random_actions(rng, 8, 4, 7), outages, failure, 2))


@pytest.mark.parametrize("policy", POLICIES)
def test_forks_and_forecasts_leave_a_run_as_it_is(policy: str) -> None:
    """A fork goes on as its run would, also over a switch that only it has seen; forecasts end."""
    rng = random.Random(policy)
    for _ in range(12):
        simulation = random_run(rng, policy).begin()
        simulation.run(events=rng.randint(0, 40))
        digest, early, fork = simulation.digest(), simulation.copy(), simulation.fork()
        assert fork.digest() == digest
        fork.run()
        forecast = simulation.forecast()
        forecast.run()
        assert simulation.digest() == digest
        simulation.restore(fork.copy())
        assert simulation.digest() == fork.digest()
        simulation.restore(early)
        assert simulation.digest() == digest
        simulation.run()
        assert simulation.digest() == fork.digest()


@pytest.mark.parametrize("policy", POLICIES)
def test_a_branch_has_its_own_future_and_the_same_past(policy: str) -> None:
    """To the byte what a run of its own has; copies of what is common serve both."""
    rng = random.Random(policy)
    for _ in range(12):
        run = random_run(rng, policy)
        simulation, given = run.begin(), run.steering
        simulation.run(events=rng.randint(1, 20))
        early, event = simulation.copy(), simulation.event
        more = random_actions(rng, 8, 4, 3, event)
        other = Steering(
            (*given.interventions[: simulation.acted], *more), given.outages, given.on_failure, 2
        )
        branch, whole = simulation.branch(other), run._replace(steering=other).begin()
        simulation.run()
        whole.run()
        branch.run()
        assert branch.digest() == whole.digest() and branch.results() == whole.results()
        branch.restore(branch.share(early))
        assert branch.event == event
        branch.run()
        assert branch.digest() == whole.digest()


def test_what_is_not_the_same_past_is_refused() -> None:
    """A branch cannot have done other things before, nor take a copy of what comes after the parting."""
    simulation = steered([Intervention("hold", after=2, job=1)])
    simulation.run(events=5)
    with pytest.raises(ValueError, match="not what happened"):
        simulation.branch(Steering())
    with pytest.raises(ValueError, match="event 4 is followed by an action"):
        simulation.branch(
            Steering([Intervention("hold", after=2, job=1), Intervention("release", after=4, job=1)])
        )
    with pytest.raises(ValueError, match="this run is at 1 s already"):
        simulation.branch(Steering([Intervention("hold", at=0, job=2), Intervention("hold", after=2, job=1)]))
    branch = simulation.branch(
        Steering([Intervention("hold", after=2, job=1), Intervention("cancel", after=5, job=1)])
    )
    simulation.run()
    with pytest.raises(ValueError, match="event 5 is followed by an action"):
        branch.share(simulation.copy())


def nodes_of(simulation: Simulation, job: int) -> set[int]:
    return {node for first, count in simulation.nodes_of(job) for node in range(first, first + count)}


def failing(rng: random.Random, number: int) -> Steering:
    """Failures and cancelled jobs on the torus."""
    actions = [Intervention("cancel", at=rng.randint(0, 900), job=rng.randrange(12)) for _ in range(3)]
    for _ in range(6):
        do, node = rng.choice(("drain", "down", "up")), rng.randrange(256)
        actions.append(Intervention(do, at=rng.randint(0, 900), nodes=[(node, 1)]))
    failure = ("kill", "requeue", "checkpoint")[number % 3]
    actions.sort(key=lambda action: action.at or 0)
    return Steering(actions, [Outage([(0, 64)], 200, 700, True)], failure)


@pytest.mark.proof
@pytest.mark.parametrize("policy", ["t3d", "unicos"])
def test_blocks_with_a_node_out_of_service_are_nobodys(policy: str) -> None:
    """Under random failures nobody gets a node that is to go down, and going back changes nothing."""
    rng = random.Random(policy)
    for number in range(25):
        jobs, steering = random_jobs(rng, 12, 60, 300), failing(rng, number)
        site = Site(torus=TORUS)
        simulation = Simulation(torus_table(jobs), 256, make(policy), site=site, steering=steering)
        copies = [simulation.copy()]
        while simulation.step():
            owners, out = list(simulation.owners()), set(simulation.draining())
            assert simulation.free == owners.count(-1)
            for job in set(owners) - {-1, -2}:
                assert owners.count(job) == jobs[job].size
                if simulation.last == (simulation.since(job), PASS, -1) and simulation.state(job) == "i":
                    assert not out & nodes_of(simulation, job)
            copies.append(simulation.copy())
        final = simulation.digest()
        assert not list(simulation.running())
        for copy in copies[:: max(len(copies) // 4, 1)]:
            simulation.restore(copy)
            simulation.run()
            assert simulation.digest() == final


def test_policies_of_the_torus_change_on_an_idle_machine_only() -> None:
    jobs = torus_table(random_jobs(random.Random(1), 3, 10, 300))
    unicos = Intervention("policy", after=5, policy=make("unicos"))
    simulation = Simulation(jobs, 256, make("t3d"), site=Site(torus=TORUS), steering=Steering([unicos]))
    simulation.run(events=6)
    assert decided(simulation) == [("refuse", "job_active")]
    flat = steered([Intervention("policy", at=0, policy=make("t3d"))])
    flat.run(events=1)
    assert decided(flat) == [("refuse", "other_machine")] and flat.policy_name == "easy"
