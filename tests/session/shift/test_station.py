"""The instructor's station: orders from another process, heard by the operator's, with one course for all."""

from io import StringIO
from pathlib import Path

import pytest

from shadowtime.console.drills.station import Station
from shadowtime.console.session import SessionError, load
from shadowtime.console.session.shift import (
    Orders,
    ShiftSession,
    debriefed,
    open_shift,
    references_of,
    scored,
)
from tests.session.shift.files import incident, manual


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A data folder of the test's own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def opened(path: Path) -> tuple[ShiftSession, Orders]:
    session, attempts, _ = open_shift(path, "kim")
    assert attempts is not None and not attempts.fault
    return session, Orders(attempts)


def test_what_is_ordered_happens_where_the_operator_stands(tmp_path: Path) -> None:
    """Each order once, a second later; who takes the attempt up, and its debrief, have the same course."""
    path = incident(tmp_path)
    session, orders = opened(path)
    session.go_time(20)
    station = Station(path, "kim", out := StringIO())
    stood = list[int]()
    for order in ("9 1m", "note Is it broken?", "job 1 2m", "disk 7-8 40s", "drain 6 30s"):
        station.order(order)
        assert orders.hear(session) is not None
        stood.append(session.time)
        session.go_time(session.time + 30)
    assert orders.hear(session) is None and session.heard == 5 and stood == sorted(stood)
    assert [at for at, _ in session.injected] == stood
    outages = session.case.scenario.outages[-3:]
    assert [(it.nodes, it.start, it.kill) for it in outages] == [
        (((9, 10),), stood[0] + 1, True), (((7, 9),), stood[3] + 1, False), (((6, 7),), stood[4] + 1, False)
    ]  # fmt: skip
    assert [note.at for note in session.notes(0, 1000)] == [stood[1] + 1, stood[3] + 1]
    station.watch()
    shown = out.getvalue()
    assert f"{len(session.snapshot().waiting)} waiting" in shown and shown.count("came at") == 5
    other, heard = opened(path)
    assert other.digest() == session.digest() and heard.hear(other) is None
    for each in (session, other):
        each.go_end()
    assert other.digest() == session.digest()
    compared = references_of(session)
    both = [debriefed(it, references_of(it), scored(it, compared)) for it in (session, other)]
    assert both[0].injected == both[1].injected and both[0].moments == both[1].moments
    assert both[0].injected[0] == (21, "9 1m")


def test_an_order_that_cannot_be_done_is_heard_once(tmp_path: Path) -> None:
    """The station refuses what it can judge; what has become impossible is counted, and nothing changes."""
    path = manual(tmp_path)
    session, orders = opened(path)
    session.go_time(10)
    station = Station(path, "kim", out := StringIO())
    station.order("99 1m")
    assert not orders.given() and "expected nodes and a length" in out.getvalue()
    orders.give("job 99 1m")
    before = session.digest()
    with pytest.raises(SessionError, match="the machine has"):
        orders.hear(session)
    assert orders.hear(session) is None and session.digest() == before
    again, heard = opened(path)
    assert again.heard == 1 and heard.hear(again) is None
    station.watch()
    assert "1 order could not be done" in out.getvalue()


@pytest.mark.parametrize("text", ["note", "disk 99 1m", "drain 3", "drain 3 0s"])
def test_what_nobody_can_inject(tmp_path: Path, text: str) -> None:
    session = ShiftSession(load(manual(tmp_path)))
    with pytest.raises(SessionError, match="expected nodes and a length"):
        session.injection(text)


def test_a_file_of_orders_that_cannot_be_read_stays_as_it_is(tmp_path: Path) -> None:
    """Nothing is heard, nothing is added, nothing is heard twice; without the file a new one begins."""
    session, orders = opened(manual(tmp_path))
    for _ in range(3):
        orders.give("note a")
        orders.hear(session)
    (path,) = (tmp_path / "data").rglob("*.orders")
    whole = path.read_text()
    assert orders.given() == ("note a",) * 3 and path.stat().st_mode & 0o077 == 0
    for text in ("{", "[" * 100_000, "[]", '{"format": "shadowtime orders 9", "orders": ["note a"]}', "3"):
        path.write_text(text)
        with pytest.raises(SessionError, match="expected orders"):
            orders.give("note b")
        with pytest.raises(SessionError, match="expected orders"):
            orders.hear(session)
        assert path.read_text() == text
    path.write_text(whole)
    assert orders.hear(session) is None
    path.unlink()
    orders.give("note b")
    assert orders.hear(session) is not None and session.injected[-1][1] == "note b"


def test_an_attempt_that_cannot_be_read_takes_its_orders_along(tmp_path: Path) -> None:
    """The next attempt hears only what is ordered then."""
    path = manual(tmp_path)
    session, orders = opened(path)
    orders.give("note a")
    orders.hear(session)
    (attempt,) = (tmp_path / "data").rglob("*.json")
    attempt.write_text("{")
    again, attempts, _ = open_shift(path, "kim")
    assert attempts is not None and attempts.fault
    heard = Orders(attempts)
    assert heard.hear(again) is None and not again.injected
    heard.give("note b")
    assert heard.hear(again) is not None and [text for _, text in again.injected] == ["note b"]


@pytest.mark.parametrize("order", ["job 1 2m", "9 1m", "note a"])
def test_an_order_waits_while_the_operator_looks_back(tmp_path: Path, order: str) -> None:
    """No action is dropped, and nothing happens before what was seen; in a course begun anew nothing was."""
    session, orders = opened(incident(tmp_path))
    for time, action in ((20, "drain 1"), (40, "drain 2"), (60, "")):
        session.go_time(time)
        if action:
            session.act(action)
    furthest, journal = session.time, session.journal
    session.go_time(50)
    orders.give(order)
    for time in (50, 10):
        session.go_time(time)
        assert orders.hear(session) is None
    assert (session.journal, session.injected, session.heard) == (journal, (), 0)
    session.go_time(furthest)
    assert orders.hear(session) is not None
    assert (session.journal, session.injected) == (journal, ((furthest, order),))
    session.begin_anew()
    orders.give("note b")
    assert orders.hear(session) is not None and session.injected[-1] == (session.time, "note b")
