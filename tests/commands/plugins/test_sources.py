"""Studies of a policy of one's own: what changes is simulated anew, and what fails is no success."""

import os
import subprocess
from pathlib import Path

from tests.commandline import ROOT, command
from tests.commands.plugins.packages import installed

MINE = """class Mine:
    def schedule(self, machine):
        for job in machine.waiting:
            if job.size > machine.free:
                break
            machine.start(job)
"""
STUDY = """title = "Mine"
[[grid]]
name = "g"
machine = {nodes = 8}
workload = {model = "feitelson96", jobs = 40, seed = 1, load = 0.9}
[[grid.axis]]
name = "policy"
values = ["fcfs", "mine"]
[[means]]
title = "Waits"
grid = "g"
measure = "mean_wait"
columns = "policy"
"""


def studied(site: Path, study: Path) -> subprocess.CompletedProcess[str]:
    """Run the study under the policy as it is."""
    return subprocess.run(
        command("reproduce", study, "--jobs", 1, "--results", site / "results"),
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_policy_that_changes_is_simulated_anew(tmp_path: Path) -> None:
    """Its results are kept only as long as its source is the same; where it fails, the exit code is 1."""
    site, study = installed(tmp_path / "site", "mine", MINE), tmp_path / "study.toml"
    study.write_text(STUDY)
    first = studied(site, study)
    assert first.returncode == 0, first.stderr
    waits = [
        line.split()[-1] for line in first.stdout.splitlines() if line.strip().startswith(("fcfs", "mine"))
    ]
    assert waits[0] == waits[1]
    kept = len(list((site / "results").rglob("*.json")))
    assert studied(site, study).stdout == first.stdout
    (site / "mine.py").write_text(MINE.replace("machine.waiting", "machine.waiting[::-1]"))
    again = studied(site, study)
    assert again.stdout != first.stdout
    assert len(list((site / "results").rglob("*.json"))) == kept + 1
    (site / "mine.py").write_text(MINE.replace("break", "raise RuntimeError"))
    failed = studied(site, study)
    assert failed.returncode == 1
    assert "no value: mine" in failed.stdout
    assert "(1 cell: g, mine)" in failed.stdout
    assert "cell.toml" not in failed.stdout
