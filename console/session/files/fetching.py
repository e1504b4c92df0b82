"""Logs of the Parallel Workloads Archive, fetched into the user's folder, resumed and checked.

What has come so far waits in the user's cache folder, with the mark by which the server knows whether its
file is still the same; the log is written to its own folder only when it is whole and its sum is right.
"""

import hashlib
import http.client
import os
import shutil
import time
import urllib.error
import urllib.parse
import urllib.request
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import IO

import attrs
from platformdirs import user_cache_path

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.files.places import OWN_FOLDER, check_writable, make_folder, make_own
from shadowtime.console.session.files.writers import written_bytes
from shadowtime.console.session.progress import Progress
from shadowtime.scenarios import ScenarioError, nearest, user_folder
from shadowtime.scenarios.files import size
from shadowtime.scenarios.traces.finding import ARCHIVE
from shadowtime.scenarios.traces.pwa import LOGS, ArchiveLog
from shadowtime.scenarios.traces.unpacking import SUFFIXES, readable, unpacked

CHUNK = 1 << 16
TRIES = 4
"""How often a transfer that breaks off is taken up again, before it is left for another time."""
PATIENCE = 30.0
"""Seconds without a byte after which a transfer counts as broken off."""
PAUSE = 1.0
"""Seconds before the first further try; each pause is twice the one before."""
MOST_BYTES = 1 << 29
"""No log of the archive is as large when it is packed: more is not fetched."""
SCHEMES = ("http", "https")


class FetchError(OSError):
    """A transfer failed; what has come stays for another try, unless the message says otherwise."""


@attrs.frozen
class Fetched:
    """A log that is there now. `sha256` is of its text; `known` says whether that could be compared."""

    name: str
    path: Path
    sha256: str
    known: bool
    resumed: bool
    """Whether the beginning was there already."""
    was_there: bool
    """Whether nothing had to be fetched at all."""


@attrs.frozen
class Archive:
    """Where logs come from, and how long to wait for them."""

    base: str = ARCHIVE
    patience: float = PATIENCE
    pause: float = PAUSE
    tries: int = TRIES
    most: int = MOST_BYTES
    """Bytes of a packed log."""

    def request(self, name: str, entry: ArchiveLog) -> urllib.request.Request:
        """Return the request for a log. SessionError if the base is no address.

        A name and a password in the base are sent to its host alone, and are no part of the address.
        """
        try:
            parts = urllib.parse.urlsplit(self.base)
            # A password with / ? or # as they are ends the host too early: what follows would be printed.
            rest = parts.path + parts.query + parts.fragment
            good = parts.scheme in SCHEMES and bool(parts.hostname) and parts.port != 0 and "@" not in rest
        except ValueError:
            good = False
        if not good:
            raise SessionError(
                f"the base address is {shown_address(self.base)!r}; expected one that begins with https://"
            )
        user, at, host = parts.netloc.rpartition("@")
        base = urllib.parse.urlunsplit(parts._replace(netloc=host)).rstrip("/")
        made = urllib.request.Request(f"{base}/{entry.path(name)}", headers={"User-Agent": "shadowtime"})
        if at:
            given = b64encode(urllib.parse.unquote_to_bytes(user)).decode()
            made.add_unredirected_header("Authorization", f"Basic {given}")
        return made


def shown_address(address: str) -> str:
    """An address without the name and the password that it may have, even if it is no good one."""
    secret, at, rest = address.rpartition("@")
    scheme, slashes, _ = secret.partition("//")
    return f"{scheme}{slashes}{rest}" if at and slashes else rest


def logs() -> Mapping[str, ArchiveLog]:
    """Return the logs that can be fetched, by name."""
    return LOGS


def known_log(text: str) -> tuple[str, ArchiveLog]:
    """Return the log of that name, in any case, with any ending. SessionError with the nearest otherwise."""
    bare = text.lower().removesuffix(".gz").removesuffix(".xz").removesuffix(".swf")
    for name, entry in LOGS.items():
        if name.lower() == bare:
            return name, entry
    close = nearest(bare, (name.lower() for name in LOGS))
    names = {name.lower(): name for name in LOGS}
    begun = [name for low, name in names.items() if bare and low.startswith(bare)]
    meant = [names[close]] if close else begun
    hint = f"did you mean {' or '.join(meant)}?" if meant else "shadowtime fetch --list names them"
    raise SessionError(f"there is no log {text!r} among those that can be fetched; {hint}")


def fetch(
    text: str,
    folder: str | Path | None = None,
    archive: Archive | None = None,
    progress: Progress | None = None,
) -> Fetched:
    """Have a log in a folder (the user's own unless another is named), whole and checked.

    SessionError: an unknown log or a wrong address. FetchError: the network, the server or the sum fails.
    OSError: the folder.
    """
    name, entry = known_log(text)
    archive = archive or Archive()
    # Before anything is made: a wrong address is reported at once.
    address = archive.request(name, entry).full_url
    path = (Path(folder) if folder is not None else user_folder()) / f"{name}.swf.gz"
    if path.exists():
        return _checked(name, entry, path, path, resumed=False, was_there=True)
    # Before the transfer: what cannot be written is reported at once.
    make_folder(path.parent, OWN_FOLDER if folder is None else 0o777)
    check_writable(path)
    transfer = _Transfer(address, lambda: archive.request(name, entry), part_of(path), archive)
    resumed = transfer.run(progress)
    fetched = _checked(name, entry, transfer.part, path, resumed, was_there=False)
    with transfer.part.open("rb") as whole, written_bytes(path) as stream:
        shutil.copyfileobj(whole, stream, CHUNK)
    transfer.forget()
    return fetched


def part_of(path: Path) -> Path:
    """Return where the beginning of a log waits: in the user's cache, which nobody else writes to."""
    digest = hashlib.sha256(os.fsencode(os.path.realpath(path.parent))).hexdigest()[:16]
    return user_cache_path("shadowtime", appauthor=False) / "fetching" / f"{digest}-{path.name}"


def _checked(name: str, entry: ArchiveLog, at: Path, path: Path, resumed: bool, was_there: bool) -> Fetched:
    """Compare the sum of what is there. FetchError if it is another log, or a broken archive."""
    what = "it stays where it is" if was_there else "nothing of it is kept; fetch it again"
    found = wrong = ""
    try:
        found = _sum(at)
    except ScenarioError as error:
        wrong = f"the archive file is broken: it {error.faults[0].message}"
    if found and entry.sha256 is not None and found != entry.sha256:
        wrong = f"the sha256 of the text is {found}; expected {entry.sha256}: another version, or damaged"
    if wrong:
        if not was_there:
            at.unlink(missing_ok=True)
        raise FetchError(f"{name}: {wrong}; {what}")
    return Fetched(name, path, found, entry.sha256 is not None, resumed, was_there)


def _sum(path: Path) -> str:
    digest, kind, packed = hashlib.sha256(), SUFFIXES[path.suffix], path.stat().st_size
    with path.open("rb") as raw, readable(path, kind):
        stream: IO[bytes] = unpacked(path, kind, lambda: packed, raw)
        while piece := stream.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()


class _Transfer:
    """One file on its way: `part` holds what has come."""

    def __init__(
        self, address: str, asked: Callable[[], urllib.request.Request], part: Path, archive: Archive
    ) -> None:
        """`asked` makes a new request for each try."""
        make_own(part.parent)
        self.part = part
        self._asked = asked
        self._address = address
        self._archive = archive
        self._mark = part.with_name(part.name + ".mark")

    def forget(self) -> None:
        """The log has its name, or is not wanted: nothing of it waits any more."""
        self.part.unlink(missing_ok=True)
        self._mark.unlink(missing_ok=True)

    def run(self, progress: Progress | None) -> bool:
        """Fetch what is missing; return whether the beginning was there already."""
        resumed, pause = self._have() > 0, self._archive.pause
        for left in reversed(range(self._archive.tries)):
            try:
                self._go_on(progress)
                return resumed
            except _BrokenOff as broken:
                if not left:
                    have = self._have()
                    kept = f"{have:,} bytes are kept: fetch it again to go on" if have else "nothing has come"
                    raise FetchError(f"{self._address}: {broken}; {kept}") from None
            time.sleep(pause)
            pause *= 2
        raise AssertionError("a transfer is tried once at least")

    def _have(self) -> int:
        return self.part.stat().st_size if self.part.exists() and self._mark.exists() else 0

    def _go_on(self, progress: Progress | None) -> None:
        have = self._have()
        request = self._asked()
        if have:
            request.add_header("Range", f"bytes={have}-")
            request.add_header("If-Range", self._mark.read_text(encoding="utf-8"))
        try:
            response = _OPENER.open(request, timeout=self._archive.patience)
        except urllib.error.HTTPError as error:
            with closing(error):
                self._refused(error)
            return
        except (urllib.error.URLError, http.client.HTTPException, TimeoutError, ConnectionError) as error:
            raise _BrokenOff(_words(error)) from None
        with closing(response):
            self._take(response, have if response.status == 206 else 0, progress)

    def _refused(self, error: urllib.error.HTTPError) -> None:
        """What to make of an answer that is an error: another try, or the end."""
        if error.code == 416:
            # There is nothing beyond what we have: either all is there, or it is another file now.
            if error.headers.get("Content-Range", "").endswith(f"/{self._have()}"):
                return
            self._mark.unlink(missing_ok=True)
            raise _BrokenOff("the file has changed on the server")
        if error.code >= 500 or error.code == 429:
            raise _BrokenOff(f"the server says {error.code} {error.reason}")
        raise FetchError(f"{self._address}: the server says {error.code} {error.reason}")

    def _take(self, response: http.client.HTTPResponse, have: int, progress: Progress | None) -> None:
        length = response.headers.get("Content-Length", "")
        total = have + int(length) if length.isdecimal() and len(length) < 20 else 0
        self._bound(total)
        mark = response.headers.get("ETag") or response.headers.get("Last-Modified") or ""
        # A weak mark says that the file means the same, not that its bytes are the same.
        if mark and not mark.startswith("W/"):
            self._mark.write_text(mark, encoding="utf-8")
        else:
            self._mark.unlink(missing_ok=True)
        with self.part.open("ab" if have else "wb") as stream:
            for piece in _pieces(response):
                have += len(piece)
                self._bound(have)
                stream.write(piece)
                if progress is not None:
                    progress(have, max(total, have))
        if have < total:
            raise _BrokenOff(f"the connection ended after {have:,} of {total:,} bytes")

    def _bound(self, count: int) -> None:
        if count > self._archive.most:
            self.forget()
            raise FetchError(
                f"{self._address}: the file is larger than {size(self._archive.most)}; nothing of it is kept"
            )


class Redirects(urllib.request.HTTPRedirectHandler):
    """Follows a server that names another address, but not to another protocol, and not out of encryption."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        scheme = urllib.parse.urlsplit(newurl).scheme
        # What is read of an answer that has been understood may have no end.
        fp.close()
        if scheme not in SCHEMES or (req.type == "https" and scheme != "https"):
            raise FetchError(
                f"{req.full_url}: the server names {shown_address(newurl)!r}; expected an address that begins"
                f" with {req.type}://"
            )
        return super().redirect_request(req, fp, code, msg, headers, newurl)


_OPENER = urllib.request.build_opener(Redirects)


class _BrokenOff(Exception):
    """A transfer that can be taken up again."""


def _pieces(response: http.client.HTTPResponse) -> Iterator[bytes]:
    try:
        while piece := response.read1(CHUNK):
            yield piece
    except (http.client.HTTPException, TimeoutError, ConnectionError) as error:
        raise _BrokenOff(_words(error)) from None


def _words(error: Exception) -> str:
    reason = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(reason, TimeoutError):
        return "the server sent nothing in time"
    if isinstance(reason, OSError) and reason.strerror:
        return reason.strerror[0].lower() + reason.strerror[1:]
    with suppress(IndexError):
        return str(reason) or type(reason).__name__
    return "the connection broke"
