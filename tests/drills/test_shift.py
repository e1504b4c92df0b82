"""A shift in lines: the same actions, the same score, kept in the same place."""

import io
from pathlib import Path

import pytest

from shadowtime.console.drills.shift import play_shift
from shadowtime.console.session.training import Progress, progress_file
from tests.session.shift.files import incident, manual


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A data folder of the test's own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("SHADOWTIME_OPERATOR", "kim")


def play(path: Path, *lines: str) -> str:
    """What is printed when these lines are typed."""
    out = io.StringIO()
    assert play_shift(path, io.StringIO("".join(f"{line}\n" for line in lines)), out) == 0
    return out.getvalue()


def test_an_incident_in_lines(tmp_path: Path) -> None:
    """The response of the file earns all points; the debrief names it."""
    said = play(incident(tmp_path), "rule", "g 150", "drain 0", "status", "g 100%", "end", "q")
    assert "Lose no work." in said and "You may: drain, up, suspend, 2 actions at most." in said
    assert "1 of 2 actions" in said and "SLOWDOWN" in said
    assert "100 points of 100" in said and "drain 0: saved 100 points" in said
    (record,) = Progress(progress_file()).records("kim")
    assert (record.course, record.points) == ("shifts", 100)


def test_it_goes_on_where_it_was_left(tmp_path: Path) -> None:
    path = manual(tmp_path)
    play(path, "g 30", "start 1", "q")
    said = play(path, "status", "end", "anew", "q")
    assert "resumed at 0d 00:00:30, with 1 action" in said
    assert "the shift is not over" in said
    assert "resumed" not in play(path, "q")


def test_what_would_show_the_future_is_unknown(tmp_path: Path) -> None:
    said = play(manual(tmp_path), "policy easy", "compare easy", "whatif start 1", "save x.toml")
    assert said.count("unknown command") == 4


def test_jobs_that_are_left_are_named(tmp_path: Path) -> None:
    said = play(incident(tmp_path), "n 3", "suspend 1", "g 100%", "n", "end")
    assert "not over: 1;" in said
    assert "0 points of 100: 1 job lost" in said


def test_help_lists_what_the_shift_allows(tmp_path: Path) -> None:
    """Of the actions only those; no command that a shift does not have; every line is a command."""
    said = play(incident(tmp_path), "help", "q")
    listed = {
        line.split()[0].removeprefix("> ") for line in said[said.index("> Enter") :].splitlines() if line
    }
    assert {"n", "drain", "up", "suspend", "status", "inject", "anew", "quit"} <= listed
    assert not listed & {"hold", "release", "cancel", "policy", "compare", "whatif", "save", "save!"}
    assert "policy" not in play(manual(tmp_path), "nonsense", "q").partition("unknown command")[2]


def test_a_refusal_names_a_command_that_there_is(tmp_path: Path) -> None:
    """`goto` is the console's word for `g`; what an instructor can inject stands in the list, each kind."""
    said = play(incident(tmp_path), "n 3", "goto #1", "help", "q")
    assert "unknown command" not in said
    assert [it.split()[1] for it in said.splitlines() if it.startswith("inject ")] == [
        "NODES", "drain", "job", "note",
    ]  # fmt: skip


def test_an_instructor_submits_a_job(tmp_path: Path) -> None:
    """Bad lines change nothing; the job can be started, and the score is shown and not kept."""
    path = manual(tmp_path)
    said = play(
        path, "n", "start 1", "inject job 11 5m", "inject job 4", "inject job 4 5m", "g 1", "start 5", "q"
    )
    assert said.count("expected a size and a length") == 2 and said.count("not kept") == 1
    assert "job 5 waits" in said and "job 5 starts" in said
    said = play(path, "g 100%", "end", "q")
    assert "with 2 actions" in said and "points of 100" in said and "unknown" not in said
    assert not Progress(progress_file()).records("kim")
