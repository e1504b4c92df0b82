"""A command line to call from a test: the exit code and what was written on both streams."""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import attrs
import pytest

from shadowtime.console.main import run

ROOT = Path(__file__).parent.parent


@attrs.frozen
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def complaints(self) -> list[str]:
        """The lines on stderr."""
        return self.err.splitlines()


Shadowtime = Callable[..., Ended]


@pytest.fixture
def shadowtime(capsys: pytest.CaptureFixture[str]) -> Shadowtime:
    """Call a command in this process: `shadowtime("run", path, "--json")`."""

    def call(*arguments: object) -> Ended:
        code = run([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return Ended(code, out, err)

    return call


@pytest.fixture
def story() -> Callable[[str], Path]:
    """Give the path of a shipped scenario: `story("fj97/dilemma.toml")`."""
    return lambda name: ROOT / "scenarios" / name


def command(*arguments: object) -> list[str]:
    """Return the command line that starts shadowtime in a process of its own."""
    return [sys.executable, "-m", "shadowtime", *map(str, arguments)]


def process(*arguments: object, environment: Mapping[str, str] | None = None) -> Ended:
    """Run shadowtime in a process of its own, without a terminal."""
    done = subprocess.run(
        command(*arguments),
        cwd=ROOT,
        env={**os.environ, **(environment or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=120,
    )
    return Ended(done.returncode, done.stdout.decode(), done.stderr.decode())


def loaded_by(*arguments: object) -> set[str]:
    """Run a command in a process of its own; return the names of the modules that it imported."""
    call = f"from shadowtime.console.main import run; run({[str(argument) for argument in arguments]})"
    script = f"{call}; import sys; sys.stderr.write(' '.join(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(done.stderr.split())
