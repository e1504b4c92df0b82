"""How commands end: the exit codes, and outputs that cannot be written."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from shadowtime.console.commands import endings
from tests.amount import every
from tests.commandline import ROOT, Shadowtime, command, process

Story = Callable[[str], Path]
DILEMMA = ROOT / "scenarios" / "fj97" / "dilemma.toml"


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Callable[[BaseException], None]:
    """Make every simulation end with an error."""

    def fail(error: BaseException) -> None:
        def raise_it(*arguments: object) -> None:
            raise error

        monkeypatch.setattr("shadowtime.console.session.Session.go_end", raise_it)

    return fail


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (
            RuntimeError("no such luck"),
            70,
            "internal error: RuntimeError: no such luck (--debug shows where)",
        ),
        (
            AssertionError("two\nlines"),
            70,
            "internal error: AssertionError: two\\x0alines (--debug shows where)",
        ),
        (OSError(28, "No space left on device", "out.csv"), 3, "out.csv: no space left on device"),
        (KeyboardInterrupt(), 130, "interrupted"),
    ],
)
def test_every_error_has_its_exit_code(
    error: BaseException,
    code: int,
    line: str,
    failing: Callable[[BaseException], None],
    shadowtime: Shadowtime,
) -> None:
    """An internal error is 70, a file that fails is 3, an interrupt is 130; each is reported in one line."""
    failing(error)
    ended = shadowtime("run", DILEMMA)
    assert (ended.code, ended.out, ended.err) == (code, "", line + "\n")


def in_a_class(error: BaseException) -> BaseException:
    """What Python raises if an error comes while a class is made."""

    class Named:
        def __set_name__(self, *_: object) -> None:
            raise error

    with pytest.raises(BaseException) as caught:
        type("Made", (), {"named": Named()})
    return caught.value


@pytest.mark.parametrize(("error", "code"), [(KeyboardInterrupt(), 130), (endings.Terminated(), 143)])
def test_a_signal_while_a_class_is_made_is_no_internal_error(
    error: BaseException, code: int, failing: Callable[[BaseException], None], shadowtime: Shadowtime
) -> None:
    failing(in_a_class(error))
    assert shadowtime("run", DILEMMA).code == code


def test_a_signal_whose_error_was_lost_keeps_the_console_shut(
    monkeypatch: pytest.MonkeyPatch, shadowtime: Shadowtime
) -> None:
    monkeypatch.setattr(endings, "_requests", [])
    monkeypatch.setattr("shadowtime.console.app.Shadowtime.run", lambda *_, **__: 0)
    monkeypatch.setattr("shadowtime.console.commands.open.on_terminal", lambda: True)
    # A terminal that cannot draw gets lines, and not the console.
    monkeypatch.setenv("TERM", "xterm")
    assert shadowtime("open", DILEMMA).code == 0
    with suppress(KeyboardInterrupt):
        endings.interrupted(signal.SIGINT, None)
    assert shadowtime("open", DILEMMA).code == 130


LOSES = """
import os, signal
from shadowtime.console import main

def run(arguments):
    try:
        os.kill(os.getpid(), signal.SIGTERM)
        while True:
            pass
    except BaseException:
        return int(arguments[0])

main.run = run
main.main()
"""


@pytest.mark.parametrize(("code", "left"), [(0, 143), (2, 2)])
def test_a_signal_whose_error_was_lost_has_its_exit_code(code: int, left: int) -> None:
    """Unless the command ends with a code of its own."""
    ended = subprocess.run([sys.executable, "-c", LOSES, str(code)], cwd=ROOT, check=False, timeout=60)
    assert ended.returncode == left


@pytest.mark.parametrize("arguments", [["--debug", "run", DILEMMA], ["run", DILEMMA, "--debug"]])
def test_debug_shows_the_traceback(
    arguments: list[object], failing: Callable[[BaseException], None], shadowtime: Shadowtime
) -> None:
    """--debug, before or after the command, shows where it happened; the last line stays the same."""
    failing(RuntimeError("no such luck"))
    ended = shadowtime(*arguments)
    assert ended.code == 70
    assert ended.err.startswith("Traceback")
    assert ended.complaints[-1].startswith("internal error: RuntimeError")


@pytest.mark.parametrize("option", ["--schedule", "--events"])
def test_a_file_that_cannot_be_written(option: str, shadowtime: Shadowtime, tmp_path: Path) -> None:
    """A missing folder, or a folder in place of the file, is reported in one line; exit code 3."""
    for target in (tmp_path / "nowhere" / "out", tmp_path):
        ended = shadowtime("run", DILEMMA, option, target)
        assert (ended.code, ended.out, len(ended.complaints)) == (3, "", 1)
        assert str(target) in ended.err
    assert list(tmp_path.iterdir()) == []


def test_an_interrupt_leaves_no_half_written_file(
    shadowtime: Shadowtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was there before stays as it was; nothing is left beside it."""
    lines = iter(["first\n", "second\n"])

    def interrupted(event: object) -> str:
        for line in lines:
            return line
        raise KeyboardInterrupt

    monkeypatch.setattr("shadowtime.console.session.files.report.event_line", interrupted)
    path = tmp_path / "out.jsonl"
    path.write_text("of yesterday\n")
    ended = shadowtime("run", DILEMMA, "--events", path)
    assert (ended.code, ended.err) == (130, "interrupted\n")
    assert path.read_text() == "of yesterday\n"
    assert list(tmp_path.iterdir()) == [path]


@pytest.fixture
def crowd(tmp_path: Path) -> Iterator[Path]:
    """A log of enough jobs that its events do not fit into a pipe."""
    path = tmp_path / "crowd.swf"
    row = "{} {} 0 100 2 -1 -1 2 200 -1 1 1 1 1 1 1 -1 -1\n"
    path.write_text("; MaxProcs: 4\n" + "".join(row.format(i, 60 * i) for i in range(1, 4000)))
    yield path


@pytest.mark.proof
def test_control_c_while_working(crowd: Path, tmp_path: Path) -> None:
    """The process is stopped in the middle of writing: exit code 130, one line."""
    pipe = tmp_path / "events"
    os.mkfifo(pipe)
    with subprocess.Popen(
        command("run", crowd, "--events", pipe),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # Whoever runs the tests in the background has Control-C ignored, and children inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    ) as running:
        with pipe.open("rb") as reader:
            assert reader.readline().startswith(b'{"n":1,')
            running.send_signal(signal.SIGINT)
            reader.read()
        out, err = running.communicate(timeout=60)
    assert (running.returncode, out, err) == (130, b"", b"interrupted\n")


@pytest.mark.proof
def test_a_broken_pipe_is_quiet(tmp_path: Path) -> None:
    """When the reader has gone the command ends as if it had read everything, without a word."""
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(DILEMMA.read_text().replace("equals = 0.75", "equals = 0.76", 1))
    for arguments, code in ((["run", DILEMMA], 0), (["open", DILEMMA], 0), (["check", wrong], 1)):
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run(
            command(*arguments),
            check=False,
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=writer,
            stderr=subprocess.PIPE,
        )
        os.close(writer)
        assert (done.returncode, done.stderr) == (code, b"")


@pytest.mark.proof
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full is a device of Linux")
def test_an_output_that_cannot_be_written() -> None:
    """A full disk under stdout is reported in one line; exit code 3."""
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(command("policies"), check=False, cwd=ROOT, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 3
    assert done.stderr == b"standard output: no space left on device\n"


@pytest.mark.parametrize("name", every(3, ["run", "open", "compare"]))
def test_an_output_without_the_letters(name: str, tmp_path: Path) -> None:
    """A title that stdout cannot spell is written with escapes, not refused."""
    path = tmp_path / "letters.toml"
    path.write_text(DILEMMA.read_text().replace("The dilemma", "Dilémma ✓"), encoding="utf-8")
    ended = process(name, path, environment={"PYTHONIOENCODING": "ascii"})
    assert (ended.code, ended.err) == (0, "")


def test_a_closed_output() -> None:
    """Without stdout no output is possible; exit code 3."""
    shell = ["sh", "-c", 'exec "$@" >&-', "sh", *command("policies")]
    done = subprocess.run(shell, check=False, cwd=ROOT, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (3, b"standard output is closed\n")
