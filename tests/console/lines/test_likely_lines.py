"""Likely starts in lines, on the page of users and in a file."""

import csv
import io
from pathlib import Path

import pytest

from shadowtime.console.lines import Teller
from shadowtime.console.screens.console import background
from shadowtime.console.session import open_session
from shadowtime.console.words import likely
from tests.console.operator import Operator, case, operate


def test_the_queue_in_lines_has_likely_starts() -> None:
    """Those of the screen, with how earlier ones have held."""
    session = open_session(case("busy.swf"))
    session.go("85%")
    out = io.StringIO()
    teller = Teller(session, out)
    teller.queue()
    teller.why(session.id_of(session.snapshot().waiting[0]))
    row = session.row(session.snapshot().waiting[0])
    assert row.likely is not None
    odds = likely.odds(row.likely, session.time, teller.written)
    held = likely.held(row.likely.record)
    lines = out.getvalue().splitlines()
    assert [line.count(odds) for line in lines if line.startswith(f"job {row.id}")].count(1) == 2
    assert sum(held in line for line in lines) == 2


def test_users_and_files_have_the_likely_starts_of_the_screen(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(background, "STILL", 0.01)
    path = tmp_path / "queue.csv"

    async def story(operator: Operator) -> None:
        session = operator.console.session
        await operator.until(lambda: (found := session.forecasts.likely) is not None and found.final)
        await operator.rest()
        operator.console.exports.export(f"queue {path}")
        rows = [session.row(index) for index in session.snapshot().waiting]
        with path.open(newline="", encoding="utf-8") as stream:
            written = list(csv.DictReader(stream))
        assert [int(each["id"]) for each in written] == [row.id for row in rows]
        for each, row in zip(written, rows, strict=True):
            assert row.likely is not None and row.predicted is not None
            starts = (row.likely.early, row.likely.likely, row.likely.late, row.predicted.time)
            assert [each[name] for name in ("early", "likely", "late", "expected")] == list(map(str, starts))
        await operator.press("colon")
        await operator.type("view users")
        user = rows[0].user
        await operator.until(lambda: "USERS" in operator.lines[0])
        while f"> {user} " not in operator.text:
            await operator.press("down")
        mine = min((row for row in rows if row.user == user), key=lambda row: row.likely.likely)  # type: ignore[union-attr,arg-type,return-value]
        assert mine.likely is not None
        assert f"job {mine.id}, " in operator.text
        assert likely.odds(mine.likely, session.time, operator.console.desk.clock) in operator.text

    operate(story, of=case("busy.swf"), size=(120, 36), at="85%")
