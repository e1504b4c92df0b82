"""Tidy tables: of jobs, of measures, of a study; and how fair a schedule is."""

import csv
import random
import sys
from pathlib import Path

import pytest

import shadowtime
from shadowtime.console.session.lab.fairness import jain, overtaken
from tests.commandline import ROOT
from tests.session.lab.support import SMALL

DILEMMA = ROOT / "scenarios" / "fj97" / "dilemma.toml"


def test_who_is_overtaken() -> None:
    """By a job that was submitted later and started before: pair by pair."""
    choose = random.Random(3)
    for _ in range(200):
        submits = sorted(choose.choices(range(8), k=choose.randrange(9)))
        starts = [submit + choose.randrange(6) for submit in submits]
        pairs = list(zip(submits, starts, strict=True))
        passed = sum(any(late > came and early < began for late, early in pairs) for came, began in pairs)
        assert overtaken(submits, starts) == passed / max(len(pairs), 1)


def test_the_index_of_jain() -> None:
    """1 where all are alike, the share of those who have it all where the others have nothing."""
    assert (jain([3.0, 3.0]), jain([4.0, 0.0, 0.0, 0.0]), jain([]), jain([0.0])) == (1.0, 0.25, None, None)
    assert jain([1.0, 2.0]) == 0.9


def test_jobs_and_measures_of_a_run() -> None:
    """The means are those of the jobs; what has not happened is None."""
    session = shadowtime.run(DILEMMA, policy="easy")
    jobs, measures = shadowtime.jobs(session), list(shadowtime.measures(session).rows())
    found = {(row["measure"], row["label"]): row["value"] for row in measures}
    waits = [row["wait"] for row in jobs.rows()]
    assert found["mean_wait", ""] == sum(map(int, map(str, waits))) / len(jobs)
    assert found["quantiles.wait", "1"] == max(map(int, map(str, waits)))
    assert found["fairness.overtaken", ""] == 1 / 3
    assert found["users.jobs", "linus"] == 1
    session.go("#4")
    starts = shadowtime.jobs(session).columns["finish"]
    assert list(starts) == [None, None, None]
    assert shadowtime.measures(shadowtime.open(DILEMMA)).columns["measure"]


def test_who_starts_later_than_under_strict_fcfs() -> None:
    """Job by job, in two runs; nobody under FCFS itself, which takes no action of a session over."""
    easy, fcfs = (
        shadowtime.run(ROOT / "scenarios" / "generated" / "day-1024.toml", policy=name)
        for name in ("easy", "fcfs")
    )
    starts = (shadowtime.jobs(session).columns["start"] for session in (easy, fcfs))
    later = [int(str(ours)) > int(str(strict)) for ours, strict in zip(*starts, strict=True)]
    for session, share in ((easy, sum(later) / len(later)), (fcfs, 0.0)):
        found = {row["measure"]: row["value"] for row in shadowtime.measures(session).rows()}
        assert found["fairness.later"] == share
    assert 0 < sum(later) < len(later)
    steered = shadowtime.open(ROOT / "scenarios" / "generated" / "day-1024.toml", policy="easy")
    steered.go_event(400)
    steered.act("policy easy")
    steered.go_end()
    found = {row["measure"]: row["value"] for row in shadowtime.measures(steered).rows()}
    assert found["fairness.later"] == sum(later) / len(later)


def test_a_study_from_python(tmp_path: Path) -> None:
    """The cells are those that the command writes; a second time nothing is simulated."""
    path = tmp_path / "mine.toml"
    path.write_text(
        SMALL
        + """
[[means]]
title = "Waits"
grid = "g"
measure = "mean_wait"
average = "seed"
columns = "policy"
against = "easy"
"""
    )
    study = shadowtime.study(path, results=tmp_path / "store")
    assert study.means.columns["sense"][0] is None
    assert {row["verdict"] for row in study.rows.rows()} <= {
        "reproduced",
        "contradicts",
        "pattern",
        "undecided",
    }
    study.cells.to_csv(tmp_path / "cells.csv")
    rows = list(csv.DictReader((tmp_path / "cells.csv").open()))
    assert len(rows) == len(study.cells)
    waits = [float(row["value"]) for row in rows if (row["measure"], row["policy"]) == ("mean_wait", "easy")]
    (mean,) = [row["ours"] for row in study.means.rows() if row["column"] == "easy"]
    assert len(waits) == 4 and sum(waits) / 4 == pytest.approx(mean)


def test_packages_that_are_not_there_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One line, and no file."""
    monkeypatch.setitem(sys.modules, "pandas", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    table = shadowtime.Table({"a": [1, None]})
    for ask in (table.to_pandas, lambda: table.to_parquet(tmp_path / "t")):
        with pytest.raises(shadowtime.SessionError, match=r"shadowtime\[tables\]"):
            ask()
    assert not list(tmp_path.iterdir())


def test_a_table_becomes_a_frame_and_parquet(tmp_path: Path) -> None:
    """With the same columns and values."""
    pandas = pytest.importorskip("pandas", reason="the package pandas is an extra")
    pytest.importorskip("pyarrow", reason="the package pyarrow is an extra")
    table = shadowtime.Table.of_rows(("name", "value"), [("a", 1), ("b", 2)])
    table.to_parquet(tmp_path / "t.parquet")
    assert pandas.read_parquet(tmp_path / "t.parquet").equals(table.to_pandas())
    assert table.to_pandas().to_dict("records") == list(table.rows())
