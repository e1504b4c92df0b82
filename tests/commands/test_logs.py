"""Real logs, end to end, where SHADOWTIME_TRACES and SHADOWTIME_ORACLES point to them."""

import csv
import json
import lzma
from pathlib import Path

import pytest

from tests.commandline import Shadowtime
from tests.conftest import folder

pytestmark = pytest.mark.proof


MEANS = {
    "easy": (6834.59, 92.688),
    "sjbf": (5903.69, 69.394),
    "cons": (7316.24, 88.967),
    "fcfs": (353776.41, 6814.973),
}
OPTIONS = {
    "easy": ["easy"],
    "sjbf": ["easy", "--set", "scan=shortest"],
    "cons": ["conservative"],
    "fcfs": ["fcfs"],
}


@pytest.mark.parametrize("policy", MEANS)
@pytest.mark.parametrize("log", ["KTH-SP2", "KTH-SP2.tiefree"])
def test_every_start_is_the_oracle_s(log: str, policy: str, shadowtime: Shadowtime, tmp_path: Path) -> None:
    """0 starts differ from those that independent programs agree on, and the means are theirs."""
    oracles = folder("SHADOWTIME_ORACLES")
    out = tmp_path / "out.csv"
    arguments = ["--nodes", "100", "--policy", *OPTIONS[policy], "--schedule", out, "--json"]
    ended = shadowtime("run", oracles / f"{log}.swf.xz", *arguments)
    with out.open(newline="") as stream:
        ours = {row["job_id"]: row["start"] for row in csv.DictReader(stream)}
    with lzma.open(oracles / f"{log}.{policy}.csv.xz", "rt", newline="") as stream:
        theirs = {row["job_id"]: row["start"] for row in csv.DictReader(stream)}
    assert len(ours) == len(theirs) == 28481
    assert ours == theirs
    if log == "KTH-SP2":
        metrics = json.loads(ended.out)["metrics"]
        wait, slowdown = MEANS[policy]
        assert round(metrics["mean_wait"], 2) == wait
        assert round(metrics["mean_bounded_slowdown"], 3) == slowdown


LOGS = [
    *("CEA-Curie-2011-2.1-cln", "CTC-SP2-1996-3.1-cln.derived", "HPC2N-2002-2.partial", "KTH-SP2-1996-2"),
    *("KTH-SP2-1996-2.1-cln", "LANL-CM5-1994-4.1-cln", "LLNL-Atlas-2006-2.1-cln", "NASA-iPSC-1993-3"),
    *("NASA-iPSC-1993-3.1-cln", "RICC-2010-2", "SDSC-BLUE-2000-4-cln.derived", "SDSC-SP2-1998-4.2-cln"),
    "UniLu-Gaia-2014-1",
]


LONG = ("RICC-2010-2", "conservative")
"""Half a minute of processor time: tests/kernels/deep has weeks of it, `make bench ARGS=depth` all of it."""


@pytest.mark.parametrize(
    ("log", "policy"),
    [(log, name) for log in LOGS for name in ("fcfs", "easy", "conservative") if (log, name) != LONG],
)
def test_no_job_of_a_log_is_lost(log: str, policy: str, shadowtime: Shadowtime, tmp_path: Path) -> None:
    """On the machine of its header, jobs + dropped = rows of the log, and every job starts, runs and ends."""
    path = folder("SHADOWTIME_TRACES") / f"{log}.swf.xz"
    out = tmp_path / "out.csv"
    ended = shadowtime("run", path, "--policy", policy, "--json", "--schedule", out)
    with lzma.open(path, "rb") as stream:
        rows = sum(1 for line in stream if line.strip() and not line.lstrip().startswith(b";"))
    report = json.loads(ended.out)
    assert report["jobs"] + sum(report["dropped"].values()) == rows
    with out.open(newline="") as stream:
        jobs = [
            (int(j["submit"]), int(j["start"]), int(j["finish"]), int(j["runtime"]))
            for j in csv.DictReader(stream)
        ]
    assert len(jobs) == report["jobs"]
    assert all(submit <= start and finish == start + runtime for submit, start, finish, runtime in jobs)


def test_the_month_of_kth_holds(shadowtime: Shadowtime) -> None:
    """With the log at hand the shipped month is checked like every other scenario."""
    folder("SHADOWTIME_TRACES")
    ended = shadowtime("check")
    assert (ended.code, ended.err) == (0, "")
    assert "logs/kth-1996-10.toml: 4 of 4 expectations hold" in ended.out


@pytest.mark.parametrize(
    ("name", "nodes", "runtimes", "dropped"),
    [
        ("swf-fractions", 4, {1: 1, 2: 3, 3: 100}, {"runtime": 1}),
        ("swf-partial", 8, {1: 3600, 2: 900, 3: 600}, {"partial": 2}),
        ("maxprocs-comma", 1024, {1: 3600, 2: 3600, 3: 1200, 4: 600, 5: 1800}, {}),
    ],
)
def test_public_cases(
    name: str,
    nodes: int,
    runtimes: dict[int, int],
    dropped: dict[str, int],
    published: Path,
    shadowtime: Shadowtime,
) -> None:
    """Logs as people have them, with what is right of each."""
    ended = shadowtime("run", published / "cases" / name / "log.swf", "--policy", "fcfs", "--json", "--jobs")
    assert ended.code == 0
    report = json.loads(ended.out)
    assert (report["nodes"], report["dropped"]) == (nodes, dropped)
    assert report["rows"] == len(runtimes) + sum(dropped.values())
    assert {row["job"]: row["finish"] - row["start"] for row in report["schedule"]} == runtimes
