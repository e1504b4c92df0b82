"""When each waiting job starts: promised by its policy, or expected from a forecast, and never left open."""

import threading
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.console.session.facts import Prediction
from shadowtime.console.session.jobs import history, predictions
from shadowtime.console.session.session import Session
from shadowtime.console.widgets.queue.columns import starts
from shadowtime.kernels.policies import PolicyError
from tests.oracles.jobs import Job, Workload, workloads
from tests.session.build import FIRST_ID, POLICIES, SOME, session_of

BLOCKED = Workload([Job(0, 5, 3, 6), Job(2, 2, 2, 6), Job(3, 3, 2, 6), Job(3, 1, 1, 5)], 4)
"""EASY starts the jobs at 0, 5, 5 and 3; conservative at 0, 5, 5 and 7."""


PROMISES = {
    "conservative": {"guaranteed", "expected"},
    "flex": {"planned", "expected"},
    "pbas": {"planned", "expected"},
}
"""How sure predictions may be; those of the other policies are expected."""
PROMISES |= {policy: {"expected"} for policy in POLICIES if policy not in PROMISES}


def waiting(session: Session) -> Iterator[tuple[int, Prediction | None]]:
    """Yield the index and the prediction of every waiting job."""
    for index in session.snapshot().waiting:
        yield index, session.row(index).predicted


@pytest.mark.proof
@pytest.mark.parametrize("policy", POLICIES)
@SOME
@given(workload=workloads())
def test_every_waiting_job_is_predicted_and_explained_at_every_event(policy: str, workload: Workload) -> None:
    """Nobody waits without a predicted start, which is not in the past, and a reason with numbers."""
    session = session_of(workload, policy)
    while session.step():
        session.predict()
        assert session.predicted
        for index in session.snapshot().waiting:
            row = session.row(index)
            assert row.predicted is not None
            assert row.predicted.time >= session.time
            assert row.predicted.promise in PROMISES[policy]
            assert row.reason is not None
            assert row.reason.numbers
            assert session.why(row.id) == row.reason


@SOME
@given(workload=workloads())
def test_guaranteed_starts_never_move_later_and_are_kept(workload: Workload) -> None:
    """Under conservative a promise only moves earlier, and the job starts no later."""
    session, best = session_of(workload, "conservative"), dict[int, int]()
    while session.step():
        for index, predicted in waiting(session):
            if predicted is not None and predicted.promise == "guaranteed":
                assert predicted.time <= best.get(index, predicted.time)
                best[index] = predicted.time
    for index, promised in best.items():
        start = session.row(index).start
        assert start is not None
        assert start <= promised


def test_a_promise_comes_with_the_pass() -> None:
    """A job that has just come is expected; once its pass is done conservative guarantees."""
    session = session_of(BLOCKED, "conservative")
    session.travel.go_job(FIRST_ID + 1, "submit")
    assert not session.predicted
    session.predict()
    assert session.row(1).predicted == Prediction(6, "expected", session.number)
    session.step()
    assert session.predicted
    assert session.row(1).predicted == Prediction(6, "guaranteed", session.number)


def test_an_old_forecast_says_to_which_event_it_belongs() -> None:
    """Until a fresh one arrives the last forecast is shown, with its own event; a fresh one replaces it."""
    session = session_of(BLOCKED)
    session.go_time(2)
    here = session.number
    session.predict()
    assert session.row(1).predicted == Prediction(6, "expected", here)
    work = session.forecasts.start()
    session.step()
    assert not session.predicted
    assert session.row(1).predicted == Prediction(6, "expected", here)
    assert session.forecasts.take(work) is False
    thread = threading.Thread(target=work.run)
    thread.start()
    thread.join()
    assert session.forecasts.take(work) is False
    session.predict()
    assert session.row(1).predicted == Prediction(6, "expected", here + 1)
    session.back()
    assert session.predicted
    assert session.row(1).predicted == Prediction(6, "expected", here)


def test_where_nothing_is_to_be_foreseen_no_older_forecast_is_shown() -> None:
    """Of a job that is held nothing is expected, whatever was expected of it at another event."""
    session = session_of(BLOCKED, "easy")
    session.go_time(2)
    session.predict()
    assert session.row(1).predicted is not None
    session.act(f"hold {session.id_of(1)}")
    session.predict()
    assert session.predicted
    assert session.row(1).predicted is None


def test_first_predictions_of_an_instant_in_which_something_is_done_are_made_anew() -> None:
    """Those of jobs that came in it: what was found before, and what is still being worked out."""
    session = session_of(BLOCKED, "easy")
    session.go_time(3)
    early, late = (session.forecasts.start_first([2]) for _ in range(2))
    assert early is not None and late is not None
    early.run()
    late.run()
    session.forecasts.take_first(early)
    assert session.row(2).first_predicted is not None
    session.act(f"hold {session.id_of(1)}")
    assert session.row(2).first_predicted is None
    session.forecasts.take_first(late)
    assert session.row(2).first_predicted is None


def first_by_hand(workload: Workload, policy: str, row: int) -> int | None:
    """Return what a job's row says right after the pass of its submission; its start where it has started.

    Flex may push a job back for another of the same pass: then its own plan comes first.
    """
    session = session_of(workload, policy)
    session.go_time(workload.jobs[row].submit)
    last = session.snapshot().last
    for made in last.decisions if last else ():
        if made.job == FIRST_ID + row and made.reason.code == "inserted":
            at = made.reason.numbers["at"]
            assert isinstance(at, int)
            return at
    session.predict()
    shown = session.row(row)
    return shown.start if shown.predicted is None else shown.predicted.time


@pytest.mark.parametrize("policy", POLICIES)
@SOME
@given(workload=workloads(), data=st.data())
def test_slip_is_counted_from_the_prediction_at_submission(
    policy: str, workload: Workload, data: st.DataObject
) -> None:
    """The first prediction is the forecast, or the promise, after the pass of the job's own submission."""
    session = session_of(workload, policy)
    session.step(data.draw(st.integers(0, 60)))
    if session.snapshot().last and session.snapshot().last.kind == "submit":  # type: ignore[union-attr]
        session.step()
    session.predict()
    order = session.order()
    work = session.forecasts.start_first(order)
    if work is not None:
        work.run()
        session.forecasts.take_first(work)
    assert session.forecasts.start_first(order) is None
    for index, predicted in waiting(session):
        row, first = session.row(index), first_by_hand(workload, policy, index)
        assert predicted is not None
        assert first is not None
        if row.start is None:
            assert (row.first_predicted, row.slip) == (first, predicted.time - first)
        else:
            assert row.slip is None


def test_first_predictions_can_be_called_off() -> None:
    """A cancelled search leaves what it has found, and says nothing of the others."""
    session = session_of(BLOCKED, "fcfs")
    session.go_time(3)
    work = session.forecasts.start_first(session.order())
    assert work is not None
    work.cancel()
    work.run()
    session.forecasts.take_first(work)
    assert session.row(1).first_predicted is None
    assert session.row(1).slip is None


@pytest.mark.proof
@pytest.mark.parametrize("policy", POLICIES)
@SOME
@given(workload=workloads(), data=st.data())
def test_the_history_holds_every_change_of_the_prediction(
    policy: str, workload: Workload, data: st.DataObject
) -> None:
    """The history of a job is the predictions after each instant up to its first start, repeats left out."""
    row = data.draw(st.integers(0, len(workload.jobs) - 1))
    session = session_of(workload, policy)
    session.step(data.draw(st.integers(0, 60)))
    until = session.number
    found = session.forecasts.life_of(FIRST_ID + row).run()
    assert found == tuple(history_by_hand(workload, policy, row, until))
    assert session.number == until


def history_by_hand(workload: Workload, policy: str, row: int, until: int) -> Iterator[Prediction]:
    session, before = session_of(workload, policy), None
    while session.number < until:
        session.step()
        upcoming = session.snapshot().upcoming
        ends = upcoming is None or upcoming[0] > session.time or session.number == until
        if ends and session.time >= workload.jobs[row].submit:
            if row not in session.snapshot().waiting:
                return  # A job that was stopped waits once more, for something else than its start.
            session.predict()
            shown = session.row(row).predicted
            assert shown is not None
            if (shown.time, shown.promise) != before:
                yield shown
            before = shown.time, shown.promise


def test_a_long_history_is_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there are more instants than samples, these are spread over the whole wait, its ends included."""
    session = session_of(Workload([Job(0, 5, 1, 10) for _ in range(60)], 1), "fcfs")
    session.go_time(280)
    every = session.forecasts.life_of(FIRST_ID + 59).run()
    assert [made.time for made in every] == list(range(590, 305, -5))
    monkeypatch.setattr(history, "SAMPLES", 5)
    for instants in (20_000, 50):
        monkeypatch.setattr(history, "INSTANTS", instants)
        found = session.forecasts.life_of(FIRST_ID + 59).run()
        assert len(found) == 5
        assert set(found) <= set(every)
        assert (found[0], found[-1]) == (every[0], every[-1])
    work = session.forecasts.life_of(FIRST_ID + 59)
    work.cancel()
    assert work.run() == every[:1]


def test_of_very_many_changes_some_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first and the last stay, and the others keep their order."""
    session = session_of(Workload([Job(0, 5, 1, 10) for _ in range(60)], 1), "conservative")
    session.go_time(280)
    every = session.forecasts.life_of(FIRST_ID + 59).run()
    monkeypatch.setattr(history, "CHANGES", 8)
    found = session.forecasts.life_of(FIRST_ID + 59).run()
    assert 4 <= len(found) <= 8 < len(every)
    assert (found[0], found[-1]) == (every[0], every[-1])
    assert [made for made in every if made in found] == list(found)


def test_a_job_that_has_not_come_yet_has_no_history() -> None:
    """Before its submission nothing is predicted of a job."""
    session = session_of(BLOCKED)
    assert session.forecasts.life_of(FIRST_ID + 2).run() == ()
    row = session.row(2)
    assert (row.state, row.predicted, row.reason, row.start, row.end) == ("", None, None, None, None)


def test_forecasts_that_are_forgotten_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is kept is counted as it is, so that the last few stay at hand however many were made."""
    monkeypatch.setattr(predictions, "KEPT_STARTS", 60)
    session = session_of(Workload([Job(k, 5, 1, 10) for k in range(40)], 1), "fcfs")
    while session.step():
        session.predict()
        made = session.run.predictions
        assert made._size == sum(len(starts) for starts in made._forecasts.values())
        assert made._size <= 60 or len(made._forecasts) == 1
    assert len(session.run.predictions._forecasts) > 1


def test_a_job_that_no_forecast_starts_never_starts() -> None:
    """It waits behind a head that needs every node, one of which is down."""
    session = session_of(Workload([Job(0, 10, 4, 10), Job(0, 10, 1, 10)], 4), "fcfs")
    session.go_event(2)
    session.act("down 0")
    assert not any(session.row(job).unforeseen for job in (0, 1)), "nothing is foreseen yet"
    session.predict()
    rows = [session.row(job) for job in (0, 1)]
    assert all(row.unforeseen and starts(row, session.number) == "never" for row in rows)


def test_nobody_knows_whether_a_job_never_starts_if_the_policy_failed_in_the_forecast(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nor on the way back, when the failure has been shown long ago."""

    def fails(*_: object) -> None:
        raise PolicyError("the policy fails")

    monkeypatch.setattr(predictions.PredictionWork, "_look", fails)
    session = session_of(BLOCKED, "easy")
    session.go_event(3)
    session.predict()
    assert session.predicted and "the policy fails" in session.failure
    for _ in range(2):
        rows = [session.row(index) for index in session.snapshot().waiting]
        assert rows and all(row.predicted is None and not row.unforeseen for row in rows)
        session.step()
        session.back()
