"""One word changed in a partition of the shipped cluster changes the plan as slurm.conf(5) says."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import pytest

from shadowtime.console.session.slurm import Forecast, forecast_of
from shadowtime.console.session.slurm.guard.caveat import Left
from shadowtime.scenarios.slurm import Capture, read_capture
from tests.oracles.slurm.cycle import plan
from tests.session.slurm.test_agreement import row_of

TIERS = Path(__file__).parents[3] / "scenarios" / "clusters" / "two-tiers"
Chosen = Callable[[dict[str, Any]], bool]


@attrs.frozen
class Planned:
    """A cluster with its plan, and its jobs as squeue.json has them."""

    capture: Capture
    plan: Forecast
    jobs: dict[str, dict[str, Any]]

    def rows(self, partition: str) -> dict[str, tuple[Any, ...]]:
        """Job -> its row in a partition, without its place and its marks."""
        found = (row for row in self.plan.rows if row.partition == partition)
        return {row.job_id: (row.outcome, row.start, row.end, row.nodes, row.note) for row in found}

    def number(self, row: str) -> str:
        """The job of a row."""
        return row.partition("_")[0]


def planned(folder: Path) -> Planned:
    """The plan of a folder, that of the naive program too."""
    capture = read_capture(folder)
    found = forecast_of(capture, capture.taken)
    assert [row_of(row) for row in found.rows] == plan(capture, capture.taken)
    jobs = json.loads((folder / "squeue.json").read_text(encoding="utf-8"))["jobs"]
    return Planned(capture, found, {str(job["job_id"]): job for job in jobs})


@pytest.fixture(scope="module")
def before() -> Planned:
    """The cluster as it is shipped."""
    return planned(TIERS)


def changed(folder: Path, partition: str, old: str, new: str) -> Planned:
    """The cluster with a word of a partition changed in a copy of its files."""
    shutil.copytree(TIERS, folder)
    path = folder / "partitions.txt"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    (place,) = (place for place, line in enumerate(lines) if line.startswith(f"PartitionName={partition} "))
    assert lines[place].count(f" {old} ") == 1
    lines[place] = lines[place].replace(f" {old} ", f" {new} ")
    path.write_text("".join(lines), encoding="utf-8")
    return planned(folder)


def limit(job: dict[str, Any]) -> int:
    """The minutes that a job asks for."""
    found = job["time_limit"]
    return int(found["number"] if isinstance(found, dict) else found)


def nodes(job: dict[str, Any]) -> int:
    """The least number of nodes of a job."""
    words = dict(word.split("=") for word in job["tres_req_str"].split(","))
    return int(words["node"])


def anyone(job: dict[str, Any]) -> bool:
    """Every job."""
    return True


def nobody(job: dict[str, Any]) -> bool:
    """No job."""
    return False


@pytest.mark.parametrize(
    ("old", "new", "kept_out"),
    [
        ("State=UP", "State=DOWN", anyone),
        ("State=UP", "State=INACTIVE", anyone),
        ("State=UP", "State=DRAIN", nobody),
        ("MaxTime=2-00:00:00", "MaxTime=04:00:00", lambda job: limit(job) > 240),
        ("MaxNodes=UNLIMITED", "MaxNodes=4", lambda job: nodes(job) > 4),
        ("MinNodes=0", "MinNodes=3", lambda job: nodes(job) < 3),
        ("AllowQos=ALL", "AllowQos=urgent,capped", lambda job: job["qos"] == "normal"),
        ("AllowQos=ALL", "DenyQos=urgent,capped", lambda job: job["qos"] != "normal"),
        ("ReqResv=NO", "ReqResv=YES", lambda job: not job["resv_name"]),
        ("Hidden=NO", "Hidden=YES", nobody),
    ],
)
def test_a_word_keeps_jobs_out_of_a_partition(
    tmp_path: Path, before: Planned, old: str, new: str, kept_out: Chosen
) -> None:
    """Exactly those that it concerns have no row there; one without another partition has a reason."""
    after = changed(tmp_path / "copy", "batch", old, new)
    was, now = before.rows("batch"), after.rows("batch")
    gone = {row for row in was if kept_out(before.jobs[before.number(row)])}
    assert was.keys() - now.keys() == gone and now.keys() <= was.keys()
    waiting = [job for job in before.capture.jobs if job.waiting and job.priority]
    alone = {job.shown for job in waiting if job.partitions == ("batch",)}
    reasons = dict(after.plan.kept_out)
    assert reasons.keys() == {name for name in alone if kept_out(before.jobs[before.number(name)])}
    assert all("batch" in reason for reason in reasons.values())
    # A partition of other nodes, and one of a higher tier, do not see it.
    assert after.rows("gpu") == before.rows("gpu") and after.rows("short") == before.rows("short")
    if not gone:
        assert now == was
    else:
        starts = {row: (was[row][1], now[row][1]) for row in now if was[row][1] and now[row][1]}
        assert sum(one > other for one, other in starts.values()) > 0 or not starts


@pytest.mark.parametrize(
    ("new", "barred"),
    [
        ("AllowAccounts=account1", lambda job: job["account"] != "account1"),
        ("AllowAccounts=account1,account2", nobody),
        ("DenyAccounts=account1", lambda job: job["account"] == "account1"),
        ("DenyAccounts=account3", nobody),
    ],
)
def test_a_list_of_accounts_keeps_jobs_from_starting(
    tmp_path: Path, before: Planned, new: str, barred: Chosen
) -> None:
    """Their rows stay, with the same start, and say that they never start (22.05: not of accounts below)."""
    after = changed(tmp_path / "copy", "batch", "AllowAccounts=ALL", new)
    assert after.rows("batch") == before.rows("batch") and not after.plan.kept_out
    for row in after.plan.rows:
        job = before.jobs[before.number(row.job_id)]
        never = any(mark.left is Left.NEVER for mark in row.marks)
        assert never is (row.partition == "batch" and barred(job)), row.job_id


def test_a_list_of_groups_marks_every_job_of_the_partition(tmp_path: Path, before: Planned) -> None:
    """Who is in a group no file shows."""
    after = changed(tmp_path / "copy", "batch", "AllowGroups=ALL", "AllowGroups=staff")
    assert after.rows("batch") == before.rows("batch")
    assert all(row.marks for row in after.plan.rows if row.partition == "batch")


def test_fewer_cpus_of_a_node_than_it_has_are_too_few_for_whole_nodes(
    tmp_path: Path, before: Planned
) -> None:
    """MaxCPUsPerNode: no job of the partition can be scheduled."""
    after = changed(tmp_path / "copy", "batch", "MaxCPUsPerNode=UNLIMITED", "MaxCPUsPerNode=8")
    assert {row[0] for row in after.rows("batch").values()} == {"skipped"}
    assert after.rows("short") == before.rows("short")


def test_a_higher_tier_goes_first(tmp_path: Path, before: Planned) -> None:
    """PriorityTier: the rows of the partition stand before those of the other one."""
    after = changed(tmp_path / "copy", "batch", "PriorityTier=1", "PriorityTier=20")
    assert [row.partition for row in before.plan.rows[:3]] == ["short"] * 3
    partitions = [row.partition for row in after.plan.rows if row.partition != "gpu"]
    assert partitions == sorted(partitions)
    assert after.rows("short") != before.rows("short")
