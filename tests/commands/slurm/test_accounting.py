"""The accounting in a capture: what is read of it, what a live cluster is asked for again, what is hidden."""

from pathlib import Path

import pytest

from shadowtime.console.session.slurm.capturing import Live, Runner
from shadowtime.scenarios.slurm import read_capture
from shadowtime.scenarios.slurm.accounted.records import KEPT
from tests.commandline import Shadowtime
from tests.commands.slurm.fake import FakeCluster, contents_of, fake_cluster
from tests.scenarios.slurm.support import NOW, number, write

COLUMNS = (
    "JobID|JobIDRaw|User|Account|Partition|QOS|TimelimitRaw|ReqTRES|AllocTRES|NNodes"
    "|Submit|Eligible|Start|End|Suspended|State"
)
ASKED = "billing=8,cpu=8,mem=16000M,node=2,gres/gpu=4"
GIVEN = "billing=8,cpu=16,mem=32000M,node=2"


def row(job: str, raw: int, start: str, end: str, state: str, limit: str = "30", suspended: str = "") -> str:
    """A row of the accounting, of a day in November 2023."""
    times = "|".join(f"2023-11-14T{at}" if ":" in at else at for at in ("20:00:00", "20:00:00", start, end))
    return f"{job}|{raw}|ada|physics|batch|normal|{limit}|{ASKED}|{GIVEN}|1|{times}|{suspended}|{state}"


ROWS = (
    row("7", 7, "20:10:00", "20:20:00", "COMPLETED"),
    row("7.batch", 7, "20:10:00", "20:20:00", "COMPLETED"),
    row("8", 8, "20:30:00", "21:00:00", "TIMEOUT", suspended="00:05:00"),
    row("9_3", 10, "20:30:00", "20:31:00", "CANCELLED by 0"),
    row("9_[4-8%2]", 9, "Unknown", "Unknown", "PENDING"),
    row("11+1", 12, "21:00:00", "Unknown", "RUNNING", limit="UNLIMITED"),
    row("13", 13, "None", "21:00:00", "CANCELLED by 1001"),
    row("14", 14, "21:00:00", "21:01:00", "NODE_FAIL", limit="Partition_Limit"),
)


def table(*rows: str) -> str:
    """What sacct prints."""
    return "".join(f"{line}\n" for line in (COLUMNS, *rows))


@pytest.fixture
def cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeCluster:
    """A cluster with a database."""
    found = fake_cluster(tmp_path / "cluster", monkeypatch)
    config = contents_of(42)["config.txt"] + "AccountingStorageType = accounting_storage/slurmdbd\n"
    found.put({"config.txt": config, "sacct.txt": table(*ROWS)})
    return found


def test_each_row_that_started_is_a_job(tmp_path: Path) -> None:
    """Steps and jobs that never started are none; the clock is UTC, as is that of the file's zone here."""
    past = read_capture(write(tmp_path, contents_of(42) | {"sacct.txt": table(*ROWS)})).past
    assert past is not None and (past.unread, past.fault) == (0, "")
    ten = NOW - (2 * 60 + 3) * 60 - 20
    assert [(each.id, each.start - ten, each.elapsed, each.limit, each.state) for each in past.jobs] == [
        (7, 0, 600, 30, "COMPLETED"),
        (8, 1200, 1500, 30, "TIMEOUT"),
        (10, 1200, 60, 30, "CANCELLED"),
        (12, 3000, 0, None, "RUNNING"),
        (14, 3000, 60, None, "NODE_FAIL"),
    ]
    asked = {(each.user, each.cpus, each.given, each.nodes, each.memory, each.devices) for each in past.jobs}
    assert asked == {("ada", 8, 16, 2, 16000, "gres/gpu=4")}
    assert {(each.submit - ten, each.eligible - ten) for each in past.jobs} == {(-600, -600)}


@pytest.mark.parametrize(
    ("text", "jobs", "unread"),
    [
        ("", 0, 0),
        ("slurm_persist_conn_open: connection refused\n", 0, 0),
        (table(ROWS[0], "7|7|ada", row("x", 7, "20:10:00", "20:20:00", "COMPLETED"), ROWS[2]), 2, 2),
        (table(row("7", 7, "20:10:00", "tomorrow", "COMPLETED"), ROWS[2]), 1, 1),
        (table(row("7", 7, "20:10:00", "20:20:00", "COMPLETED", limit="9" * 25)), 0, 1),
        (table(row("7", 7, "20:10:00", "20:20:00", "COMPLETED", limit=str(1 << 32)), ROWS[2]), 1, 1),
    ],
)
def test_what_cannot_be_read_keeps_nothing_else_from_being_read(
    tmp_path: Path, text: str, jobs: int, unread: int
) -> None:
    """No plan needs the accounting: what is wrong with it is named, and the plan is there."""
    capture = read_capture(write(tmp_path, contents_of(42) | {"sacct.txt": text}))
    assert capture.past is not None and len(capture.jobs) == 2
    assert (len(capture.past.jobs), capture.past.unread) == (jobs, unread)
    assert capture.past.fault


def test_without_a_database_and_without_the_command(
    shadowtime: Shadowtime, tmp_path: Path, cluster: FakeCluster
) -> None:
    """A capture lacks the accounting then; a command that fails is named."""
    cluster.breaks("sacct.txt", "no slurmdbd")
    ended = shadowtime("capture", "slurm", "-o", tmp_path / "one")
    assert ended.code == 0 and "left out: sacct" in ended.out
    assert read_capture(tmp_path / "one").past is None
    cluster.put({"config.txt": contents_of(42)["config.txt"]})
    assert shadowtime("capture", "slurm", "-o", tmp_path / "two").code == 0
    assert not [call for call in cluster.calls[-6:] if call.startswith("sacct ")]


def test_a_live_cluster_is_asked_for_what_is_new(cluster: FakeCluster) -> None:
    """What was known stays, and what has ended since is put in its place."""
    live = Live(Runner(30))
    try:
        assert live.take().past == live.take().past
        cluster.put({"sacct.txt": table(row("11+1", 12, "21:00:00", "22:00:00", "COMPLETED"))})
        past = live.take().past
        assert past is not None
        assert [(each.id, each.elapsed) for each in past.jobs][3:] == [(12, 3600), (14, 60)]
        cluster.breaks("sacct.txt", "no slurmdbd")
        assert live.take().past == past
    finally:
        live.close()
    assert begins(cluster) == ["now-8weeks"] + ["2023-11-14T22:03:20"] * 3


def begins(cluster: FakeCluster) -> list[str]:
    """From when on the accounting was asked for, in order."""
    return [call.rpartition("=")[2] for call in cluster.calls if call.startswith("sacct ")]


def test_what_cannot_be_read_is_asked_for_again(cluster: FakeCluster) -> None:
    """A file that is no table each time, the same number of bad rows once more."""
    live, bad = Live(Runner(30)), row("7", 7, "20:10:00", "tomorrow", "COMPLETED")
    try:
        cluster.put({"sacct.txt": "slurm_persist_conn_open: connection refused\n"})
        for _ in range(2):
            live.take()
        cluster.put({"sacct.txt": table(*ROWS, bad)})
        for _ in range(2):
            assert live.take().past is not None
        past = live.take().past
        assert past is not None and len(past.jobs) == 5
    finally:
        live.close()
    assert begins(cluster) == ["now-8weeks"] * 4 + ["2023-11-14T22:03:20"]


def test_runs_of_a_live_cluster_are_kept_as_long_as_a_capture_has_them(cluster: FakeCluster) -> None:
    """Eight weeks from their end; the one that has not ended stays."""
    live = Live(Runner(30))
    try:
        live.take()
        squeue = contents_of(42)["squeue.json"]
        for later, ids in ((KEPT - 7200, [7, 8, 10, 12, 14]), (KEPT - 4380, [12, 14]), (KEPT, [12])):
            cluster.put({"squeue.json": squeue | {"last_update": number(NOW + later)}, "sacct.txt": table()})
            past = live.take().past
            assert past is not None and [each.id for each in past.jobs] == ids
    finally:
        live.close()


def test_the_accounting_of_an_anonymous_capture(
    shadowtime: Shadowtime, tmp_path: Path, cluster: FakeCluster
) -> None:
    """A user has the number that he has in the queue."""
    assert shadowtime("capture", "slurm", "-o", tmp_path / "c", "--anonymous").code == 0
    found = read_capture(tmp_path / "c")
    text = (tmp_path / "c" / "sacct.txt").read_text()
    assert "ada" not in text and "physics" not in text
    assert found.past is not None and len(found.past.jobs) == 5
    assert {each.user for each in found.past.jobs} <= {job.user for job in found.jobs}
