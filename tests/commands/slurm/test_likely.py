"""`shadowtime forecast FOLDER --likely`: lines, CSV and JSON, with a history and without one."""

import csv
import json
from datetime import UTC
from pathlib import Path

import pytest

from shadowtime.console.commands.slurm import lines
from shadowtime.console.commands.slurm.reaching import Reached
from shadowtime.console.session.slurm.capturing import Folder
from shadowtime.console.session.slurm.ledger.store import Ledger, ledger_path
from shadowtime.console.widgets.slurm.dates import Dates
from tests.commandline import Shadowtime
from tests.commands.slurm.fake import contents_of
from tests.commands.slurm.test_accounting import row, table
from tests.scenarios.slurm.support import NOW, write

HOURS = [f"{hour:02}:{minute:02}" for hour in range(1, 20) for minute in (10, 40)]
ROWS = [row(str(n), n, f"{at}:00", f"{at}:50", "COMPLETED") for n, at in enumerate(HOURS, 100)]


def folder(place: Path, *rows: str) -> Path:
    """A cluster with so much of an accounting."""
    return write(place, contents_of(42) | {"sacct.txt": table(*rows)})


def test_the_odds_stand_beside_the_plan(shadowtime: Shadowtime, tmp_path: Path) -> None:
    """The same in each form, in order, and again the same; 9 in 10 is not before the median."""
    place, output = folder(tmp_path / "c", *ROWS), tmp_path / "plan.csv"
    ended = shadowtime("forecast", place, "--likely", "--samples", 12, "--json", "--csv", output)
    assert (ended.code, ended.err) == (0, "")
    found = json.loads(ended.out)["likely"]
    assert found["history"] == len(ROWS)
    (start,) = found["starts"].values()
    assert start["quantiles"] == sorted(start["quantiles"]) and start["quantiles"][0] >= NOW
    assert start["samples"] == 12
    with output.open() as stream:
        (written,) = csv.DictReader(stream)
    shown = [int(written[name]) for name in ("early", "likely", "late")]
    assert shown == [start["quantiles"][place] for place in (1, 3, 5)]
    lines = shadowtime("forecast", place, "--likely", "--samples", 12).out
    assert lines == shadowtime("forecast", place, "--likely", "--samples", 12).out
    assert f"{len(ROWS)} jobs" in lines
    (job,) = found["starts"]
    (*_, begin) = json.loads(shadowtime("why", place, job, "--json").out)["links"]
    assert begin["kind"] == "start" and begin["likely"] >= NOW


def test_without_a_history_a_line_says_why(shadowtime: Shadowtime, tmp_path: Path) -> None:
    """The plan is there, and its file has the columns without values."""
    place, output = folder(tmp_path / "c", *ROWS[:9]), tmp_path / "c" / "plan.csv"
    ended = shadowtime("forecast", place, "--likely", "--csv", output)
    assert ended.code == 0 and "no history" in ended.out
    with output.open() as stream:
        (written,) = csv.DictReader(stream)
    assert written["start"] and not written["likely"]
    assert shadowtime("check", place).code == 0


def test_what_cannot_be_read_of_the_accounting_is_said(shadowtime: Shadowtime, tmp_path: Path) -> None:
    """With the first row of it."""
    place = folder(tmp_path / "c", *ROWS, "1|1|ada")
    out = shadowtime("forecast", place, "--likely", "--samples", 1).out
    assert f"line {len(ROWS) + 2}" in out
    assert "accounting" not in shadowtime("forecast", place).out


def test_refusals(shadowtime: Shadowtime, tmp_path: Path) -> None:
    """One line, code 2."""
    place = folder(tmp_path / "c")
    for words in (("--samples", 5), ("--likely", "--samples", 0)):
        ended = shadowtime("forecast", place, *words)
        assert ended.code == 2 and ended.complaints


def test_a_folder_that_is_added_is_sampled_as_any_other(
    shadowtime: Shadowtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its odds are kept in the ledger that is named, and not in the user's."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    place, path = folder(tmp_path / "c", *ROWS), tmp_path / "l"
    (start,) = json.loads(shadowtime("forecast", place, "--likely", "--samples", 4, "--json").out)["likely"][
        "starts"
    ].values()
    assert shadowtime("ledger", place, "--samples", 4, "--file", path).code == 0
    ledger = Ledger(path)
    kept = [list(entry.quantiles) for entry in ledger.entries(NOW) if entry.quantiles]
    ledger.close()
    assert kept == [start["quantiles"]] and not ledger_path().exists()


def test_a_cluster_that_is_followed_has_its_odds_in_the_ledger(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """And beside the plan; one that is printed once is not sampled."""
    said: list[str] = []

    def stop(_: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(lines, "sleep", stop)
    for every, data in ((None, "once"), (30.0, "followed")):
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / data))
        reached = Reached(Folder(folder(tmp_path / f"{data}-cluster", *ROWS)), Dates(UTC), every, True)
        try:
            lines.ClusterLines(reached, said.append).run()
        except KeyboardInterrupt:
            assert every is not None
        ledger = Ledger(ledger_path())
        (entry,) = ledger.entries(NOW)
        ledger.close()
        assert (entry.likely is not None) == ("9 in 10 by" in capsys.readouterr().out) == (every is not None)
    assert sum(f"{len(ROWS)} jobs ended" in line for line in said) == 1
