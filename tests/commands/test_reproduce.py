"""`shadowtime reproduce`: published values beside ours."""

import json
from pathlib import Path

import pytest

from shadowtime.scenarios.experiment import experiment_files
from tests.commandline import Shadowtime

NAME = "s02-table1"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where results are kept; there are no logs."""
    monkeypatch.delenv("SHADOWTIME_TRACES", raising=False)
    monkeypatch.setattr("shadowtime.scenarios.traces.finding.user_folder", lambda: tmp_path / "none")
    return tmp_path / "results"


@pytest.mark.proof
def test_published_values_stand_beside_ours(folder: Path, tmp_path: Path, shadowtime: Shadowtime) -> None:
    """In a table, as JSON and in a report; the second time nothing is simulated."""
    ended = shadowtime("reproduce", NAME, "--jobs", 1, "--results", folder)
    assert (ended.code, ended.err) == (0, "")
    assert "input: Mean number of nodes; within" in ended.out
    assert "1 experiment, 2 rows; 2 on stand-ins: 2 differs" in ended.out
    stamps = {path: path.stat().st_mtime_ns for path in folder.rglob("*.json")}
    assert shadowtime("reproduce", NAME, "--results", folder).out == ended.out
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*.json")} == stamps
    (found,) = json.loads(shadowtime("reproduce", NAME, "--results", folder, "--json").out)
    assert (found["name"], found["counts"]["differs"]) == (NAME, 2)
    values = [value for table in found["tables"] for value in table["values"]]
    assert len(values) == 10
    assert len(found["rows"]) == 2
    assert found["rows"][0] | {"ours": 0.8, "half": None} == {
        "experiment": NAME,
        "paper": "Streit 2002",
        "item": "Tables 1 and 3",
        "title": "Load at the shrinking factor of 0.75, with the gaps of Table 1: set1",
        "published": 0.63,
        "ours": 0.8,
        "half": None,
        "verdict": "differs",
        "cause": "data",
        "data": "stand-in",
        "chance": 0.0,
        "threshold": False,
        "reading": "size and runtime unrelated; others: the correlation of the ranks of size and "
        "estimate (0)",
    }
    assert all(0.9 < value["ratio"] < 1.1 for value in values[:8])
    report = tmp_path / "report"
    ended = shadowtime("reproduce", NAME, "--results", folder, "--report", report)
    assert ended.code == 0
    assert "13.49 / 13.74 ± " in (report / "report.html").read_text()
    assert (report / "rows.csv").read_text().count("\n") == 3
    assert (
        (report / f"{NAME}.csv")
        .read_text()
        .startswith("grid,set,seed,correlation,measure,label,value,half\nsets,set1,1,")
    )


def test_a_missing_log_is_named(folder: Path, shadowtime: Shadowtime) -> None:
    """With what to do about it; the rest is run all the same, and the exit code is 0."""
    ended = shadowtime("reproduce", "fw98-fig4", "fj97-figs1-4", "--results", folder, "--jobs", 1)
    assert (ended.code, ended.err) == (0, "")
    assert "for want of the log KTH-SP2-1996-2.swf (shadowtime fetch KTH-SP2-1996-2" in ended.out
    assert "reproduced: fj97/dilemma.toml" in ended.out
    assert ended.out.splitlines()[-1].startswith("not run: 1 cell for want of the log KTH-SP2-1996-2.swf (")


def test_every_experiment_is_listed(shadowtime: Shadowtime) -> None:
    """By name, with its paper and its logs."""
    listed = shadowtime("reproduce", "--list").out
    assert all(path.stem in listed for path in experiment_files())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([""], "there is no experiment ''"),
        (["no-such"], "there is no experiment 'no-such'"),
        (["fw98-tabel2"], "did you mean fw98-table2?"),
        ([NAME, "--jobs", "0"], "0 is not in the range"),
        ([NAME, "--dask", "nonsense"], "the address is 'nonsense'; expected one such as tcp://head:8786"),
        ([NAME, "--jobs", "-1"], "-1 is not in the range"),
        ([NAME, "--jobs", "two"], "'two' is not a valid integer"),
    ],
)
def test_what_cannot_be_reproduced(
    arguments: list[str], words: str, folder: Path, shadowtime: Shadowtime
) -> None:
    """One line, and exit code 2."""
    ended = shadowtime("reproduce", *arguments, "--results", folder)
    assert (ended.code, len(ended.complaints)) == (2, 1)
    assert words in ended.err


def test_what_cannot_be_written_is_reported_before_the_work(
    folder: Path, tmp_path: Path, shadowtime: Shadowtime
) -> None:
    """One line and exit code 3, and nothing has been simulated."""
    (tmp_path / "file").write_text("")
    for option in ("--report", "--results", "--page"):
        place = tmp_path / "file" / "in"
        options = [] if option == "--results" else ["--results", folder]
        ended = shadowtime("reproduce", NAME, "--jobs", 1, *options, option, place)
        assert (ended.code, len(ended.complaints), ended.out) == (3, 1, "")
        assert not list(folder.rglob("*.json"))
