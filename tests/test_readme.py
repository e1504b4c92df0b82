"""What the README shows is what happens: its commands run, its files are there."""

import os
import re
import subprocess
import sys
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

TOP = Path(__file__).parent.parent
README = (TOP / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"```{language}\n(.*?)```", README, flags=re.DOTALL)


def commands() -> list[tuple[str, list[str]]]:
    """Each command of a console block, and the lines that are shown below it."""
    shown: list[tuple[str, list[str]]] = []
    for line in "".join(blocks("console")).splitlines():
        if line.startswith("$ "):
            shown.append((line[2:], []))
        else:
            shown[-1][1].append(line)
    return shown


def run(command: str, folder: Path) -> str:
    """What a command prints, run from the top of the project with its own `shadowtime`."""
    program = folder / "shadowtime"
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{TOP}" exec "{sys.executable}" -P -m shadowtime "$@"\n')
    program.chmod(0o755)
    environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "COLUMNS": "132"}
    done = subprocess.run(
        command, shell=True, cwd=TOP, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def as_pattern(lines: list[str]) -> str:
    """The lines as a pattern: a line of three dots stands for any lines."""
    return "\n".join("*" if line == "..." else re.sub(r"([*?[])", r"[\1]", line) for line in lines)


@pytest.mark.parametrize(("command", "lines"), commands())
def test_commands_print_what_is_shown(command: str, lines: list[str], tmp_path: Path) -> None:
    """Every command of the README prints what stands below it."""
    printed = run(command, tmp_path)
    assert fnmatchcase(printed.strip("\n"), as_pattern(lines)), printed


def test_files_and_targets_exist() -> None:
    """Every file that the README names is there, and every target of make."""
    for name in re.findall(r"(?:\]\(|`)((?:docs|scenarios|tests|console|kernels)/[\w/.-]*)[)`]", README):
        assert (TOP / name).exists(), name
    targets = re.findall(r"^(\w+):", (TOP / "Makefile").read_text(), flags=re.MULTILINE)
    for target in re.findall(r"(?:^|`)make (\w+)", README, flags=re.MULTILINE):
        assert target in targets, target
