"""`shadowtime fetch` from a mirror that means harm, and with a password: what is sent, and what is kept."""

import gzip
import io
import threading
from base64 import b64encode
from collections.abc import Iterator
from email.message import Message
from http.client import HTTPMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import quote
from urllib.request import Request, build_opener

import attrs
import pytest

from shadowtime.console.session.files.fetching import (
    Archive,
    FetchError,
    Redirects,
    fetch,
    part_of,
    shown_address,
)
from tests.commandline import Shadowtime

NAME = "HPC2N-2002-2.2-cln"
"""A log whose sum is not known."""
LOG = gzip.compress(b"; MaxNodes: 4\n1 0 0 10 1 -1 -1 1 10 -1 1 -1 -1 -1 -1 -1 -1 -1\n", mtime=0)
SECRET = "hun:ter@2/%"


@attrs.define
class Mirror:
    """A server on this machine."""

    content: bytes = LOG
    length: str | None = None
    """What it says that the content is long; None for nothing."""
    to: str = ""
    """Where it redirects the first request to."""
    port: int = 0
    asked: list[tuple[str, str | None]] = attrs.field(factory=list)
    """Path and Authorization of each request."""

    def base(self, user: str = "", host: str = "127.0.0.1") -> str:
        """Its address."""
        return f"http://{user}{host}:{self.port}/logs"


class _Handler(BaseHTTPRequestHandler):
    mirror: Mirror

    def do_GET(self) -> None:
        mirror = self.mirror
        mirror.asked.append((self.path, self.headers.get("Authorization")))
        self.close_connection = True
        if mirror.to:
            self.send_response(302)
            self.send_header("Location", mirror.to)
            self.end_headers()
            mirror.to = ""
        else:
            self.send_response(200)
            if mirror.length is not None:
                self.send_header("Content-Length", mirror.length)
            self.send_header("ETag", '"one"')
            self.end_headers()
        try:
            self.wfile.write(mirror.content)
        except OSError:
            # Who was asked to take too much has gone.
            return

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def mirror(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mirror]:
    """Serve one log, whatever is asked for."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    found = Mirror()
    handler = type("Handler", (_Handler,), {"mirror": found})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        found.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield found
        server.shutdown()
        thread.join()


def nothing_is_kept(folder: Path) -> bool:
    """Whether neither the folder nor the cache has anything of the log."""
    waiting = part_of(folder / f"{NAME}.swf.gz").parent
    return not list(folder.iterdir()) and not list(waiting.iterdir())


def test_a_password_goes_to_its_host_and_nowhere_else(mirror: Mirror, tmp_path: Path) -> None:
    """In a header of the first request; not to where that leads."""
    mirror.to = mirror.base(host="localhost") + "/there"
    fetched = fetch(NAME, tmp_path, Archive(mirror.base(f"kim:{quote(SECRET, safe='')}@"), pause=0))
    given = "Basic " + b64encode(f"kim:{SECRET}".encode()).decode()
    assert mirror.asked == [(f"/logs/l_hpc2n/{NAME}.swf.gz", given), ("/logs/there", None)]
    assert fetched.path.read_bytes() == LOG


@pytest.mark.parametrize(
    "base",
    [
        "http://kim:{}@127.0.0.1:9/x",
        "ftp://kim:{}@example.org",
        "kim:{}@example.org",
        "http://{}@[",
        "http://kim:1/{}@example.org",
        "http://kim:1?{}@example.org",
        "http://kim:1#{}@example.org",
    ],
)
def test_a_password_is_never_printed(
    base: str, shadowtime: Shadowtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither where nobody answers nor where the address is no address."""
    monkeypatch.setattr("shadowtime.console.session.files.fetching.time.sleep", lambda seconds: None)
    ended = shadowtime("fetch", NAME, "--base", base.format("hunter2"), "-o", tmp_path, "--patience", "0.1")
    assert ended.code in (2, 3) and len(ended.complaints) == 1
    assert "hunter2" not in ended.out + ended.err and "kim" not in ended.err


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("https://kim:pw@example.org/x", "https://example.org/x"),
        ("https://kim:p@w/@example.org", "https://example.org"),
        ("https://example.org/x", "https://example.org/x"),
        ("kim:pw@example.org", "example.org"),
    ],
)
def test_what_is_shown_of_an_address(address: str, shown: str) -> None:
    """All but who asks."""
    assert shown_address(address) == shown


@pytest.mark.parametrize("to", ["ftp://127.0.0.1:9/log", "file:///etc/passwd", "data:,x", "gopher://x/"])
def test_no_other_protocol_is_followed(
    mirror: Mirror, tmp_path: Path, shadowtime: Shadowtime, to: str
) -> None:
    """One line; nothing else is asked for."""
    mirror.to = to
    ended = shadowtime("fetch", NAME, "--base", mirror.base(), "-o", tmp_path)
    assert (ended.code, len(ended.complaints), len(mirror.asked)) == (3, 1, 1)
    assert nothing_is_kept(tmp_path)


@pytest.mark.parametrize(
    ("before", "after", "followed"),
    [("https", "http", False), ("https", "https", True), ("http", "https", True), ("https", "ftp", False)],
)
def test_what_is_encrypted_stays_so(before: str, after: str, followed: bool) -> None:
    """A redirect may go to an encrypted address, and not away from one."""
    asked = Request(f"{before}://example.org/log")
    arguments = asked, io.BytesIO(), 302, "Found", HTTPMessage(), f"{after}://kim:pw@example.com/log"
    assert isinstance(arguments[4], Message)
    try:
        made = Redirects().redirect_request(*arguments)
    except FetchError as error:
        assert not followed and "kim" not in str(error)
    else:
        assert followed and made is not None and made.type == after


@pytest.mark.parametrize("length", [None, "1000", str(10**15), "9" * 5000])
def test_more_than_a_log_can_have_is_not_fetched(mirror: Mirror, tmp_path: Path, length: str | None) -> None:
    """Whether the server says how much it is or not; and a server that says too little is not believed."""
    mirror.content, mirror.length = b"x" * 200_000, length
    archive = Archive(mirror.base(), pause=0, most=100_000, tries=1)
    if length == "1000":
        with pytest.raises(FetchError, match="broken"):
            fetch(NAME, tmp_path, archive)
    else:
        with pytest.raises(FetchError, match="larger"):
            fetch(NAME, tmp_path, archive)
    assert [
        path for path in part_of(tmp_path / f"{NAME}.swf.gz").parent.iterdir() if path.suffix == ".gz"
    ] == []
    assert not list(tmp_path.iterdir())


def test_the_body_of_a_redirect_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """It may have no end, and is of no use."""
    read: list[int] = []

    class Body(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            read.append(0 if self.closed else 1)
            return b""

    answers = HTTPMessage()
    answers["Location"] = "/there"
    handler = Redirects()
    asked = Request("http://example.org/log")
    asked.timeout = 1
    monkeypatch.setattr(handler, "parent", build_opener(), raising=False)
    monkeypatch.setattr(handler.parent, "open", lambda made, timeout: made)
    made = handler.http_error_302(asked, Body(), 302, "Found", answers)
    assert made is not None and sum(read) == 0


def test_an_archive_that_unpacks_without_end_is_not_kept(mirror: Mirror, tmp_path: Path) -> None:
    """It is bounded as the archives are that are opened."""
    mirror.content = gzip.compress(bytes(1 << 27))
    with pytest.raises(FetchError, match="200 times"):
        fetch(NAME, tmp_path, Archive(mirror.base(), pause=0))
    assert not list(tmp_path.iterdir())
