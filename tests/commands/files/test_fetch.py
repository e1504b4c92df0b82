"""`shadowtime fetch`, against a server on this machine: good, slow, cut off, changed, wrong, absent."""

import gzip
import hashlib
import re
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import attrs
import pytest

from shadowtime.console.session.files.fetching import Archive, FetchError, fetch, known_log, part_of
from shadowtime.scenarios.traces.pwa import LOGS, ArchiveLog
from tests.commandline import Shadowtime

NAME = "KTH-SP2-1996-2.1-cln"
TEXT = b"; MaxNodes: 4\n" + b"".join(
    b"%d %d 0 10 1 -1 -1 1 10 -1 1 -1 -1 -1 -1 -1 -1 -1\n" % (i, i) for i in range(1, 20_001)
)
PACKED = gzip.compress(TEXT, mtime=0)


@attrs.define
class Site:
    """An archive of one file, with its bad days."""

    content: bytes = PACKED
    mark: str = '"one"'
    status: int = 200
    cut: list[int] = attrs.field(factory=list)
    """After how many bytes each answer breaks off, in turn; later ones are whole."""
    silence: float = 0.0
    """Seconds of silence in the middle of the first answer."""
    asked: list[tuple[str, str | None]] = attrs.field(factory=list)
    """Path and Range of every request."""
    base: str = ""


class _Handler(BaseHTTPRequestHandler):
    site: Site

    def do_GET(self) -> None:
        site, wanted = self.site, self.headers.get("Range")
        site.asked.append((self.path, wanted))
        if site.status != 200:
            self.send_error(site.status)
            return
        begin = 0
        if wanted is not None and self.headers.get("If-Range") == site.mark:
            begin = int(wanted.removeprefix("bytes=").removesuffix("-"))
        if begin >= len(site.content):
            self.send_response(416)
            self.send_header("Content-Range", f"bytes */{len(site.content)}")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        self._send(site, site.content[begin:], begin)

    def _send(self, site: Site, content: bytes, begin: int) -> None:
        self.send_response(206 if begin else 200)
        self.send_header("Content-Length", str(len(content)))
        if site.mark:
            self.send_header("ETag", site.mark)
        self.end_headers()
        stop = site.cut.pop(0) if site.cut else len(content)
        middle = stop // 2
        self.wfile.write(content[:middle])
        self.wfile.flush()
        silence, site.silence = site.silence, 0.0
        time.sleep(silence)
        self.wfile.write(content[middle:stop])
        self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Serve the archive; its one log has the sum of its text."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    entry = ArchiveLog(LOGS[NAME].folder, "", hashlib.sha256(TEXT).hexdigest())
    monkeypatch.setattr("shadowtime.console.session.files.fetching.LOGS", {**LOGS, NAME: entry})
    found = Site()
    handler = type("Handler", (_Handler,), {"site": found})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        found.base = f"http://127.0.0.1:{server.server_address[1]}/workload"
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield found
        server.shutdown()
        thread.join()


@pytest.fixture
def fetched(site: Site, tmp_path: Path) -> Callable[[], Path]:
    """Fetch from the site into a folder of the test's own, without long waits."""
    archive = Archive(site.base, patience=0.3, pause=0.0)
    return lambda: fetch(NAME, tmp_path, archive).path


def left(folder: Path) -> list[str]:
    """The names of all files in a folder, hidden ones too."""
    return sorted(path.name for path in folder.iterdir())


def test_a_good_server(site: Site, fetched: Callable[[], Path], tmp_path: Path) -> None:
    """The file is there, under its name, with nothing beside it; and is not fetched again."""
    assert fetched().read_bytes() == PACKED
    assert left(tmp_path) == [f"{NAME}.swf.gz"]
    assert fetched().read_bytes() == PACKED
    assert site.asked == [(f"/workload/l_kth_sp2/{NAME}.swf.gz", None)]


def test_a_transfer_that_breaks_off_goes_on(site: Site, fetched: Callable[[], Path], tmp_path: Path) -> None:
    """Each further try asks for what is missing only."""
    site.cut = [5000, 7000]
    assert fetched().read_bytes() == PACKED
    assert [wanted for _, wanted in site.asked] == [None, "bytes=5000-", "bytes=12000-"]
    assert left(tmp_path) == [f"{NAME}.swf.gz"]


def test_a_slow_server(site: Site, fetched: Callable[[], Path]) -> None:
    """Silence that lasts too long counts as broken off."""
    site.silence = 1.0
    assert fetched().read_bytes() == PACKED
    assert len(site.asked) == 2
    assert site.asked[1][1] is not None


def test_a_transfer_that_stays_broken_is_kept(
    site: Site, fetched: Callable[[], Path], tmp_path: Path
) -> None:
    """After some tries it is left; the next call goes on where that one ended."""
    site.cut = [1000] * 4
    with pytest.raises(FetchError, match="4,000 bytes are kept: fetch it again to go on"):
        fetched()
    assert f"{NAME}.swf.gz" not in left(tmp_path)
    assert fetched().read_bytes() == PACKED
    assert site.asked[-1][1] == "bytes=4000-"


def test_a_file_that_changed_meanwhile_is_fetched_anew(site: Site, fetched: Callable[[], Path]) -> None:
    """Halves of two files are never put together."""
    site.content, site.mark = PACKED[::-1], '"old"'
    site.cut = [1000] * 4
    with pytest.raises(FetchError):
        fetched()
    site.content, site.mark = PACKED, '"new"'
    assert fetched().read_bytes() == PACKED


def test_without_a_mark_nothing_is_taken_up_again(site: Site, fetched: Callable[[], Path]) -> None:
    """A server that does not say which file it is gives it from the beginning."""
    site.mark, site.cut = "", [5000]
    assert fetched().read_bytes() == PACKED
    assert [wanted for _, wanted in site.asked] == [None, None]


def test_all_but_the_last_step_was_done(site: Site, fetched: Callable[[], Path], tmp_path: Path) -> None:
    """A file that had come whole when the program was killed is only checked; then nothing of it waits."""
    part = part_of(tmp_path / f"{NAME}.swf.gz")
    part.parent.mkdir(parents=True)
    part.write_bytes(PACKED)
    part.with_name(part.name + ".mark").write_text(site.mark)
    assert fetched().read_bytes() == PACKED
    assert left(tmp_path) == [f"{NAME}.swf.gz"] and left(part.parent) == []


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (gzip.compress(TEXT[:-1]), "the sha256 of the text is"),
        (PACKED[:-20], "the archive file is broken"),
        (b"<html>Sorry</html>", "the archive file is broken"),
    ],
)
def test_a_wrong_file_is_not_kept(
    content: bytes, words: str, site: Site, fetched: Callable[[], Path], tmp_path: Path
) -> None:
    """Neither under its name nor as a beginning."""
    site.content = content
    with pytest.raises(FetchError, match=words):
        fetched()
    assert not any(name.endswith((".gz", ".part")) for name in left(tmp_path))
    site.content, site.mark = PACKED, '"right"'
    assert fetched().read_bytes() == PACKED


def test_a_log_that_is_not_there(site: Site, tmp_path: Path, shadowtime: Shadowtime) -> None:
    """One line with what the server says; it is not asked twice."""
    site.status = 404
    ended = shadowtime("fetch", NAME, "--base", site.base, "-o", tmp_path)
    assert (ended.code, len(ended.complaints), len(site.asked)) == (3, 1, 1)
    assert "the server says 404" in ended.err
    assert left(tmp_path) == []


def test_the_command_says_what_was_checked(
    site: Site, tmp_path: Path, shadowtime: Shadowtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Into the user's folder, from the address that the variable names; an unknown sum is reported."""
    monkeypatch.setenv("SHADOWTIME_ARCHIVE", site.base)
    monkeypatch.setattr("shadowtime.console.session.files.fetching.user_folder", lambda: tmp_path / "data")
    ended = shadowtime("fetch", f"{NAME.lower()}.swf", "HPC2N-2002-2.2-cln")
    assert (ended.code, ended.err) == (0, "")
    first, second = ended.out.splitlines()
    assert first == f"{tmp_path}/data/{NAME}.swf.gz: fetched; the sha256 of its text is right"
    assert second.endswith(f"was not checked; it is {hashlib.sha256(TEXT).hexdigest()}")
    again = shadowtime("fetch", NAME)
    assert "is there already; the sha256" in again.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["KTH-SP2"], "there is no log 'KTH-SP2'"),
        (["KTH-SP2-1996-2.1-cl"], f"did you mean {NAME}?"),
        ([NAME, "--base", "ftp://example.org"], "expected one that begins with https://"),
        ([NAME, "--base", "http://[bad"], "expected one that begins with https://"),
        ([NAME, "--base", "https://"], "expected one that begins with https://"),
        (["KTH"], "did you mean KTH-SP2-1996-2 or KTH-SP2-1996-2.1-cln?"),
        ([""], "shadowtime fetch --list names them"),
        ([], "expected the name of a log"),
    ],
)
def test_what_cannot_be_asked_for(arguments: list[str], words: str, shadowtime: Shadowtime) -> None:
    """One line, and exit code 2."""
    ended = shadowtime("fetch", *arguments)
    assert (ended.code, len(ended.complaints)) == (2, 1)
    assert words in ended.err


def test_every_log_is_listed(shadowtime: Shadowtime) -> None:
    """With its machine, and whether its sum is known; every known sum is one."""
    listed = shadowtime("fetch", "--list").out
    for name, entry in LOGS.items():
        assert re.search(rf"^{re.escape(name)} +{re.escape(entry.machine)} ", listed, re.MULTILINE)
        assert entry.sha256 is None or re.fullmatch("[0-9a-f]{64}", entry.sha256)
        assert known_log(f"{name}.swf.gz") == (name, entry)
