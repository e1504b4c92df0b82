"""GET a path of a server: its answer into a file, with a time limit and a size limit.

No redirect is followed, no proxy of the environment is used, and certificates are verified: a token goes to
the server that was named, and to no other.
"""

import http.client
import json
import re
import socket
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Lock, Timer
from urllib.parse import urlsplit

import attrs

from shadowtime.console.session.errors import SessionError
from shadowtime.scenarios.errors import shown
from shadowtime.scenarios.files import size
from shadowtime.scenarios.text.gate import printable

METHOD = "GET"
"""The only method that is ever sent: it reads."""
_NO_ENTRY = http.client.UNAUTHORIZED, http.client.NETWORK_AUTHENTICATION_REQUIRED
"""slurmrestd itself answers the first; where slurmctld refuses the token, the second (24.11.5, 26.05.5)."""
_PART = 1 << 16
_SHOWN = 160
"""Characters of what a server says that are shown."""
EXPECTED = "http://HOST:PORT, https://HOST or unix:/PATH"
_PLAIN = re.compile(r"[!-~]+")


@attrs.frozen
class Address:
    """The address of a server."""

    scheme: str
    """`http`, `https` or `unix`."""
    host: str = ""
    port: int | None = None
    prefix: str = ""
    """What stands before each path of a server behind a proxy."""
    socket: str = ""
    """The path of a unix socket."""
    text: str = ""
    """As it is typed."""


def parse_address(text: str) -> Address:
    """Return an address. SessionError in one line for anything else.

    A user or a password in it is refused: an address is shown and written down.
    """
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise _refused(text) from None
    if not _PLAIN.fullmatch(text) or parts.query or parts.fragment:
        raise _refused(text)
    if parts.username is not None or parts.password is not None:
        raise SessionError(f"--rest has a user or a password in it; expected {EXPECTED}")
    if parts.scheme == "unix" and not parts.netloc and parts.path.startswith("/"):
        return Address("unix", socket=parts.path, text=text)
    if parts.scheme in ("http", "https") and parts.hostname:
        return Address(parts.scheme, parts.hostname, port, parts.path.rstrip("/"), text=text)
    raise _refused(text)


def _refused(text: str) -> SessionError:
    return SessionError(f"--rest {shown(text)} is no address; expected {EXPECTED}")


class NotThere(SessionError):
    """The server has no such path."""


class _Unix(http.client.HTTPConnection):
    """A connection to a unix socket."""

    def __init__(self, path: str, timeout: float) -> None:
        super().__init__("localhost", timeout=timeout)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


@attrs.define
class Asking:
    """A server that is asked, from any thread."""

    address: Address
    headers: Mapping[str, str] = attrs.field(repr=False)
    longest: float
    """Seconds that one answer may take."""
    most: int
    """Bytes of one answer."""
    _stopped: Event = attrs.field(factory=Event, init=False)
    _open: set[socket.socket] = attrs.field(factory=set, init=False)
    _lock: Lock = attrs.field(factory=Lock, init=False)

    def stop(self) -> None:
        """Break off what is asked, and ask nothing more."""
        self._stopped.set()
        with self._lock:
            for each in self._open:
                _shut(each)

    def get(self, path: str, file: Path) -> None:
        """Write the answer to a path into a new file. SessionError in one line for any failure; OSError.

        NotThere if the server has no such path.
        """
        late = Event()
        try:
            self._get(path, file, late)
        except SessionError as error:
            raise type(error)(f"{METHOD} {path}: {error}") from None
        except (TimeoutError, OSError, http.client.HTTPException, ValueError) as error:
            why = self._why(error, late.is_set() or isinstance(error, TimeoutError))
            raise SessionError(f"{METHOD} {path}: {why}") from None

    def _get(self, path: str, file: Path, late: Event) -> None:
        connection = self._connection()
        try:
            connection.connect()
            with self._limited(connection.sock, late):
                headers = {"Accept": "application/json", "Connection": "close", **self.headers}
                connection.request(METHOD, self.address.prefix + path, headers=headers)
                answer = connection.getresponse()
                if answer.status != http.client.OK:
                    raise self._refused(answer)
                self._save(answer, file)
                if late.is_set() or self._stopped.is_set():
                    raise ConnectionAbortedError
        finally:
            connection.close()

    def _connection(self) -> http.client.HTTPConnection:
        address = self.address
        if address.scheme == "unix":
            return _Unix(address.socket, self.longest)
        if address.scheme == "https":
            context = ssl.create_default_context()
            return http.client.HTTPSConnection(
                address.host, address.port, timeout=self.longest, context=context
            )
        return http.client.HTTPConnection(address.host, address.port, timeout=self.longest)

    @contextmanager
    def _limited(self, open_: socket.socket, late: Event) -> Iterator[None]:
        """Shut a connection when its time is over, or when everything is broken off."""

        def end() -> None:
            late.set()
            _shut(open_)

        timer = Timer(self.longest, end)
        timer.daemon = True
        with self._lock:
            self._open.add(open_)
        timer.start()
        if self._stopped.is_set():
            _shut(open_)
        try:
            yield
        finally:
            timer.cancel()
            with self._lock:
                self._open.discard(open_)

    def _save(self, answer: http.client.HTTPResponse, file: Path) -> None:
        written = 0
        with file.open("wb") as stream:
            while part := answer.read(_PART):
                written += len(part)
                if written > self.most:
                    raise SessionError(f"its answer is larger than {size(self.most)}")
                stream.write(part)

    def _refused(self, answer: http.client.HTTPResponse) -> SessionError:
        """What an answer says that is none."""
        status = answer.status
        if status in _NO_ENTRY:
            given = any(name.endswith("TOKEN") for name in self.headers)
            what = "refuses the token" if given else "wants a token"
            return SessionError(f"the server {what} ({status}); expected one in SLURM_JWT or --token-file")
        if status == http.client.NOT_FOUND:
            return NotThere("the server has no such path (404)")
        if 300 <= status < 400:
            return SessionError(f"the server redirects to another place ({status}), which is not followed")
        said = _said(answer.read(_PART))
        return SessionError(f"the server answers {status}" + (f": {said}" if said else ""))

    def _why(self, error: Exception, late: bool) -> str:
        """Why an answer did not come, in one line."""
        if self._stopped.is_set():
            return "broken off"
        if late:
            return f"no answer within {self.longest:g} s"
        if isinstance(error, ssl.SSLCertVerificationError):
            return f"the certificate of the server is not valid: {printable(error.verify_message)}"
        if isinstance(error, ssl.SSLError):
            return f"the server does not speak TLS ({printable(error.reason or 'no reason')})"
        if isinstance(error, http.client.IncompleteRead):
            return "the answer is cut off"
        if isinstance(error, OSError) and error.strerror:
            return f"{self.address.text} cannot be reached: {error.strerror}"
        return f"{self.address.text} does not answer as a web server does"


def _shut(open_: socket.socket) -> None:
    with suppress(OSError):
        open_.shutdown(socket.SHUT_RDWR)


def _said(body: bytes) -> str:
    """The first error of an answer in JSON, or the first line of another."""
    try:
        error = json.loads(body)["errors"][0]
        words = [error.get(name) for name in ("description", "error")]
        text = ": ".join(word for word in words if isinstance(word, str) and word)
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
        text = next(iter(body.decode("utf-8", errors="replace").splitlines()), "")
    return printable(text.strip())[:_SHOWN]
