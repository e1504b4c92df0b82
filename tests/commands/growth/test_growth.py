"""Growth by the row: the memory of whole commands on long logs, and breaking them off in every phase."""

import itertools
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.commandline import ROOT
from tests.console.terminal.pseudo import Terminal
from tests.growing import AS_LONG, cost, own_bytes, peak_of, write_log

SIZES = (300_000, 900_000)
MOST = 150
"""Bytes a row above the columns of the log."""
SAMPLED = 350
"""The same in a console that has found likely starts: they are sampled in a copy of the run."""
LOOKS = ((b"g50%\r", "event "), (b"3", "GANTT"), (b":view users\r", "USERS"), (b"\x1b", ""))
"""Keys, and what the console shows after them."""


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Sequence[Path]:
    """Logs of two lengths."""
    folder = tmp_path_factory.mktemp("logs")
    for rows in SIZES:
        write_log(folder / f"{rows}.swf", rows)
    return [folder / f"{rows}.swf" for rows in SIZES]


def slope(peaks: Sequence[int]) -> float:
    """Bytes for each row more."""
    return (peaks[1] - peaks[0]) / (SIZES[1] - SIZES[0])


@pytest.mark.proof
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("run", ("--json",)),
        ("run", ("--schedule", "/dev/null")),
        ("run", ("--json", "--jobs")),
        ("run", ("--swf", "/dev/null")),
        ("run", ("--batsim", "/dev/null")),
        ("compare", ("--policy", "fcfs,easy")),
    ],
)
def test_a_row_takes_little_memory(logs: Sequence[Path], name: str, options: Sequence[str]) -> None:
    """Whatever a command does with a log, and whatever it writes."""
    costs = [cost((name, log, *options)) for log in logs]
    assert [each.code for each in costs] == [0, 0]
    assert slope([each.peak for each in costs]) <= own_bytes(logs[0]) + MOST


@pytest.mark.proof
def test_a_row_takes_little_memory_in_the_console(logs: Sequence[Path], tmp_path: Path) -> None:
    """The first screen, the whole course known, the queue, the Gantt chart, the users."""
    peaks = []
    for log in logs:
        terminal = Terminal("open", log, environment={"XDG_DATA_HOME": str(tmp_path), **AS_LONG})
        try:
            terminal.until("QUEUE")
            for keys, text in (
                (b"g50%\r", "event "),
                (b"3", "GANTT"),
                (b":view users\r", "USERS"),
                (b"\x1b", ""),
            ):
                terminal.send(keys)
                terminal.until(text)
                terminal.read(1)
            peaks.append(peak_of(terminal.process.pid))
        finally:
            terminal.close()
    assert slope(peaks) <= own_bytes(logs[0]) + SAMPLED


BREAK = """
import os, signal, sys
from contextlib import contextmanager
from shadowtime.console import main
from shadowtime.console.commands import compare, options, run

phase, number = sys.argv[1], int(sys.argv[2])

@contextmanager
def breaking(words):
    yield lambda done, total: words.startswith(phase) and os.kill(os.getpid(), number)

for module in (compare, options, run):
    module.progress_bar = breaking
sys.argv[1:] = sys.argv[3:]
main.main()
"""
"""Runs a command, and sends itself a signal when the progress of a phase is reported first."""
PHASES = {
    "Reading": ("run",),
    "Reading ": ("compare", "--policy", "fcfs,easy"),
    "Reading  ": ("open", "--text"),
    "Simulating": ("run", "--json"),
    "Predicting": ("run", "--predictions"),
    "Finding nodes": ("run", "--json", "--jobs"),
    "Writing out.csv": ("run", "--schedule", "out.csv"),
    "Writing events": ("run", "--events", "out.jsonl"),
    "Writing out.swf": ("run", "--swf", "out.swf"),
    "Writing out.txt": ("run", "--batsim", "out.txt"),
    "Comparing": ("compare", "--policy", "fcfs,easy"),
}


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A log that takes longer than the pieces in which progress is reported."""
    path = tmp_path_factory.mktemp("log") / "log.swf"
    write_log(path, 30_000)
    yield path
    assert [each.name for each in path.parent.iterdir()] == ["log.swf"]


@pytest.mark.parametrize(
    ("phase", "number"), [*zip(PHASES, itertools.cycle((2, 15)), strict=False), ("Reading", 15)]
)
def test_a_signal_ends_every_phase(log: Path, tmp_path: Path, phase: str, number: int) -> None:
    """One line, the code of the signal, and nothing left behind."""
    name, *options = PHASES[phase]
    code, word = {2: (130, "interrupted"), 15: (143, "terminated")}[number]
    done = subprocess.run(
        [sys.executable, "-c", BREAK, phase.strip(), str(number), name, str(log), *options],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), "HOME": str(tmp_path)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert (done.returncode, done.stdout, done.stderr) == (code, "", f"{word}\n")
    assert not list(tmp_path.iterdir())
