"""A drill stops before the decision, never passes an open question, and counts points."""

from collections.abc import Callable
from pathlib import Path

import pytest

from shadowtime.console.session import Session, SessionError, load
from shadowtime.console.session.training import (
    GIVEN_UP,
    RIGHT,
    SKIPPED,
    WRONG,
    Drill,
    Waits,
    answers_of,
    letter_of,
)
from shadowtime.console.session.training.question_stop import PastAlone
from tests.commandline import ROOT
from tests.session.training.test_answers import JOBS, scenario

ASKS = ("20 next_start", "20 why 3", "30 start_time 4")


@pytest.fixture
def drill(tmp_path: Path) -> Drill:
    return Drill(load(scenario(tmp_path, *ASKS)))


def test_it_stops_before_the_pass(drill: Drill) -> None:
    """At the question's instant, with everything that happened in it but the pass."""
    drill.go_on()
    snapshot = drill.session.snapshot()
    assert drill.due and snapshot.time == 20 and snapshot.pending
    assert snapshot.last is not None and snapshot.last.kind == "submit"


@pytest.mark.parametrize(
    "move", ["go_end", "step", "next_decision", "go_time", "go_fraction", "go_job", "go", "far"]
)
def test_no_way_leads_past_an_open_question(drill: Drill, move: str) -> None:
    """Whatever moves stops at the question; back it goes freely."""
    session = drill.session
    moves: dict[str, Callable[[], object]] = {
        "go_end": session.go_end,
        "step": lambda: session.step(1000),
        "next_decision": lambda: [session.next_decision() for _ in range(9)],
        "go_time": lambda: session.go_time(10_000),
        "go_fraction": lambda: session.travel.go_fraction(1.0),
        "go_job": lambda: session.travel.go_job(4, "end"),
        "go": lambda: session.go("99%"),
        "far": lambda: session.go_event(10**6),
    }
    moves[move]()
    assert session.number == drill.places[0]
    assert session.back(2) == 2 and not drill.due
    moves[move]()
    assert drill.due


def test_two_questions_of_one_instant_are_asked_at_one_event(drill: Drill) -> None:
    assert drill.places[0] == drill.places[1] < drill.places[2]
    drill.go_on()
    assert drill.give("3").verdict == RIGHT
    assert drill.due and drill.question is not None and drill.question.ask == "why"
    drill.give("ends_by_shadow")
    assert not drill.due
    drill.session.step()
    assert drill.session.snapshot().time == 20, "the gate has moved on, so the pass can be seen"


def test_points(drill: Drill) -> None:
    """Three for a right answer, one less for each hint; nothing for a wrong one."""
    drill.go_on()
    assert drill.hint() == 1
    verdict = drill.give("3")
    assert (verdict.verdict, verdict.points, verdict.hints, verdict.given) == (RIGHT, 2, 1, 3)
    assert drill.hint() == 1 and drill.hint() == 2
    assert len(drill.left) == 2 and drill.answer.shown in drill.left
    with pytest.raises(SessionError, match="there are no more hints"):
        drill.hint()
    verdict = drill.give("within_extra")
    assert (verdict.verdict, verdict.points, verdict.typed) == (WRONG, 0, "within_extra")
    verdict = drill.give_up()
    assert (verdict.verdict, verdict.points) == (GIVEN_UP, 0)
    assert drill.question is None
    drill.go_on()
    assert drill.session.over


def test_an_explanation_of_which_nothing_is_left_comes_after_the_lesson(tmp_path: Path) -> None:
    """Why job 3 starts explains its state, and is asked next."""
    drill = Drill(load(scenario(tmp_path, "20 state 3", "20 why 3")))
    verdict = drill.give("R")
    assert verdict.because == () and drill.held == [(0, verdict.answer.because)]
    assert drill.give("ends_by_shadow").because and len(drill.held) == 1


def test_what_is_no_answer_leaves_the_question_open(drill: Drill) -> None:
    drill.go_on()
    with pytest.raises(SessionError):
        drill.give("job x")
    assert drill.due and drill.place == 0


def test_it_begins_where_the_operator_left(tmp_path: Path) -> None:
    """Questions before the place are not asked; a skipped one earns nothing."""
    drill = Drill(load(scenario(tmp_path, *ASKS)))
    drill.begin(2)
    drill.go_on()
    assert drill.session.time == 30
    assert drill.skip().verdict == SKIPPED and drill.question is None


def test_a_question_before_anything_happens_or_where_nothing_does(tmp_path: Path) -> None:
    """An instant without an event is the state after the last one before it; with its pass."""
    late = tuple((*job[:2], job[2] + 5, *job[3:]) for job in JOBS)
    drill = Drill(load(scenario(tmp_path, "0 next_start", "7 state 1", jobs=late)))
    assert drill.places == (0, 2)
    drill.begin(1)
    assert drill.answer.time == 7


@pytest.mark.proof
def test_choices_are_shuffled_by_the_seed(tmp_path: Path) -> None:
    """The same seed, the same order; over seeds the right one stands in every place about as often."""
    case = load(scenario(tmp_path, "30 start_time 4"))
    places = [0, 0, 0, 0]
    for seed in range(400):
        (made,), (again,) = answers_of(case, seed), answers_of(case, seed)
        assert made.offered == again.offered and set(made.offered) == {30, 80, 150, 100}
        places[made.offered.index(made.shown)] += 1
    assert all(70 <= count <= 130 for count in places), places


def test_with_two_choices_there_is_one_hint(tmp_path: Path) -> None:
    """The second would remove nothing, so it cannot be taken and costs nothing."""
    drill = Drill(load(scenario(tmp_path, "5 preempted")))
    drill.go_on()
    assert len(drill.answer.offered) == 2 and drill.hint() == 1
    with pytest.raises(SessionError, match="there are no more hints"):
        drill.hint()
    assert drill.give("nobody").points == 2


def test_hints_taken_before_the_lesson_was_left_count(tmp_path: Path) -> None:
    drill = Drill(load(scenario(tmp_path, *ASKS)))
    drill.begin(1, hints=2)
    assert len(drill.left) == 2 and drill.give("ends_by_shadow").points == 1
    assert drill.hints == 0


def test_an_explanation_answers_no_later_question(tmp_path: Path) -> None:
    """Why job 4 waits is asked next, and so it is no part of the first explanation; it is of the second."""
    drill = Drill(load(scenario(tmp_path, "30 start_time 4", "30 why 4")))
    first, second = drill.give("150"), drill.give("no_room")
    assert not any(isinstance(part, Waits) for part in first.because)
    assert any(isinstance(part, Waits) for part in first.answer.because)
    assert any(isinstance(part, Waits) for part in second.because)


def test_a_scenario_that_asks_nothing(tmp_path: Path) -> None:
    with pytest.raises(SessionError, match="asks nothing"):
        Drill(load(scenario(tmp_path)))


def test_the_timeline_of_the_dark_goes_as_far_as_one_has_been(tmp_path: Path) -> None:
    """Going back hides nothing that was seen, and looking ahead shows nothing that was not."""
    session = Session(load(scenario(tmp_path)), PastAlone)
    survey = session.survey()
    while survey.run():
        pass
    session.take_survey(survey)
    assert session.total is not None and session.travel.timeline() == ()
    session.go_event(5)
    assert [sample.number for sample in session.travel.timeline()] == [1, 2, 3, 4, 5]
    session.go_event(2)
    assert [sample.number for sample in session.travel.timeline()] == [1, 2, 3, 4, 5]


def test_the_wrong_choice_that_hints_leave_is_another_one_each_time(tmp_path: Path) -> None:
    """The place of the question in the lesson picks it, in turn: nothing is to be read from it."""
    drill = Drill(load(scenario(tmp_path, *["30 state 4"] * 5)))
    kept = []
    while drill.question is not None:
        drill.go_on()
        wrong = [value for value in drill.answer.offered if value != drill.answer.shown]
        assert drill.left == drill.answer.offered
        drill.hint()
        drill.hint()
        assert len(drill.left) == 2 and drill.answer.shown in drill.left
        (left,) = set(drill.left) - {drill.answer.shown}
        kept.append(wrong.index(left))
        drill.skip()
    assert kept == [place % len(wrong) for place in range(5)] and len(wrong) > 1


def test_what_an_explanation_leaves_out_is_kept_for_the_end() -> None:
    """Of one that is cut the rest, of one of which nothing is left all; a whole one leaves nothing."""
    drill, ended = Drill(load(ROOT / "scenarios" / "courses" / "backfilling" / "01-first-come.toml")), []
    while drill.question is not None:
        ended.append(drill.give(letter_of(drill.answer.offered.index(drill.answer.shown))))
    held = dict(drill.held)
    assert [it.place for it in ended if it.cut and it.because] == [2, 3]
    for it in ended:
        assert it.cut is (it.place in held)
        rest = held.get(it.place, ())
        assert all((part in it.because) is not (part in rest) for part in it.answer.because)
        assert len(it.because) + len(rest) == len(it.answer.because)
