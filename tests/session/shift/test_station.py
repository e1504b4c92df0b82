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
from shadowtime.scenarios.values import Outage
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


def test_a_file_of_orders_that_cannot_be_read_is_none(tmp_path: Path) -> None:
    session, orders = opened(manual(tmp_path))
    orders.give("note a")
    (path,) = (tmp_path / "data").rglob("*.orders")
    assert orders.given() == ("note a",) and path.stat().st_mode & 0o077 == 0
    for text in ("", "[", "[]", '{"format": "shadowtime orders 1", "orders": 7}'):
        path.write_text(text)
        assert orders.given() == () and orders.hear(session) is None
    assert isinstance(session.injection("drain 1 5s")[0], Outage)
