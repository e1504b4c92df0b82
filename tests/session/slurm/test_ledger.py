"""The ledger: what is kept, how it is settled, and how far forecasts were off."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import attrs
import pytest

from shadowtime.console.session import SessionError
from shadowtime.console.session.slurm.ledger.errors import groups
from shadowtime.console.session.slurm.ledger.store import Added, Ledger, LedgerEntry, Left
from tests.scenarios.slurm.support import NOW, number
from tests.session.slurm.captures import captured, ended, running, waiting
from tests.strangers import needs_root, plant

FULL = [running(1, ("n1", "n2"), NOW - 60), running(2, ("n3", "n4"), NOW - 300)]
LATER = NOW + 10_000
"""The clock of the machine while captures are added."""
EXPECTED = {"start_time": number(NOW + 700)}


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    """An empty ledger."""
    found = Ledger(tmp_path / "data" / "ledger.sqlite")
    yield found
    found.close()


def test_a_forecast_is_settled_by_the_capture_that_shows_the_start(ledger: Ledger, tmp_path: Path) -> None:
    """Job 3 was forecast for 300 s and starts at 280; Slurm showed 700."""
    assert ledger.add(captured(tmp_path / "a", [*FULL, waiting(3, overlay=EXPECTED)]), LATER).kept == 1
    (entry,) = ledger.entries(LATER)
    assert (entry.cluster, entry.job, entry.start, entry.slurm_start) == ("test", "3", NOW + 300, NOW + 700)
    assert (entry.settled, entry.error) == ("", None)
    assert (
        ledger.add(captured(tmp_path / "b", [running(3, ("n3", "n4"), NOW + 280)], after=600), LATER).kept
        == 0
    )
    (entry,) = ledger.entries(LATER)
    assert (entry.settled, entry.began, entry.began_nodes) == ("started", NOW + 280, "n3,n4")
    assert (entry.error, entry.slurm_error) == (-20, -420)


def test_a_job_that_ended_between_two_captures_is_settled_while_it_is_shown(
    ledger: Ledger, tmp_path: Path
) -> None:
    """A cancelled one, and one that is shown no more, are settled without a start."""
    ledger.add(captured(tmp_path / "a", [*FULL, waiting(3), waiting(4), waiting(5)]), LATER)
    jobs = [ended(3, "n[3-4]", NOW + 300), ended(4, "", NOW + 90, "CANCELLED")]
    ledger.add(captured(tmp_path / "b", jobs, after=900), LATER)
    assert [(entry.job, entry.settled, entry.error) for entry in ledger.entries(LATER)] == [
        ("3", "started", 0), ("4", "gone", None), ("5", "gone", None),
    ]  # fmt: skip


def test_each_capture_forecasts_anew_but_not_within_seconds(ledger: Ledger, tmp_path: Path) -> None:
    """And a capture that is not newer than the last adds nothing."""
    jobs = [*FULL, waiting(3)]
    added = [
        ledger.add(captured(tmp_path / f"{place}", jobs, after), LATER).kept
        for place, after in enumerate((0, 5, 30, 30, 10))
    ]
    assert added == [1, 0, 1, 0, 0]
    assert [entry.made for entry in ledger.entries(LATER)] == [NOW, NOW + 30]


def test_the_forecast_of_an_array_is_that_of_its_next_task(ledger: Ledger, tmp_path: Path) -> None:
    """A task that started settles only what was forecast before its start."""
    array = {"array_job_id": number(7), "array_task_string": "1-3", "array_max_tasks": number(0)}
    ledger.add(captured(tmp_path / "a", [*FULL, waiting(7, overlay=array)]), LATER)
    task = {"array_job_id": number(7), "array_task_id": number(1), "array_task_string": ""}
    begun = running(8, ("n3", "n4"), NOW + 50) | task
    ledger.add(captured(tmp_path / "b", [FULL[0], begun, waiting(7, overlay=array)], after=60), LATER)
    first, second = ledger.entries(LATER)
    assert (first.job, first.settled, first.error) == ("7_*", "started", -250)
    assert (second.made, second.settled) == (NOW + 60, "")


def test_a_file_that_is_no_ledger_is_one_line(tmp_path: Path) -> None:
    """A text, another database's format, and a ledger that is not there."""
    text = tmp_path / "text"
    text.write_text("no ledger " * 1000)
    with pytest.raises(SessionError, match=r"^\S*text: .*expected"):
        Ledger(text)
    with pytest.raises(SessionError, match=r"is not there"):
        Ledger(tmp_path / "none", create=False)
    other = Ledger(tmp_path / "other")
    other._base.execute("pragma user_version = 9")
    other.close()
    with pytest.raises(SessionError, match=r"format 9"):
        Ledger(tmp_path / "other")


def test_a_capture_from_the_future_does_not_silence_later_ones(ledger: Ledger, tmp_path: Path) -> None:
    """It is not recorded, and the ledger says beside which clock; five minutes are no future."""
    jobs = [*FULL, waiting(3)]
    wrong = captured(tmp_path / "a", jobs, after=10_000)
    assert ledger.add(wrong, NOW) == Added(left=Left.AHEAD, beside=NOW)
    assert ledger.add(captured(tmp_path / "b", jobs, after=300), NOW).kept == 1
    late = ledger.add(captured(tmp_path / "c", jobs, after=299), NOW)
    assert late == Added(left=Left.EARLIER, beside=NOW + 300)
    assert ledger.add(captured(tmp_path / "d", jobs, after=300), NOW).left is Left.SAME
    assert [entry.made for entry in ledger.entries(NOW)] == [NOW + 300]


def test_what_a_ledger_has_from_the_future_waits_until_then(ledger: Ledger, tmp_path: Path) -> None:
    """It keeps nothing from being recorded, counts nowhere, and is settled by what comes after it only."""
    jobs = [*FULL, waiting(3)]
    assert ledger.add(captured(tmp_path / "a", jobs, after=10_000), LATER).kept == 1
    assert (ledger.ahead(NOW), list(ledger.entries(NOW))) == (1, [])
    assert ledger.add(captured(tmp_path / "b", jobs), NOW).kept == 1
    assert (
        ledger.add(captured(tmp_path / "c", [running(3, ("n3", "n4"), NOW + 280)], 600), NOW + 600).kept == 0
    )
    assert [(entry.made, entry.error) for entry in ledger.entries(NOW + 600)] == [(NOW, -20)]
    first, second = ledger.entries(LATER)
    assert (ledger.ahead(LATER), first.settled, second.made, second.settled) == (
        0, "started", NOW + 10_000, "",
    )  # fmt: skip


@pytest.mark.parametrize("value", ["'soon'", "x'00ff'", "1.5", "null"])
@pytest.mark.parametrize("column", [field.name for field in attrs.fields(LedgerEntry)])
def test_a_value_of_another_kind_is_one_line(ledger: Ledger, tmp_path: Path, column: str, value: str) -> None:
    """In a table without the rules of ours: what is asked is right, or one line that names the file."""
    assert ledger.add(captured(tmp_path / "a", [*FULL, waiting(3)]), LATER).kept == 1
    names = ", ".join(field.name for field in attrs.fields(LedgerEntry))
    ledger._base.execute(f"create table loose (id integer primary key, {names})")
    ledger._base.execute(f"insert into loose ({names}) select {names} from forecasts")
    ledger._base.execute("drop table forecasts")
    ledger._base.execute("alter table loose rename to forecasts")
    ledger._base.execute(f"update forecasts set {column} = {value}")
    fits = {"'soon'": str, "null": int | None}.get(value) == {
        field.name: field.type for field in attrs.fields(LedgerEntry)
    }[column]
    later = captured(tmp_path / "b", [*FULL, waiting(3)], after=600)
    if fits:
        assert len(list(ledger.entries(LATER))) == 1
    else:
        with pytest.raises(SessionError, match=rf"^{ledger.path}: {column} is "):
            list(ledger.entries(LATER))
    # What adding a capture does not look at does not matter there.
    with suppress(SessionError):
        ledger.add(later, LATER)


def test_the_ledger_is_for_its_owner_alone(ledger: Ledger, tmp_path: Path) -> None:
    """With what SQLite keeps beside it, and the folder that was made."""
    ledger.add(captured(tmp_path / "a", [*FULL, waiting(3)]), LATER)
    files = list(ledger.path.parent.iterdir())
    assert len(files) == 3 and {path.stat().st_mode & 0o077 for path in (*files, ledger.path.parent)} == {0}


@needs_root
def test_a_ledger_behind_a_link_of_another_user(tmp_path: Path) -> None:
    """Neither made nor opened, also with a folder that is the link."""
    (tmp_path / "theirs").mkdir()
    plant(tmp_path / "ledger.sqlite", tmp_path / "theirs" / "new")
    plant(tmp_path / "data", tmp_path / "theirs")
    for path in (tmp_path / "ledger.sqlite", tmp_path / "data" / "ledger.sqlite"):
        with pytest.raises(PermissionError):
            Ledger(path)
    assert not list((tmp_path / "theirs").iterdir())


def entry(**facts: Any) -> LedgerEntry:
    """A settled forecast, on the second."""
    usual = LedgerEntry(
        "test", "24.11.5", "3", NOW, "batch", "", 2, NOW, "planned", NOW + 100, "n1", NOW + 100,
        "started", NOW + 100, "n1",
    )  # fmt: skip
    return attrs.evolve(usual, **facts)


def test_errors_by_group() -> None:
    """Quantiles, shares early and late, beside Slurm's on the same jobs."""
    late = [entry(began=NOW + 100 + 30 * place, size=3) for place in range(10)]
    early = entry(start=NOW + 1000, slurm_start=None, partition="short")
    gone = entry(settled="gone", began=None)
    short, far, everything = groups([*late, early, gone], "horizon")
    assert (short.name, far.name, everything.name) == ("< 5m", "< 30m", "all")
    assert (short.forecasts, short.settled, short.gone, short.both) == (11, 10, 1, 10)
    assert short.ours.quantiles == (0, 120, 240) and short.ours.median == 120
    assert (short.ours.early, short.ours.late) == (0.0, 0.7)
    assert short.slurm == short.ours == short.ours_there
    assert (far.ours.median, far.ours.early, far.both, far.slurm.median) == (900, 1.0, 0, None)
    assert [group.name for group in groups([*late, early], "partition")] == ["batch", "short", "all"]
    assert [group.name for group in groups([*late, early], "size")] == ["2-4", "all"]


def test_two_clusters_are_two_ledgers(ledger: Ledger, tmp_path: Path) -> None:
    """Their jobs have the same numbers and submissions; a start of one settles nothing of the other."""
    for name in ("near", "far"):
        assert ledger.add(captured(tmp_path / name, [*FULL, waiting(3)], name=name), LATER).kept == 1
    later = captured(tmp_path / "later", [running(3, ("n3", "n4"), NOW + 280)], 600, "near")
    ledger.add(later, LATER)
    assert {entry.cluster: entry.settled for entry in ledger.entries(LATER)} == {"near": "started", "far": ""}
    assert [entry.cluster for entry in ledger.entries(LATER, "far")] == ["far"]
