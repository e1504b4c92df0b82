"""The naive gang scheduler of the T3D on workloads that can be followed by hand.

A workload is written as (submission, class, size, runtime) with the classes I, D, P, B and S.
"""

from collections.abc import Sequence
from typing import Any

import pytest

from tests.oracles.torus.classes import HOUR, YEAR, ClassRule
from tests.oracles.torus.t3d import Action, Moment, T3DJob, T3DOutcome, moments, t3d

CLASSES = {"I": "interactive", "D": "debug", "P": "production", "B": "benchmark", "S": "standby"}
Row = tuple[int, str, int, int]


def jobs(*rows: Row) -> list[T3DJob]:
    """Jobs from (submission, class, size, runtime) rows."""
    return [T3DJob(submit, runtime, size, runtime, CLASSES[klass]) for submit, klass, size, runtime in rows]


def day(*rows: Row, actions: Sequence[Action] = (), **rules: Any) -> T3DOutcome:
    """What becomes of them by day."""
    return t3d(jobs(*rows), actions, table="day", **rules)


def night(*rows: Row, actions: Sequence[Action] = (), **rules: Any) -> T3DOutcome:
    """What becomes of them at night."""
    return t3d(jobs(*rows), actions, table="night", **rules)


def story(outcome: T3DOutcome, job: int) -> list[tuple[int, str]]:
    """A job's states and when it entered them."""
    return [(change.at, change.state) for change in outcome.history if change.job == job]


def at(now: int, rows: Sequence[Row], actions: Sequence[Action] = (), **rules: Any) -> Moment:
    """The machine after the last pass up to an instant, by night."""
    return [moment for moment in moments(jobs(*rows), actions, table="night", **rules) if moment.now <= now][
        -1
    ]


def test_the_first_case_worked_by_hand() -> None:
    """The interactive job of 1000 is reserved the 32 of the last job, cheaper than the 128 or 64.

    The do-not-disturb time of that job has been over since 336, so it is saved at once, until 1030.
    """
    outcome = day(
        (0, "P", 128, 5000), (0, "P", 64, 5000), (0, "I", 32, 5000), (0, "P", 32, 5000), (1000, "I", 8, 100)
    )
    assert outcome.starts == [64, 32, 16, 16, 1034]
    assert outcome.finishes == [5064, 5032, 5016, 5180, 1134]
    assert outcome.preemptions == [0, 0, 0, 1, 0]


def test_the_second_case_worked_by_hand() -> None:
    """As the first, but the job of 32 came at 900: it is left in peace until 916 + 320 = 1236."""
    outcome = day(
        (0, "P", 128, 5000), (0, "P", 64, 5000), (0, "I", 32, 5000), (900, "P", 32, 5000), (1000, "I", 8, 100)
    )
    assert outcome.starts == [64, 32, 16, 916, 1270]
    assert outcome.finishes == [5064, 5032, 5016, 6080, 1370]
    assert outcome.preemptions == [0, 0, 0, 1, 0]


def test_the_third_case_worked_by_hand() -> None:
    """By day the large limit keeps the whole machine from a job until pass 1 serves it, after an hour."""
    assert day((0, "P", 256, 100)).starts == [3728]
    assert day((0, "P", 256, 100)).finishes == [3828]
    assert night((0, "P", 256, 100)).starts == [128]
    assert night((0, "P", 256, 100)).finishes == [228]


def test_the_night_that_begins_lifts_the_large_limit() -> None:
    """It is half past five: the fourth large job is loaded at six, 1800 s later, with no other event."""
    rows = [(0, "P", 64, 5000)] * 4
    assert t3d(jobs(*rows), epoch=17 * HOUR + 1800).starts == [32, 32, 32, 1832]
    assert day(*rows).starts == [32, 32, 32, 3632]
    assert day(*rows, large=128).starts == [32, 32, 32, 32]
    assert day(*rows, large_limit=256).starts == [32, 32, 32, 32]


def test_pass_1_does_not_ask_for_the_limit_of_a_class() -> None:
    """Debug jobs may have 96: the third waits for 300 s, or with strict limits for the end of the first."""
    rows = ((0, "D", 64, 1000), (0, "D", 32, 2000), (0, "D", 32, 100))
    assert day(*rows).starts == [32, 16, 316]
    assert day(*rows, strict_limits=True).starts == [32, 16, 1048]


def test_a_saved_job_is_restored_where_it_fits_best_or_where_it_was() -> None:
    """The second job ends beside the first: the half of the third job's 64 fits better then, at 220."""
    rows = ((0, "P", 32, 5000), (0, "P", 32, 500), (0, "P", 32, 5000))
    actions = [Action(400, "suspend", 0), Action(1000, "resume", 0)]
    best, same = (day(*rows, actions=actions, restore=how) for how in ("best_fit", "same"))
    assert [load.block.base for load in best.loads[0]] == [(0, 0, 0), (2, 2, 0)]
    assert [load.block.base for load in same.loads[0]] == [(0, 0, 0), (0, 0, 0)]
    assert (best.relocations, same.relocations) == (1, 0)
    assert best.starts == same.starts and best.finishes == same.finishes


def test_a_benchmark_larger_than_its_class_waits_for_a_year() -> None:
    """Pass 2 never takes it; with strict limits nobody ever does, and the run comes to its end without it."""
    assert day((0, "B", 128, 10)).starts == [YEAR + 64]
    assert t3d(jobs((0, "B", 128, 10)), strict_limits=True).starts == [None]


def test_the_system_limit_holds_back_who_was_never_loaded() -> None:
    """Of 128 the first two take 96: 32 more may come, but 64 only when the second is over."""
    rows = ((0, "P", 64, 1000), (0, "P", 32, 500), (0, "P", 64, 10), (0, "P", 32, 10))
    assert day(*rows, system_limit=128).starts == [32, 16, 548, 16]


def test_the_job_limit_keeps_a_job_out_for_ever() -> None:
    """Neither pass takes a job above it."""
    outcome = night((0, "P", 256, 10), (0, "P", 128, 10), job_limit=128)
    assert outcome.starts == [None, 64]


def test_among_equals_only_who_has_waited_too_long_preempts() -> None:
    """Both want the whole machine. After an hour the first is saved, past its 2560 s; then it waits."""
    outcome = night((0, "P", 256, 5000), (0, "P", 256, 100))
    assert outcome.starts == [128, 3968]
    assert outcome.finishes == [5836, 4068]
    assert outcome.preemptions == [1, 0]


def test_who_is_disturbed_must_be_worth_less_in_pass_2() -> None:
    """A debug job saves production at once, at 2700, and interactive only after its own 300 s."""
    production = night((0, "P", 256, 9000), (2700, "D", 32, 100))
    assert production.starts == [128, 2956]
    assert story(production, 0)[-3:] == [(3056, "i"), (3296, "R"), (3296 + 9000 - 2572, "F")]
    interactive = day((0, "I", 256, 9000), (3000, "D", 32, 100))
    assert interactive.starts == [128, 3556]


def test_large_jobs_that_are_to_be_preempted_count_for_the_large_limit() -> None:
    """A debug job of 64 beside the 256 passes the limit of the night: it waits its 300 s for pass 1."""
    assert night((0, "P", 256, 9000), (2700, "D", 64, 100)).starts == [128, 3000 + 240 + 32]


def test_a_block_of_pass_2_is_no_reservation() -> None:
    """From 2700 to 2940 the debug job has a block that is being cleared, found anew in every pass.

    The one that came at 2380 has the reservation since 2680.
    """
    moment = at(2800, [(0, "P", 256, 9000), (2700, "D", 32, 100)])
    assert moment.states == ["o", "W"]
    assert moment.reserved is None
    moment = at(2800, [(0, "P", 256, 9000), (2380, "D", 32, 100)])
    assert moment.states == ["o", "W"]
    assert moment.reserved == 1


@pytest.mark.parametrize(("klass", "saved"), [("B", 1), ("S", 2)])
def test_benchmarks_are_worth_little_and_are_never_preempted(klass: str, saved: int) -> None:
    """A standby job makes room for the interactive one. In the place of a benchmark a production job does."""
    outcome = night((0, "P", 128, 9000), (0, "P", 64, 9000), (0, klass, 64, 9000), (1000, "I", 64, 100))
    assert outcome.preemptions == [int(job == saved) for job in range(4)]
    assert outcome.starts[3] == 1092
    finish = outcome.finishes[saved]
    assert finish == 1252 + 9000 - 968


def test_of_two_alike_the_one_that_can_go_first_goes() -> None:
    """Of two of 32 the higher one is left in peace until 336, the lower one, which came later, until 436."""
    first, second = (0, "P", 128, 5000), (0, "P", 64, 5000)
    outcome = day(
        first, second, (0, "P", 32, 60), (0, "P", 32, 5000), (100, "P", 32, 5000), (200, "I", 8, 100)
    )
    assert outcome.starts == [64, 32, 16, 16, 116, 370]
    assert outcome.preemptions == [0, 0, 0, 1, 0, 0]
    assert outcome.finishes[3] == 5180


def test_the_reservation_goes_to_a_job_that_is_worth_more() -> None:
    """The third is reserved the upper half, where 64 are idle; the fourth takes these, at 3610.

    Nobody may preempt it there, so the third is reserved the lower half, and the first is saved as well. But
    the fourth is over at 3692, and the third finds the upper half free before the lower one is.
    """
    outcome = day((0, "P", 128, 20000), (0, "P", 64, 20000), (0, "P", 128, 100), (3610, "I", 64, 50))
    assert outcome.starts == [64, 32, 3756, 3642]
    assert outcome.finishes == [20430, 20222, 3856, 3692]
    assert outcome.preemptions == [1, 1, 0, 0]
    assert story(outcome, 2) == [(0, "N"), (3600, "W"), (3692, "i"), (3756, "R"), (3856, "F")]


def test_who_loses_the_reservation_makes_room_under_the_system_limit() -> None:
    """As before, but 320 are all that may be about: the fourth comes in since the third loses its block.

    The third gets no other one until the fourth is over.
    """
    rows = ((0, "P", 128, 20000), (0, "P", 64, 20000), (0, "P", 128, 100), (3610, "I", 64, 50))
    outcome = day(*rows, system_limit=320)
    assert outcome.starts == [64, 32, 3756, 3642]
    assert outcome.finishes == [20064, 20348, 3856, 3692]
    assert story(outcome, 2) == [(0, "N"), (3600, "W"), (3610, "N"), (3692, "i"), (3756, "R"), (3856, "F")]


def test_the_reserved_job_is_the_first_of_its_priority() -> None:
    """At 3644 it is loaded, so the reservation is free for the other one, which has waited as long.

    That was a standby job until 3620, and it comes first in the order of submission.
    """
    rows = ((0, "I", 128, 3580), (0, "S", 128, 10), (0, "P", 128, 100), (3000, "P", 64, 9000))
    outcome = day(*rows, actions=[Action(3620, "class", 1, "production")])
    assert story(outcome, 2)[:3] == [(0, "N"), (3600, "W"), (3644, "i")]
    assert story(outcome, 1)[:2] == [(0, "N"), (3644, "W")]


def test_a_block_in_which_a_job_is_being_loaded_is_not_for_pass_2() -> None:
    """The debug job has no block until its 300 s are over."""
    rows = [(0, "P", 256, 9000), (10, "D", 32, 100)]
    assert at(10, rows).states == ["i", "N"]
    assert at(300, rows).states == ["R", "N"]
    assert at(310, rows).states == ["R", "W"]


def test_an_assigned_block_counts_for_the_limit_of_a_class() -> None:
    """From 1300 to 1632 the debug job of 64 is all that its class may have, though it has no nodes yet.

    The small one that comes at 1400 waits its 300 s beside 32 idle processors.
    """
    rows = [
        (0, "P", 128, 9000),
        (0, "B", 32, 9000),
        (900, "P", 64, 9000),
        (1000, "D", 64, 900),
        (1400, "D", 2, 9),
    ]
    debug = {"debug": ClassRule(4, 300, YEAR, 64)}
    assert night(*rows, classes=debug).starts == [64, 16, 932, 1664, 1701]
    assert night(*rows).starts == [64, 16, 932, 1664, 1401]


def test_a_reserved_job_is_loaded_elsewhere_if_a_block_is_free_there() -> None:
    """The third is reserved the upper half, where the second is left in peace until 3672.

    The first is over at 3644: the third goes there, and nobody is preempted.
    """
    outcome = day((0, "P", 128, 3580), (3000, "P", 64, 9000), (0, "P", 128, 100))
    assert outcome.starts == [64, 3032, 3708]
    assert outcome.preemptions == [0, 0, 0]


FOUR = [(0, "P", 16, 1000), (0, "P", 16, 1000), (0, "P", 16, 500), (0, "P", 16, 1000), (0, "P", 16, 1000)]


def test_a_new_job_gets_the_wire_that_the_fewest_have() -> None:
    """The fifth shares the first wire; the third job's is free again when it is over."""
    assert at(0, FOUR).wires == [0, 1, 2, 3, 0]
    assert at(600, [*FOUR, (600, "P", 2, 10)]).wires == [0, 1, 2, 3, 0, 2]


def test_saved_and_suspended_jobs_keep_their_wires() -> None:
    """A job that came while the second was suspended shares its wire with the first, not with nobody."""
    actions = [Action(100, "suspend", 1), Action(900, "resume", 1)]
    rows = [*FOUR[:4], (600, "P", 2, 10), (600, "P", 2, 1000)]
    assert at(600, rows, actions).states[1] == "S"
    assert at(600, rows, actions).wires == [0, 1, 2, 3, 2, 0]
    assert at(1100, rows, actions).wires[1] == 1


def test_a_wire_is_given_back_with_the_reservation_of_a_job_never_loaded() -> None:
    """An interactive job has wire 1 while it is reserved a block, and none when it becomes a standby job."""
    rows, action = [(0, "P", 256, 9000), (1000, "I", 256, 100)], Action(1500, "class", 1, "standby")
    assert at(1400, rows, [action]).wires == [0, 1]
    assert at(1500, rows, [action]).wires == [0, None]
    assert at(1500, rows, [action]).states == ["R", "N"]


def test_best_fit_keeps_large_blocks_whole() -> None:
    """After 128 and 32, jobs of 8 go beside the 32, the second beside the first."""
    moment = at(2, [(0, "P", 128, 900), (1, "P", 32, 900), (2, "P", 8, 900), (2, "P", 8, 900)])
    bases = [block.base for block in moment.blocks if block is not None]
    assert bases == [(0, 0, 0), (4, 0, 0), (4, 2, 0), (5, 2, 0)]


@pytest.mark.parametrize(("klass", "base"), [("P", (7, 2, 4)), ("D", (0, 2, 0)), ("B", (0, 2, 0))])
def test_debug_and_benchmark_jobs_gather(klass: str, base: tuple[int, int, int]) -> None:
    """The upper half has a hole of exactly 8; in the lower one, else idle, a benchmark has 32.

    A production job takes the hole. One that is never preempted goes to its like, where it does no harm.
    """
    rows = [(0, "P", 128, 100), (1, "P", 64, 900), (2, "P", 32, 900), (3, "P", 16, 900), (4, "P", 8, 900)]
    moment = at(300, [*rows, (200, "B", 32, 900), (300, klass, 8, 900)])
    bases = [block.base for block in moment.blocks if block is not None]
    assert bases == [(4, 0, 0), (6, 0, 0), (6, 2, 0), (6, 2, 4), (0, 0, 0), base]


def test_the_larger_neighbourhood_counts_first() -> None:
    """A benchmark of 32 in the lower half outweighs one of 16 in the upper half, though that is closer."""
    rows = [(0, "B", 32, 900), (1, "P", 32, 900), (2, "P", 64, 100), (3, "B", 16, 900), (300, "D", 8, 900)]
    bases = [block.base for block in at(300, rows).blocks if block is not None]
    assert bases == [(0, 0, 0), (0, 2, 0), (4, 0, 0), (2, 0, 0)]


def test_a_save_without_room_does_not_begin() -> None:
    """Nobody may save 256 where 128 have room: the first runs to its end, the interactive job waits.

    At 2688 the save is tried once; then the reservation is dropped, since the block cannot be cleared.
    """
    rows = [(0, "P", 256, 9000), (1000, "I", 256, 100)]
    outcome = night(*rows, storage=128)
    assert outcome.starts == [128, 9256]
    assert outcome.preemptions == [0, 0]
    assert at(2688, rows, storage=128).states == ["R", "W"]
    assert at(9000, [*rows, (8000, "P", 2, 1)], storage=128).states == ["R", "N", "N"]
    assert night(*rows, actions=[Action(300, "suspend", 0)], storage=128).refused == [
        Action(300, "suspend", 0)
    ]


def test_transfers_may_go_one_at_a_time() -> None:
    """Three jobs are loaded one after the other; when the second is cancelled the third moves up."""
    rows = ((0, "P", 128, 1000), (0, "P", 64, 1000), (0, "P", 32, 1000))
    assert day(*rows, io="serial").starts == [64, 96, 112]
    assert day(*rows, io="serial", actions=[Action(70, "cancel", 1)]).starts == [64, None, 86]
    assert day(*rows, io="serial", actions=[Action(10, "cancel", 1)]).starts == [64, None, 80]
    assert day(*rows, actions=[Action(10, "cancel", 1)]).starts == [64, None, 16]


ASKING = [
    T3DJob(0, 1000, 8, 1000, "production", wire=0),
    T3DJob(0, 1000, 8, 1000, "production", wire=0),
    T3DJob(100, 100, 8, 100, "production", wire=0, base=(0, 0, 4)),
]


@pytest.mark.parametrize(("wires", "start", "base"), [("shared", 104, (1, 0, 0)), ("apart", 1008, (1, 0, 4))])
def test_jobs_on_one_wire_are_kept_apart(wires: str, start: int, base: tuple[int, int, int]) -> None:
    """The second goes elsewhere, and the third waits until nobody beside its block has the wire."""
    outcome = t3d(ASKING, table="day", wires=wires)
    assert outcome.starts == [4, 4, start]
    assert [load.block.base for loads in outcome.loads for load in loads] == [(0, 0, 0), base, (0, 0, 4)]
    assert {load.wire for loads in outcome.loads for load in loads} == {0}


def test_a_wire_that_can_be_any_is_one_that_nobody_beside_has() -> None:
    """The fifth of five jobs beside each other gets the second wire: the first is its neighbour's."""
    wires = [[load.wire for load in loads] for loads in t3d(jobs(*FOUR), table="night", wires="apart").loads]
    assert len({wire for (wire,) in wires}) == 4 and wires[4] != wires[0]


def test_a_locked_job_is_not_preempted_and_returns_to_its_block() -> None:
    """The other job of 32 is as cheap and came first; a suspended job waits for its own block."""
    rows = jobs(*[(0, "P", size, 5000) for size in (128, 64, 32, 32)], (1000, "I", 32, 2000))
    rows[2] = rows[2]._replace(locked=True)
    assert t3d(rows, table="day").preemptions == [0, 0, 0, 1, 0]
    actions = [Action(500, "suspend", 2), Action(1200, "resume", 2)]
    loads = t3d(rows, actions, table="day").loads
    assert loads[4][0].block == loads[2][0].block == loads[2][1].block
    assert loads[2][1].at == 3016
