"""Files that hold no log or scenario at all: each is answered by one line."""

import gzip
import lzma
import os
import random
import socket
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from shadowtime.scenarios import ScenarioError, read_scenario
from shadowtime.scenarios.files import read_regular
from shadowtime.scenarios.traces import archive, unpacking
from shadowtime.scenarios.traces.archive import read_bytes
from tests.scenarios.support import POLICIES, Desk, log, row
from tests.scenarios.traces.reading import read_swf

LOG = log(*(row(i, i) for i in range(300)))


@pytest.mark.parametrize("name", ["a.swf", "a.swf.gz", "a.swf.xz", "A.SWF.XZ"])
def test_plain_and_packed_logs_are_the_same(desk: Desk, name: str) -> None:
    """By the ending of the name."""
    packers: dict[str, Callable[[bytes], bytes]] = {".gz": gzip.compress, ".xz": lzma.compress}
    pack = packers.get(Path(name.lower()).suffix, bytes)
    path = desk.write(pack(LOG.encode()), name)
    assert list(read_swf(path).id) == list(range(300))


@pytest.mark.parametrize("name", ["a.swf.gz", "a.swf.xz"])
def test_archives_of_several_parts(desk: Desk, name: str) -> None:
    """Parts that follow each other are one text; zeros may stand between those of xz."""
    pack = gzip.compress if name.endswith("gz") else lzma.compress
    middle = len(LOG) // 2
    parts = [pack(LOG[:middle].encode()), pack(LOG[middle:].encode())]
    assert len(read_swf(desk.write(b"".join(parts), name))) == 300
    if name.endswith("xz"):
        assert len(read_swf(desk.write(b"\0\0\0\0".join(parts) + b"\0" * 8, name))) == 300


@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 0.99])
@pytest.mark.parametrize("name", ["a.swf.gz", "a.swf.xz"])
def test_truncated_archives(desk: Desk, name: str, share: float) -> None:
    """Wherever it ends, one line says that it is not whole."""
    kind, pack = ("gzip", gzip.compress) if name.endswith("gz") else ("xz", lzma.compress)
    packed = pack(LOG.encode())
    (fault,) = desk.faults(packed[: int(len(packed) * share)], name)
    assert fault.startswith(f"{name}: is not a whole {kind} archive (") or fault.startswith(
        f"{name}: is empty"
    )
    assert fault.endswith(("; expected one that unpacks", "; expected a log in the Standard Workload Format"))


@pytest.mark.parametrize("name", ["a.swf.gz", "a.swf.xz"])
@pytest.mark.parametrize("content", [LOG.encode(), b"\x1f\x8b", b"\xfd7zXZ\0", b"\0" * 100])
def test_archives_that_are_none(desk: Desk, name: str, content: bytes) -> None:
    """Whatever is in it instead."""
    (fault,) = desk.faults(content, name)
    assert f"{name}: is not a whole " in fault or f"{name}: is empty" in fault


def test_a_damaged_archive(desk: Desk) -> None:
    """A byte that flipped is found by the archive's own check."""
    for name, pack in (("a.swf.gz", gzip.compress), ("a.swf.xz", lzma.compress)):
        packed = bytearray(pack(LOG.encode()))
        packed[len(packed) // 2] ^= 0x55
        assert len(desk.faults(bytes(packed), name)) == 1


@pytest.mark.parametrize("name", ["a.toml", "a.swf", "a.swf.xz"])
def test_a_file_that_is_not_there(tmp_path: Path, name: str) -> None:
    """One line, whatever it would have been."""
    with pytest.raises(ScenarioError) as caught:
        read_scenario(tmp_path / name, policies=POLICIES)
    assert str(caught.value) == f"{tmp_path / name}: no such file"


@pytest.mark.parametrize("name", ["a.toml", "a.swf", "folder"])
def test_a_folder(tmp_path: Path, name: str) -> None:
    """It is no file."""
    (tmp_path / name).mkdir()
    with pytest.raises(ScenarioError) as caught:
        read_scenario(tmp_path / name, policies=POLICIES)
    assert str(caught.value) == f"{tmp_path / name}: is a folder; expected a file"


def test_names_that_no_system_takes() -> None:
    """A NUL, too many letters, a file where a folder should be."""
    for name, reason in (("a\0b", "not a name of a file"), ("x" * 5000, "File name too long")):
        with pytest.raises(ScenarioError, match=rf"cannot be read: {reason}$"):
            read_bytes(Path(name))
    with pytest.raises(ScenarioError, match=r"cannot be read: Not a directory$"):
        read_bytes(Path(__file__) / "x")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(desk: Desk) -> None:
    """The system's reason is reported."""
    path = desk.write("x")
    path.chmod(0)
    with pytest.raises(ScenarioError, match=r"cannot be read: Permission denied$"):
        read_bytes(path)


def test_what_is_no_regular_file(tmp_path: Path) -> None:
    """It might never begin, or never end."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "s"))
        for path, kind in (
            (Path("/dev/zero"), "a device"),
            (tmp_path / "pipe", "a pipe"),
            (tmp_path / "link", "a pipe"),
            (tmp_path / "s", "a socket"),
        ):
            with pytest.raises(ScenarioError, match=f"is {kind}; expected a file"):
                read_bytes(path)


def test_a_file_of_a_system_may_have_no_size_and_no_end(tmp_path: Path) -> None:
    """What is read has a limit, whatever the size says."""
    assert read_regular(Path("/proc/self/status"), 1 << 20).startswith(b"Name:")
    path = tmp_path / "a.toml"
    path.write_bytes(b"x" * 1000)
    assert len(read_regular(path, 1000)) == 1000
    with pytest.raises(ScenarioError, match=r"a\.toml: is larger than 999 bytes; expected a file"):
        read_regular(path, 999)


@pytest.mark.proof
@pytest.mark.parametrize(("name", "pack"), [("a.swf.gz", gzip.compress), ("a.swf.xz", lzma.compress)])
def test_an_archive_that_explodes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, pack: Callable[[bytes], bytes]
) -> None:
    """No more of it is unpacked than of any log; what repeats itself within reason is unpacked."""
    path = tmp_path / name
    monkeypatch.setattr(unpacking, "INNOCENT", 1 << 20)
    monkeypatch.setattr(archive, "PIECE", 1 << 18)
    path.write_bytes(pack(b"1 " * (1 << 19)))
    assert len(read_bytes(path)) == 1 << 20
    path.write_bytes(pack(b"1 " * (1 << 22)))
    with pytest.raises(ScenarioError, match=r"unpacks to more than 200 times its .* bytes; expected an arch"):
        read_bytes(path)
    noise = random.Random(1).randbytes(1 << 16)
    path.write_bytes(pack(noise * 3) + pack(noise))
    assert read_bytes(path) == noise * 4
    monkeypatch.setattr(archive, "LARGEST", 1 << 17)
    with pytest.raises(ScenarioError, match=r"larger than 131,072 bytes|unpacks to more than 131,072 bytes"):
        read_bytes(path)


def greedy(content: bytes) -> bytes:
    """An archive that says that 1.5 GiB are needed to unpack it."""
    packed = bytearray(lzma.compress(content, filters=[{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 20}]))
    # The header of the first block: its length in words of four bytes, flags, the filter, its size; a sum.
    head = packed[12 : 12 + 4 * (packed[12] + 1)]
    assert head[2:4] == b"\x21\x01"
    head[4] = 37
    head[-4:] = zlib.crc32(head[:-4]).to_bytes(4, "little")
    packed[12 : 12 + len(head)] = head
    return bytes(packed)


def test_an_archive_that_needs_much_memory(desk: Desk) -> None:
    """It is refused before the memory is taken."""
    path = desk.write(greedy(b"1 2 3\n"), "a.swf.xz")
    with pytest.raises(ScenarioError, match=r"a\.swf\.xz: needs more than 128 MiB .* to unpack; expected"):
        read_bytes(path)
    path = desk.write(lzma.compress(b"1 2 3\n", preset=9 | lzma.PRESET_EXTREME), "b.swf.xz")
    assert read_bytes(path) == b"1 2 3\n"


@pytest.mark.proof
@pytest.mark.parametrize("streams", [1, 3, 5000])
def test_an_archive_of_many_streams(desk: Desk, streams: int) -> None:
    """Padding of any length may stand between them, and a stream may be empty."""
    parts = [lzma.compress(b"" if n % 3 else b"%d\n" % n) + b"\0" * (4 * (n % 5)) for n in range(streams)]
    path = desk.write(b"".join(parts), "a.swf.xz")
    assert read_bytes(path) == b"".join(b"%d\n" % n for n in range(0, streams, 3))


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("{key} = 1\n", "1:1"),
        ("a = 1\n[{key}]\nb = 1\n", "2:2"),
        ("[[job]]\nid = 1\n  {key} = 'x'\n", "3:3"),
        ("[policy]\nx = {{ y = 1, {key} = 1 }}\n", "2:14"),
    ],
)
@pytest.mark.parametrize("parts", [40, 1200, 20_000])
def test_a_key_of_very_many_parts(desk: Desk, text: str, place: str, parts: int) -> None:
    """It is refused before anything works through its parts."""
    key = ".".join(["a"] * parts)
    expected = f"gang.toml:{place}: a key has more than 32 parts; expected a few"
    assert desk.faults(text.format(key=key)) == [expected]


def test_dots_that_part_no_key(desk: Desk) -> None:
    """In a text, in a comment and in fractions."""
    text = f'title = "{"a." * 2000}"  # {"a." * 2000}\nabout = [{"1.5, " * 200}]\n'
    assert all("parts" not in fault for fault in desk.faults(text))


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (
            "JobID|User|State\n1|kim|COMPLETED\n",
            "is an accounting dump of sacct; expected a scenario or a log",
        ),
        ("\nState,JobIDRaw\nCOMPLETED,1\n", "is an accounting dump of sacct"),
        (
            "       JobID    JobName\n------- ----\n",
            "is a table of sacct for people; expected a dump of sacct -P",
        ),
        (
            "; Version: 2\n 1 0 -1 5 1 1 1 1 1 1 1 1 1 1 1 1 1 -1\n",
            "is a log in the Standard Workload Format;",
        ),
        ('{"jobs": []}\n', "is JSON; expected a scenario in TOML"),
    ],
)
def test_what_a_file_looks_like(desk: Desk, content: str, expected: str) -> None:
    """Whoever opens it is shown what is for it."""
    (found,) = desk.faults(content)
    assert found.startswith(f"gang.toml:1:1: {expected}")


@pytest.mark.parametrize("content", ["", "\n \n\t\n"])
def test_empty_files(desk: Desk, content: str) -> None:
    """Nothing, or nothing but blanks."""
    assert desk.faults(content) == ["gang.toml: is empty; expected a scenario"]
    assert desk.faults(content, "a.swf") == [
        "a.swf: is empty; expected a log in the Standard Workload Format"
    ]


def test_binary_files(desk: Desk) -> None:
    """A NUL is in no text."""
    content = bytes(range(256)) * 4
    expected = "is a binary file; expected a scenario in TOML, or a log (.swf, .swf.gz, .swf.xz)"
    assert desk.faults(content) == [f"gang.toml: {expected}"]
    assert desk.faults(content, "a.swf") == [
        "a.swf: is a binary file; expected a log in the Standard Workload Format"
    ]


def test_text_in_another_encoding(desk: Desk) -> None:
    """The place of the first byte that is none of UTF-8, counted in characters."""
    assert desk.faults("title = 'é'\n# ü ".encode() + b"\xe9\n") == [
        "gang.toml:2:5: byte 233 is not UTF-8; expected TOML"
    ]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("a = = 1\n", "1:5: not TOML: invalid value"),
        ("a = 1\n\nb = [1,\n", "4:1: not TOML: "),
        ("a = 1\na = 2\n", "2:6: not TOML: cannot overwrite a value"),
        ("[a\n", "1:3: not TOML: expected ']' at the end of a table declaration"),
        ('é = "x"\n', "1:1: not TOML: invalid statement"),
        ("a = 1\r\nb 2\r\n", "2:3: not TOML: expected '=' after a key in a key/value pair"),
        ("a = " + "[" * 9999, "1:36: arrays or tables are nested too deeply"),
        ("\na = 1\n b = " + "9" * 9999, "3:6: a number has thousands of digits"),
        ("a = 1979-13-01\n", "1:9: not TOML: "),
    ],
)
def test_text_that_is_not_toml(desk: Desk, text: str, fault: str) -> None:
    """One line with line and column, as far as there is one place."""
    (found,) = desk.faults(text)
    assert found.startswith(f"gang.toml:{fault}" if fault else "gang.toml: ")
