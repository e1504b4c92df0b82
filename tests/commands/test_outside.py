"""What comes from outside: mistyped words, outputs that meet, closed streams, signals, long values."""

import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from time import sleep

import pytest

from tests.commandline import ROOT, Shadowtime, command

Story = Callable[[str], Path]
DILEMMA = "fj97/dilemma.toml"
LONG = "x" * 10_000


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("oepn", "did you mean open?"),
        ("serv", "did you mean serve?"),
        ("zzzzz", "expected open, run, compare"),
        ("README.md", "did you mean shadowtime open README.md?"),
    ],
)
def test_a_mistyped_command_is_answered_by_the_one_that_was_meant(
    shadowtime: Shadowtime, monkeypatch: pytest.MonkeyPatch, typed: str, meant: str
) -> None:
    """Or by how a file is opened."""
    monkeypatch.chdir(ROOT)
    ended = shadowtime(typed, "x")
    assert (ended.code, ended.out, len(ended.complaints)) == (2, "", 1)
    assert ended.complaints[0].startswith(f"shadowtime: No such command '{typed}'; {meant}")


@pytest.mark.parametrize("arguments", [("--thmee", "light"), ("open", "--thmee", "light", "x.toml")])
def test_a_mistyped_option_is_answered_by_the_one_that_was_meant(
    shadowtime: Shadowtime, arguments: tuple[str, ...]
) -> None:
    """Before the command and after it."""
    ended = shadowtime(*arguments)
    assert (ended.code, ended.out, len(ended.complaints)) == (2, "", 1)
    assert "--theme" in ended.complaints[0]


@pytest.mark.parametrize(
    "arguments",
    [
        (LONG,),
        ("open", LONG),
        (f"--{LONG}",),
        ("run", "{file}", "--policy", LONG),
        ("run", "{file}", "--policy", "x " * 5000),
        ("run", "{file}", "--set", f"{LONG}=1"),
        ("run", "{file}", "--variant", LONG),
        ("run", "{file}", "--until", LONG),
        ("open", "{file}", "--theme", LONG),
        ("open", "{file}", "--at", LONG),
        ("open", "{file}", "--text", "--at", LONG),
        ("impact", "{file}", "--at", LONG, "--do", "hold 2"),
        ("impact", "{file}", "--at", "0", "--do", LONG),
    ],
)
def test_long_values_are_cut_and_nothing_is_printed_before(
    shadowtime: Shadowtime, story: Story, arguments: tuple[str, ...]
) -> None:
    """A refusal is one line that can be read."""
    ended = shadowtime(*(each.format(file=story(DILEMMA)) for each in arguments))
    assert (ended.code, ended.out, len(ended.complaints)) == (2, "", 1)
    assert len(ended.complaints[0]) <= 2000 and LONG[:200] not in ended.complaints[0]


def test_no_two_outputs_are_one_file(shadowtime: Shadowtime, story: Story, tmp_path: Path) -> None:
    """By whatever name; nothing takes any number."""
    out, link = tmp_path / "out", tmp_path / "link"
    link.symlink_to(out)
    for other in (out, link, tmp_path / "." / "out", f"{tmp_path}/../{tmp_path.name}/out"):
        ended = shadowtime("run", story(DILEMMA), "--swf", out, "--schedule", other)
        assert (ended.code, ended.out) == (2, "") and not out.exists()
        assert ended.complaints == [f"{out} cannot be two outputs; expected another file for one of them"]
    assert shadowtime("run", story(DILEMMA), "--swf", "/dev/null", "--schedule", "/dev/null").code == 0


def test_a_dash_is_no_output(
    shadowtime: Shadowtime, story: Story, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would be a file of that name."""
    monkeypatch.chdir(tmp_path)
    for option in ("--schedule", "--events", "--swf"):
        ended = shadowtime("run", story(DILEMMA), option, "-")
        assert (ended.code, ended.out) == (2, "") and not Path("-").exists()
        assert ended.complaints == ["'-' is no output here; expected a file, or /dev/stdout"]


@pytest.mark.proof
def test_nothing_half_written_stays_when_the_process_is_terminated(tmp_path: Path) -> None:
    """SIGTERM ends the command as an error does."""
    out = tmp_path / "out.swf"
    writing = subprocess.Popen(
        command("generate", "lublin99", "--jobs", "400000", "-o", out),
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert writing.stderr is not None
    while not any(tmp_path.iterdir()) and writing.poll() is None:
        sleep(0.001)
    writing.send_signal(signal.SIGTERM)
    assert (writing.wait(60), writing.stderr.read()) == (143, "terminated\n")
    writing.stderr.close()
    assert not list(tmp_path.iterdir())


def test_line_mode_needs_no_standard_input(story: Story) -> None:
    """Nobody types then: the story is printed."""
    line = " ".join(command("open", "--text", story(DILEMMA)))
    done = subprocess.run(f"{line} <&-", shell=True, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "") and "utilization" in done.stdout
