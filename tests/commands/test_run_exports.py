"""`shadowtime run --swf --batsim`: the schedule for other programs."""

import csv
from collections.abc import Callable
from pathlib import Path

from tests.commandline import Shadowtime

Story = Callable[[str], Path]
DILEMMA = "fj97/dilemma.toml"


def test_the_schedule_as_a_log_and_as_batsim_writes_it(
    shadowtime: Shadowtime, story: Story, tmp_path: Path
) -> None:
    """Both files are written in one run, and say the same starts as the table of the scenario."""
    log, jobs = tmp_path / "out.swf", tmp_path / "out.csv"
    ended = shadowtime("run", story(DILEMMA), "--variant", "easy", "--swf", log, "--batsim", jobs)
    assert (ended.code, ended.err) == (0, "")
    rows = [line.split() for line in log.read_text().splitlines() if not line.startswith(";")]
    waits = {row[0]: int(row[2]) for row in rows}
    assert sum(waits.values()) / len(waits) == 5000
    with jobs.open(newline="") as stream:
        found = {row["job_id"]: row for row in csv.DictReader(stream)}
    assert {job: int(row["waiting_time"]) for job, row in found.items()} == waits
    assert found["1"]["allocated_resources"] == "0-63"
    again = shadowtime("run", log, "--policy", "fcfs", "--json")
    assert again.code == 0 and '"jobs": 3' in again.out


def test_a_folder_that_is_not_there_is_one_line(shadowtime: Shadowtime, story: Story, tmp_path: Path) -> None:
    """Exit code 3, the name that was asked for, and nothing half-written."""
    path = tmp_path / "nowhere" / "out.csv"
    ended = shadowtime("run", story(DILEMMA), "--batsim", path)
    assert (ended.code, ended.complaints) == (3, [f"{path}: no such file or directory"])
    assert not list(tmp_path.iterdir())


def test_an_archive_is_refused(shadowtime: Shadowtime, story: Story, tmp_path: Path) -> None:
    """The log is written plain."""
    path = tmp_path / "out.swf.gz"
    ended = shadowtime("run", story(DILEMMA), "--swf", path)
    assert ended.code == 2
    assert ended.complaints == [f"{path} would be an archive; expected a plain log, such as out.swf"]
