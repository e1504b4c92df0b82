"""Attempts on the disk: what was done and seen outlives the process."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from shadowtime.console.session import format_action
from shadowtime.console.session.shift import open_shift
from tests.amount import many
from tests.commandline import ROOT
from tests.session.shift.files import manual

PLAYER = """
import sys
from pathlib import Path
from shadowtime.console.session.shift import open_shift

session, attempts, resumed = open_shift(Path(sys.argv[1]), "kim")
print("ready", flush=True)
while True:
    for job in (1, 2, 3, 4):
        session.step(2)
        if session.refusal(f"start {job}") is None:
            session.act(f"start {job}")
        print(session.number, session.hindsight.furthest, len(session.journal), flush=True)
    session.go_end()
    session.begin_anew()
"""
"""Plays a shift again and again, and prints each state only when the call that made it has returned."""


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A data folder of the test's own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def test_a_shift_goes_on_where_it_was_left(tmp_path: Path) -> None:
    """Its actions, its place, its hindsight; and each action can still be taken back."""
    path = manual(tmp_path)
    first, _, resumed = open_shift(path, "kim")
    assert not resumed
    first.go_time(30)
    first.act("start 1")
    first.go_time(130)
    first.go_start()
    first.go_time(30)
    first.act("start 3")
    second, attempts, resumed = open_shift(path, "kim")
    assert resumed and attempts is not None and not attempts.fault
    assert second.journal == first.journal and second.number == first.number
    assert second.hindsight == first.hindsight and second.digest() == first.digest()
    second.undo()
    assert [format_action(action) for action in second.journal] == ["start 1"]


def test_each_operator_and_each_text_of_a_shift_has_an_attempt_of_its_own(tmp_path: Path) -> None:
    path = manual(tmp_path)
    first, _, _ = open_shift(path, "kim")
    first.go_time(30)
    first.act("start 1")
    assert not open_shift(path, "ada")[2]
    path.write_text(path.read_text().replace("Short waits", "Shorter waits"))
    assert not open_shift(path, "kim")[2]


def test_what_an_earlier_attempt_has_seen_stays_known(tmp_path: Path) -> None:
    path = manual(tmp_path)
    first, _, _ = open_shift(path, "kim")
    first.go_end()
    first.begin_anew()
    second, _, _ = open_shift(path, "kim")
    second.go_time(30)
    second.act("start 1")
    assert second.hindsight.replayed == 970


def test_without_keeping_nothing_is_written(tmp_path: Path) -> None:
    session, attempts, resumed = open_shift(manual(tmp_path), "kim", kept=False)
    session.go_time(30)
    session.act("start 1")
    assert attempts is None and not resumed and not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"format": "other 1"}', '{"format": "shadowtime shift 1", "number": 3}', "\0"]
)
def test_a_damaged_file_is_reported_and_the_shift_begins_anew(tmp_path: Path, text: str) -> None:
    path = manual(tmp_path)
    _, attempts, _ = open_shift(path, "kim")
    assert attempts is not None
    attempts.path.parent.mkdir(parents=True, exist_ok=True)
    attempts.path.write_text(text)
    session, again, resumed = open_shift(path, "kim")
    assert not resumed and again is not None and "begins anew" in again.fault and session.number == 0


@pytest.mark.parametrize("name", ["number", "seen", "furthest", "replayed", "actions", "injected", "heard"])
@pytest.mark.parametrize("value", ["Infinity", "NaN", f"{10**30}", f"-{10**30}", "{}"])
def test_numbers_that_no_attempt_has_are_reported_or_fit(tmp_path: Path, name: str, value: str) -> None:
    """Alone, and in the rows of a list."""
    path = manual(tmp_path)
    session, attempts, _ = open_shift(path, "kim")
    session.go_time(30)
    session.act("start 1")
    assert attempts is not None
    found = json.loads(attempts.path.read_text())
    rows = {
        "actions": [["?", "start 1"]], "injected": [["?", "note Hello"]]
    }  # fmt: skip
    text = json.dumps({**found, name: rows.get(name, "?")}).replace('"?"', value)
    attempts.path.write_text(text)
    _, kept, resumed = open_shift(path, "kim")
    assert kept is not None and resumed is not bool(kept.fault) and "\n" not in kept.fault


def test_an_attempt_is_for_its_owner_alone(tmp_path: Path) -> None:
    """With the folders that are made for it."""
    session, attempts, _ = open_shift(manual(tmp_path), "kim")
    session.go_time(30)
    session.act("start 1")
    assert attempts is not None
    for path in (attempts.path, attempts.path.parent, attempts.path.parent.parent):
        assert path.stat().st_mode & 0o077 == 0
    assert list(attempts.path.parent.iterdir()) == [attempts.path]


def test_an_action_that_does_not_fit_any_more_is_reported(tmp_path: Path) -> None:
    path = manual(tmp_path)
    session, attempts, _ = open_shift(path, "kim")
    session.go_time(30)
    session.act("start 1")
    assert attempts is not None
    found = json.loads(attempts.path.read_text())
    found["actions"] = [[2, "hold 77"]]
    attempts.path.write_text(json.dumps(found))
    _, again, resumed = open_shift(path, "kim")
    assert not resumed and again is not None and "77" in again.fault


def test_a_folder_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    session, attempts, _ = open_shift(manual(tmp_path), "kim")
    session.go_time(30)
    session.act("start 1")
    assert attempts is not None and "not kept" in attempts.fault and len(session.journal) == 1


def kill_once(path: Path, seconds: float) -> None:
    """Let the player play, kill it, and compare what is kept with what it has printed."""
    player = subprocess.Popen(
        [sys.executable, "-c", PLAYER, str(path)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert player.stdout is not None and player.stdout.readline() == "ready\n"
    time.sleep(seconds)
    player.send_signal(signal.SIGKILL)
    states = [line.split() for line in player.communicate()[0].splitlines() if len(line.split()) == 3]
    session, attempts, _ = open_shift(path, "kim")
    assert attempts is not None and not attempts.fault
    if states:
        _, furthest, _ = map(int, states[-1])
        assert session.hindsight.furthest >= furthest
    for action in session.journal:
        assert action.do == "start"
    kept = json.loads(attempts.path.read_text())
    assert len(kept["actions"]) == len(session.journal) and kept["number"] == session.number


def kill_after_an_action(path: Path, count: int) -> None:
    """Kill the player right after so many lines: what the last line reports is kept, or what came after."""
    player = subprocess.Popen(
        [sys.executable, "-c", PLAYER.replace("session.go_end()", "break"), str(path)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert player.stdout is not None and player.stdout.readline() == "ready\n"
    line = ""
    for _ in range(count):
        line = player.stdout.readline() or line
    player.send_signal(signal.SIGKILL)
    player.communicate()
    session, attempts, _ = open_shift(path, "kim")
    assert attempts is not None and not attempts.fault
    number, furthest, actions = map(int, line.split())
    assert session.number >= number and session.hindsight.furthest >= furthest
    assert len(session.journal) >= actions


@pytest.mark.proof
def test_a_killed_shift_loses_nothing(tmp_path: Path) -> None:
    """After each of the first actions."""
    for count in (1, 2, 3):
        (tmp_path / str(count)).mkdir()
        kill_after_an_action(manual(tmp_path / str(count)), count)


@pytest.mark.proof
def test_a_shift_killed_at_many_moments_loses_nothing(tmp_path: Path) -> None:
    """Wherever the process is: while a file is written, too."""
    random, path = Random(15), manual(tmp_path)
    for _ in range(many(200)):
        kill_once(path, random.random() / 20)


def test_what_an_instructor_injected_is_kept(tmp_path: Path) -> None:
    path = manual(tmp_path)
    first, _, _ = open_shift(path, "kim")
    first.go_time(30)
    first.act("start 1")
    first.inject("0-1 2m")
    first.go_time(60)
    second, attempts, resumed = open_shift(path, "kim")
    assert resumed and attempts is not None and not attempts.fault
    assert second.injected == first.injected and second.digest() == first.digest()
