"""The naive program of a steered run under gang scheduling, on cases whose times were worked out by hand."""

from tests.oracles.small_cases import jobs
from tests.oracles.steered.case import Action, Case, Outage, Policy
from tests.oracles.steered.run import Steered, fates, steered, steps

GANG: Policy = ("gang", {})
TWO = jobs((0, 20, 4, 20), (0, 20, 4, 20))
"""Each of them needs the whole of four nodes; they take turns of 10 s."""


def spans(case: Case) -> list[tuple[int | None, int | None]]:
    """Start and finish of every job."""
    return [(fate.start, fate.finish) for fate in fates(case)]


def test_a_suspended_job_leaves_its_row() -> None:
    """J1's row takes over at 5 with a whole quantum; J0, back at 12, has its turn at 15 with 5 s done."""
    case = Case(TWO, 4, GANG, (Action("suspend", 5, job=0), Action("resume", 12, job=0)))
    assert spans(case) == [(0, 40), (5, 35)]
    assert [fate.preemptions for fate in fates(case)] == [1, 1]


def test_a_job_that_waits_for_its_turn_may_be_suspended() -> None:
    """J1 has columns and has never run. Without it J0 runs through; resumed at 30 it starts."""
    case = Case(TWO, 4, GANG, (Action("suspend", 5, job=1), Action("resume", 30, job=1)))
    assert spans(case) == [(0, 20), (30, 50)]
    assert [fate.preemptions for fate in fates(case)] == [0, 0]


def test_only_jobs_without_columns_are_held() -> None:
    """With one row J1 waits in the queue and may be held; with two it has columns and may not."""
    actions = (Action("hold", 5, job=1), Action("release", 25, job=1))
    assert spans(Case(TWO, 4, ("gang", {"slots": 1}), actions)) == [(0, 20), (25, 45)]
    run = steered(Case(TWO, 4, GANG, actions))
    assert [code for _, code in run.refusals] == ["wrong_state", "wrong_state"]


def test_a_failure_strikes_all_who_have_the_node_among_their_columns() -> None:
    """Node 0 fails at 5, before J1 has run; both are in the queue again and enter the matrix anew at 50."""
    actions = (Action("down", 5, nodes=(0,)), Action("up", 50, nodes=(0,)))
    case = Case(TWO, 4, GANG, actions, on_failure="requeue")
    assert spans(case) == [(0, 80), (60, 90)]
    assert [fate.state for fate in fates(case._replace(on_failure="kill"))] == ["K", "K"]


def test_a_node_that_is_out_is_taken_in_every_row() -> None:
    """J0 keeps node 0, which is drained at 5, to its end. J2 finds no block and holds J3 back until 40."""
    workload = jobs((0, 30, 2, 30), (6, 5, 2, 5), (6, 5, 4, 5), (6, 1, 1, 1))
    case = Case(workload, 4, GANG, (Action("drain", 5, nodes=(0,)), Action("up", 40, nodes=(0,))))
    run, owners = Steered(case), dict[int, list[int]]()
    for event in steps(run):
        owners[event.time] = run.world.owners()
    assert spans(case) == [(0, 30), (6, 11), (40, 45), (45, 46)]
    assert owners[6] == [0, 0, 1, 1]
    assert owners[30] == [-2, -1, -1, -1]


def test_a_block_is_out_with_any_of_its_nodes() -> None:
    """A job of three takes a block of four: it waits for node 3, though that is none of its columns."""
    case = Case(jobs((1, 5, 3, 5)), 4, GANG, outages=(Outage((3,), 0, 8),))
    assert spans(case) == [(8, 13)]
    assert spans(case._replace(policy=("gang", {"packing": "first"}))) == [(1, 6)]


def test_the_operator_puts_a_job_where_packing_would() -> None:
    """J2 is held back by J1; started at 5 it has the idle columns beside J0 and runs at once."""
    workload = jobs((0, 20, 2, 20), (1, 5, 4, 5), (2, 5, 2, 5))
    case = Case(workload, 4, ("gang", {"slots": 1}), (Action("start", 5, job=2), Action("start", 6, job=1)))
    assert spans(case) == [(0, 20), (20, 25), (5, 10)]
    assert [code for _, code in steered(case).refusals] == ["no_room"]


def test_priority_comes_before_arrival() -> None:
    """With one row, J2 has it after J0."""
    workload = jobs((0, 20, 4, 20), (1, 5, 4, 5), (2, 5, 4, 5))
    case = Case(workload, 4, ("gang", {"slots": 1}), (Action("priority", 5, job=2, to=1),))
    assert spans(case) == [(0, 20), (25, 30), (20, 25)]


def test_rows_are_united_only_when_somebody_leaves() -> None:
    """J2 found no block in the row of the others but has no column in common with it.

    A pass at 5 for a priority unites nothing, so that there is a switch at 10; that J1 is cancelled does.
    """
    workload = jobs((0, 30, 3, 30), (0, 30, 4, 30), (0, 30, 1, 30))
    actions = (Action("priority", 5, job=0, to=1), Action("cancel", 12, job=1))
    run = steered(Case(workload, 8, GANG, actions))
    assert [event.time for event in run.events if event.kind == "switch_slot"] == [10]
    assert [(fate.start, fate.finish) for fate in run.world.fates()] == [(0, 30), (0, None), (0, 30)]


def test_from_gang_to_a_policy_that_shares_space() -> None:
    """At 12 it is J1's turn: it runs on to 30. J0, with 10 s done, is in the queue and runs after it."""
    case = Case(TWO, 4, GANG, (Action("policy", 12, policy=("fcfs", {})),))
    assert spans(case) == [(0, 40), (10, 30)]
    run = Steered(case)
    event = next(event for event in steps(run) if event.kind == "action")
    assert (event.time, [record.state for record in run.world.records]) == (12, ["O", "R"])


def test_from_sharing_space_to_gang() -> None:
    """J0 is in the first row at 5 and has a whole quantum: J1's turn is from 15 to 25, J0 ends at 30."""
    case = Case(TWO, 4, ("fcfs", {}), (Action("policy", 5, policy=GANG),))
    assert spans(case) == [(0, 30), (15, 40)]
