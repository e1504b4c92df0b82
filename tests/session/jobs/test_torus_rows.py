"""Rows of the torus: what the scheduler keeps for a job is shown until the job is over."""

from shadowtime.console.session import Session, load, scenario_files
from shadowtime.console.widgets.queue.columns import starts

PATH = next(path for path in scenario_files() if path.stem == "do-not-disturb")


def session_at(instant: int) -> Session:
    """The shipped scenario at an instant."""
    session = Session(load(PATH))
    session.go_time(instant)
    return session


def test_a_running_job_shows_its_block_and_its_wire() -> None:
    """Wires go to the first four jobs in the order in which the pass assigns blocks."""
    rows = [session_at(1300).row(index) for index in range(5)]
    assert [row.state for row in rows] == ["R", "R", "R", "O", "R"]
    assert [row.terms["wire"] for row in rows] == [1, 2, 0, 3, 0]
    assert [row.terms.get("base") for row in rows] == [128, 64, 0, None, 16]


def test_a_running_job_shows_how_long_it_is_left_in_peace() -> None:
    """Job 4: from 916 on, 320 s; saved jobs and those that are over show nothing of it."""
    row = session_at(1000).row(3)
    assert row.terms["undisturbed_until"] == 1236
    assert "undisturbed_until" not in session_at(1300).row(3).terms
    assert session_at(6080).row(3).terms == {}


def test_a_job_that_is_being_saved_starts_again() -> None:
    """Its next start is foreseen while its memory is written, as it is when that is done."""
    session = Session(load(next(path for path in scenario_files() if path.stem == "t3d-day")))
    session.go("#32")
    session.predict()
    saving = [row for row in session.rows(session.snapshot().everybody, 0, 20) if row.state == "o"]
    assert [row.id for row in saving] == [3, 4] and not any(row.unforeseen for row in saving)
    starts = [row.predicted.time for row in saving if row.predicted is not None]
    session.go("#36")
    session.predict()
    later = [session.row(row.index).predicted for row in saving]
    assert [found.time for found in later if found is not None] == starts == [9120, 9120]


def test_a_job_that_is_suspended_does_not_never_start_while_it_is_being_saved() -> None:
    """It waits for the operator, and a forecast has no start for it; no other job waits."""
    session = Session(load(next(path for path in scenario_files() if path.stem == "full-storage")))
    for event, state in ((21, "o"), (23, "S")):
        session.go_event(event)
        session.predict()
        snapshot = session.snapshot()
        (row,) = map(session.row, snapshot.holding)
        assert row.state == state and not snapshot.waiting
        assert starts(row, snapshot.number).strip() == "-"
