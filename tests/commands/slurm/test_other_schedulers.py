"""A captured folder under the papers' schedulers, by the commands that take a scenario."""

import json
from pathlib import Path

import pytest

from tests.commandline import Shadowtime
from tests.scenarios.slurm.support import files, job, write


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
    ended = shadowtime("impact", folder, "--at", "1", "--do", "drain 0-1", "--json")
    (row,) = json.loads(ended.out)
    assert (row["job"], row["before"], row["after"]) == (3, 601, 3601)
    assert shadowtime("impact", folder, "--do", "drain 0-1", "--json").out == ended.out
    (advice,) = json.loads(shadowtime("advise", folder, "--job", 3, "--by", "601", "--json").out) or [None]
    assert advice is None
