"""Editing a scenario: the same instant of what it says afterwards, or one line that says what is wrong."""

import os
import pty
import shutil
import sys
import time
from pathlib import Path

import pytest

from shadowtime.console.session import load
from shadowtime.console.session.case import reloaded
from tests.console.operator import STORIES, Operator, case, operate


def copied(folder: Path) -> Path:
    """A scenario that may be changed."""
    path = folder / "mine.toml"
    shutil.copy(STORIES / "dilemma.toml", path)
    return path


@pytest.mark.proof
def test_the_same_instant_of_an_edited_file_is_shown(tmp_path: Path) -> None:
    """The machine is larger now; the selected job stays selected."""
    path = copied(tmp_path)

    async def story(operator: Operator) -> None:
        operator.console.command("job 3")
        instant = operator.console.snapshot.time
        path.write_text(path.read_text().replace("nodes = 128", "nodes = 256", 1))
        operator.console.editing.reload()
        await operator.until(lambda: operator.console.session.case.nodes == 256)
        await operator.rest()
        assert operator.console.snapshot.time == instant and operator.console.desk.selected == 2
        assert operator.message == "mine.toml is read again; this is the same instant"
        assert operator.console.session.case.policy == "easy"

    operate(story, of=load(path, policy="easy"), at="#5")


@pytest.mark.proof
def test_a_broken_file_is_refused_in_one_line_with_its_place(tmp_path: Path) -> None:
    """What is shown stays."""
    path = copied(tmp_path)

    async def story(operator: Operator) -> None:
        screen = operator.console
        path.write_text("title = 1\n[machine\n")
        screen.editing.reload()
        await operator.rest()
        assert operator.message.startswith(f"{path}:2:") and "as it was" in operator.message
        assert operator.console is screen and screen.snapshot.number == 5

    operate(story, of=load(path), at="#5")


@pytest.mark.proof
def test_what_cannot_be_edited_says_so() -> None:
    """A log is no scenario file; actions that no file holds would be lost."""

    async def log(operator: Operator) -> None:
        await operator.press("E")
        assert operator.message == "busy.swf is no scenario file; expected a .toml to edit"

    async def unsaved(operator: Operator) -> None:
        operator.console.command("hold 2")
        await operator.press("E")
        assert operator.message.startswith("actions are not saved")

    operate(log, of=case("busy.swf", "easy"))
    operate(unsaved, at="#4")


def test_a_variant_and_a_named_policy_stay(tmp_path: Path) -> None:
    """The file's own policy holds otherwise."""
    path = copied(tmp_path)
    for chosen in (load(path), load(path, policy="easy:scan=shortest"), load(path, nodes=200)):
        again = reloaded(chosen)
        assert (again.policy, again.parameters, again.nodes) == (
            chosen.policy,
            chosen.parameters,
            chosen.nodes,
        )


@pytest.mark.proof
@pytest.mark.skipif(not hasattr(pty, "fork"), reason="needs a terminal")
def test_the_editor_has_the_terminal_and_the_console_comes_back(tmp_path: Path) -> None:
    """With a real terminal: `E` runs the editor on the file, then the new file is on the screen."""
    path = copied(tmp_path)
    editor = tmp_path / "editor.sh"
    editor.write_text('#!/bin/sh\necho "EDITING"\nsed -i "s/nodes = 128/nodes = 256/" "$1"\n')
    editor.chmod(0o755)
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ |= {"TERM": "xterm-256color", "EDITOR": str(editor), "COLUMNS": "100", "LINES": "30"}
        os.environ.pop("VISUAL", None)
        os.execv(sys.executable, [sys.executable, "-m", "shadowtime", "open", str(path)])
    seen, pressed, end = b"", b"", time.monotonic() + 60
    os.set_blocking(terminal, False)
    while time.monotonic() < end and b"256 nodes" not in seen:
        try:
            seen += os.read(terminal, 65536)
        except BlockingIOError:
            time.sleep(0.05)
        except OSError:
            break
        if not pressed and b"PAUSED" in seen:
            pressed = b"E"
            os.write(terminal, pressed)
    os.write(terminal, b"q")
    os.kill(pid, 15)
    os.waitpid(pid, 0)
    os.close(terminal)
    assert b"EDITING" in seen and b"256 nodes" in seen
