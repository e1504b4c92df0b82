"""The words of likely changes."""

import attrs

from shadowtime.console.clock import ELAPSED
from shadowtime.console.session.comparison.lane_odds import LaneOdds
from shadowtime.console.session.impact.outlook import LikelyMoves
from shadowtime.console.session.impact.rows import likely_change
from shadowtime.console.session.likely.quantiles import NEVER
from shadowtime.console.words.likely_change import basis, lanes_verdict, likely_moves, likely_start

ZEROS = [0.0] * 25
LATER = likely_change(ZEROS, [2400.0] * 20 + [10800.0] * 5, waits=True)
SELDOM = likely_change(ZEROS, [0.0] * 20 + [-600.0] * 5, waits=True)
LOST = likely_change(ZEROS, [NEVER] * 25, waits=True)


def test_a_change_has_its_middle_and_one_in_ten() -> None:
    assert likely_moves(LATER) == "likely 40m00s later (1 in 10: 3h00m later)"
    assert likely_moves(SELDOM) == "likely unchanged (1 in 10: 10m00s earlier)"
    assert likely_moves(LOST) == "likely never starts"


def test_a_start_has_the_tries_in_time() -> None:
    shown = likely_start(LATER, 2400, ELAPSED, after=True)
    assert shown == "likely 0d 00:40:00, in time in 20 of 25 tries"
    assert likely_start(LOST, 2400, ELAPSED, after=True) == "likely never, in time in 0 of 25 tries"


def test_lanes_are_measured_against_the_first() -> None:
    found = lanes_verdict(
        LaneOdds(31, -1, ((0.0, 60.0), (2400.0, 10800.0), (NEVER, NEVER)), (LATER, LOST)),
        ("easy", "fcfs", "sjf"),
        ELAPSED,
    )
    assert found == (
        "job 31 under easy: likely 0d 00:00, 9 in 10 by 0d 00:01; "
        "under fcfs: likely 0d 00:40, 9 in 10 by 0d 03:00, try by try 40m00s later: 25 of 25 agree; "
        "under sjf: likely never, try by try never: 25 of 25 agree"
    )


def test_a_lane_in_which_the_job_has_started_has_its_start() -> None:
    """It is no forecast: all samples have the start that came."""
    found = lanes_verdict(
        LaneOdds(31, 60, ((0.0, 0.0), (2400.0, 10800.0)), (LATER,)), ("easy", "fcfs"), ELAPSED
    )
    assert found.startswith("job 31 under easy: started 0d 00:00; under fcfs: likely 0d 00:40, 9 in 10 by")
    both = LaneOdds(31, 2400, ((0.0, 0.0), (2400.0, 2400.0)), (LATER,))
    assert lanes_verdict(both, ("easy", "fcfs"), ELAPSED).endswith("started 0d 00:40, 40m00s later")
    same = LaneOdds(
        31, 2400, ((0.0, 0.0), (2400.0, 2400.0), (0.0, 0.0)), (LATER, attrs.evolve(LATER, change=0))
    )
    assert lanes_verdict(same, ("easy", "fcfs", "sjf"), ELAPSED) == (
        "job 31 under easy and sjf: started 0d 00:00; under fcfs: started 0d 00:40, 40m00s later"
    )


def test_the_basis_is_the_number_of_tries_or_why_there_are_none() -> None:
    assert "25 tries" in basis(LikelyMoves(samples=25))
    assert basis(LikelyMoves(absent="history")).startswith("no likely changes: no history")
    assert basis(LikelyMoves()) == ""
