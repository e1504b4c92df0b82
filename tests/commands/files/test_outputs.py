"""Outputs that cannot be written, end to end: one line, exit code 2 or 3, and nothing is left beside."""

import io
import resource
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from shadowtime.console.session.exam.paper import Paper, save
from tests.commandline import ROOT, Shadowtime, command
from tests.commands.importing.sacct_dump import HEADER, clock, stamp, written
from tests.strangers import needs_root, plant

DILEMMA = ROOT / "scenarios" / "fj97" / "dilemma.toml"
COURSE = ROOT / "scenarios" / "courses" / "screens"
OUT, OTHER, DUMP, PAPER = "out", "other", "dump", "paper"
WRITERS: Mapping[str, tuple[object, ...]] = {
    "schedule": ("run", DILEMMA, "--schedule", OUT),
    "events": ("run", DILEMMA, "--events", OUT),
    "swf": ("run", DILEMMA, "--swf", OUT),
    "batsim": ("run", DILEMMA, "--batsim", OUT),
    "generate": ("generate", "lublin99", "--jobs", "5", "-o", OUT),
    "import": ("import", "sacct", DUMP, "-o", OUT, "--force"),
    "ids": ("import", "sacct", DUMP, "-o", OTHER, "--ids", OUT, "--force"),
    "forecast": ("forecast", "two-tiers", "--csv", OUT, "--force"),
    "collect": ("train", "--collect", PAPER, "--csv", OUT, "--force"),
    "ledger": ("ledger", ROOT / "scenarios" / "clusters" / "two-tiers", "--file", OUT),
}


def file_of(name: str, out: str = OUT) -> str:
    """The file that a command writes first; that of collected exams is one of several."""
    return f"{out}-trainees.csv" if name == "collect" else out


FOLDERS: Mapping[str, tuple[object, ...]] = {
    "exam": ("train", COURSE, "--exam", "--seed", "7", "--time", "20m", "--text", "-o", OUT),
    "report": ("reproduce", "fw98-table1", "--results", OTHER, "--report", OUT),
    "results": ("reproduce", "fw98-table1", "--results", OUT),
    "fetch": ("fetch", "KTH-SP2-1996-2", "--base", "http://127.0.0.1:9", "-o", OUT),
    "capture": ("capture", "slurm", "-o", OUT),
}
"""Commands that write folders, or that go on with a file that is there."""


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with what the commands read, where they are called."""
    for name in ("XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "own"))
    found = tmp_path / "place"
    found.mkdir()
    monkeypatch.chdir(found)
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    row = written(
        JobID=1, Submit=stamp(0), Eligible=stamp(0), Start=stamp(5), End=stamp(65), Elapsed=clock(60),
        AllocCPUS=4,
    )  # fmt: skip
    (found / DUMP).write_text(f"{HEADER}\n{row}\n")
    save(found / PAPER, Paper("C", "d" * 64, 5, "kim", 1200, "2026-01-05T08:00:00+00:00", 2))
    return found


@pytest.mark.parametrize("name", [*WRITERS, *FOLDERS])
@pytest.mark.parametrize("out", ["loop", "loop/out"])
def test_links_in_a_loop(name: str, out: str, place: Path, shadowtime: Shadowtime) -> None:
    """They lead nowhere."""
    loop = file_of(name, out) if out == "loop" else "loop"
    (place / loop).symlink_to(loop)
    ended = shadowtime(*(out if word == OUT else word for word in {**WRITERS, **FOLDERS}[name]))
    assert (ended.code in (2, 3), len(ended.complaints)) == (True, 1), ended
    assert "loop" in ended.err
    assert {path.name for path in place.iterdir()} <= {loop, DUMP, PAPER, OTHER}


@needs_root
@pytest.mark.parametrize("name", [*WRITERS, *FOLDERS])
def test_a_link_of_another_user(name: str, place: Path, shadowtime: Shadowtime) -> None:
    """What it leads to is neither made nor written to."""
    victim = place.parent / "victim"
    plant(place / file_of(name), victim)
    ended = shadowtime(*{**WRITERS, **FOLDERS}[name])
    assert (ended.code in (2, 3), len(ended.complaints)) == (True, 1), ended
    assert OUT in ended.err and not victim.exists()
    assert {path.name for path in place.iterdir()} <= {file_of(name), DUMP, PAPER, OTHER}


@pytest.mark.parametrize("name", WRITERS)
def test_a_file_that_is_read_only(name: str, place: Path, shadowtime: Shadowtime) -> None:
    """It stays, whoever asks and however."""
    path = place / file_of(name)
    path.write_text("before")
    path.chmod(0o444)
    ended = shadowtime(*WRITERS[name])
    assert (ended.code in (2, 3), len(ended.complaints), path.read_text()) == (True, 1, "before"), ended


@pytest.mark.parametrize("name", sorted({*WRITERS} - {"ledger"}))
def test_a_private_file_stays_private(name: str, place: Path, shadowtime: Shadowtime) -> None:
    """Whatever the umask says."""
    path = place / file_of(name)
    path.write_text("before")
    path.chmod(0o600)
    ended = shadowtime(*WRITERS[name])
    assert (ended.code, ended.err) == (0, "")
    assert path.read_text() != "before" and path.stat().st_mode & 0o777 == 0o600


def test_the_list_of_ids_is_named_if_it_is_full(place: Path, shadowtime: Shadowtime) -> None:
    """And not the log that is written at the same time."""
    ended = shadowtime("import", "sacct", DUMP, "-o", OUT, "--ids", "/dev/full", "--force")
    assert (ended.code, ended.complaints) == (3, ["/dev/full: no space left on device"])
    assert not (place / OUT).exists()


def test_where_no_more_can_be_written(place: Path) -> None:
    """A bound of the system in the middle of the file: one line, and nothing of it stays."""
    words = command("generate", "lublin99", "--jobs", "2000", "-o", place / OUT)
    done = subprocess.run(
        words,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)),
    )
    assert (done.returncode, len(done.stderr.splitlines())) == (3, 1)
    assert str(place / OUT) in done.stderr
    assert {path.name for path in place.iterdir()} == {DUMP, PAPER}
