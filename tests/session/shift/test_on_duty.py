"""What an operator on duty may do, and what hindsight costs."""

from pathlib import Path

import pytest

from shadowtime.console.session import SessionError, load
from shadowtime.console.session.shift import ShiftSession, references, scored
from shadowtime.console.session.shift.soundness import imitate
from tests.session.shift.files import incident, manual


def test_no_job_starts_by_itself_until_the_shift_ends(tmp_path: Path) -> None:
    """At 1000 EASY takes over, and all jobs come to their ends."""
    session = ShiftSession(load(manual(tmp_path)))
    session.go_time(999)
    assert len(session.snapshot().waiting) == 4 and not session.ended
    session.go_end()
    assert session.ended and session.snapshot().finished == 4
    assert min(session.outcomes().columns["start"]) == 1000


def test_gang_scheduling_by_hand_places_no_job_until_the_shift_ends(tmp_path: Path) -> None:
    """The rows take turns all the same."""
    session = ShiftSession(load(manual(tmp_path, "gang")))
    session.go_time(30)
    assert len(session.snapshot().waiting) == 4
    session.act("start 1")
    session.act("start 2")
    session.go_time(35)
    matrix = session.snapshot().matrix
    assert matrix is not None and len(matrix.rows) == 2 and len(session.snapshot().waiting) == 2
    session.go_end()
    assert session.snapshot().finished == 4


def test_only_what_the_shift_allows(tmp_path: Path) -> None:
    session = ShiftSession(load(incident(tmp_path)))
    session.go_time(55)
    for action in ("hold 2", "cancel 1", "policy fcfs", "set scan=shortest"):
        assert "is not allowed in this shift; expected" in str(session.refusal(action)), action
        with pytest.raises(SessionError, match="is not allowed"):
            session.act(action)
    assert session.refusal("drain 0") is None


def test_a_budget_is_spent_and_given_back(tmp_path: Path) -> None:
    session = ShiftSession(load(incident(tmp_path)))
    session.go_time(55)
    session.act("drain 0")
    session.act("drain 1")
    assert session.refusal("drain 2") == "the budget is spent: 2 actions; expected undo, which gives one back"
    session.undo()
    session.act("drain 2")
    assert session.spent == 2


def test_nothing_can_be_done_after_the_end(tmp_path: Path) -> None:
    session = ShiftSession(load(manual(tmp_path)))
    session.go_time(1000)
    assert session.refusal("start 1") == "the shift is over; nothing can be done any more"


def test_notes_of_another_run_are_not_shown(tmp_path: Path) -> None:
    """A note is of the run that the policy of the file would make, unless it says otherwise."""
    path = manual(tmp_path)
    notes = '[[note]]\nat = 20\ntext = "Job 3 passes."\n[[note]]\nat = 20\nvariant = "any"\ntext = "Hello."\n'
    path.write_text(path.read_text() + notes)
    session = ShiftSession(load(path))
    session.go_time(500)
    assert [note.text for note in session.notes(-1, 500)] == ["Hello."]


def test_a_shift_that_is_stuck_is_handed_in(tmp_path: Path) -> None:
    """Suspended jobs never end: the operator decides, and they are lost."""
    case = load(incident(tmp_path))
    session = ShiftSession(case)
    session.go_time(20)
    session.act("suspend 1")
    with pytest.raises(SessionError, match="something is still to happen"):
        session.hand_in()
    session.go_end()
    assert session.over and session.left_over == (1,) and not session.ended
    session.hand_in()
    assert session.ended
    score = scored(session, references(case))
    assert (score.lost, score.points) == (1, 0)


def test_looking_back_is_free_and_doing_otherwise_is_not(tmp_path: Path) -> None:
    """Of 1000 seconds 600 were seen: 18 of 30 points."""
    session = ShiftSession(load(manual(tmp_path)))
    session.go_time(30)
    session.act("start 1")
    session.go_time(130)
    session.go_start()
    session.go_time(130)
    assert session.hindsight.replayed == 0
    session.go_time(1000)
    session.go_time(400)
    assert session.time == 130
    session.act("start 2")
    assert session.hindsight.replayed == 870 and session.hindsight.points(1000) == 27
    session.act("start 3")
    assert session.hindsight.replayed == 870, "what follows was not seen"


def test_an_action_taken_back_at_once_costs_nothing(tmp_path: Path) -> None:
    session = ShiftSession(load(manual(tmp_path)))
    session.go_time(30)
    session.act("start 1")
    session.undo()
    assert session.hindsight.replayed == 0
    session.redo()
    session.go_time(130)
    session.undo()
    assert session.hindsight.replayed == 100


def test_to_begin_anew_is_to_know_what_was_seen(tmp_path: Path) -> None:
    session = ShiftSession(load(manual(tmp_path)))
    session.go_time(30)
    session.act("start 1")
    session.go_end()
    session.begin_anew()
    assert (session.time, session.journal, session.hindsight.replayed) == (0, (), 0)
    session.go_time(30)
    session.act("start 1")
    assert session.hindsight.replayed == 970


def test_the_best_response_with_hindsight_earns_no_full_score(tmp_path: Path) -> None:
    """Played to the end first, then everything right."""
    case = load(manual(tmp_path))
    compared = references(case)
    best = imitate(case, compared.best)
    assert scored(best, compared).points == 100
    best.go_end()
    whole = (scored(best, compared).figures, compared.baseline.figures, compared.best.figures)
    assert compared.figures_at(best) == whole, "at the end the figures are those of the score"
    session = ShiftSession(case)
    session.go_end()
    session.begin_anew()
    for action in best.journal:
        session.go_event(action.after or 0)
        session.act(f"start {action.job}")
    session.go_end()
    score = scored(session, compared)
    assert score.share == pytest.approx(1) and 65 <= score.points <= 75


def test_a_shift_is_not_tried_beside_itself(tmp_path: Path) -> None:
    with pytest.raises(SessionError, match="beside a shift"):
        ShiftSession(load(manual(tmp_path))).fork("other")


def test_an_instructor_lets_a_node_fail(tmp_path: Path) -> None:
    """A second from now, and the past is what it was; the comparison has the failure, too."""
    case = load(incident(tmp_path, ""))
    session = ShiftSession(case)
    session.go_time(30)
    session.act("drain 9")
    before = session.number
    session.inject("0-3 5m")
    assert session.number == before and len(session.journal) == 1
    session.go_time(40)
    owners = memoryview(session.snapshot().owners).cast("i")
    assert list(owners[:4]) == [-2] * 4
    nothing = [references(each, search=False).baseline.figures for each in (case, session.file)]
    assert nothing[0] != nothing[1]


@pytest.mark.parametrize("text", ["", "3", "3 never", "77 5m", "0 0"])
def test_what_is_no_failure_is_refused(tmp_path: Path, text: str) -> None:
    session = ShiftSession(load(incident(tmp_path)))
    with pytest.raises(SessionError, match="expected nodes and a length") as refused:
        session.inject(text)
    assert not session.injected and str(refused.value).count("expected") == 1


@pytest.mark.parametrize(
    "text", ["job", "job 4", "job 0 2h", "job 11 2h", "job 4 never", "job 4 0", "job x 5"]
)
def test_what_is_no_job_is_refused(tmp_path: Path, text: str) -> None:
    session = ShiftSession(load(incident(tmp_path)))
    session.go_time(30)
    before = session.digest()
    with pytest.raises(SessionError, match="expected a size and a length") as refused:
        session.inject(text)
    assert "\n" not in str(refused.value)
    assert not session.injected and session.digest() == before and len(session.case.jobs) == 4
