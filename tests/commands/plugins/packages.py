"""Packages with policies of their own, as an installer leaves them: a module, and a folder about it."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.commandline import ROOT, command

KIND = re.compile(r"^class (\w+)", re.MULTILINE)
DILEMMA = ROOT / "scenarios/fj97/dilemma.toml"


def installed(site: Path, name: str, source: str) -> Path:
    """Put a package into a folder for the path of Python: every public class of the module is a policy."""
    about = site / f"{name}-1.0.dist-info"
    about.mkdir(parents=True)
    (site / f"{name}.py").write_text(source, encoding="utf-8")
    kinds = {kind.lower(): kind for kind in KIND.findall(source)}
    points = "".join(f"{policy} = {name}:{kinds[policy]}\n" for policy in policies_of(source))
    (about / "entry_points.txt").write_text(f"[shadowtime.policies]\n{points}", encoding="utf-8")
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    return site


def policies_of(source: str) -> list[str]:
    """Return the names of the policies of a module, in their order."""
    return [kind.lower() for kind in KIND.findall(source) if kind[0] != "_"]


def started(
    site: Path, *arguments: object, patience: float = 1, variables: Mapping[str, str] | None = None
) -> "subprocess.Popen[str]":
    """Start shadowtime with the packages of a folder."""
    return subprocess.Popen(
        command(*arguments),
        cwd=ROOT,
        env={
            **os.environ,
            "PYTHONPATH": str(site),
            "SHADOWTIME_PATIENCE": str(patience),
            **(variables or {}),
        },
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Whoever runs the tests in the background has Control-C ignored, and children inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    )


def run_under(site: Path, policy: str, *more: object) -> subprocess.CompletedProcess[str]:
    """Run the dilemma to its end under a policy of a package."""
    with started(site, "run", DILEMMA, "--policy", policy, *more) as running:
        out, err = running.communicate(timeout=120)
    return subprocess.CompletedProcess(sys.executable, running.returncode, out, err)
