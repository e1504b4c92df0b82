"""The one writer: no link of another user, no name that can be guessed, the mode of the file before."""

import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.files.places import MOST_LINKS, check_writable, make_folder, make_own
from shadowtime.console.session.files.writers import (
    drop_left,
    opened_new,
    refuse_twice,
    written_bytes,
    written_whole,
)
from tests.strangers import STRANGER, as_stranger, needs_root, plant

WAITING = """
import sys
from shadowtime.console.session.files.writers import written_whole
with written_whole(sys.argv[1]) as stream:
    stream.write("half")
    stream.flush()
    print("ready", flush=True)
    input()
"""
WRITING = """
import sys
from shadowtime.console.session.files.writers import written_whole
leave_root()
with written_whole(sys.argv[1]) as stream:
    stream.write("after")
"""


def write(path: Path | str, text: str = "after", **how: bool) -> None:
    """Write a file."""
    with written_whole(path, **how) as stream:
        stream.write(text)


def mode(path: Path) -> int:
    """The mode of a file or folder."""
    return stat.S_IMODE(path.lstat().st_mode)


@pytest.fixture
def no_umask() -> Iterator[None]:
    """A process that hides nothing by itself."""
    before = os.umask(0)
    yield
    os.umask(before)


def test_what_lies_under_the_name_that_was_guessed_is_not_touched(tmp_path: Path) -> None:
    """Links to a file of the user under the names with the number of this process, and of a beginning."""
    victim = tmp_path / "victim"
    victim.write_text("before")
    for name in (f".out.csv.{os.getpid()}.part", ".out.csv.part", ".out.csv.new"):
        (tmp_path / name).symlink_to(victim)
    write(tmp_path / "out.csv")
    assert (victim.read_text(), (tmp_path / "out.csv").read_text()) == ("before", "after")


def test_two_files_are_never_begun_under_one_name(tmp_path: Path) -> None:
    """And the name of the file says nothing of the next one."""
    begun = set[str]()
    for _ in range(3):
        with written_whole(tmp_path / "out") as stream:
            stream.write("x")
            begun |= {path.name for path in tmp_path.iterdir()} - {"out"}
    assert len(begun) == 3


@pytest.mark.parametrize("bits", [0o600, 0o640, 0o666, 0o755])
def test_a_file_keeps_its_mode(tmp_path: Path, bits: int) -> None:
    """Whatever the umask would make of a new one; and nobody reads meanwhile what is private in the end."""
    path = tmp_path / "out"
    path.write_text("before")
    path.chmod(bits)
    with written_bytes(path) as stream:
        assert {mode(other) for other in tmp_path.iterdir() if other != path} == {0o600}
        stream.write(b"after")
    assert (mode(path), path.read_text()) == (bits, "after")


def test_a_new_file_has_the_mode_of_the_umask_or_is_private(tmp_path: Path, no_umask: None) -> None:
    """Folders that are made for what is private are so too; others are as the umask says."""
    write(tmp_path / "plain")
    write(tmp_path / "a" / "b" / "own", private=True, folders=True)
    make_folder(tmp_path / "c" / "d")
    assert [mode(tmp_path / name) for name in ("plain", "a/b/own", "a", "a/b", "c", "c/d")] == [
        0o666, 0o600, 0o700, 0o700, 0o777, 0o777,
    ]  # fmt: skip
    with pytest.raises(FileNotFoundError):
        write(tmp_path / "nowhere" / "own", private=True)


def test_a_read_only_file_stays(tmp_path: Path) -> None:
    """Also for root, whom the system would let write."""
    path = tmp_path / "out"
    path.write_text("before")
    path.chmod(0o444)
    with pytest.raises(PermissionError) as failed:
        write(path)
    assert (failed.value.filename, path.read_text(), list(tmp_path.iterdir())) == (
        str(path), "before", [path],
    )  # fmt: skip


def test_ones_own_links_are_followed_and_stay(tmp_path: Path) -> None:
    """To a file, to one that is not there yet, to a folder, back and forth; the mode is that of the file."""
    (tmp_path / "real").mkdir()
    (tmp_path / "folder").symlink_to("real")
    (tmp_path / "link").symlink_to(tmp_path / "folder" / ".." / "folder" / "new")
    write(tmp_path / "link", "1")
    (tmp_path / "real" / "new").chmod(0o600)
    write(tmp_path / "link", "2")
    assert ((tmp_path / "real" / "new").read_text(), mode(tmp_path / "real" / "new")) == ("2", 0o600)
    assert (tmp_path / "link").is_symlink() and (tmp_path / "folder").is_symlink()


@needs_root
@pytest.mark.parametrize("name", ["file", "dangling", "folder/out", "own"])
def test_a_link_of_another_user_is_not_followed(tmp_path: Path, name: str) -> None:
    """The file itself, one that would be made, a folder on the way, and what a link of one's own leads to."""
    (tmp_path / "private").mkdir()
    victim = tmp_path / "private" / "victim"
    victim.write_text("before")
    plant(tmp_path / "file", victim)
    plant(tmp_path / "dangling", tmp_path / "private" / "new")
    plant(tmp_path / "folder", tmp_path / "private")
    (tmp_path / "own").symlink_to("file")
    calls: list[Callable[[Path], object]] = [write, opened_new, lambda path: make_folder(path / "deeper")]
    for call in calls:
        with pytest.raises(OSError, match=r"\w") as failed:
            call(tmp_path / name)
        assert str(tmp_path / name) in str(failed.value.filename)
    assert victim.read_text() == "before"
    assert list((tmp_path / "private").iterdir()) == [victim]


@needs_root
def test_a_file_that_another_user_made_in_a_folder_of_all_is_not_written_to(tmp_path: Path) -> None:
    """It is theirs to read; nor is a pipe, which waits for what is written. Elsewhere it keeps its owner."""
    for name in ("shared", "theirs"):
        (tmp_path / name).mkdir()
        path = tmp_path / name / "out"
        path.write_text("before")
        os.mkfifo(tmp_path / name / "pipe")
        for each in (path, path.with_name("pipe")):
            os.chown(each, STRANGER, STRANGER)
    (tmp_path / "shared").chmod(0o1777)
    for place in ("shared/out", "shared/pipe", "theirs/pipe"):
        with pytest.raises(PermissionError):
            write(tmp_path / place)
    write(tmp_path / "theirs" / "out")
    found = (tmp_path / "theirs" / "out").stat()
    assert (found.st_uid, found.st_gid, (tmp_path / "shared" / "out").read_text()) == (
        STRANGER, STRANGER, "before",
    )  # fmt: skip


@needs_root
def test_what_another_user_was_writing_is_theirs_to_remove(tmp_path: Path) -> None:
    part = tmp_path / f".out.{16 * '0'}.part"
    part.write_text("half")
    os.chown(part, STRANGER, STRANGER)
    write(tmp_path / "out")
    drop_left(tmp_path)
    assert part.read_text() == "half"


@needs_root
def test_what_one_may_only_read_is_not_replaced() -> None:
    """The folder would allow it."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "out"
        path.write_text("before")
        path.chmod(0o644)
        path.parent.chmod(0o777)
        done = as_stranger(WRITING, path)
        assert done.returncode != 0 and "PermissionError" in done.stderr
        assert ([*path.parent.iterdir()], path.read_text()) == ([path], "before")


@needs_root
def test_what_one_group_may_do_is_not_for_another() -> None:
    """Who replaces a file and cannot give it to its group leaves that group's part of the mode out."""
    # The folders of the tests let nobody else in.
    with TemporaryDirectory() as folder:
        path = Path(folder) / "out"
        path.write_text("before")
        path.chmod(0o666)
        path.parent.chmod(0o777)
        done = as_stranger(WRITING, path)
        assert (done.returncode, done.stderr) == (0, "")
        assert (mode(path), path.read_text(), path.stat().st_uid) == (0o606, "after", STRANGER)


def test_a_folder_in_which_others_write_is_not_ones_own(tmp_path: Path) -> None:
    """One that is made is, also the next time."""
    make_own(tmp_path / "a" / "b")
    make_own(tmp_path / "a" / "b")
    assert mode(tmp_path / "a" / "b") == 0o700
    for bits in (0o770, 0o707, 0o1777):
        (tmp_path / "a").chmod(bits)
        with pytest.raises(PermissionError):
            make_own(tmp_path / "a")


@needs_root
def test_a_folder_of_another_user_is_not_ones_own(tmp_path: Path) -> None:
    """Its owner writes there."""
    (tmp_path / "theirs").mkdir(0o700)
    os.chown(tmp_path / "theirs", STRANGER, STRANGER)
    with pytest.raises(PermissionError):
        make_own(tmp_path / "theirs")


def test_what_can_be_known_before_the_work(tmp_path: Path) -> None:
    """A read-only file and a missing folder; nothing is made or changed."""
    (tmp_path / "there").write_text("before")
    check_writable(tmp_path / "there")
    check_writable(tmp_path / "new")
    check_writable("/dev/null")
    (tmp_path / "there").chmod(0o400)
    for path in (tmp_path / "there", tmp_path / "nowhere" / "new"):
        with pytest.raises(OSError, match=r"\w") as failed:
            check_writable(path)
        assert failed.value.filename == str(path)
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("there", "before")]


def test_links_in_a_loop_are_an_error_of_the_file(tmp_path: Path) -> None:
    """As the file and on the way to it."""
    (tmp_path / "loop").symlink_to("loop")
    for path in (tmp_path / "loop", tmp_path / "loop" / "out"):
        with pytest.raises(OSError, match=r"\w") as failed:
            write(path)
        assert failed.value.filename == str(path)


def test_as_many_links_are_followed_as_the_system_follows(tmp_path: Path) -> None:
    """And no more."""
    for number in range(MOST_LINKS + 1):
        (tmp_path / str(number)).symlink_to(str(number - 1) if number else "file")
    write(tmp_path / str(MOST_LINKS - 1))
    assert (tmp_path / "file").read_text() == "after"
    with pytest.raises(OSError, match=r"\w"):
        write(tmp_path / str(MOST_LINKS), "again")
    assert (tmp_path / "file").read_text() == "after"


def test_ones_own_file_in_a_folder_of_all_is_replaced(tmp_path: Path) -> None:
    tmp_path.chmod(0o1777)
    for text in ("before", "after"):
        write(tmp_path / "out", text)
    assert (tmp_path / "out").read_text() == "after"


@pytest.mark.parametrize("letters", ["a" * 255, "\N{LATIN SMALL LETTER A WITH DIAERESIS}" * 127])
def test_a_name_may_be_as_long_as_the_system_allows(tmp_path: Path, letters: str) -> None:
    """The name that the text has meanwhile is no longer."""
    write(tmp_path / letters)
    write(tmp_path / letters, "again")
    assert [path.name for path in tmp_path.iterdir()] == [letters]


def test_what_another_process_writes_stays_and_what_a_killed_one_left_goes(tmp_path: Path) -> None:
    """The next one that writes the file removes it, or whoever looks after the folder; no other writer."""
    path = tmp_path / "out"
    sweeps: list[Callable[[], None]] = [lambda: write(path), lambda: drop_left(tmp_path)]
    for sweep in sweeps:
        with subprocess.Popen(
            [sys.executable, "-c", WAITING, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as other:
            assert other.stdout is not None and other.stdout.readline() == b"ready\n"
            (part,) = (each for each in tmp_path.iterdir() if each != path)
            sweep()
            assert part.read_text() == "half"
            other.kill()
        write(tmp_path / "another")
        (tmp_path / "another").unlink()
        assert part.exists()
        sweep()
        assert not part.exists()


def test_what_takes_all_and_keeps_nothing_may_be_several_outputs() -> None:
    """Any other file may not."""
    refuse_twice([os.devnull, os.devnull, None])
    with pytest.raises(SessionError):
        refuse_twice(["out", "./out"])


def test_the_error_is_that_of_the_file_that_failed(tmp_path: Path) -> None:
    """A file that is written while another one is open, and a device that is full."""
    with pytest.raises(OSError, match=r"\w") as failed, written_whole(tmp_path / "outer"):
        write("/dev/full")
    assert failed.value.filename == "/dev/full"
    assert list(tmp_path.iterdir()) == []


def test_a_recording_is_a_new_file(tmp_path: Path) -> None:
    """A link is not one, wherever it leads."""
    (tmp_path / "link").symlink_to("new")
    (tmp_path / "there").write_text("")
    with pytest.raises(FileExistsError):
        opened_new(tmp_path / "there")
    with opened_new(tmp_path / "link") as stream:
        stream.write("text")
    assert (tmp_path / "new").read_text() == "text"
