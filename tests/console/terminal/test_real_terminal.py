"""A console on a pseudo-terminal: signals, bytes that are no text, commands that arrive in one write."""

import json
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from time import sleep

import pytest

from shadowtime.console import words
from shadowtime.console.session import Action
from tests.commands.plugins.packages import installed
from tests.console.terminal.pseudo import Terminal

Opened = Callable[..., Terminal]
DILEMMA = "scenarios/fj97/dilemma.toml"
SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT)

needs_proc = pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs /proc, which shows what is stopped")


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opened]:
    """Open the console on a pseudo-terminal, with a data folder of the test's own."""
    terminals: list[Terminal] = []

    def open_it(*arguments: object) -> Terminal:
        terminals.append(Terminal(*arguments, environment={"XDG_DATA_HOME": str(tmp_path)}))
        return terminals[-1]

    yield open_it
    for terminal in terminals:
        terminal.close()


def restored(terminal: Terminal) -> bool:
    """Whether the terminal is as it was."""
    return terminal.attributes == terminal.before and not terminal.modes


def test_errors_may_go_elsewhere(tmp_path: Path) -> None:
    """With stderr in a file the console opens all the same, draws on stdout, and nothing is in the file."""
    with (tmp_path / "errors").open("wb") as errors:
        environment = {"XDG_DATA_HOME": str(tmp_path)}
        terminal = Terminal("open", DILEMMA, environment=environment, errors=errors.fileno())
        try:
            terminal.until("QUEUE")
            terminal.send(b"q")
            assert terminal.ended() == 0 and restored(terminal)
        finally:
            terminal.close()
    assert not (tmp_path / "errors").read_bytes()


LOUD = """
import logging, os, sys, threading
logging.basicConfig()


class Loud:
    def schedule(self, machine):
        print("DAMAGE")
        logging.warning("DAMAGE")
        threading.Thread(target=lambda: 1 / 0).start()
        for number in (1, 2):
            os.write(number, b"DAMAGE")
        sys.__stderr__.flush()
"""


def test_what_a_policy_prints_is_not_on_the_screen(tmp_path: Path) -> None:
    """Neither on standard output nor on standard error."""
    environment = {
        "XDG_DATA_HOME": str(tmp_path),
        "PYTHONPATH": str(installed(tmp_path / "site", "loud", LOUD)),
    }
    terminal = Terminal("open", DILEMMA, "--policy", "loud", environment=environment)
    try:
        terminal.until("QUEUE")
        terminal.send(b"nnnn")
        terminal.until("00:10:00")
        terminal.send(b"q")
        assert terminal.ended() == 0 and restored(terminal)
    finally:
        terminal.close()
    assert "DAMAGE" not in terminal.text and "ZeroDivision" not in terminal.text


@needs_proc
def test_ctrl_z_gives_the_terminal_back_until_the_process_goes_on(opened: Opened, tmp_path: Path) -> None:
    """Twice, with a line that is being typed; what was recorded plays without the time between."""
    terminal = opened("open", DILEMMA, "--record", tmp_path / "a.cast")
    terminal.until("QUEUE")
    modes = terminal.modes
    terminal.send(b":goto #2")
    terminal.until("goto #2")
    for _ in range(2):
        terminal.send(b"\x1a")
        terminal.stopped()
        assert restored(terminal), terminal.modes
        terminal.continued("QUEUE")
        assert modes <= terminal.modes and terminal.attributes != terminal.before
    terminal.send(b"\r")
    terminal.until("event 2/")
    terminal.send(b"q")
    assert terminal.ended() == 0 and restored(terminal)
    times = [json.loads(line)[0] for line in (tmp_path / "a.cast").read_text().splitlines()[1:]]
    assert times == sorted(times)


@pytest.mark.proof
@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash, which stops and continues jobs")
def test_a_shell_gets_the_terminal_back_from_whatever_started_the_console(tmp_path: Path) -> None:
    """Alone, and from another program, as with `make run`: that is stopped, too."""
    terminal = Terminal(environment={"XDG_DATA_HOME": str(tmp_path), "PS1": "$ "}, shell=True)
    start = f"{sys.executable} -m shadowtime open {DILEMMA}"
    try:
        for number, line in enumerate((start, f"sh -c '{start}; true'", f"{start} --text")):
            # What the console before wrote at its end is not taken for this one, which is not there yet.
            terminal.written = b""
            terminal.send(f"{line}\n".encode())
            terminal.until("help lists" if "--text" in line else "QUEUE")
            terminal.written = b""
            terminal.send(b"\x1a")
            terminal.until("Stopped")
            terminal.send(f"echo $((40 + {number}))\n".encode())
            terminal.until(f"{40 + number}\r\n$ ")
            terminal.written = b""
            terminal.send(b"fg\n")
            terminal.until("--text\r" if "--text" in line else "QUEUE")
            terminal.written = b""
            terminal.send(b"quit\n" if "--text" in line else b"q")
            terminal.until("$ ")
        terminal.send(b"exit\n")
        assert terminal.ended() == 0
    finally:
        terminal.close()


@needs_proc
@pytest.mark.proof
@pytest.mark.parametrize("signum", [signal.SIGTSTP, signal.SIGSTOP, signal.SIGCONT])
def test_a_console_that_was_stopped_from_outside_goes_on(opened: Opened, signum: signal.Signals) -> None:
    """Also when it could give nothing back; the terminal is as it was in the end."""
    terminal = opened("open", DILEMMA)
    terminal.until("QUEUE")
    for _ in range(2):
        terminal.process.send_signal(signum)
        if signum != signal.SIGCONT:
            terminal.stopped()
            assert restored(terminal) == (signum == signal.SIGTSTP)
        terminal.continued("QUEUE")
    terminal.send(b"n")
    terminal.until("event 1/")
    terminal.send(b"q")
    assert terminal.ended() == 0 and restored(terminal)


@pytest.mark.proof
@pytest.mark.parametrize("signum", SIGNALS)
def test_a_signal_leaves_the_terminal_as_it_was(opened: Opened, signum: signal.Signals) -> None:
    """And the exit code is 128 and the number of the signal."""
    terminal = opened("open", DILEMMA)
    terminal.until("QUEUE")
    assert not restored(terminal)
    terminal.process.send_signal(signum)
    assert terminal.ended() == 128 + signum
    assert restored(terminal), terminal.modes
    assert "Traceback" not in terminal.text


@pytest.mark.proof
@pytest.mark.parametrize("seed", range(int(os.environ.get("SHADOWTIME_SIGNALS", "24"))))
def test_a_signal_at_any_moment_leaves_the_terminal_as_it_was(opened: Opened, seed: int) -> None:
    """From the first instants of the start on, and while keys are typed."""
    random = Random(seed)
    signum = SIGNALS[seed % len(SIGNALS)]
    terminal = opened("open", DILEMMA)
    if seed % 3:
        terminal.until("QUEUE")
        for _ in range(random.randrange(20)):
            terminal.send(random.choice((b"n", b"p", b"\t", b"?", b"\x1b", b":why 3\r", b"=", b"3")))
            terminal.read(random.random() / 20)
    else:
        # What comes before Python itself reads signals ends the process as it ends any other; an interrupt
        # that comes before the command line sets its handler is Python's own to report.
        sleep((0.7 if signum == signal.SIGINT else 0.1) + random.random())
    terminal.process.send_signal(signum)
    assert terminal.ended() == 128 + signum
    assert restored(terminal), terminal.modes
    assert "Traceback" not in terminal.text


@pytest.mark.proof
def test_a_terminal_that_takes_no_more_text_cannot_hold_the_console(opened: Opened) -> None:
    """Nobody reads what is written: the process ends all the same."""
    terminal = opened("open", DILEMMA)
    terminal.until("QUEUE")
    for _ in range(40):
        terminal.send(b"n?\x1bp")
        sleep(0.02)
    terminal.process.send_signal(signal.SIGTERM)
    assert terminal.process.wait(30) == 128 + signal.SIGTERM
    assert terminal.attributes == terminal.before


@pytest.mark.proof
def test_a_signal_at_the_end_that_nobody_reads_gives_its_code(opened: Opened) -> None:
    """`q` has been pressed; the terminal is full, so the process is still there when the signal comes."""
    terminal = opened("open", DILEMMA)
    terminal.until("QUEUE")
    for _ in range(40):
        terminal.send(b"n?\x1bp")
        sleep(0.02)
    terminal.send(b"q")
    sleep(1)
    if terminal.process.poll() is None:
        terminal.process.send_signal(signal.SIGTERM)
        assert terminal.process.wait(30) in (0, 128 + signal.SIGTERM)
    assert terminal.attributes == terminal.before


@pytest.mark.proof
def test_bytes_that_are_no_text_are_ignored(opened: Opened) -> None:
    """A stray byte, and the beginning of a picture, between two keys."""
    terminal = opened("open", DILEMMA)
    terminal.until("QUEUE")
    terminal.send(b"n\xff\x80n\xc3")
    terminal.until("event 2/")
    terminal.send(b"\x1b[200~\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xff\xfe\x1b[201~")
    terminal.send(b"n")
    terminal.until("event 3/")
    terminal.send(b"\x1b[99999999999u\x1b[55296;1;55296u")
    terminal.send(b"q")
    assert terminal.ended() == 0
    assert restored(terminal)


def test_a_command_that_arrives_in_one_write_is_done(opened: Opened) -> None:
    """Also before the first screen is there, and as a paste."""
    terminal = opened("open", DILEMMA)
    terminal.send(b":goto #6\n:hold 3\r")
    terminal.until("u takes it back")
    terminal.send(b"\x1b[200~:release 3\n\x1b[201~")
    terminal.until(words.did(Action("release", job=3)))
    terminal.send(b":save! /nowhere/at/all.toml\r:why 3\r")
    terminal.until("job 3 ")
    terminal.send(b"q")
    terminal.until("leave without saving")
    terminal.send(b"l")
    assert terminal.ended() == 0


@pytest.mark.proof
def test_unsaved_actions_outlive_the_process(opened: Opened, tmp_path: Path) -> None:
    """Whatever ends it, the next start of the same scenario offers them; a start of another one does not."""
    first = opened("open", DILEMMA)
    first.send(b":goto #6\r:hold 3\r")
    first.until("takes it back")
    first.process.kill()
    assert first.ended() == 128 + signal.SIGKILL
    (kept,) = (tmp_path / "shadowtime" / "recovery").iterdir()
    assert 'do = "hold"' in kept.read_text(encoding="utf-8")
    again = opened("open", DILEMMA)
    again.until("ACTIONS OF THE LAST SESSION")
    again.send(b"y")
    again.until("1 action taken up: hold 3")
    again.send(b"u")
    again.until("does it again")
    again.send(b"q")
    assert again.ended() == 0
    assert not list((tmp_path / "shadowtime" / "recovery").iterdir())
