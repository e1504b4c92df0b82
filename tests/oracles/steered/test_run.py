"""The naive program of a steered run, on cases whose times were worked out by hand."""

from typing import Any

import pytest

from tests.oracles.jobs import Job
from tests.oracles.small_cases import jobs
from tests.oracles.steered.case import Action, Case, Outage, Policy, Stretch
from tests.oracles.steered.run import Steered, fates, steered, steps

FCFS: Policy = ("fcfs", {})
EASY: Policy = ("easy", {})
CONSERVATIVE: Policy = ("conservative", {})
SJF: Policy = ("sjf", {})
THREE = jobs((0, 10, 2, 10), (1, 5, 2, 5), (2, 5, 2, 5))
"""Each of them needs the whole of two nodes."""


def spans(workload: list[Job], nodes: int, policy: Policy, *actions: Action, **rest: Any) -> list[Any]:
    """Start and finish of every job."""
    return [(fate.start, fate.finish) for fate in fates(Case(workload, nodes, policy, actions, **rest))]


def states(case: Case) -> str:
    """The letters of the jobs at the end."""
    return "".join(fate.state for fate in fates(case))


def story(run: Steered) -> list[tuple[int, str, int | None]]:
    """The events of a run."""
    return [event[1:] for event in run.events]


def test_a_held_job_is_seen_by_nobody_and_comes_back_to_its_place() -> None:
    """J1 is passed by J2 while it is held; released in time it starts before it. Its wait goes on."""
    held = Action("hold", 3, job=1)
    assert spans(THREE, 2, FCFS, held, Action("release", 8, job=1)) == [(0, 10), (10, 15), (15, 20)]
    case = Case(THREE, 2, FCFS, (held, Action("release", 12, job=1)))
    assert spans(THREE, 2, FCFS, *case.actions) == [(0, 10), (15, 20), (10, 15)]
    assert fates(case)[1].wait == 14
    assert states(Case(THREE, 2, FCFS, (held,))) == "FHF"


def test_a_cancelled_job_is_over_at_once() -> None:
    """J0 leaves its nodes at 4, J2 the queue: neither has a finish, and J1 runs from 4 on."""
    case = Case(THREE, 2, FCFS, (Action("cancel", 4, job=0), Action("cancel", 5, job=2)))
    assert spans(*case[:3], *case.actions) == [(0, None), (4, 9), (None, None)]
    assert states(case) == "CFC"
    assert fates(case)[0].held == [Stretch(0, 4, (0, 1))]
    assert [fate.wait for fate in fates(case)] == [0, 3, 3]


def test_a_suspended_job_keeps_its_progress() -> None:
    """J0 has 4 of its 10 s when J1 gets its nodes; the other 6 follow at 7. It waited only from 5 to 7."""
    workload = jobs((0, 10, 2, 10), (1, 3, 2, 3), (2, 5, 2, 5))
    case = Case(workload, 2, FCFS, (Action("suspend", 4, job=0), Action("resume", 5, job=0)))
    first = fates(case)[0]
    assert spans(*case[:3], *case.actions) == [(0, 13), (4, 7), (13, 18)]
    assert (first.preemptions, first.wait) == (0, 2)
    assert first.held == [Stretch(0, 4, (0, 1)), Stretch(7, 13, (0, 1))]


def test_a_resumed_job_is_planned_with_what_is_left_of_its_estimate() -> None:
    """J2 has 5 s to go and may pass the head at 7: they end by its shadow time, 12. At 8 they do not."""
    workload = jobs((0, 12, 2, 12), (1, 5, 4, 5), (2, 10, 2, 10))
    stop = Action("suspend", 7, job=2)
    assert spans(workload, 4, EASY, stop, Action("resume", 7, job=2)) == [(0, 12), (12, 17), (2, 12)]
    assert spans(workload, 4, EASY, stop, Action("resume", 8, job=2)) == [(0, 12), (12, 17), (2, 22)]


def test_the_shortest_is_whoever_has_least_left() -> None:
    """J0 has 2 of its 8 s left when it waits beside J1, which needs 5; under SJF it goes first at 10."""
    workload = jobs((0, 8, 2, 8), (7, 5, 2, 5), (7, 3, 2, 3))
    actions = Action("suspend", 6, job=0), Action("resume", 8, job=0)
    assert spans(workload, 2, SJF, *actions) == [(0, 12), (12, 17), (7, 10)]


def test_the_operator_starts_a_job_out_of_turn_where_it_fits() -> None:
    """The one idle node is enough for J2, at 3, though J1 is the head; J1 itself is refused."""
    workload = jobs((0, 10, 3, 10), (1, 5, 4, 5), (2, 4, 1, 4))
    run = steered(Case(workload, 4, FCFS, (Action("start", 3, job=1), Action("start", 3, job=2))))
    assert [fate.start for fate in run.world.fates()] == [0, 10, 3]
    assert run.refusals == [(7, "no_room")]


@pytest.mark.parametrize("policy", [FCFS, EASY, CONSERVATIVE])
@pytest.mark.parametrize("action", [Action("priority", 3, job=2, to=1), Action("priority", 3, job=1, to=-1)])
def test_priority_comes_before_arrival(policy: Policy, action: Action) -> None:
    """J2 stands before J1; under conservative backfilling J1 loses the place at 10 that it was promised."""
    assert spans(THREE, 2, policy, action) == [(0, 10), (15, 20), (10, 15)]


def test_an_order_of_its_own_has_no_room_for_priorities() -> None:
    """SJF refuses, and the refusal is an event without a pass."""
    run = steered(Case(THREE, 2, SJF, (Action("priority", 3, job=2, to=1),)))
    assert run.refusals == [(7, "own_order")]
    assert story(run)[5:8] == [(2, "pass", None), (3, "action", 2), (10, "finish", 0)]
    assert [fate.start for fate in run.world.fates()] == [0, 10, 15]


def test_what_is_held_leaves_its_reservation_to_others() -> None:
    """J2 would delay J1 and is to wait until 20; it starts as J1 is held. J1 has a new place, 15, then 13."""
    workload = jobs((0, 10, 2, 10), (1, 10, 4, 10), (2, 10, 2, 12))
    assert spans(workload, 4, CONSERVATIVE)[2] == (20, 30)
    held = Action("hold", 3, job=1), Action("release", 4, job=1)
    assert spans(workload, 4, CONSERVATIVE, *held) == [(0, 10), (13, 23), (3, 13)]


def test_newcomers_are_planned_with_all_others_after_an_action() -> None:
    """J1 is put behind everybody at 4, when J2 comes: J2, with a priority of 0, has the first place, 10."""
    workload = jobs((0, 10, 2, 10), (1, 5, 2, 5), (4, 5, 2, 5))
    late = Action("priority", 4, job=1, to=-1)
    assert spans(workload, 2, CONSERVATIVE, late) == [(0, 10), (15, 20), (10, 15)]
    assert spans(workload, 2, CONSERVATIVE, late._replace(at=3)) == [(0, 10), (10, 15), (15, 20)]


def test_a_drained_node_is_down_when_its_job_leaves_it() -> None:
    """J0 runs on to 10, node 0 is down from then on, and J1 has its two nodes when it is up again."""
    workload = jobs((0, 10, 1, 10), (1, 5, 2, 5))
    case = Case(workload, 2, FCFS, (Action("drain", 2, nodes=(0,)), Action("up", 20, nodes=(0,))))
    run = Steered(case)
    draining, owners = dict[int, list[int]](), dict[int, list[int]]()
    for event in steps(run):
        draining[event.time], owners[event.time] = run.world.draining(), run.world.owners()
    assert spans(*case[:3], *case.actions) == [(0, 10), (20, 25)]
    assert (draining[2], draining[10]) == ([0], [])
    assert (owners[2], owners[10], owners[20]) == ([0, -1], [-2, -1], [1, 1])


def test_a_node_that_drains_stays_in_service_when_it_is_called_back() -> None:
    """The drain of node 0 is taken back at 5, before J0 has left it: J1 starts at 10."""
    workload = jobs((0, 10, 1, 10), (1, 5, 2, 5))
    actions = Action("drain", 2, nodes=(0,)), Action("up", 5, nodes=(0,))
    assert spans(workload, 2, FCFS, *actions) == [(0, 10), (10, 15)]


@pytest.mark.parametrize(
    ("on_failure", "interval", "finish", "state"),
    [("kill", 2, 5, "K"), ("requeue", 2, 15, "F"), ("checkpoint", 2, 11, "F"), ("checkpoint", 3, 12, "F")],
)
def test_a_struck_job_ends_as_the_machine_says(
    on_failure: str, interval: int, finish: int, state: str
) -> None:
    """Node 0 fails under J0 at 5: it is over, or on node 1 from 5 on with 0, 4 or 3 s of its 10 s done."""
    fate = fates(
        Case(jobs((0, 10, 1, 10)), 2, EASY, (Action("down", 5, nodes=(0,)),), (), on_failure, interval)
    )[0]
    assert (fate.start, fate.finish, fate.state, fate.preemptions) == (0, finish, state, 0)
    again = [] if state == "K" else [Stretch(5, finish, (1,))]
    assert fate.held == [Stretch(0, 5, (0,)), *again]


def test_a_job_is_struck_once() -> None:
    """Two outages hit both nodes of J0 at 5; it keeps 4 s and starts again at 8, on nodes 2 and 3."""
    case = Case(
        jobs((0, 10, 2, 10), (0, 8, 2, 8)),
        4,
        FCFS,
        outages=(Outage((0,), 5, None, kill=True), Outage((1,), 5, None, kill=True)),
        on_failure="checkpoint",
        interval=2,
    )
    assert [(fate.start, fate.finish) for fate in fates(case)] == [(0, 14), (0, 8)]
    assert fates(case)[0].held[-1] == Stretch(8, 14, (2, 3))


def test_the_end_of_an_outage_is_known_once_it_has_begun() -> None:
    """J1 has its three nodes at 10, when the outage ends; J2 may pass it only if it ends by then."""
    outage = (Outage((1, 2), 2, 10),)
    workload = jobs((0, 20, 1, 20), (3, 5, 3, 5), (4, 6, 1, 6))
    assert spans(workload, 4, EASY, outages=outage) == [(0, 20), (10, 15), (4, 10)]
    workload[2] = Job(4, 7, 1, 7)
    assert spans(workload, 4, EASY, outages=outage) == [(0, 20), (10, 15), (15, 22)]


def test_a_node_is_back_when_all_its_outages_are_over() -> None:
    """Node 1 is known to be back at 14, or never: J1 has its three nodes at 14, or at 20, when J0 ends."""
    workload = jobs((0, 20, 1, 20), (3, 5, 3, 5), (4, 10, 1, 10))
    first = Outage((1, 2), 2, 10)
    outages = (first, Outage((1,), 2, 14))
    assert spans(workload, 4, EASY, outages=outages) == [(0, 20), (14, 19), (4, 14)]
    workload[2] = Job(4, 16, 1, 16)
    outages = (first, Outage((1,), 2, None))
    assert spans(workload, 4, EASY, outages=outages) == [(0, 20), (20, 25), (4, 20)]


def test_nodes_that_are_drained_by_hand_come_back_at_no_known_time() -> None:
    """Without nodes 1 and 2 J1 never starts, and holds nobody back; at 30 they are back."""
    workload = jobs((0, 20, 1, 20), (3, 5, 3, 5), (4, 7, 1, 7))
    actions = Action("drain", 2, nodes=(1, 2)), Action("up", 30, nodes=(1, 2))
    for policy in (EASY, CONSERVATIVE, SJF):
        assert spans(workload, 4, policy, *actions) == [(0, 20), (30, 35), (4, 11)]
    assert spans(workload, 4, FCFS, *actions) == [(0, 20), (30, 35), (30, 37)]


def test_a_busy_node_that_drains_does_not_come_free_with_its_job() -> None:
    """J1 needs both nodes. Node 0, drained at 1, is no use to it at 10: J2 may take node 1 beyond that.

    Were it an outage until 15, J1 would have its place then, and J2 would have to end by it.
    """
    workload = jobs((0, 10, 1, 10), (2, 5, 2, 5), (3, 12, 1, 12), (3, 13, 1, 13))
    drained = Action("drain", 1, nodes=(0,))
    assert spans(workload, 2, EASY, drained) == [(0, 10), (None, None), (3, 15), (15, 28)]
    until = (Outage((0,), 1, 15),)
    assert spans(workload, 2, EASY, outages=until) == [(0, 10), (15, 20), (3, 15), (20, 33)]
    workload[2] = workload[3]
    assert spans(workload[:3], 2, EASY, outages=until) == [(0, 10), (15, 20), (20, 33)]


def test_overlapping_outages_end_with_the_last() -> None:
    """The only node is down from 2 to 12, though the first outage is over at 8."""
    outages = (Outage((0,), 2, 8), Outage((0,), 5, 12))
    run = steered(Case(jobs((3, 2, 1, 2)), 1, CONSERVATIVE, outages=outages))
    assert [(event.time, event.kind) for event in run.events if event.kind.startswith("node")] == [
        (2, "node_down"),
        (5, "node_down"),
        (8, "node_up"),
        (12, "node_up"),
    ]
    assert run.world.fates()[0].start == 12


def test_an_outage_that_begins_as_another_ends_keeps_the_node() -> None:
    """At 8 node_down comes before node_up: the node is covered and stays down until 12."""
    outages = (Outage((0,), 2, 8), Outage((0,), 8, 12))
    assert spans(jobs((3, 2, 1, 2)), 1, EASY, outages=outages) == [(12, 14)]


def test_the_operator_and_an_outage_may_both_bring_nodes_back() -> None:
    """Up at 4 beats the outage; what is drained while it lasts, at 5, is back at its end, 9."""
    outage = (Outage((0, 1), 2, 9),)
    up = Action("up", 4, nodes=(0,))
    assert spans(jobs((3, 2, 1, 2)), 2, FCFS, up, outages=outage) == [(4, 6)]
    again = Action("drain", 5, nodes=(0,))
    assert spans(jobs((5, 2, 1, 2)), 2, FCFS, up, again, outages=outage) == [(9, 11)]


def test_actions_on_nodes_must_change_something() -> None:
    """Up where none is out, drain where all are out, down where all are down: refused, each an event."""
    refused = ("up", 1, 0), ("drain", 2, 0), ("drain", 3, 0), ("down", 4, 0), ("down", 5, 0), ("up", 6, 1)
    actions = tuple(Action(do, at, nodes=(node,)) for do, at, node in refused)
    run = steered(Case(jobs((0, 10, 1, 10)), 2, FCFS, actions, on_failure="requeue"))
    assert [code for _, code in run.refusals] == ["none_out", "all_out", "all_down", "none_out"]
    assert (run.world.fates()[0].start, run.world.fates()[0].finish) == (0, 14)


def test_nodes_change_together() -> None:
    """Of two nodes one is drained already: the drain of both is done, and so is the up of both at 5."""
    taken = ("drain", 1, (0,)), ("drain", 2, (0, 1)), ("up", 5, (0, 1))
    actions = tuple(Action(do, at, nodes=nodes) for do, at, nodes in taken)
    run = steered(Case(jobs((3, 1, 2, 1)), 2, FCFS, actions))
    assert (run.refusals, run.world.fates()[0].start) == ([], 5)


def test_a_numbered_action_comes_before_what_else_is_due() -> None:
    """Event 4 is the end of J0; J1, whose end is due as well, is cancelled first."""
    workload = jobs((0, 5, 1, 5), (0, 5, 1, 5))
    run = steered(Case(workload, 2, FCFS, (Action("cancel", after=4, job=1),)))
    assert story(run)[3:] == [(5, "finish", 0), (5, "action", 1), (5, "pass", None)]
    assert run.world.fates()[1].finish is None


def test_a_job_with_nothing_left_ends_as_it_starts() -> None:
    """J1 is suspended in the instant of its end, all 5 s done; it ends in that of its next start."""
    workload = jobs((0, 5, 1, 5), (0, 5, 1, 5))
    actions = Action("suspend", after=4, job=1), Action("resume", 9, job=1)
    run = steered(Case(workload, 2, SJF, actions))
    assert story(run)[4:] == [
        (5, "action", 1),
        (5, "pass", None),
        (9, "action", 1),
        (9, "pass", None),
        (9, "finish", 1),
        (9, "pass", None),
    ]
    assert run.world.fates()[1].held == [Stretch(0, 5, (1,))]


def test_a_numbered_action_after_the_pass_makes_another_pass() -> None:
    """J0 starts in event 2, is stopped in 3 and back in 5: three passes at 0, and it runs from 0 to 5."""
    actions = Action("suspend", after=2, job=0), Action("resume", after=4, job=0)
    run = steered(Case(jobs((0, 5, 1, 5)), 1, EASY, actions))
    assert [event.kind for event in run.events] == [
        *("submit", "pass", "action", "pass", "action", "pass", "finish", "pass")
    ]
    assert run.world.fates()[0].held == [Stretch(0, 5, (0,))]


def test_numbered_actions_follow_each_other() -> None:
    """Two have number 1; one has 2 and can only come after them; the event of the last never comes."""
    actions = tuple(Action("hold", after=after, job=0) for after in (1, 2, 1, 99))
    run = steered(Case(jobs((3, 5, 1, 5)), 1, EASY, actions))
    assert [code for _, code in run.refusals] == ["wrong_state", "wrong_state"]
    assert story(run) == [
        (3, "submit", 0),
        (3, "action", 0),
        (3, "action", 0),
        (3, "action", 0),
        (3, "pass", None),
    ]


def test_the_clock_begins_with_whatever_comes_first() -> None:
    """The job comes at 5; #0 is at 2, when the outage begins. An action on a later job is refused."""
    case = Case(jobs((5, 1, 1, 1)), 1, EASY, (Action("hold", after=0, job=0),), (Outage((0,), 2, 4),))
    run = steered(case)
    assert story(run)[:2] == [(2, "action", 0), (2, "node_down", None)]
    assert run.refusals == [(1, "not_submitted")]


def test_actions_come_after_completions_and_before_submissions() -> None:
    """At 5 J0 has ended and J1 has not come: every action on them is refused."""
    workload = jobs((0, 5, 1, 5), (5, 1, 1, 1))
    run = steered(Case(workload, 1, EASY, (Action("cancel", 5, job=0), Action("hold", 5, job=1))))
    assert [code for _, code in run.refusals] == ["over", "not_submitted"]
    assert [event.kind for event in run.events if event.time == 5] == [
        *("finish", "action", "action", "submit", "pass")
    ]


def test_a_run_goes_on_until_its_last_action() -> None:
    """All jobs are over at 1; the drain at 9 is done, with a pass, and the last event is a refusal."""
    actions = Action("drain", 9, nodes=(0,)), Action("drain", 10, nodes=(0,))
    run = steered(Case(jobs((0, 1, 1, 1)), 1, EASY, actions))
    assert story(run)[4:] == [(9, "action", None), (9, "pass", None), (10, "action", None)]


def test_a_new_policy_takes_the_machine_as_it_is() -> None:
    """J2 is the shortest when SJF comes at 5; J0 runs on. Back under FCFS at 7, J1 goes first."""
    workload = jobs((0, 10, 2, 10), (1, 8, 2, 8), (2, 3, 2, 3))
    sjf = Action("policy", 5, policy=SJF)
    assert spans(workload, 2, FCFS, sjf) == [(0, 10), (13, 21), (10, 13)]
    back = Action("policy", 7, policy=FCFS)
    assert spans(workload, 2, FCFS, sjf, back) == [(0, 10), (10, 18), (18, 21)]
