"""`shadowtime forecast`: the plan of a captured Slurm cluster as a table, JSON and CSV."""

import csv
import json
from datetime import datetime
from pathlib import Path

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.console.session import ScenarioError
from shadowtime.console.session.slurm import ForecastRow, forecast
from shadowtime.console.session.slurm.guard.caveat import Caveat, Left
from shadowtime.console.words.cluster.caveats import caveat
from tests.commandline import Shadowtime
from tests.scenarios.slurm.mutations import PARSERS, mutated
from tests.scenarios.slurm.support import NOW, files, number, write


@pytest.mark.parametrize("parser", PARSERS)
def test_the_plan_is_given_as_json(shadowtime: Shadowtime, tmp_path: Path, parser: int) -> None:
    """Two nodes are free and wanted, but a reservation of them begins before the job would end."""
    ended = shadowtime("forecast", write(tmp_path, files(parser)), "--now", NOW, "--json")
    assert (ended.code, ended.err) == (0, "")
    found = json.loads(ended.out)
    (row,) = found["rows"]
    assert (row["job_id"], row["outcome"], row["start"], row["nodes"]) == (
        "2",
        "planned",
        NOW + 600,
        "n[1-2]",
    )
    assert (found["now"], found["rules"]) == (
        NOW,
        {38: "22.05", 39: "22.05", 42: "24.11", 45: "26.05"}[parser],
    )


def test_the_instant_of_the_capture_is_the_default(shadowtime: Shadowtime, tmp_path: Path) -> None:
    """It stands in the file of the queue; 22.05 does not write it."""
    assert f'"now": {NOW}' in shadowtime("forecast", write(tmp_path / "a", files(42)), "--json").out
    contents = files(38)
    del contents["squeue.json"]["last_update"]
    ended = shadowtime("forecast", write(tmp_path / "b", contents))
    assert ended.code == 2 and len(ended.complaints) == 1 and "--now" in ended.err


def test_the_table_and_the_csv(shadowtime: Shadowtime, tmp_path: Path) -> None:
    """The CSV has the columns of a row; it is not written over unless asked to."""
    folder, output = write(tmp_path / "cluster", files(42)), tmp_path / "plan.csv"
    ended = shadowtime("forecast", folder, "--csv", output, "--timezone", "Europe/Berlin")
    assert (ended.code, ended.err) == (0, "")
    assert "2023-11-14 23:23:20" in ended.out and "n[1-2]" in ended.out
    with output.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.reader(stream))
    assert rows[0] == [*(field.name for field in attrs.fields(ForecastRow)), "start_at"]
    assert rows[1][-4:] == ["ada", "", "", "2023-11-14T23:23:20+01:00"]
    assert rows[1][1:8] == ["2", "batch", "", "998", "planned", str(NOW + 600), str(NOW + 4240)]
    again = shadowtime("forecast", folder, "--csv", output)
    assert again.code == 2 and len(again.complaints) == 1
    assert shadowtime("forecast", folder, "--csv", output, "--force").code == 0


def test_what_the_plan_leaves_out_is_listed(shadowtime: Shadowtime, tmp_path: Path) -> None:
    """A topology and unknown exclusive jobs."""
    contents = files(45)
    del contents["squeue_v0.0.44.json"]
    contents["config.txt"] = contents["config.txt"].replace("topology/default", "topology/tree")
    found = json.loads(shadowtime("forecast", write(tmp_path, contents), "--json").out)
    assert found["caveats"] == [
        caveat(Caveat(Left.TOPOLOGY, ("topology/tree",))),
        caveat(Caveat(Left.EXCLUSIVE)),
    ]


@pytest.mark.parametrize("zone", ["Moon", "../../etc/passwd"])
def test_an_unknown_zone_is_one_line(shadowtime: Shadowtime, tmp_path: Path, zone: str) -> None:
    """As everywhere."""
    ended = shadowtime("forecast", write(tmp_path, files(42)), "--timezone", zone)
    assert ended.code == 2 and len(ended.complaints) == 1


def test_a_folder_without_files_is_one_line(shadowtime: Shadowtime, tmp_path: Path) -> None:
    """And so is a folder that is none."""
    for folder in (tmp_path, tmp_path / "none"):
        ended = shadowtime("forecast", folder)
        assert ended.code == 2 and len(ended.complaints) == 1


@pytest.mark.proof
@given(st.sampled_from(PARSERS), st.data())
def test_any_change_of_a_capture_is_planned_or_is_one_line(
    tmp_path_factory: pytest.TempPathFactory, parser: int, data: st.DataObject
) -> None:
    """What the reader accepts, the planner plans."""
    folder = write(tmp_path_factory.mktemp("cluster"), mutated(parser, data))
    try:
        found = forecast(folder, NOW)
    except ScenarioError as error:
        assert "\n" not in str(error)
    else:
        assert {row.outcome for row in found.rows} <= {"planned", "started", "skipped", "beyond window"}


def test_the_json_has_who_asks_and_what_slurm_expects(shadowtime: Shadowtime, tmp_path: Path) -> None:
    """The user, the account, Slurm's own start, and each start by the calendar of the zone."""
    made = files(42)
    made["squeue.json"]["jobs"][1] |= {"account": "physics", "start_time": number(NOW + 700)}
    folder = write(tmp_path, made)
    found = json.loads(shadowtime("forecast", folder, "--json", "--expected", "--timezone", "Asia/Tokyo").out)
    (row,) = found["rows"]
    assert (row["user"], row["account"], row["slurm_start"]) == ("ada", "physics", NOW + 700)
    for each in (row, *found["expected"]):
        assert datetime.fromisoformat(each["start_at"]).timestamp() == each["start"]
        assert each["start_at"].endswith("+09:00")
