"""What an action and a failure say of themselves, and where runs with the same past may part."""

import random
from array import array

import pytest

from shadowtime.kernels.core.environment import Site
from shadowtime.kernels.core.jobs import Jobs
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.operator.steering import Intervention, Outage, Steering
from shadowtime.kernels.policies import make
from tests.kernels.operator.test_steering import POLICIES, random_actions, random_run, steered, table
from tests.kernels.policies.torus.torus_drive import ACTION, TORUS

JOB = {"submit": 0, "runtime": 900, "size": 64, "estimate": 900}


def counted(simulation: Simulation) -> tuple[str, dict[str, int]]:
    """Code and numbers of the first decision of the last event."""
    _, _, code, numbers = simulation.decisions()[0]
    return code, numbers


def test_an_outage_of_this_instant_that_has_not_begun_is_not_of_the_past() -> None:
    """A numbered action comes before all else that is due: so does what another run does after it."""
    outage = Outage([(0, 1)], 0, 9)
    twice = [Intervention("drain", after=0, nodes=[(node, 1)]) for node in (3, 2)]
    simulation = steered(twice, outages=[outage])
    for event in (1, 2):
        simulation.step()
        branch = simulation.branch(Steering(twice, [outage]))
        assert branch.event == event and branch.digest() == simulation.digest()
        assert branch.share(simulation.copy()).event == event
    other = simulation.branch(Steering([*twice, Intervention("up", after=2, nodes=[(3, 1)])], [outage]))
    other.run(events=2)
    assert other.last == (0, 5, -1) and other.share(simulation.copy()).event == 2
    simulation.run(events=2)
    with pytest.raises(ValueError, match="event 2 is followed by an action"):
        simulation.branch(Steering([*twice, Intervention("up", after=2, nodes=[(3, 1)])], [outage]))
    with pytest.raises(ValueError, match="an outage at 0 s; this run is at 0 s already"):
        simulation.branch(Steering(twice, [outage, Outage([(1, 1)], 0, 9)]))


@pytest.mark.parametrize("policy", POLICIES)
def test_a_run_agrees_with_itself_at_every_event(policy: str) -> None:
    """Also between actions of one number, and where actions, outages and changes of mind share an instant."""
    rng = random.Random(policy)
    for number in range(6):
        run = random_run(rng, policy)
        given = run.steering
        if number % 2:
            actions = sorted(random_actions(rng, 8, 4, 7, 3), key=lambda action: action.after or 0)
            run = run._replace(steering=Steering(actions, given.outages, given.on_failure, 2))
        simulation = run.begin()
        same = Steering(run.steering.interventions, given.outages, given.on_failure, 2)
        again = simulation.branch(same)
        while simulation.step():
            copy = again.share(simulation.copy())
            assert simulation.branch(same).event == copy.event
        again.restore(copy)
        assert again.digest() == simulation.digest()


def test_a_block_with_a_node_out_is_the_reason_under_gang() -> None:
    """Three nodes take a block of four; more than there are in service is another matter."""
    drain = Intervention("drain", at=0, nodes=[(3, 1)])
    simulation = steered([drain], "gang", [(0, 9, 3, 9)])
    simulation.run(until=0)
    assert simulation.explain(0) == ("no_block", {"needs": 3, "free": 3, "nodes": 3, "block": 4})
    simulation = steered([drain], "gang", [(0, 9, 4, 9)])
    simulation.run(until=0)
    assert simulation.explain(0) == ("out_of_service", {"needs": 4, "free": 3, "nodes": 3})


def test_from_gang_to_others_a_copy_goes_on_as_its_run() -> None:
    """Turns leave nothing behind that a copy does not have."""
    rows = [(0, 1, 1, 1)] * 3 + [(1, 1, 1, 1)] * 2 + [(1, 2, 1, 2)] + [(1, 1, 1, 1)] * 2
    wbas = make("wbas", {"frame": 5, "maf": 3})
    actions = [
        Intervention("policy", after=4, policy=make("gang", {"quantum": 3, "overhead": 1})),
        Intervention("policy", after=15, policy=wbas),
        Intervention("priority", after=15, job=3),
    ]
    simulation = Simulation(table(rows), 5, wbas, steering=Steering(actions))
    copies, digests = [simulation.copy()], []
    while simulation.step():
        copies.append(simulation.copy())
        digests.append(simulation.digest())
    for copy, digest in zip(copies, digests, strict=False):
        simulation.restore(copy)
        simulation.step()
        assert simulation.digest() == digest, copy.event


@pytest.mark.parametrize("policy", ["conservative", "flex"])
def test_a_struck_job_is_promised_its_next_start(policy: str) -> None:
    """It waits as O, since it ran before; so does one that was resumed."""
    outage = Outage([(0, 1)], 2, 20, True)
    simulation = steered([], policy, [(0, 9, 4, 9)], [outage], on_failure="requeue")
    simulation.run(until=2)
    assert simulation.state(0) == "O"
    promise = simulation.promise(0)
    assert promise is not None and promise[0] == 20
    suspended = [Intervention("suspend", at=1, job=0), Intervention("resume", at=3, job=0)]
    simulation = steered(suspended, policy, [(0, 9, 4, 9), (2, 5, 4, 5)])
    simulation.run(until=2)
    assert simulation.state(0) == "S" and simulation.promise(0) is None
    simulation.run(until=3)
    assert simulation.state(0) == "O" and simulation.promise(0) is not None


def test_the_numbers_of_nodes_are_those_that_changed() -> None:
    """Out at once, or when they are left; struck out of the job that was to leave them; back but for some."""
    actions = [
        Intervention("drain", at=1, nodes=[(3, 1)]),
        Intervention("drain", at=2, nodes=[(0, 4)]),
        Intervention("down", at=4, nodes=[(0, 4)]),
        Intervention("up", at=7, nodes=[(0, 1)]),
    ]
    outages = [Outage([(0, 2)], 5, 9), Outage([(1, 2)], 6, 8)]
    simulation = steered(actions, rows=[(0, 20, 2, 20)], outages=outages)
    counts = []
    while simulation.step():
        if {code for _, _, code, _ in simulation.decisions()} & {"nodes_down", "nodes_back"}:
            counts.append((simulation.now, *counted(simulation)))
    assert counts == [
        (1, "nodes_down", {"nodes": 1, "leaving": 0}),
        (2, "nodes_down", {"nodes": 3, "leaving": 2}),
        (4, "nodes_down", {"nodes": 2, "leaving": 0}),
        (5, "nodes_down", {"nodes": 0, "leaving": 0}),
        (6, "nodes_down", {"nodes": 0, "leaving": 0}),
        (7, "nodes_back", {"nodes": 1, "covered": 0, "kept": 0}),
        (8, "nodes_back", {"nodes": 0, "covered": 0, "kept": 2}),
        (9, "nodes_back", {"nodes": 0, "covered": 0, "kept": 1}),
    ]


def test_what_is_asked_of_the_torus_is_a_decision_of_its_event() -> None:
    """The action itself first, then what its scheduler makes of it."""
    jobs = Jobs(**{name: array("q", [value]) for name, value in JOB.items()})
    site = Site(torus=TORUS)
    for do, code in (("suspend", "operator_suspended"), ("cancel", "operator_cancelled")):
        steering = Steering([Intervention(do, at=200, job=0)])
        simulation = Simulation(jobs, 256, make("t3d"), site=site, steering=steering)
        simulation.run(until=199)
        assert simulation.state(0) == "R"
        while simulation.last != (200, ACTION, 0):
            assert simulation.step()
        assert counted(simulation)[0] == code


def test_a_job_in_pieces_counts_once_in_the_load_of_a_block() -> None:
    """One that gang takes over has the nodes 0 and 2: three jobs are in either half of the machine."""
    rows = [(0, 1, 1, 1), (0, 9, 1, 9), (1, 9, 2, 9), *[(1, 9, 1, 9)] * 3, (1, 9, 2, 9), (3, 9, 4, 9)]
    steering = Steering([Intervention("policy", at=2, policy=make("gang"))])
    simulation = Simulation(table(rows), 8, make("fcfs"), steering=steering)
    simulation.run(until=3)
    assert simulation.nodes_of(2) == [(0, 1), (2, 1)]
    assert (simulation.state(7), simulation.nodes_of(7)) == ("W", [(0, 4)])


def test_a_job_that_ran_waits_under_gang_until_it_has_columns_again() -> None:
    """Suspended at 2 and resumed at 5, it finds no node in service until 9; then it has columns."""
    actions = [Intervention("suspend", at=2, job=0), Intervention("resume", at=5, job=0)]
    outage = Outage([(0, 4)], 3, 9)
    rows = [(0, 10, 4, 10), (1, 10, 4, 10)]
    gang = make("gang", {"quantum": 3})
    simulation = Simulation(table(rows), 4, gang, steering=Steering(actions, [outage]))
    simulation.run(until=9)
    assert (simulation.state(0), simulation.waited(0)) == ("W", 4)
    simulation.run()
    assert simulation.refused() == [] and simulation.preemptions(0) > 0
    sums, _, _ = simulation.tally()
    assert sums["wait"] == 4 + 1


def test_a_node_that_is_down_can_be_drained_and_stays_out_when_its_outage_ends() -> None:
    """Also if it was drained before the outage; `up` alone returns it, and nobody foresees when."""
    for at in (1, 6):
        actions = [Intervention("drain", at=at, nodes=[(0, 1)]), Intervention("up", at=20, nodes=[(0, 1)])]
        outages = [Outage([(0, 1)], 5, 9, True)]
        simulation = steered(actions, rows=[(7, 2, 4, 2)], outages=outages)
        simulation.run(until=10)
        assert not simulation.refused() and simulation.owners()[0] == -2, at
        assert simulation.promise(0) is None, "the return is not known"
        simulation.run()
        assert simulation.start_of(0) == 20


def test_an_outage_that_is_over_returns_its_nodes_if_the_operator_keeps_none() -> None:
    simulation = steered([], rows=[(7, 2, 4, 2)], outages=[Outage([(0, 1)], 5, 9), Outage([(0, 2)], 6, 12)])
    counts = []
    while simulation.step():
        if {code for _, _, code, _ in simulation.decisions()} & {"nodes_back"}:
            counts.append((simulation.now, *counted(simulation)))
    assert counts == [
        (9, "nodes_back", {"nodes": 0, "covered": 1, "kept": 0}),
        (12, "nodes_back", {"nodes": 2, "covered": 0, "kept": 0}),
    ]


def test_who_keeps_a_node_out_twice_is_refused() -> None:
    """The first drain meets a node that is down by an outage; the second changes nothing."""
    actions = [Intervention("drain", at=6, nodes=[(0, 1)]), Intervention("drain", at=7, nodes=[(0, 1)])]
    simulation = steered(actions, rows=[(0, 9, 1, 9)], outages=[Outage([(0, 1)], 5, 9, True)])
    simulation.run()
    assert [(at, code) for _, at, _, code, _ in simulation.refused()] == [(7, "all_down")]
