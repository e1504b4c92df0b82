"""Where jobs take turns: when each is expected to start, to go on, and to end."""

import pytest
from hypothesis import given

from shadowtime.console.session import load, open_session
from shadowtime.console.session.jobs import predictions
from shadowtime.console.session.jobs.predictions import Predictions, PredictionWork
from shadowtime.console.session.session import Session
from shadowtime.scenarios import scenario_files
from tests.oracles.jobs import Job as Naive
from tests.oracles.jobs import Workload, workloads
from tests.session.build import SOME, session_of
from tests.session.travel.test_skipping import gang

SLOTS = next(path for path in scenario_files() if path.stem == "slots")


def test_the_turns_of_the_story_are_foreseen() -> None:
    """Nothing comes after minute 6 and estimates are exact: what is expected then is what happens."""
    session = open_session(load(SLOTS))
    session.go("0 00:06:00")
    session.predict()
    rows = [session.row(index) for index in range(4)]
    ends = [row.predicted_end.time // 60 for row in rows if row.predicted_end is not None]
    assert ends == [80, 45, 59, 50]
    assert [row.state for row in rows] == ["R", "W", "R", "W"]
    assert [None if row.predicted is None else row.predicted.time // 60 for row in rows] == [
        None,
        10,
        None,
        20,
    ]
    session.go("0 00:10:00")
    again = session.row(0)
    assert again.state == "W" and again.preemptions == 1
    assert again.predicted is not None and (again.predicted.time, again.predicted.promise) == (
        1800,
        "expected",
    )


@pytest.mark.proof
@SOME
@given(workload=workloads())
def test_everybody_has_an_end_at_every_event(workload: Workload) -> None:
    """Of this very event once predicted, and not in the past; nobody runs again after its expected end."""
    session = Session(gang(workload))
    while session.step():
        session.predict()
        assert session.predicted
        snapshot = session.snapshot()
        for index in (*snapshot.running, *snapshot.holding, *snapshot.waiting):
            row = session.row(index)
            assert row.predicted_end is not None and row.predicted_end.event == session.number
            assert row.predicted_end.time >= session.time
            assert row.predicted is not None or row.state == "R" or row.start is not None, row
            assert row.predicted is None or session.time <= row.predicted.time < row.predicted_end.time


def test_where_space_is_shared_no_end_is_predicted() -> None:
    session = session_of(Workload([Naive(0, 4, 3, 4), Naive(1, 4, 3, 4)], 3))
    session.go_event(4)
    session.predict()
    assert [session.row(index).predicted_end for index in range(2)] == [None, None]


def test_forgotten_forecasts_take_their_ends_along(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(predictions, "KEPT_FORECASTS", 2)
    kept, simulation = Predictions(), gang(Workload([Naive(0, 9, 3, 9), Naive(0, 9, 3, 9)], 3)).simulation()
    for _ in range(5):
        simulation.step()
        work = PredictionWork(simulation)
        work.run()
        kept.take(work)
    assert kept.end_of(simulation, 0) is not None
    assert len(kept._ends) == len(kept._forecasts) == 2
    assert kept._size == sum(map(len, (*kept._ends.values(), *kept._forecasts.values())))
