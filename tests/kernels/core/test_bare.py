"""Compiled classes in the hands of others: whatever is made of them, no signal ends the process."""

import subprocess
import sys

from tests.commandline import ROOT


def test_no_class_without_its_parts_ends_the_process() -> None:
    """Every compiled class; the program finds those of its own accord."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.kernels.misuse"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    *ended, count = done.stdout.splitlines()
    assert ended == [] and int(count) > 70
