"""`open` and `run` over a cluster without a screen, and `ledger`: lines, what failed, and what came of it."""

import csv
import json
import re
import signal
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from shadowtime.console.session.slurm.guard.caveat import Caveat, Left
from shadowtime.console.words.cluster.caveats import caveat
from shadowtime.console.words.cluster.why import NOTES
from tests.commandline import ROOT, Shadowtime, command
from tests.commands.slurm.fake import FakeCluster, fake_cluster
from tests.scenarios.slurm.support import NOW, files, number, write
from tests.session.slurm.captures import contents, running, waiting

TREE = Caveat(Left.TOPOLOGY, ("topology/tree",))
FULL = [running(1, ("n1", "n2"), NOW - 60), running(2, ("n3", "n4"), NOW - 300)]


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of the test's own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data" / "shadowtime"


@pytest.mark.parametrize("name", ["open", "run"])
def test_a_folder_is_printed_in_lines(shadowtime: Shadowtime, tmp_path: Path, name: str) -> None:
    """The start on the clock and how far it is, the nodes, and who holds them until then."""
    folder = write(tmp_path / "c", contents([*FULL, waiting(3)]))
    ended = shadowtime(name, folder, "--timezone", "Europe/Berlin")
    assert (ended.code, ended.err) == (0, "")
    row = next(line for line in ended.out.splitlines() if "planned" in line)
    assert "2023-11-14 23:18:20" in row and "5m00s" in row and "n[3-4]" in row and "when job 2 ends" in row


def test_a_folder_without_an_instant_is_given_one(shadowtime: Shadowtime, tmp_path: Path) -> None:
    """22.05 does not write when the queue was read."""
    without = files(38)
    del without["squeue.json"]["last_update"]
    folder = write(tmp_path, without)
    assert "--now" in shadowtime("run", folder).err
    ended = shadowtime("run", folder, "--now", NOW)
    assert (ended.code, ended.err) == (0, "") and "2023-11-14 22:13:20 UTC" in ended.out


def test_a_live_cluster_is_printed_and_its_forecasts_are_kept(
    shadowtime: Shadowtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: Path
) -> None:
    """The ledger is in the data folder; a later capture settles them."""
    cluster = fake_cluster(tmp_path / "cluster", monkeypatch)
    cluster.put(contents([*FULL, waiting(3)]))
    assert shadowtime("run", "slurm", "--no-ledger").code == 0 and not data.exists()
    ended = shadowtime("ledger")
    assert ended.code == 2 and len(ended.complaints) == 1
    assert shadowtime("run", "slurm").code == 0
    cluster.put(contents([FULL[0], running(3, ("n3", "n4"), NOW + 200)], after=250))
    assert shadowtime("open", "slurm").code == 0
    found = json.loads(shadowtime("ledger", "--json").out)
    (of_horizon, everything) = found["by"]["horizon"]
    assert (of_horizon["settled"], everything["ours"]["median"], everything["ours"]["early"]) == (1, 100, 1.0)
    output = tmp_path / "ledger.csv"
    ended = shadowtime("ledger", "--csv", output, "--by", "size")
    assert (ended.code, ended.err) == (0, "") and "size 2-4" in ended.out
    with output.open(encoding="utf-8", newline="") as stream:
        (row,) = csv.DictReader(stream)
    assert (row["job"], row["error"], row["settled"]) == ("3", "-100", "started")
    assert len(shadowtime("ledger", "--csv", output).complaints) == 1


def test_what_is_wrong_with_an_answer_names_the_file_alone(
    shadowtime: Shadowtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder of a live capture is gone when the line is read."""
    cluster = fake_cluster(tmp_path / "cluster", monkeypatch)
    cluster.put(contents([*FULL, waiting(3)]) | {"squeue.json": "{ not json"})
    ended = shadowtime("run", "slurm", "--no-ledger")
    assert ended.code == 2 and len(ended.complaints) == 1
    assert "squeue.json:1:3: is no JSON" in ended.err and "/" not in ended.err


def test_captured_folders_can_be_added(shadowtime: Shadowtime, tmp_path: Path) -> None:
    """In the order of their instants, whatever their order on the command line."""
    before = write(tmp_path / "a", contents([*FULL, waiting(3)]))
    after = write(tmp_path / "b", contents([running(3, ("n3", "n4"), NOW + 310)], after=400))
    ended = shadowtime("ledger", after, before, "--file", tmp_path / "l", "--json", "--by", "partition")
    assert ended.code == 0
    assert json.loads(ended.out)["by"]["partition"][0]["ours"]["quantiles"] == [10, 10, 10]


def test_a_captured_folder_from_the_future_is_named(shadowtime: Shadowtime, tmp_path: Path) -> None:
    """One line on stderr; the others are added, and those after it too."""
    wrong = write(tmp_path / "wrong", contents([*FULL, waiting(3)], after=10**10))
    right = write(tmp_path / "right", contents([*FULL, waiting(3)]))
    for _ in range(2):
        ended = shadowtime("ledger", wrong, right, "--file", tmp_path / "l", "--json")
        assert (ended.code, len(ended.complaints)) == (0, 1) and ended.err.startswith(f"{wrong}: ")
        assert json.loads(ended.out)["forecasts"] == 1


def test_a_live_cluster_whose_clock_is_wrong_is_not_recorded(
    shadowtime: Shadowtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line says so, and the plan is shown."""
    cluster = fake_cluster(tmp_path / "cluster", monkeypatch)
    cluster.put(contents([*FULL, waiting(3)], after=10**9))
    wrong = shadowtime("run", "slurm")
    cluster.put(contents([*FULL, waiting(3)]))
    right = shadowtime("run", "slurm")
    assert (wrong.code, right.code) == (0, 0)
    assert [text.out.count("not kept: ") for text in (wrong, right)] == [1, 0]
    assert json.loads(shadowtime("ledger", "--json").out)["forecasts"] == 1


@pytest.mark.proof
def test_a_cluster_that_fails_while_it_is_followed_is_survived(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hang and a failure are one line each; then the plan goes on, with what changed."""
    cluster = fake_cluster(tmp_path / "cluster", monkeypatch)
    cluster.put(contents([*FULL, waiting(3)]))
    words = command("run", "slurm", "--follow", "1s", "--timeout", "1")
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        seen: list[str] = []

        def until(word: str) -> None:
            assert process.stdout is not None
            limit = time.monotonic() + 60
            while time.monotonic() < limit:
                seen.append(process.stdout.readline())
                if word in seen[-1]:
                    return
            raise AssertionError(seen)

        until("n[3-4]")
        cluster.hangs()
        until("no answer")
        cluster.hangs(False)
        cluster.breaks("squeue.json", "slurm_load_jobs error: Unable to contact slurm controller")
        until("Unable to contact")
        cluster.breaks("squeue.json", "")
        cluster.put(contents([FULL[0], running(3, ("n3", "n4"), NOW + 200)], after=250))
        until("1 started")
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130


@pytest.mark.parametrize(
    "arguments",
    [
        ("open", "slurm", "--policy", "easy"),
        ("open", "CLUSTER", "--at", "soon"),
        ("open", "CLUSTER", "--at", "job 77"),
        ("open", "CLUSTER", "--via", "ssh login"),
        ("open", "CLUSTER", "--follow", "soon"),
        ("open", "CLUSTER", "--follow", "0s"),
        ("open", "CLUSTER", "--timezone", "Moon"),
        ("run", "CLUSTER", "--json"),
        ("run", "CLUSTER", "--jobs"),
        ("open", "SCENARIO", "--follow", "30s"),
        ("open", "SCENARIO", "--now", "3"),
        ("open", "slurm", "--now", "3"),
        ("compare", "slurm"),
        ("forecast", "slurm"),
        ("run", "SCENARIO", "--via", "ssh login"),
        ("open", "EMPTY"),
        ("ledger", "EMPTY"),
        ("ledger", "--since", "soon"),
    ],
)
def test_bad_usage_is_one_line(shadowtime: Shadowtime, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """Options of scenarios for clusters and the other way round; a folder without files."""
    (tmp_path / "empty").mkdir()
    there = {
        "CLUSTER": write(tmp_path / "c", files(42)),
        "SCENARIO": ROOT / "scenarios" / "fj97" / "dilemma.toml",
        "EMPTY": tmp_path / "empty",
    }
    ended = shadowtime(*(there.get(word, word) for word in arguments))
    assert ended.code == 2 and len(ended.complaints) == 1, ended


def caveated() -> Mapping[str, Any]:
    """A cluster with a topology, and a job with counted features."""
    found = contents([*FULL, waiting(3, overlay={"features": "ib*2&old"}), waiting(4)])
    found["config.txt"] = found["config.txt"].replace("topology/default", "topology/tree")
    return found


def test_what_is_left_out_stands_beside_the_predictions(shadowtime: Shadowtime, tmp_path: Path) -> None:
    """Of one job behind its start, of all below."""
    ended = shadowtime("run", write(tmp_path / "c", caveated()))
    assert caveat(TREE) in ended.out
    assert f"{caveat(Caveat(Left.COUNTED))}: job 3" in ended.out


def test_marks_follow_the_starts_of_the_cluster_over_time(shadowtime: Shadowtime, tmp_path: Path) -> None:
    """In what is expected, in an impact and in a comparison, as in the plan: text, and JSON."""
    there = caveated()
    by_device = waiting(4) | {"cpus_per_tres": "gres/gpu:1"}
    there["squeue.json"]["jobs"] = [*FULL, waiting(3), by_device, waiting(5)]
    folder = write(tmp_path / "c", there)
    rows = json.loads(shadowtime("forecast", folder, "--json").out)["rows"]
    plan = {row["job_id"]: row["marks"] for row in rows}
    (mark,) = plan["4"]
    assert plan["5"] and not plan["3"]
    expected = "forecast", folder, "--expected"
    found = json.loads(shadowtime(*expected, "--json").out)["expected"]
    assert {row["job_id"]: row["marks"] for row in found} == plan
    text = shadowtime(*expected).out
    assert len(re.findall(f"~ .*{re.escape(mark)}: job 4", text)) == text.count(caveat(TREE)) == 1
    assert len(re.findall(r"~ ", text)) > len(re.findall(r"^~ ", text, re.M))
    impact = "impact", folder, "--do", "priority 5 9999"
    moved = json.loads(shadowtime(*impact, "--json").out)
    assert {str(row["job"]) for row in moved} >= {"3", "5"}
    assert all(row["marks"] == plan.get(str(row["job"]), []) for row in moved)
    text = shadowtime(*impact).out
    assert caveat(TREE) in text and f"{mark}: job 4" in text
    compare = "compare", folder, "--policy", "slurm,easy"
    slurm, easy = json.loads(shadowtime(*compare, "--json").out)["policies"]
    assert slurm["marks"] == {job: marks for job, marks in plan.items() if marks} and "marks" not in easy
    assert f"{mark}: job 4" in shadowtime(*compare).out


def test_an_impact_has_the_nodes_that_go_out_of_service(shadowtime: Shadowtime, tmp_path: Path) -> None:
    """With the jobs that are still there, and until when."""
    folder = write(tmp_path / "c", contents(FULL))
    line = "reserve n[1-4] +1m 30m"
    found = json.loads(shadowtime("impact", folder, "--do", line, "--json", "--ends").out)
    (nodes,) = found["nodes"]
    assert (nodes["nodes"], nodes["reservation"]) == ("n[1-4]", "maintenance")
    assert nodes["end"] == nodes["begin"] + 1800
    assert nodes["stays"] and all(stay["until"] > nodes["begin"] for stay in nodes["stays"])
    assert shadowtime("impact", folder, "--do", "reserve n1 noon 30m").code == 2


def test_the_ledger_of_no_files_is_not_written(
    shadowtime: Shadowtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: Path
) -> None:
    """A console that may write no files keeps nothing."""
    cluster: FakeCluster = fake_cluster(tmp_path / "cluster", monkeypatch)
    assert shadowtime("open", "slurm", "--no-files").code == 0 and cluster.calls and not data.exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["open", "--text"], "Slurm 22.05.8: 64 nodes, 23 running and 39 waiting jobs"),
        (["run"], NOTES["held"]),
        (["forecast"], "47 entries at 2026-11-23 19:18:32"),
        (["check"], "clusters/two-tiers: 47 of 47 expectations hold"),
        (["compare", "--policy", "fcfs", "--policy", "easy"], "easy"),
    ],
)
def test_a_shipped_cluster_is_opened_by_its_name(
    shadowtime: Shadowtime,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    words: str,
) -> None:
    """From anywhere, unless something there has that name."""
    monkeypatch.chdir(tmp_path)
    ended = shadowtime(arguments[0], "two-tiers", *arguments[1:])
    assert (ended.code, ended.err) == (0, "") and words in ended.out
    (tmp_path / "two-tiers").mkdir()
    assert shadowtime(arguments[0], "two-tiers", *arguments[1:]).code == 2


def test_users_of_a_cluster_and_who_holds_its_devices(
    shadowtime: Shadowtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a folder and of a live cluster; who holds most GPUs comes first."""
    cluster = fake_cluster(tmp_path / "cluster", monkeypatch)
    jobs = [FULL[0], running(2, ("n3",), NOW - 300, user="grace", cores=4), waiting(3, user="lise")]
    jobs[1]["gres_detail"] = ["gpu:a100:4(IDX:0-3)"]
    cluster.put(contents(jobs))
    folder = write(tmp_path / "c", contents(jobs))
    for file in ("slurm", folder):
        found = json.loads(shadowtime("users", file, "--by", "gpus", "--json").out)
        assert [(each["name"], each["gpus"]) for each in found["users"]] == [
            ("grace", 4),
            ("ada", 2),
            ("lise", 0),
        ]
        (devices,) = found["devices"]
        assert devices["holders"] == [{"user": "grace", "held": 4}, {"user": "ada", "held": 2}]
    assert json.loads(shadowtime("users", folder, "--json").out)["users"][0]["name"] == "ada"
    lines = shadowtime("users", folder, "--by", "gpus").out.splitlines()
    assert any(line.startswith("gpu:a100") and line.endswith("grace 4, ada 2") for line in lines)


@pytest.mark.parametrize("arguments", [["nowhere.swf"], ["--policy", "easy"], ["--by", "nodes"]])
def test_what_is_no_cluster_has_no_users(
    shadowtime: Shadowtime, tmp_path: Path, arguments: list[str]
) -> None:
    """One line, exit code 2."""
    folder = [write(tmp_path / "c", contents(FULL))] if arguments[0].startswith("-") else []
    ended = shadowtime("users", *folder, *arguments)
    assert (ended.code, len(ended.complaints)) == (2, 1)


def test_who_would_start_with_less_time(shadowtime: Shadowtime, tmp_path: Path) -> None:
    """In lines and as JSON; a cluster in which nobody would gives one line."""
    wide = waiting(3) | {"tres_req_str": "cpu=16,node=4", "cpus": number(16), "tasks": number(4)}
    jobs = [FULL[0], wide | {"max_nodes": number(4)}, waiting(4) | {"time_limit": number(30)}]
    folder = write(tmp_path / "c", contents(jobs))
    (row,) = json.loads(shadowtime("shorter", folder, "--json").out)
    assert (row["job"], row["limit"], row["size"], row["lost"]) == ("4", 1800, 2, 1800 - row["longest"])
    assert sum(" n[3-4]" in line for line in shadowtime("shorter", folder).out.splitlines()) == 1
    ended = shadowtime("shorter", write(tmp_path / "d", contents([*FULL, waiting(3)])))
    assert (ended.code, len(ended.out.splitlines())) == (0, 1)
