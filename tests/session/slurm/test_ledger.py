"""The ledger: what is kept, how it is settled, and how far forecasts were off."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest

from shadowtime.console.session import SessionError
from shadowtime.console.session.slurm.ledger import Entry, Ledger, groups
from tests.scenarios.slurm.support import NOW, number
from tests.session.slurm.captures import captured, ended, running, waiting

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
    """Job 3 was forecast for 300 s and starts at 280; Slurm expected 700."""
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


def entry(**facts: Any) -> Entry:
    """A settled forecast, on the second."""
    usual = Entry(
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
