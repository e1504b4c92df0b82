"""`forecast FILE --at WHEN`: expected and likely starts of a log; `score`: how good they are."""

import csv
import json
from pathlib import Path

import pytest

from tests.commandline import Shadowtime

HEADER = ("; MaxNodes: 32", "; UnixStartTime: 0")


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log of five users who ask for much more than they need."""
    path = tmp_path / "busy.swf"
    rows = [
        f"{row + 1} {40 * row} -1 {60 + 17 * (row * row % 23)} {1 + row * 7 % 16} -1 -1 {1 + row * 7 % 16} "
        f"{600 * (2 + row % 7)} -1 1 {1 + row % 5} -1 -1 -1 -1 -1 -1"
        for row in range(600)
    ]
    path.write_text("\n".join((*HEADER, *rows)) + "\n")
    return path


def test_each_waiting_job_has_its_odds(shadowtime: Shadowtime, log: Path, tmp_path: Path) -> None:
    table = tmp_path / "starts.csv"
    found = shadowtime(
        "forecast", str(log), "--policy", "easy", "--at", "#1200", "--json", "--csv", str(table)
    )
    answer = json.loads(found.out)
    assert answer["event"] == 1200
    assert answer["jobs"]
    for job in answer["jobs"]:
        assert answer["now"] <= job["early"] <= job["likely"] <= job["late"]
        assert job["calibrated"]
    assert 0 < answer["held"] <= answer["settled"]
    with table.open() as stream:
        ids = [int(row["id"]) for row in csv.DictReader(stream)]
    assert ids == [job["id"] for job in answer["jobs"]]


def test_a_moment_is_needed(shadowtime: Shadowtime, log: Path) -> None:
    found = shadowtime("forecast", str(log))
    assert found.code == 2
    assert "--at" in found.err


def test_the_score_is_that_of_its_table(shadowtime: Shadowtime, log: Path, tmp_path: Path) -> None:
    table = tmp_path / "score.csv"
    found = shadowtime(
        "score", str(log), "--policy", "easy", "--snapshots", "20", "--csv", str(table), "--json"
    )
    answer = json.loads(found.out)
    with table.open() as stream:
        rows = list(csv.DictReader(stream))
    assert answer["snapshots"] == len({row["snapshot"] for row in rows}) == 20
    assert answer["ahead"]["all"]["forecasts"] == len(rows)
    held = [int(row["q10"]) <= int(row["started"]) <= int(row["q90"]) for row in rows]
    assert 0 < sum(held) < len(held)
    assert answer["ahead"]["all"]["likely_error"] < answer["ahead"]["all"]["expected_error"]
    early, *_, late = (
        sum(int(row["started"]) <= int(row[name]) for row in rows) for name in ("q10", "q50", "q90")
    )
    came = answer["ahead"]["all"]["came"]
    assert sorted(came) == came
    assert came[0] < came[-1]
    assert (came[0] > 0) == (early > 0)
    assert (came[-1] < 1) == (late < len(rows))
