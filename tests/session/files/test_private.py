"""What is the user's own alone: unsaved actions, and the files that were opened last."""

import fcntl
import os
from pathlib import Path

import pytest

from shadowtime.console.session.case import load
from shadowtime.console.session.files.state import Recent
from shadowtime.console.session.operator.recovery import Recovery, left_behind
from shadowtime.console.session.session import Session
from tests.commandline import ROOT
from tests.strangers import needs_root, plant

DILEMMA = ROOT / "scenarios" / "fj97" / "dilemma.toml"


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Session:
    """A session with an action that is not saved."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    found = Session(load(DILEMMA))
    found.go_time(1200)
    found.act("hold 2")
    return found


def test_unsaved_actions_are_locked_as_long_as_the_session_goes_on(session: Session, tmp_path: Path) -> None:
    """The lock goes with the file when it takes its name, each time; then nothing lies beside it."""
    recovery = Recovery(session.operator, session.case)
    folder = tmp_path / "data" / "shadowtime" / "recovery"
    for action in ("release 2", "hold 3"):
        recovery.write()
        (path,) = folder.iterdir()
        assert path.stat().st_mode & 0o077 == 0 and folder.stat().st_mode & 0o077 == 0
        assert left_behind(session.case) == ()
        number = os.open(path, os.O_RDONLY)
        with pytest.raises(BlockingIOError):
            fcntl.flock(number, fcntl.LOCK_SH | fcntl.LOCK_NB)
        os.close(number)
        session.act(action)
    recovery._let_go()
    assert [left.path for left in left_behind(session.case)] == [path]


def test_nothing_is_left_behind_where_the_folder_cannot_be_read(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that no file system takes is refused by the system, also for who may read everything."""
    monkeypatch.setenv("XDG_DATA_HOME", "/" + "long" * 1000)
    assert left_behind(session.case) == ()


def test_what_a_killed_session_was_writing_goes_with_the_next_one(session: Session, tmp_path: Path) -> None:
    """And a failed write leaves neither a file nor a lock."""
    folder = tmp_path / "data" / "shadowtime" / "recovery"
    folder.mkdir(parents=True)
    (folder / f".old.toml.{'0' * 16}.part").write_text("half")
    recovery = Recovery(session.operator, session.case)
    assert list(folder.iterdir()) == []
    folder.rmdir()
    folder.write_text("in the way")
    before = len(list(Path("/proc/self/fd").iterdir())) if Path("/proc/self/fd").is_dir() else None
    with pytest.raises(OSError, match=r"\w"):
        recovery.write()
    if before is not None:
        assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_the_list_of_files_is_private(tmp_path: Path) -> None:
    """The names of one's files are nobody else's."""
    recent = Recent(tmp_path / "state" / "shadowtime" / "recent")
    recent.add(DILEMMA)
    assert recent.files() == (DILEMMA,)
    assert {path.stat().st_mode & 0o077 for path in (recent.path, recent.path.parent)} == {0}


@needs_root
def test_a_folder_of_ones_own_that_is_a_link_of_another_user(session: Session, tmp_path: Path) -> None:
    """Nothing is written behind it; a link of one's own is followed."""
    for name in ("theirs", "mine"):
        (tmp_path / name).mkdir()
    plant(tmp_path / "data", tmp_path / "theirs")
    recovery = Recovery(session.operator, session.case)
    with pytest.raises(PermissionError):
        recovery.write()
    Recent(tmp_path / "data" / "recent").add(DILEMMA)
    assert not list((tmp_path / "theirs").iterdir())
    (tmp_path / "data").unlink()
    (tmp_path / "data").symlink_to("mine")
    recovery.write()
    assert len(list((tmp_path / "mine" / "shadowtime" / "recovery").iterdir())) == 1
