"""Naive gang scheduling on workloads that can be followed by hand, each with its story."""

from typing import Any, NamedTuple

import pytest

from tests.oracles.gang.policy import GangOutcome, Moment, gang, gang_by_seconds, moments
from tests.oracles.jobs import Job


def jobs(*rows: tuple[int, int, int]) -> list[Job]:
    """Jobs from (submit, runtime, size) rows."""
    return [Job(submit, runtime, size, runtime) for submit, runtime, size in rows]


class Case(NamedTuple):
    """A workload, the parameters, and the schedule that was worked out."""

    story: str
    nodes: int
    jobs: list[Job]
    parameters: dict[str, Any]
    outcome: GangOutcome


NESTED = jobs((0, 20, 6), (0, 20, 8), (0, 20, 2))
HALVES = jobs((0, 5, 4), (0, 30, 4), (0, 30, 4), (0, 5, 4))
HALVES_PLACED = [(0, 0), (0, 4), (1, 0), (1, 4)]

CASES = [
    Case(
        "Three rows take turns; when the second is done at 42 the third takes over with a whole quantum",
        8,
        jobs((0, 25, 8), (3, 12, 8), (5, 30, 4), (5, 5, 4)),
        {},
        GangOutcome([0, 10, 20, 20], [57, 42, 67, 25], [2, 1, 2, 0], 7, [(0, 0), (1, 0), (2, 0), (2, 4)]),
    ),
    Case(
        "With a single row nothing happens at 10, but the phase stays: the second job waits until 20",
        8,
        jobs((0, 100, 8), (14, 5, 8)),
        {},
        GangOutcome([0, 20], [105, 25], [1, 0], 2, [(0, 0), (1, 0)]),
    ),
    Case(
        "The third job runs beside the first, in whose block it found no room; at 30 the rows of both go",
        8,
        NESTED,
        {},
        GangOutcome([0, 10, 0], [30, 40, 30], [1, 1, 1], 3, [(0, 0), (1, 0), (2, 6)]),
    ),
    Case(
        "Without alternates each of the three has every third quantum",
        8,
        NESTED,
        {"alternate": False},
        GangOutcome([0, 10, 20], [40, 50, 60], [1, 1, 1], 5, [(0, 0), (1, 0), (2, 6)]),
    ),
    Case(
        "Every quantum but the very first begins with 2 s without progress; so does a take-over",
        8,
        jobs((0, 20, 8), (0, 20, 8)),
        {"overhead": 2},
        GangOutcome([0, 10], [44, 50], [2, 2], 5, [(0, 0), (1, 0)]),
    ),
    Case(
        "The second job is done at 17: the first is back at once and makes progress from 19 to its end",
        8,
        jobs((0, 20, 8), (0, 5, 8)),
        {"overhead": 2},
        GangOutcome([0, 10], [29, 17], [1, 0], 2, [(0, 0), (1, 0)]),
    ),
    Case(
        "Two halves are left at 15; they unite and run side by side to their ends",
        8,
        HALVES,
        {},
        GangOutcome([0, 0, 5, 10], [5, 35, 35, 15], [0, 1, 0, 0], 1, HALVES_PLACED),
    ),
    Case(
        "The same without alternates: nobody uses the idle half before the halves unite",
        8,
        HALVES,
        {"alternate": False},
        GangOutcome([0, 0, 10, 10], [5, 35, 40, 15], [0, 1, 0, 0], 1, HALVES_PLACED),
    ),
    Case(
        "The same without unification either: the two halves take turns",
        8,
        HALVES,
        {"alternate": False, "unify": False},
        GangOutcome([0, 0, 10, 10], [5, 50, 60, 15], [0, 2, 2, 0], 5, HALVES_PLACED),
    ),
    Case(
        "Blocks reach past the fifth processor; the last job takes 2, 3 since fewer jobs use these than 0, 1",
        5,
        jobs((0, 20, 5), (0, 20, 1), (0, 20, 3), (0, 20, 2)),
        {},
        GangOutcome([0, 10, 20, 10], [40, 50, 60, 50], [1, 1, 1, 1], 5, [(0, 0), (1, 0), (2, 0), (1, 2)]),
    ),
]


@pytest.mark.parametrize("schedule", [gang, gang_by_seconds])
@pytest.mark.parametrize("case", CASES, ids=[case.story for case in CASES])
def test_a_small_case(case: Case, schedule: Any) -> None:
    """Each small case has exactly the schedule that was worked out, from event to event and by seconds."""
    assert schedule(case.jobs, case.nodes, **case.parameters) == case.outcome


def at(instant: int, *arguments: Any, **parameters: Any) -> Moment:
    """The matrix as it stands at an instant."""
    return [moment for moment in moments(*arguments, **parameters) if moment.now <= instant][-1]


def test_utilization_of_the_slots() -> None:
    """128 nodes: 64 running 50 %, with 32 more 75 %; {64, 32}, {128} 87.5 %; when the 64 ends 62.5 %.

    In one row, that is with the machine partitioned, only 25 % are left when the 64 ends.
    """
    partition, both = jobs((0, 9, 64), (1, 99, 32)), jobs((0, 9, 64), (1, 99, 32), (2, 99, 128))
    assert [moment.utilization_slots for moment in moments(partition, 128)] == [0.5, 0.75, 0.25, 0]
    assert [at(instant, both, 128).utilization_slots for instant in (2, 9)] == [0.875, 0.625]


def test_alternates_count_in_the_utilization_of_the_slots() -> None:
    """Of 8 processors the rows {6}, {8}, {2} use 6, 8, 2; with alternates 8 in each."""
    assert at(0, NESTED, 8).utilization_slots == 1
    assert at(0, NESTED, 8, alternate=False).utilization_slots == pytest.approx(2 / 3)


def test_buddy_takes_the_block_of_least_load_then_the_lowest_row_then_the_lowest_base() -> None:
    """The story of eight jobs on four processors.

    The first (3 processors) takes a block of four. The second finds the fewest jobs at 3, which is padding
    of that block and counts as unused; the third and the fourth see equal loads. The next three, of one
    processor each, go to 2 in row 1 (as little used as 2 and 3 in row 2), to 3 in row 2 (less used than what
    the lower row 1 has left), and to 1 in row 1 (as much used as 2 in row 2). The last finds four jobs on
    either half: jobs count, not processors, of which six and four are used.
    """
    sizes = (3, 1, 1, 2, 1, 1, 1, 2)
    placements = gang(jobs(*((0, 1, size) for size in sizes)), 4).placements
    assert placements == [(0, 0), (1, 3), (1, 0), (2, 0), (1, 2), (2, 3), (1, 1), (3, 0)]


def test_the_lowest_row_comes_before_the_lowest_base() -> None:
    """When the last job comes at 36 either column is used by two: it takes 1 in row 0, not 0 in row 1."""
    workload = jobs((0, 99, 1), (0, 15, 1), (0, 5, 1), (0, 99, 1), (0, 99, 2), (36, 1, 1))
    assert at(35, workload, 2, unify=False).rows == [[(0, (0,))], [(3, (1,))], [(4, (0, 1))]]
    assert gang(workload, 2, unify=False).placements[5] == (0, 1)


def test_nobody_is_packed_in_the_padding_of_a_block() -> None:
    """Five of eight processors take a block of eight: the next job opens a row, there at the idle end.

    It runs at once, as an alternate.
    """
    outcome = gang(jobs((0, 20, 5), (0, 20, 1)), 8)
    assert outcome.placements == [(0, 0), (1, 5)]
    assert outcome.starts == [0, 0]


def test_a_block_may_reach_past_the_last_node() -> None:
    """Of seven nodes a job of three takes the last three beside a job of four; one of four could not."""
    assert gang(jobs((0, 9, 4), (0, 9, 3)), 7).placements == [(0, 0), (0, 4)]
    assert gang(jobs((0, 9, 4), (0, 9, 4)), 7).placements == [(0, 0), (1, 0)]


def test_first_takes_the_lowest_free_columns_of_the_lowest_row_with_enough() -> None:
    """Columns 0 and 2 are idle when the fifth job comes; they need not be neighbours."""
    workload = jobs((0, 5, 1), (0, 20, 1), (0, 5, 1), (0, 20, 1), (5, 9, 2), (6, 9, 1))
    moment = at(6, workload, 4, packing="first")
    assert moment.rows == [[(1, (1,)), (3, (3,)), (4, (0, 2))], [(5, (0,))]]


@pytest.mark.parametrize(("packing", "place"), [("first", (0, 2)), ("best", (1, 3))])
def test_best_takes_the_row_with_the_fewest_free_columns(packing: str, place: tuple[int, int]) -> None:
    """Row 0 has two free columns, rows 1 and 2 one each: `best` takes row 1."""
    workload = jobs((0, 9, 2), (0, 9, 3), (0, 9, 3), (0, 9, 1))
    assert gang(workload, 4, packing=packing).placements[3] == place


def test_slots_hold_back_whoever_comes_behind() -> None:
    """Two rows are allowed: the third job waits for one, and so does the fourth, though row 0 has room.

    At 5 row 0 goes, the second job's row takes over as row 0, and the third job opens row 1. That one goes
    at 20, and only then the fourth finds room.
    """
    workload = jobs((0, 5, 3), (0, 20, 4), (0, 5, 4), (0, 5, 1))
    outcome = gang(workload, 4, packing="first", slots=2)
    assert outcome.placements == [(0, 0), (1, 0), (1, 0), (1, 0)]
    assert outcome.starts == [0, 5, 15, 30]


def test_an_alternate_stops_the_moment_somebody_earlier_needs_a_column_of_it() -> None:
    """At 5 half of row 0 is idle and the third job runs there; at 7 the fourth is packed in that half."""
    workload = jobs((0, 5, 4), (0, 20, 4), (0, 30, 4), (7, 5, 4))
    assert gang(workload, 8, unify=False).placements == [(0, 0), (0, 4), (1, 0), (0, 0)]
    running = [at(instant, workload, 8, unify=False).running for instant in (0, 5, 7, 10)]
    assert running == [{0, 1}, {1, 2}, {1, 3}, {1, 2}]


def test_alternates_are_chosen_in_the_order_of_rotation() -> None:
    """When the fourth job is done at 19 its half of row 1 goes to row 2, whose turn is next, not to row 0."""
    workload = jobs((0, 40, 4), (0, 40, 4), (0, 40, 4), (0, 9, 4), (0, 40, 4), (0, 40, 4))
    assert at(18, workload, 8).running == {2, 3}
    assert at(19, workload, 8).running == {2, 5}


def test_a_switch_that_is_due_when_the_current_row_empties_is_the_take_over() -> None:
    """At 10 the first job is done: the second has its turn, not the third."""
    outcome = gang(jobs((0, 10, 8), (0, 20, 8), (0, 20, 8)), 8)
    assert outcome.starts == [0, 10, 20]
    assert outcome.switches == 4


@pytest.mark.parametrize("third", [[], jobs((0, 5, 8))])
def test_the_rotation_passes_over_a_row_whose_jobs_have_just_ended(third: list[Job]) -> None:
    """The second job is done at 10 as an alternate: the third has its turn then, and without it nobody."""
    outcome = gang(jobs((0, 20, 6), (0, 10, 2)) + third, 8)
    assert outcome.starts == [0, 0, 10][: 2 + len(third)]
    assert outcome.switches == 2 * len(third)


def test_an_arrival_at_the_instant_of_a_switch_comes_after_it() -> None:
    """With a single row nothing happens at 10; who comes then waits until 20."""
    assert gang(jobs((0, 30, 8), (10, 5, 8)), 8).starts == [0, 20]


def test_a_job_that_enters_an_empty_matrix_starts_a_quantum() -> None:
    """The second job comes the moment the first is done: free of overhead, and its quantum ends at 17."""
    outcome = gang(jobs((0, 7, 8), (7, 15, 8), (8, 5, 8)), 8, overhead=2)
    assert outcome.starts == [0, 7, 17]
    assert outcome.finishes == [7, 31, 24]
    assert outcome.switches == 2


def test_who_joins_during_the_overhead_waits_for_its_end() -> None:
    """The third job joins the second at 11 and runs, but neither makes progress before 13."""
    outcome = gang(jobs((0, 10, 8), (0, 20, 4), (11, 5, 4)), 8, overhead=3)
    assert outcome.starts == [0, 10, 11]
    assert outcome.finishes == [10, 33, 18]


def test_a_switch_counts_though_the_row_unites_with_another_at_once() -> None:
    """At 10 row 1 takes over; the first job, which kept the rows apart, has ended, and they unite.

    Nobody stops, but the overhead of the switch is due: the second job makes 10 s of progress before it.
    """
    outcome = gang(jobs((0, 10, 4), (0, 20, 4), (0, 20, 4)), 8, overhead=2)
    assert outcome == GangOutcome([0, 0, 10], [10, 22, 32], [0, 0, 0], 1, [(0, 0), (0, 4), (1, 0)])


def test_the_first_two_rows_that_can_unite_do() -> None:
    """When the second job is done at 35 row 0 could unite with row 1 or with row 2."""
    workload = jobs((0, 99, 2), (0, 15, 2), (0, 5, 2), (0, 99, 2), (0, 5, 2), (0, 99, 2))
    rows = [[(0, (0, 1)), (1, (2, 3))], [(3, (2, 3))], [(5, (2, 3))]]
    assert at(34, workload, 4).rows == rows
    assert at(35, workload, 4).rows == [[(0, (0, 1)), (3, (2, 3))], [(5, (2, 3))]]


def test_rows_that_unite_keep_what_their_jobs_have_taken() -> None:
    """At 5 the second job moves into the padding of the first; the next job finds no room there at 6."""
    workload = jobs((0, 30, 5), (0, 30, 1), (0, 5, 1), (6, 5, 1))
    assert at(5, workload, 8).rows == [[(0, (0, 1, 2, 3, 4)), (1, (5,))]]
    assert gang(workload, 8).placements == [(0, 0), (1, 5), (1, 6), (1, 6)]


RETURNING = jobs((0, 20, 8), (0, 30, 4), (0, 8, 4), (0, 30, 8), (0, 5, 4), (0, 30, 4))


def test_unification_moves_neither_the_switch_nor_costs_overhead() -> None:
    """At 37 what is left of row 3 moves to row 1, which becomes current; the next switch is still at 40."""
    outcome = gang(RETURNING, 8, overhead=2)
    assert outcome.placements == [(0, 0), (1, 0), (1, 4), (2, 0), (3, 0), (3, 4)]
    moment = at(37, RETURNING, 8, overhead=2)
    assert (moment.now, moment.current, moment.running) == (37, 1, {1, 5})
    assert outcome.finishes[4] == 37


def test_unification_may_give_a_row_two_turns_before_another_has_one() -> None:
    """Row 3 is current at 35 and unites with row 1: row 2 comes next, for the second time, before row 0."""
    turns = [moment for moment in moments(RETURNING, 8) if moment.now in (0, 10, 20, 30, 40, 50)]
    assert [moment.running for moment in turns] == [{0}, {1, 2}, {3}, {4, 5}, {3}, {0}]


def test_unification_may_keep_a_row_waiting_as_long_as_others_arrive() -> None:
    """Every 20 s row 3 is opened by two halves, one of which ends in its turn; the other moves to row 1.

    So the turn goes from 3 back to 1, then to 2, then to 3: row 0 has its second turn when nobody comes.
    """
    pairs = [job for k in range(50) for job in jobs((36 + 20 * k, 5, 4), (36 + 20 * k, 10, 4))]
    first = jobs((0, 20, 8), (0, 2000, 4), (0, 8, 4), (0, 2000, 8), (0, 5, 4), (0, 10, 4))
    turns = [moment.now for moment in moments(first + pairs, 8) if moment.running == {0}]
    assert turns == [0, 1050]


@pytest.mark.parametrize("overhead", [-1, 10, 11])
def test_the_overhead_is_less_than_the_quantum(overhead: int) -> None:
    """With more, nobody would ever make progress."""
    with pytest.raises(ValueError, match="less than the quantum"):
        gang(jobs((0, 5, 4)), 8, overhead=overhead)
