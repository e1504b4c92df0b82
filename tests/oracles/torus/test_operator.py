"""What an operator does to jobs of the naive T3D: suspend, resume, change of class, cancel."""

from collections.abc import Sequence

import pytest

from tests.oracles.torus.classes import YEAR
from tests.oracles.torus.t3d import Action, T3DOutcome
from tests.oracles.torus.test_t3d import Row, at, day, night, story

ALONE = (0, "P", 8, 100)
"""Loaded until 4, saved and restored in 8 s."""
WHOLE = [(0, "P", 256, 9000), (1000, "I", 256, 100)]
"""The second has the reservation from 1000 on; the first may be disturbed from 2688 on."""


def alone(*actions: Action) -> T3DOutcome:
    """A job that nobody else bothers."""
    return day(ALONE, actions=actions)


def do(words: str) -> list[Action]:
    """Actions on the first job: `50 suspend, 55 resume`."""
    return [Action(int(time), what, 0) for time, what in (part.split() for part in words.split(", "))]


@pytest.mark.parametrize(
    ("words", "states"),
    [
        ("50 suspend, 200 resume", "0N 0i 4R 50o 58S 200O 200i 208R 262F"),
        ("50 suspend, 58 resume", "0N 0i 4R 50o 58S 58O 58i 66R 120F"),
        ("50 suspend, 55 resume", "0N 0i 4R 50o 58O 58i 66R 120F"),
        ("50 suspend, 52 resume, 54 suspend", "0N 0i 4R 50o 58S"),
        ("4 suspend, 20 resume", "0N 0i 4R 4o 12S 20O 20i 28R 128F"),
        ("50 suspend, 200 resume, 200 suspend, 300 resume", "0N 0i 4R 50o 58S 200O 200S 300O 300i 308R 362F"),
    ],
)
def test_a_suspended_job_waits_until_it_is_resumed(words: str, states: str) -> None:
    """Its state is saved at once, the do-not-disturb time does not matter, and it is no preemption."""
    outcome = alone(*do(words))
    assert " ".join(f"{time}{state}" for time, state in story(outcome, 0)) == states
    assert outcome.preemptions == [0]
    assert outcome.refused == []


@pytest.mark.parametrize(
    ("words", "refused"),
    [
        ("0 cancel", "0 cancel"),
        ("0 class", "0 class"),
        ("1 suspend", "1 suspend"),
        ("1 resume", "1 resume"),
        ("50 resume", "50 resume"),
        ("50 suspend, 52 suspend, 54 resume, 56 resume", "52 suspend, 56 resume"),
        ("50 suspend, 60 suspend, 70 resume", "60 suspend"),
        ("104 suspend, 104 cancel, 105 class", "104 suspend, 104 cancel, 105 class"),
        ("50 class", "50 class"),
    ],
)
def test_what_makes_no_sense_is_refused(words: str, refused: str) -> None:
    """Before or at the submission, while it is loaded, twice, after the end; and a class of no name."""
    assert alone(*do(words)).refused == do(refused)


def test_a_refused_action_changes_nothing() -> None:
    """A run with refused actions is the run without them."""
    rows: Sequence[Row] = [(0, "P", 256, 3000), (5, "I", 64, 100), (70, "S", 8, 10)]
    refused = [Action(time, "resume", job) for time in range(0, 500, 7) for job in range(3)]
    outcome = night(*rows, actions=refused)
    assert outcome.refused == refused
    assert outcome._replace(refused=[]) == night(*rows)


def test_a_job_being_saved_for_another_may_be_suspended() -> None:
    """The first, preempted from 2688 to 2928, becomes S instead of O: the preemption counts all the same."""
    outcome = night(*WHOLE, actions=[Action(2700, "suspend", 0), Action(5000, "resume", 0)])
    assert outcome.starts == [128, 3056]
    assert story(outcome, 0)[3:] == [
        (2688, "o"),
        (2928, "S"),
        (5000, "O"),
        (5000, "i"),
        (5240, "R"),
        (11680, "F"),
    ]
    assert outcome.preemptions == [1, 0]


def test_a_saved_job_that_has_a_block_again_may_be_suspended() -> None:
    """The first, saved, has the reservation again from 6528 to 6768. Suspended at 6600 it has no block.

    The save of the second goes on all the same; then it is restored, since nobody else wants the machine.
    """
    rows, actions = [(0, "P", 256, 9000), (1000, "I", 256, 9000)], [Action(6600, "suspend", 0)]
    before, after = at(6528, rows), at(6600, rows, actions)
    assert (before.states, before.reserved) == (["W", "o"], 0)
    assert (after.states, after.reserved, after.blocks[0]) == (["S", "o"], None, None)
    assert story(night(*rows, actions=actions), 1)[-4:-1] == [(6768, "O"), (6768, "i"), (7008, "R")]


def test_the_waiting_time_counts_from_the_resumption() -> None:
    """Saved at 2928 the first waits its hour until 6528. Suspended and resumed at 4000 it does until 7600."""
    rows = [(0, "P", 256, 9000), (1000, "I", 256, 9000)]
    actions = [Action(4000, "suspend", 0), Action(4000, "resume", 0)]
    assert [save.at for save in night(*rows).saves][:2] == [2688, 6528]
    assert [save.at for save in night(*rows, actions=actions).saves][:2] == [2688, 7600]


def test_a_change_of_class_counts_from_the_same_start() -> None:
    """As a standby job, from 1500 on, the first is left in peace until 128 + 3 * 256 = 896: it is over."""
    assert night(*WHOLE).starts == [128, 3056]
    standby = night(*WHOLE, actions=[Action(1500, "class", 0, "standby")])
    assert standby.starts == [128, 1868]
    later = night((0, "P", 256, 9000), (200, "I", 256, 100), actions=[Action(500, "class", 0, "standby")])
    assert later.starts == [128, 896 + 368]


def test_a_benchmark_by_a_change_of_class_cannot_be_preempted() -> None:
    """The reservation is dropped at 1500, and the interactive job waits for the end at 9128."""
    outcome = night(*WHOLE, actions=[Action(1500, "class", 0, "benchmark")])
    assert outcome.starts == [128, 9256]
    assert story(outcome, 1)[:3] == [(1000, "N"), (1000, "W"), (1500, "N")]


@pytest.mark.parametrize(("klass", "start"), [("standby", 9128 + 128), ("benchmark", 1000 + YEAR + 128)])
def test_the_reservation_goes_with_the_right_to_it(klass: str, start: int) -> None:
    """Neither has waited for a year. The benchmark, larger than its class, then does."""
    outcome = night(*WHOLE, actions=[Action(1500, "class", 1, klass)])
    assert outcome.preemptions == [0, 0]
    assert outcome.starts == [128, start]


def test_a_cancelled_job_leaves_its_nodes_at_once() -> None:
    """In the middle of its save the first is cancelled: the second is loaded at 2700 and not at 2928."""
    outcome = night(*WHOLE, actions=[Action(2700, "cancel", 0)])
    assert outcome.starts == [128, 2828]
    assert outcome.finishes == [None, 2928]
    assert story(outcome, 0)[-1] == (2700, "C")


def test_a_transfer_once_begun_is_not_broken_off() -> None:
    """The second is cancelled at 2700: the first is saved all the same, and comes back from 2928 on."""
    outcome = night(*WHOLE, actions=[Action(2700, "cancel", 1)])
    assert outcome.finishes == [3168 + 9000 - 2560, None]
    assert outcome.preemptions == [1, 0]


def test_a_job_that_is_cancelled_while_it_is_reserved_a_block_takes_nobody_off() -> None:
    """From 2000 on the first has no rival."""
    outcome = night(*WHOLE, actions=[Action(2000, "cancel", 1)])
    assert outcome.finishes == [9128, None]
    assert outcome.preemptions == [0, 0]


def test_cancelled_jobs_leave_the_storage() -> None:
    """A suspended job of 128 fills the storage: only when it is cancelled can another be suspended."""
    rows = [(0, "P", 128, 900), (0, "P", 32, 900)]
    actions = [
        Action(200, "suspend", 0),
        Action(400, "suspend", 1),
        Action(500, "cancel", 0),
        Action(500, "suspend", 1),
    ]
    outcome = day(*rows, actions=actions, storage=128)
    assert outcome.refused == [actions[1]]
    assert story(outcome, 1)[-2:] == [(500, "o"), (530, "S")]
