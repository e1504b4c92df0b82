"""Recording: an asciicast of version 2, in a new file, that a player can show."""

import json
from pathlib import Path

import pytest

from shadowtime.console.recording import Cast
from tests.commandline import process


def test_a_cast_has_a_head_and_timed_events(tmp_path: Path) -> None:
    path = tmp_path / "a.cast"
    with Cast(path, "a title") as cast:
        cast.output("\x1b[?1003hseen\x1b[?2026$p")
        cast.output("\x1b[?1006h")
        cast.resized(90, 25)
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    head, first, second = lines
    assert head["version"] == 2 and head["title"] == "a title" and head["width"] > 0 < head["height"]
    assert first[1:] == ["o", "seen"] and second[1:] == ["r", "90x25"] and 0 <= first[0] <= second[0]


def test_the_time_of_a_stop_is_not_in_a_cast(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter((100.0, 101.0, 102.0, 5000.0, 5000.5))
    monkeypatch.setattr("shadowtime.console.recording.monotonic", lambda: next(clock))
    path = tmp_path / "a.cast"
    with Cast(path, "") as cast:
        cast.output("a")
        cast.paused()
        cast.resumed()
        cast.resumed()
        cast.output("b")
    events = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    assert events == [[1.0, "o", "a"], [2.5, "o", "b"]]


def test_a_cast_never_writes_over_a_file(tmp_path: Path) -> None:
    path = tmp_path / "a.cast"
    path.write_text("mine")
    with pytest.raises(FileExistsError):
        Cast(path, "")
    assert path.read_text() == "mine"


@pytest.mark.proof
def test_record_needs_a_screen(tmp_path: Path) -> None:
    done = process("open", "--text", "scenarios/fj97/dilemma.toml", "--record", str(tmp_path / "a.cast"))
    assert done.code == 2 and "--record records the screen" in done.err
    assert not list(tmp_path.iterdir())
