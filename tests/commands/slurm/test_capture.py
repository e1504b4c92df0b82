"""`shadowtime capture slurm`: which commands run, which files they become, and what is hidden."""

import json
import re
import time
from collections.abc import Iterable
from pathlib import Path

import attrs
import pytest

from shadowtime.console.session import SessionError
from shadowtime.console.session.slurm.capturing import Runner, write_capture
from shadowtime.console.session.slurm.capturing.commands import EVERY, commands_for
from shadowtime.scenarios.slurm import Capture, FairShare, Job, read_capture
from tests.commandline import Shadowtime
from tests.commands.slurm.fake import FakeCluster, contents_of, fake_cluster
from tests.scenarios.slurm.mutations import PARSERS
from tests.scenarios.slurm.support import ASSOCIATIONS, NOW, write


@pytest.fixture
def cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeCluster:
    """A cluster of 24.11."""
    return fake_cluster(tmp_path / "cluster", monkeypatch)


def facts(folder: Path) -> Capture:
    """What a folder says, wherever it lies."""
    return attrs.evolve(read_capture(folder), folder="")


@pytest.mark.parametrize("parser", PARSERS)
def test_a_captured_folder_says_what_the_cluster_says(
    shadowtime: Shadowtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parser: int
) -> None:
    """The files are those that the reader expects, also those of 22.05, whose queue has no instant."""
    cluster = fake_cluster(tmp_path / "cluster", monkeypatch, parser)
    folder = tmp_path / "captured"
    ended = shadowtime("capture", "slurm", "-o", folder)
    assert (ended.code, ended.err) == (0, "")
    expected = facts(write(tmp_path / "expected", contents_of(parser)))
    assert facts(folder) == attrs.evolve(expected, taken=NOW, calculated=NOW)
    known = {command.shown for command in EVERY}
    assert {call.strip() for call in cluster.calls} <= known
    stamp = json.loads((folder / "capture.json").read_text())
    assert stamp["taken"] == NOW and len(stamp["commands"]) == len(cluster.calls)


@pytest.mark.parametrize("parser", (38, 42))
def test_a_named_cluster_is_asked_for_in_every_command(
    shadowtime: Shadowtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parser: int
) -> None:
    """`-M` of squeue and sinfo would write a line above the JSON; `sacctmgr show qos` is of all clusters."""
    cluster = fake_cluster(tmp_path / "cluster", monkeypatch, parser)
    limited = contents_of(parser)["config.txt"] + "AccountingStorageEnforce = limits\n"
    cluster.put({"config.txt": limited, "qos.json": {"meta": {}, "qos": []}, "assoc_mgr.txt": ASSOCIATIONS})
    assert shadowtime("capture", "slurm", "-M", "far", "-o", tmp_path / "c").code == 0
    for call in cluster.calls:
        program, *words = call.split()
        named = words[:2] == ["-M", "far"]
        assert named != (program == "sacctmgr"), call
        assert ("--noheader" in words) == (program in ("squeue", "sinfo")), call
    assert shadowtime("capture", "slurm", "-o", tmp_path / "plain").code == 0
    assert facts(tmp_path / "c") == facts(tmp_path / "plain")


@pytest.mark.parametrize("name", ["", "a,b", "all", "ALL", "-x", "a b", "a;b", "\u00e9"])
def test_a_name_that_no_cluster_has(shadowtime: Shadowtime, cluster: FakeCluster, name: str) -> None:
    """Nothing is run for it."""
    ended = shadowtime("run", "slurm", "-M", name)
    assert ended.code == 2 and len(ended.complaints) == 1
    assert not (cluster.folder / "calls").exists()


@pytest.mark.parametrize(("weight", "asked"), [(None, False), (0, False), (9, True)])
def test_fair_share_asks_for_the_associations(tmp_path: Path, weight: int | None, asked: bool) -> None:
    """Also where no limits are enforced; not if it counts nothing."""
    settings = read_capture(write(tmp_path, contents_of(42))).settings
    share = None if weight is None else FairShare(weight, 600, 60)
    found = commands_for(attrs.evolve(settings, limits_enforced=False, fair_share=share))
    wanted = {"assoc_mgr.txt", "qos.json"}
    assert {each.file for each in found} & wanted == (wanted if asked else set())


def test_the_same_is_run_elsewhere(shadowtime: Shadowtime, tmp_path: Path, cluster: FakeCluster) -> None:
    """`--via` is split like a command line, and put before each command; no shell sees it."""
    there = tmp_path / "there"
    there.write_text(f'#!/bin/sh\necho "$*" >> "{tmp_path}/seen"\nshift\nexec "$@"\n')
    there.chmod(0o755)
    ended = shadowtime("capture", "slurm", "-o", tmp_path / "c", "--via", f"'{there}' 'a b;c'")
    assert (ended.code, ended.err) == (0, "")
    seen = (tmp_path / "seen").read_text().splitlines()
    assert "a b;c env TZ=UTC SLURM_TIME_FORMAT=standard SLURM_BITSTR_LEN=0 squeue --all --json" in seen
    assert len(seen) == len(cluster.calls)


@pytest.mark.parametrize("via", ["'", " ", "/none/such"])
def test_a_bad_way_is_one_line(shadowtime: Shadowtime, tmp_path: Path, via: str) -> None:
    """Not split, empty, or not there."""
    ended = shadowtime("capture", "slurm", "-o", tmp_path / "c", "--via", via)
    assert ended.code == 2 and len(ended.complaints) == 1 and not (tmp_path / "c").exists()


def test_without_a_cluster_it_is_one_line(
    shadowtime: Shadowtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No command of Slurm is on the PATH."""
    monkeypatch.setenv("PATH", str(tmp_path))
    for arguments in (("capture", "slurm", "-o", tmp_path / "c"), ("open", "slurm"), ("run", "slurm")):
        ended = shadowtime(*arguments)
        assert ended.code == 2 and len(ended.complaints) == 1 and "--via" in ended.err
    assert not (tmp_path / "c").exists()


def test_a_failed_command_is_one_line_with_its_last_word(
    shadowtime: Shadowtime, tmp_path: Path, cluster: FakeCluster
) -> None:
    """An optional one is left out and named."""
    cluster.breaks("nodes.json", "slurm_load_node error: Unable to contact slurm controller")
    ended = shadowtime("capture", "slurm", "-o", tmp_path / "c")
    assert ended.code == 2 and len(ended.complaints) == 1 and not (tmp_path / "c").exists()
    assert "show nodes" in ended.err and "Unable to contact" in ended.err and "banner" not in ended.err
    cluster.breaks("nodes.json", "")
    cluster.breaks("sdiag.json", "sdiag: error: no")
    ended = shadowtime("capture", "slurm", "-o", tmp_path / "c")
    assert ended.code == 0 and "sdiag --json: sdiag: error: no" in ended.out
    assert not (tmp_path / "c" / "sdiag.json").exists()


def test_a_hanging_command_is_ended_with_its_children(
    shadowtime: Shadowtime, tmp_path: Path, cluster: FakeCluster
) -> None:
    """It is one line after the time limit; the others end with it."""
    cluster.hangs()
    began = time.monotonic()
    ended = shadowtime("capture", "slurm", "-o", tmp_path / "c", "--timeout", "0.3")
    assert ended.code == 2 and len(ended.complaints) == 1 and "0.3 s" in ended.err
    assert time.monotonic() - began < 20


def test_an_output_without_end_is_cut_off(tmp_path: Path) -> None:
    """It is ended at the bound, and is one line."""
    with pytest.raises(SessionError, match=r"^yes: its output is larger than"):
        Runner(30, most=1 << 20).run(["yes"], tmp_path / "out")
    assert (tmp_path / "out").stat().st_size < 1 << 30


def test_a_folder_with_files_is_not_written_over(
    shadowtime: Shadowtime, tmp_path: Path, cluster: FakeCluster
) -> None:
    """`--force` replaces the capture, and leaves other files."""
    folder = tmp_path / "c"
    folder.mkdir()
    (folder / "notes").touch()
    (folder / "nodes.json.xz").touch()
    ended = shadowtime("capture", "slurm", "-o", folder)
    assert ended.code == 2 and len(ended.complaints) == 1 and not cluster.folder.joinpath("calls").exists()
    assert shadowtime("capture", "slurm", "-o", folder, "--force").code == 0
    assert (folder / "notes").exists() and not (folder / "nodes.json.xz").exists()
    assert shadowtime("capture", "slurm", "-o", folder / "notes", "--force").code == 2


def test_a_capture_with_names_is_for_its_owner_alone(
    shadowtime: Shadowtime, tmp_path: Path, cluster: FakeCluster
) -> None:
    """One without names is as the umask says, and so is the folder above."""
    for option, hidden in (((), 0o077), (("--anonymous",), 0)):
        folder = tmp_path / f"above{len(option)}" / "c"
        assert shadowtime("capture", "slurm", "-o", folder, *option).code == 0
        (tmp_path / "usual").mkdir(exist_ok=True)
        usual = (tmp_path / "usual").stat().st_mode
        assert (folder.stat().st_mode, folder.parent.stat().st_mode) == (usual & ~hidden, usual)


@pytest.mark.parametrize("there", [False, True])
def test_an_interrupt_leaves_no_part_of_a_capture(
    tmp_path: Path, cluster: FakeCluster, monkeypatch: pytest.MonkeyPatch, there: bool
) -> None:
    """While its files are copied; a folder that was there stays, with what else is in it."""
    folder = tmp_path / "c"
    if there:
        folder.mkdir()
        (folder / "notes").touch()
    copied: list[object] = []

    def broken_off(*streams: object) -> None:
        copied.append(streams)
        if len(copied) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr("shadowtime.console.session.slurm.capturing.taking.shutil.copyfileobj", broken_off)
    with pytest.raises(KeyboardInterrupt):
        write_capture(folder, Runner(30), force=True)
    assert len(copied) == 3
    assert [path.name for path in folder.iterdir()] == ["notes"] if there else not folder.exists()


@pytest.mark.parametrize("parser", PARSERS)
def test_names_are_hidden_and_nothing_else_changes(
    shadowtime: Shadowtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parser: int
) -> None:
    """What is read is the same but for users, job names, accounts and reservations; one alias a name."""
    cluster = fake_cluster(tmp_path / "cluster", monkeypatch, parser)
    contents = contents_of(parser)
    secret = {"command": "/home/ada/secret.sh", "comment": "secret", "account": "secret"}
    for job in contents["squeue.json"]["jobs"]:
        job.update(secret)
    for name in {"nodes.json", "sinfo.json"} & contents.keys():
        for node in contents[name]["nodes"]:
            node.update({"reason": "secret", "reason_set_by_user": "secret", "reason_changed_at": 99})
    if "reservations.txt" in contents:
        for name, more in (
            ("reservations", "Accounts=secret Groups=secret"),
            ("partitions", "AllowGroups=secret"),
        ):
            contents[f"{name}.txt"] = contents[f"{name}.txt"].rstrip() + f" {more}\n"
    else:
        contents["reservations.json"]["reservations"][0].update({"accounts": "secret", "groups": "secret"})
    contents["assoc_mgr.txt"] = ASSOCIATIONS
    contents["config.txt"] += "AccountingStorageEnforce = limits\n"
    contents["config.txt"] += "SlurmUser = secret(64030)\nSlurmctldHost[0] = secret.example\n"
    cluster.put(contents)
    assert shadowtime("capture", "slurm", "-o", tmp_path / "plain").code == 0
    assert shadowtime("capture", "slurm", "-o", tmp_path / "hidden", "--anonymous").code == 0
    plain, hidden = facts(tmp_path / "plain"), facts(tmp_path / "hidden")
    texts = "".join(path.read_text() for path in (tmp_path / "hidden").iterdir())
    assert not re.search(r"\bada\b|secret|\bmaint\b|\b200[12]\b", texts)
    assert [each.limits.get(("MaxTRESPU", "node")) for each in hidden.qualities] == [None, 8]
    assert {job.user for job in hidden.jobs} == {"user1"} and {job.name for job in hidden.jobs} == {"job1"}
    assert {job.account for job in hidden.jobs} == {"account1"}
    (by,) = {node.reason_by for node in hidden.nodes}
    assert by.startswith("user") and hidden.nodes[0].reason_at == 99
    assert [each.accounts for each in hidden.reservations] == [("account1",)]

    def of_jobs(jobs: Iterable[Job]) -> tuple[Job, ...]:
        return tuple(attrs.evolve(job, user="", name="", account="", reservation="") for job in jobs)

    assert hidden.usage["capped", "user", "user1"] == plain.usage["capped", "user", "ada"]

    def nameless(capture: Capture) -> Capture:
        return attrs.evolve(
            capture,
            jobs=of_jobs(capture.jobs),
            counted=of_jobs(capture.counted),
            usage={(at,): each for at, each in enumerate(capture.usage.values())},
            partitions=tuple(attrs.evolve(each, allowed_groups=()) for each in capture.partitions),
            nodes=tuple(attrs.evolve(node, reason="", reason_by="") for node in capture.nodes),
            reservations=tuple(
                attrs.evolve(each, name="", users=(), accounts=()) for each in capture.reservations
            ),
            associations=tuple(
                attrs.evolve(each, user="", account="", parent="") for each in capture.associations
            ),
        )

    assert nameless(hidden) == nameless(plain)


@pytest.mark.parametrize(
    ("parser", "line", "command", "asked"),
    [
        (42, "AccountingStorageType = accounting_storage/slurmdbd", "scontrol show assoc_mgr", True),
        (42, "AccountingStorageEnforce = limits", "scontrol show assoc_mgr", True),
        (42, "AccountingStorageType = accounting_storage/none", "scontrol show assoc_mgr", False),
        (42, "", "scontrol --all show partitions --oneliner", True),
        (45, "", "scontrol --all show partitions --oneliner", True),
        (38, "", "scontrol --all show partitions --json", False),
    ],
)
def test_which_commands_a_cluster_is_asked(
    shadowtime: Shadowtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parser: int, line: str,
    command: str, asked: bool,
) -> None:  # fmt: skip
    """The accounts where there are any, and what the JSON of partitions lacks."""
    cluster = fake_cluster(tmp_path / "cluster", monkeypatch, parser)
    contents = contents_of(parser)
    cluster.put({"config.txt": contents["config.txt"] + line + "\n"})
    assert shadowtime("capture", "slurm", "-o", tmp_path / "plain").code == 0
    assert (command in cluster.calls) is asked


@pytest.mark.parametrize("parser", [38, 42])
def test_the_groups_of_a_partition_are_hidden_and_kept(
    shadowtime: Shadowtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parser: int
) -> None:
    """So the marks of the plan stay."""
    cluster = fake_cluster(tmp_path / "cluster", monkeypatch, parser)
    contents = contents_of(parser)
    lines = contents["partitions.txt"].rstrip() + " AllowGroups=secret,staff\n"
    found = {"partitions.txt": lines}
    if parser == 42:
        top = contents["partitions.json"]
        top["partitions"][0]["groups"] = {"allowed": "secret,staff"}
        found["partitions.json"] = top
    cluster.put(found)
    assert shadowtime("capture", "slurm", "-o", tmp_path / "hidden", "--anonymous").code == 0
    texts = "".join(path.read_text() for path in (tmp_path / "hidden").iterdir())
    assert "secret" not in texts
    assert read_capture(tmp_path / "hidden").partitions[0].allowed_groups == ("group1", "group2")
