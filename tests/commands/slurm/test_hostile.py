"""Broken, truncated, huge and hostile folders through every command that reads one: a line, or a result."""

import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.commandline import ROOT, Shadowtime
from tests.commands.slurm.hostile import MUTATIONS, hostile, large
from tests.scenarios.slurm.support import files, write

CASES, GROUPS, QUICK = 2_000, 10, 68
LONGEST_LINE = 500
"""Characters of a line, beside the path of the folder."""
HANGS = 60
"""Seconds after which a case hangs."""
COMMANDS = (
    ("forecast",), ("forecast", "--expected"), ("open", "--text"), ("run",), ("run", "--policy", "easy"),
    ("compare",), ("impact", "--at", "#1", "--do", "hold 2"), ("advise", "--at", "#2", "2"),
    ("ledger", "--file"), ("check",),
)  # fmt: skip


@pytest.fixture(autouse=True)
def bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A data folder of the test's own, a smaller limit of a file, and an end to a case that hangs."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr("shadowtime.scenarios.slurm.documents.MOST_BYTES", 8 << 20)
    yield
    signal.alarm(0)


def judge(shadowtime: Shadowtime, folder: Path, seed: int) -> int:
    """Break a folder and give it to a command; return the exit code."""
    what = hostile(folder / "cluster", seed)
    name, *others = Random(-seed).choice(COMMANDS)
    others += [str(folder / "ledger")] if name == "ledger" else []
    signal.alarm(HANGS)
    ended = shadowtime(name, folder / "cluster", *others)
    context = f"{what}: {name} {others}: {ended}"
    assert ended.code in (0, 2), context
    assert len(ended.complaints) == (ended.code == 2), context
    assert all(len(line.replace(str(folder), "")) < LONGEST_LINE for line in ended.complaints), context
    assert "Traceback" not in ended.err and "internal error" not in ended.err, context
    return ended.code


def test_a_case_of_each_kind(shadowtime: Shadowtime, tmp_path: Path) -> None:
    """Each mutation in each of the four forms; some folders can be read all the same."""
    assert len(MUTATIONS) * 4 == QUICK
    codes = [judge(shadowtime, tmp_path / str(seed), seed) for seed in range(QUICK)]
    assert set(codes) == {0, 2}


@pytest.mark.proof
@pytest.mark.parametrize("group", range(GROUPS))
def test_two_thousand_cases(shadowtime: Shadowtime, tmp_path: Path, group: int) -> None:
    """Each one line or a result; none takes memory that it does not need."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for seed in range(QUICK + group, QUICK + CASES, GROUPS):
        judge(shadowtime, tmp_path / str(seed), seed)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 256 << 10, "kibibytes"


@pytest.mark.proof
def test_an_archive_that_unpacks_to_more_than_the_limit_takes_bounded_memory(tmp_path: Path) -> None:
    """A gibibyte of nothing in 160 kB: refused, in a process that may have little more than the limit."""
    folder = write(tmp_path / "cluster", files(42))
    (folder / "squeue.json").unlink()
    (folder / "squeue.json.xz").write_bytes(large(1024))
    code = "import resource as r; r.setrlimit(r.RLIMIT_DATA, (1400 << 20,) * 2); import sys"
    script = f"{code}; from shadowtime.console.main import run; sys.exit(run(['forecast', {str(folder)!r}]))"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"{folder / 'squeue.json.xz'}: unpacks to more than 512 MiB\n"
