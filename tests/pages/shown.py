"""What a page shows: commands with what they print, and keys with what the screen shows then."""

import os
import re
import shlex
import subprocess
import sys
from functools import partial
from pathlib import Path

import attrs
import pytest
from textual.screen import Screen

from shadowtime.console import app
from shadowtime.console.keys import NAMES
from shadowtime.console.main import run as command_line
from shadowtime.console.widgets.frame.prompt import Prompt
from tests.console.operator import Operator, with_first
from tests.pictures.__main__ import take

TOP = Path(__file__).parents[2]


def blocks(page: str, language: str) -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", page, flags=re.DOTALL | re.MULTILINE)


def commands(page: str) -> list[tuple[str, list[str]]]:
    """Each command of the console blocks, and the lines that are shown below it."""
    shown: list[tuple[str, list[str]]] = []
    for line in "".join(blocks(page, "console")).splitlines():
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


@attrs.frozen
class Walk:
    """A command that opens the console, then lines: what is pressed or typed, what the screen shows then."""

    command: str
    lines: tuple[tuple[str, str], ...]


def walks(page: str) -> list[Walk]:
    """The walks of a page: its blocks of keys."""
    found = []
    for block in blocks(page, "keys"):
        first, *rest = block.splitlines()
        assert first.startswith("$ "), first
        parts = [re.split(r" {2,}", line, maxsplit=1) for line in rest]
        found.append(Walk(first[2:], tuple((part[0], part[1] if len(part) > 1 else "") for part in parts)))
    return found


def first_screen(command: str) -> "Screen[None]":
    """The screen that a command would begin with on a terminal."""
    if command == "make run":
        scenario = re.search(r"^SCENARIO \?= (.*)$", (TOP / "Makefile").read_text(), flags=re.MULTILINE)
        assert scenario is not None
        command = f"shadowtime open {scenario[1]}"
    program, *arguments = shlex.split(command)
    assert program == "shadowtime"
    screens: list[Screen[None]] = []

    def show(screen: "Screen[None]", *_: object) -> int:
        screens.append(screen)
        return 0

    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(TOP)
        # A driver is named: so there is a screen.
        patch.setenv("TEXTUAL_DRIVER", "none")
        patch.setenv("TERM", "xterm-256color")
        patch.setattr(app, "_run", show)
        assert command_line(arguments) == 0
    (screen,) = screens
    return screen


def follow(walk: Walk, size: tuple[int, int]) -> None:
    """Press the keys of a walk, and wait after each line until its words stand in some part of the screen."""

    async def story(operator: Operator) -> None:
        for pressed, shown in walk.lines:
            await press(operator, pressed)
            if shown:
                try:
                    await operator.until(partial(shows, operator, shown))
                except TimeoutError:
                    raise AssertionError(f"{pressed!r} does not show {shown!r}:\n{operator.text}") from None

    with_first(story, first_screen(walk.command), size)


async def press(operator: Operator, pressed: str) -> None:
    """Press keys, or a key with the line that is typed behind it, at once where there is a line for it."""
    key, line = pressed[0], pressed[1:]
    if line and key in ":/g" and operator.app.screen.query(Prompt):
        await operator.press(NAMES.get(key, key))
        await operator.type(line)
    else:
        await take(operator, pressed)


def shows(operator: Operator, shown: str) -> bool:
    """Whether one widget shows some words, in their order where three dots stand between them."""
    pattern = ".*".join(re.escape(" ".join(part.split())) for part in shown.split("..."))
    for widget in (operator.app.screen, *operator.app.screen.query("*")):
        region = widget.region
        lines = [line.ljust(region.right)[region.x : region.right] for line in operator.lines]
        text = "\n".join(lines[region.y : region.bottom]).replace("│", " ")
        if re.search(pattern, " ".join(text.split())):
            return True
    return False
