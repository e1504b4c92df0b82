"""Where logs are found."""

from pathlib import Path

import pytest

from shadowtime.scenarios import LogMissing, find_log, user_folder
from tests.scenarios.support import Desk


def put(folder: Path, name: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text("x")
    return path


def test_the_order_of_the_folders(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside the file, in the folder named, in the one of the environment, in the user's own."""
    folders = [tmp_path / "beside", tmp_path / "traces", tmp_path / "variable", user_folder()]
    monkeypatch.setenv("SHADOWTIME_TRACES", str(folders[2]))
    for folder in reversed(folders):
        path = put(folder, "a.swf")
        assert find_log("a.swf", folders[0], folders[1]) == path
    assert user_folder() == tmp_path / "data" / "shadowtime"


@pytest.mark.parametrize("ending", ["", ".gz", ".xz"])
def test_plain_and_packed(desk: Desk, tmp_path: Path, ending: str) -> None:
    """The name is that of the plain log; the packed name is found as well."""
    path = put(tmp_path / "t", "a.swf" + ending)
    assert find_log("a.swf", None, tmp_path / "t") == find_log("a.swf" + ending, tmp_path / "t") == path


def test_a_whole_path(desk: Desk, tmp_path: Path) -> None:
    """A name may say where the log is."""
    path = put(tmp_path / "t", "a.swf")
    assert find_log(str(path)) == path
    assert find_log("t/a.swf", tmp_path) == path


@pytest.mark.parametrize("name", ["a.swf", "x" * 5000, "a\0b", "t"])
def test_a_log_that_is_not_there(desk: Desk, tmp_path: Path, name: str) -> None:
    """It says where it looked, and where logs are to be had. A folder is no log."""
    (tmp_path / "t" / "t").mkdir(parents=True)
    with pytest.raises(LogMissing) as caught:
        find_log(name, tmp_path / "beside", tmp_path / "t")
    message = str(caught.value)
    assert "was not found (plain, .gz or .xz) in " in message
    assert f"{tmp_path / 'beside'}, {tmp_path / 't'}, {user_folder()}; " in message
    assert "Parallel Workloads Archive" in message and "--traces" in message and "\n" not in message
