"""The Makefile explains itself, and each target does what its name says."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.commandline import ROOT

TARGETS = [
    "help",
    "run",
    "test",
    "proof",
    "lint",
    "bench",
    "ext",
    "checked",
    "cover",
    "demo",
    "wheel",
    "clean",
]


def make(*arguments: str, **variables: str) -> str:
    """Return what make prints."""
    done = made(*arguments, **variables)
    done.check_returncode()
    return done.stdout


def made(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run make, also where the tests themselves are run by make."""
    outside = {key: value for key, value in os.environ.items() if not key.startswith(("MAKE", "MFLAGS"))}
    return subprocess.run(
        ["make", *arguments], cwd=ROOT, env=outside | variables, capture_output=True, text=True, check=False
    )


def test_make_alone_lists_the_targets() -> None:
    """Every target that somebody may call is listed, with what it does."""
    lines = make().splitlines()
    assert [line.split()[1] for line in lines] == TARGETS
    assert all(len(line.split()) > 3 for line in lines)


@pytest.mark.parametrize("target", TARGETS)
def test_every_target_is_phony(target: str) -> None:
    """A file of the same name would otherwise keep make from doing anything."""
    phony = re.search(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert phony is not None
    assert target in phony[1].split()


def test_assertions_are_compiled() -> None:
    """An environment in which Python leaves them out makes no test pass."""
    asks = 'show: ; @echo "<$$PYTHONOPTIMIZE>"'
    assert make("--eval", asks, "show", PYTHONOPTIMIZE="1") == "<>\n"


@pytest.mark.parametrize(("ended", "runs"), [(0, 1), (1, 2), (2, 1), (5, 1)])
def test_only_failed_tests_run_again(tmp_path: Path, ended: int, runs: int) -> None:
    """An interrupt ends the run; the target fails whatever the second run finds."""
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\necho "$2"\ncase "$*" in *worksteal*) exit {ended};; esac\n')
    python.chmod(0o755)
    done = made("--eval", "again: ; @$(call tested,proof)", "again", f"BIN={tmp_path}")
    assert done.stdout.split().count("pytest") == runs
    assert (done.returncode == 0) == (ended == 0)


def test_run_opens_the_dilemma() -> None:
    """`make run` opens the 128-node case unless another scenario is named."""
    assert "shadowtime open scenarios/fj97/dilemma.toml" in make("--dry-run", "run")
    assert "shadowtime open other.toml" in make("--dry-run", "run", "SCENARIO=other.toml")
