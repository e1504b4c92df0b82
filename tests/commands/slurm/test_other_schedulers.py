"""A captured folder under the papers' schedulers, by the commands that take a scenario."""

import json
from pathlib import Path

import pytest

from shadowtime.console.words.impact import NOTHING_DONE
from tests.commandline import Shadowtime
from tests.scenarios.slurm.support import NOW, files, job, number, write
from tests.session.slurm.captures import contents, running, waiting


@pytest.mark.parametrize(
    "arguments", [("run", "--policy", "easy"), ("run", "--set", "scan=shortest"), ("compare",)]
)
def test_a_captured_folder_is_simulated(
    shadowtime: Shadowtime, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    """Both jobs start when they come: nobody waits."""
    folder = write(tmp_path / "cluster", files(42))
    command, *options = arguments
    found = json.loads(shadowtime(command, folder, "--json", *options).out)
    runs = [found] if command == "run" else found["policies"]
    # Slurm obeys a reservation that the others do not see.
    others = [run for run in runs if run["policy"] != "slurm"]
    assert [run["policy"] for run in others] == ["easy", "conservative", "fcfs", "sjf"][: len(others)]
    assert len(runs) == (1 if command == "run" else 5)
    assert [run["metrics"]["mean_wait"] for run in others] == [0] * len(others)


def test_impact_is_that_on_the_waiting_jobs(shadowtime: Shadowtime, tmp_path: Path) -> None:
    """With the nodes of the running job drained, a job waits for those of the other one."""
    contents = files(42)
    contents["squeue.json"]["jobs"].append(job(42, 3, exclusive=True))
    folder = write(tmp_path / "cluster", contents)
    easy = "impact", folder, "--policy", "easy", "--do", "drain 0-1", "--json"
    ended = shadowtime(*easy, "--at", "1")
    (row,) = json.loads(ended.out)
    assert (row["job"], row["before"], row["after"]) == (3, 601, 3601)
    assert shadowtime(*easy).out == ended.out
    advise = "advise", folder, "--policy", "easy", 3, "--by", "601", "--json"
    (advice,) = json.loads(shadowtime(*advise).out) or [None]
    assert advice is None


def test_impact_and_advice_are_those_of_slurm_by_default(shadowtime: Shadowtime, tmp_path: Path) -> None:
    """The same rows as with --policy slurm, in seconds since 1970; --policy easy has others."""
    jobs = [running(1, ("n1", "n2"), NOW - 60), running(2, ("n3", "n4"), NOW - 300), waiting(3), waiting(4)]
    folder = write(tmp_path / "cluster", contents(jobs))
    hold = "impact", folder, "--do", "hold 3", "--json"
    rows = json.loads(shadowtime(*hold).out)
    lost, gained = rows
    assert (lost["job"], lost["after"]) == (3, None) and lost["before"] > NOW
    assert gained["job"] == 4 and gained["change"] == gained["after"] - gained["before"] < 0
    assert json.loads(shadowtime(*hold, "--policy", "slurm").out) == rows
    assert json.loads(shadowtime(*hold, "--policy", "easy").out) != rows
    text = shadowtime(*hold[:-1]).out
    assert "hold 3" in text and NOTHING_DONE in text
    advise = "advise", folder, "--json", "4", "--by"
    advice = {row["do"]: row for row in json.loads(shadowtime(*advise, "-1m").out)}
    assert advice["hold 3"]["then"] == "release 3" and advice["hold 3"]["start"] == gained["after"]
    assert json.loads(shadowtime(*advise, "+10d").out) == []


@pytest.mark.parametrize(
    "arguments",
    [
        ("impact", "--do", "drain 99"), ("impact", "--do", "hold 1"), ("impact", "--do", "set bf_window=x"),
        ("impact", "--do", "hold 3", "--at", "+9d"), ("impact", "--do", "hold 3", "--clock", "elapsed"),
        ("advise", "1"), ("advise", "3", "--by", "noon"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked_of_a_cluster_is_one_line(
    shadowtime: Shadowtime, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    """Job 1 runs."""
    folder = write(tmp_path / "cluster", contents([running(1, ("n1", "n2"), NOW - 60), waiting(3)]))
    ended = shadowtime(arguments[0], folder, *arguments[1:])
    assert (ended.code, ended.out) == (2, "") and ended.err.splitlines()[-1]


def test_tasks_of_an_array_have_their_own_names_in_a_comparison(
    shadowtime: Shadowtime, tmp_path: Path
) -> None:
    """Those that wait, and one that runs; other jobs are numbers."""
    array = {"array_job_id": number(7), "array_task_string": "2-3", "array_max_tasks": number(0)}
    task = running(9, ("n1", "n2"), NOW - 60) | {"array_job_id": number(7), "array_task_id": number(1)}
    jobs = [task, running(2, ("n3", "n4"), NOW - 300), waiting(3), waiting(7) | array]
    folder = write(tmp_path / "cluster", contents(jobs))
    found = json.loads(shadowtime("compare", folder, "--json", "--changed", "9", "--starts", "9").out)
    names = {row["job"] for row in found["starts"]}
    assert {3, "7_2", "7_3"} <= names <= {2, 3, "7_1", "7_2", "7_3"}
    assert {row["job"] for row in found["changed"]} <= {2, 3, "7_1", "7_2", "7_3"}
    assert "7_2" in shadowtime("compare", folder, "--starts", "9").out.split()
