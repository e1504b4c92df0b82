"""Another user of the machine, as far as a test can be one: that takes root."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

STRANGER = 65_534
"""The number of a user and of a group that own nothing."""

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to another user")


def plant(link: Path, target: Path | str) -> None:
    """Have another user place a link."""
    link.symlink_to(target)
    os.chown(link, STRANGER, STRANGER, follow_symlinks=False)


def as_stranger(program: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run a program of Python, which is another user, without groups of root, once it calls `leave_root`."""
    first = f"import os\ndef leave_root(): os.setgroups([]); os.setegid({STRANGER}); os.seteuid({STRANGER})\n"
    return subprocess.run(
        [sys.executable, "-c", first + program, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
