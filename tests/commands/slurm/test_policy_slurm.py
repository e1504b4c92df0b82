"""The policy `slurm` on the command line: its parameters, and Slurm beside the papers' schedulers."""

import json
from pathlib import Path

import pytest

from shadowtime.console.session.slurm.over_time import followed
from shadowtime.console.session.slurm.parameters import split_policies
from shadowtime.scenarios.slurm import read_capture
from tests.commandline import ROOT, Shadowtime
from tests.scenarios.slurm.support import NOW, write
from tests.session.slurm.captures import contents, running, waiting

FULL = [running(1, ("n1", "n2"), NOW - 60), running(2, ("n3", "n4"), NOW - 300)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two running jobs, three waiting ones."""
    return write(tmp_path / "cluster", contents([*FULL, waiting(3), waiting(4), waiting(5)]))


def test_slurm_is_a_column_of_compare(shadowtime: Shadowtime, folder: Path) -> None:
    """Its starts are those of `forecast --expected`; the waits are counted from the capture.

    Nodes are free a second after the end of a job, and a pass follows two seconds later.
    """
    found = json.loads(shadowtime("compare", folder, "--json", "--changed", 9).out)
    assert [run["name"] for run in found["policies"]] == ["slurm", "easy", "conservative", "fcfs", "sjf"]
    slurm, easy = found["policies"][:2]
    starts = {each.job_id: each.start for each in followed(read_capture(folder), NOW)[0]}
    assert slurm["starts"] == starts == {"3": NOW + 303, "4": NOW + 543, "5": NOW + 905}
    assert slurm["metrics"].keys() == easy["metrics"].keys()
    assert slurm["metrics"]["mean_wait"] == (303 + 543 + 905) / 5
    assert slurm["parameters"]["bf_interval"] == 5 and slurm["not_started"] == 0


def test_the_starts_stand_side_by_side(shadowtime: Shadowtime, folder: Path) -> None:
    """The jobs that wait, by their start under the first policy; second 1 is the capture."""
    words = "compare", folder, "--policy", "slurm,easy", "--starts", 2
    found = json.loads(shadowtime(*words, "--json").out)["starts"]
    assert [(row["job"], row["starts"][0]) for row in found] == [(3, 304), (4, 544)]
    assert all(len(row["starts"]) == 2 for row in found)
    out = shadowtime(*words, "--clock", "calendar").out
    assert "2023-11-14 22:18:23" in out.partition("When they start")[2]


def test_lanes_are_named_with_commas_or_one_by_one(shadowtime: Shadowtime, folder: Path) -> None:
    """Settings stay with their policy; Slurm can stand beside itself."""
    words = "--policy", "slurm:bf_max_job_test=1,bf_busy_nodes,easy", "--policy", "slurm"
    found = json.loads(shadowtime("compare", folder, *words, "--json").out)
    names = ["slurm:bf_max_job_test=1,bf_busy_nodes", "easy", "slurm"]
    assert [run["name"] for run in found["policies"]] == names
    assert [run["parameters"].get("bf_max_job_test") for run in found["policies"]] == [1, None, 500]
    assert list(split_policies(["dynp:threshold=1,fcfs", "easy"])) == ["dynp:threshold=1", "fcfs", "easy"]
    alone = shadowtime("compare", folder, "--policy", "slurm")
    assert (alone.code, alone.err) == (0, "") and "mean_wait" in alone.out


def test_a_place_is_where_the_cluster_is_opened(shadowtime: Shadowtime, folder: Path) -> None:
    """Without a screen: what happened there, and the plan after it."""
    ended = shadowtime("open", folder, "--at", "job 3", "--timezone", "Europe/Berlin")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith("event 4, 2023-11-14 23:18:23: quick pass: 3 starts on n[3-4] until 23:28:23")
    assert "2 waiting jobs" in ended.out


def test_the_events_are_lines_and_json(shadowtime: Shadowtime, folder: Path) -> None:
    """What the console steps through, in order, each with its instant."""
    found = json.loads(shadowtime("forecast", folder, "--expected", "--events", "--json").out)["events"]
    kinds = [(each["what"], each["at"] - NOW) for each in found]
    assert kinds[:4] == [("backfill", 0), ("main pass", 60), ("end", 301), ("main pass", 303)]
    assert [each["started"][0]["job"] for each in found if each["started"]] == ["3", "4", "5"]
    lines = shadowtime("forecast", folder, "--expected", "--events").out.splitlines()
    (line,) = (line for line in lines if "3 starts on n[3-4]" in line)
    assert line.split()[:3] == ["4", "2023-11-14", "22:18:23"]
    assert shadowtime("forecast", folder, "--events").code == 2


@pytest.mark.parametrize("command", ["open", "run", "forecast"])
def test_parameters_override_the_configuration(shadowtime: Shadowtime, folder: Path, command: str) -> None:
    """One entry is tried; without parameters the plan is the usual one."""
    usual = shadowtime(command, folder)
    assert shadowtime(command, folder, "--policy", "slurm").out == usual.out
    ended = shadowtime(command, folder, "--policy", "slurm:bf_max_job_test=1")
    assert (ended.code, ended.err) == (0, "")
    assert usual.out.count("planned") > ended.out.count("planned")


def test_a_setting_of_slurm_is_enough(shadowtime: Shadowtime, folder: Path) -> None:
    """A captured folder is under Slurm unless another policy is named."""
    ended = shadowtime("run", folder, "--set", "bf_max_job_test=1")
    assert ended.code == 0 and "bf_max_job_test=1 (500)" in ended.out


@pytest.mark.parametrize(
    "arguments",
    [
        ("open", "CLUSTER", "--policy", "slurm:bf_intervall=3"),
        ("run", "CLUSTER", "--policy", "slurm", "--nodes", "3"),
        ("run", "CLUSTER", "--policy", "slurm:"),
        ("forecast", "CLUSTER", "--policy", "slurm:bf_window=0"),
        ("forecast", "CLUSTER", "--policy", "easy"),
        ("compare", "CLUSTER", "--policy", "slurm:bf_window=0,easy"),
        ("compare", "SCENARIO", "--policy", "slurm"),
        ("run", "SCENARIO", "--policy", "slurm"),
    ],
)
def test_bad_usage_is_one_line(shadowtime: Shadowtime, folder: Path, arguments: tuple[str, ...]) -> None:
    """A bad parameter, an option of scenarios, and a file that is no cluster."""
    there = {"CLUSTER": folder, "SCENARIO": ROOT / "scenarios" / "fj97" / "dilemma.toml"}
    ended = shadowtime(*(there.get(word, word) for word in arguments))
    assert ended.code == 2 and len(ended.complaints) == 1, ended
