"""The gate in front of the server: a connection gets to it with the first line that shows the token.

The server's own settings limit how long a connection may be idle, but not how many there are. So a small
protocol of its own meets whoever has not shown the token. It reads one head of a request, within a time.
There is room for a number of such connections: one more closes the oldest of them.
"""

import asyncio
import re
import socket
from collections.abc import Callable, Mapping
from http import HTTPStatus

from aiohttp import web

from shadowtime.console.serving.names import Door

STRANGERS = 256
"""Connections at the same time that have not shown the token."""
GUESTS = 512
"""Connections at the same time that have: a console has one, and a browser that loads a page some more."""
BATCH = 32
"""Connections that are accepted at once: fewer than STRANGERS, so that none is closed unread."""
QUEUE = 4096
"""Connections that wait to be accepted: the system takes no more than its own bound."""
PATIENCE = 10.0
"""Seconds that a connection has to show the token."""
LONGEST = 8190
"""Bytes of the first line of a request, as in the server."""
HEAD = 1 << 16
"""Bytes of a head that is read to its end: whoever is cut off while it writes sees no answer."""
FIRST = re.compile(rb"[A-Z]{1,20} ([!-~\x80-\xff]+) HTTP/1\.[01]\r?\n")
"""The first line of a request, with its target."""
END = re.compile(rb"\n\r?\n")
"""The end of a head."""

BROKEN = "the request is no HTTP/1.1\n"
NO_TOKEN = "the address has no token, or an old one; expected the address that serve printed\n"
CROWD = f"more than {STRANGERS} connections do not show the token; the oldest are closed"
TOO_MANY = f"{GUESTS} connections are open: no more are served\n"


class Gate:
    """Accepts the connections of a listener, and hands those that show the token on to a server."""

    def __init__(
        self, door: Door, server: web.Server, headers: Mapping[str, str], report: Callable[[str], None]
    ) -> None:
        """Hand on to `server`; answers have `headers`; `report` gets a line, once, when there is no room."""
        self._door = door
        self._server = server
        self._headers = headers
        self._report = report
        self._crowded = False
        self._waiting: dict[Stranger, None] = {}

    async def open(self, listener: socket.socket) -> asyncio.Server:
        """Accept connections from now on; the returned server ends that."""
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(self._failed)
        accepting = await loop.create_server(lambda: Stranger(self), sock=listener, backlog=BATCH)
        # The event loop has one number for both: those that it accepts at once, and those that wait.
        listener.listen(QUEUE)
        return accepting

    def arrived(self, stranger: "Stranger") -> None:
        if len(self._waiting) >= STRANGERS:
            self._crowd()
            oldest = next(iter(self._waiting))
            oldest.leave()
        self._waiting[stranger] = None

    def left(self, stranger: "Stranger") -> None:
        self._waiting.pop(stranger, None)

    def judged(self, head: bytes) -> HTTPStatus:
        """How a request is answered that begins so: OK lets it in."""
        first = FIRST.match(head)
        if first is None:
            return HTTPStatus.BAD_REQUEST
        if not self._door.shown(first[1].decode("latin-1")):
            return HTTPStatus.FORBIDDEN
        return HTTPStatus.OK if len(self._server.connections) < GUESTS else HTTPStatus.SERVICE_UNAVAILABLE

    def refusal(self, status: HTTPStatus) -> bytes:
        texts = {HTTPStatus.BAD_REQUEST: BROKEN, HTTPStatus.FORBIDDEN: NO_TOKEN}
        body = texts.get(status, TOO_MANY).encode()
        fields = {
            **self._headers,
            "Content-Type": "text/plain; charset=utf-8",
            "Content-Length": str(len(body)),
            "Connection": "close",
        }
        lines = [f"HTTP/1.1 {status.value} {status.phrase}", *(f"{name}: {fields[name]}" for name in fields)]
        return "\r\n".join([*lines, "", ""]).encode() + body

    def admit(self, transport: asyncio.Transport, head: bytes) -> None:
        """Hand a connection on to the server, with what it has sent."""
        guest = self._server()
        transport.set_protocol(guest)
        guest.connection_made(transport)
        guest.data_received(head)

    def _failed(self, loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
        """Report once that no more files can be opened; the loop tries again by itself."""
        if isinstance(context.get("exception"), OSError) and "socket" in context:
            self._crowd()
        else:
            loop.default_exception_handler(context)

    def _crowd(self) -> None:
        if not self._crowded:
            self._crowded = True
            self._report(CROWD)


class Stranger(asyncio.Protocol):
    """A connection that has not shown the token."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate
        self._head = bytearray()
        self._status: HTTPStatus | None = None
        self._transport: asyncio.Transport | None = None
        self._clock: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to wait for the head of a request."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._clock = asyncio.get_running_loop().call_later(PATIENCE, self.leave)
        self._gate.arrived(self)

    def data_received(self, data: bytes) -> None:
        """Hand the connection on, or refuse it, as soon as its head shows which."""
        if self._transport is None or self._transport.is_closing():
            return
        self._head += data
        # Each byte is looked at once, however small the pieces are.
        if self._status is None and (
            b"\n" in data or len(self._head) > LONGEST or not self._head[:1].isupper()
        ):
            self._status = self._gate.judged(bytes(self._head))
        if self._status is HTTPStatus.OK:
            self._end()
            self._gate.admit(self._transport, bytes(self._head))
        elif self._status is not None and self._read_enough(len(data)):
            # The answer goes out until `leave`, even if nobody reads it.
            self._transport.write(self._gate.refusal(self._status))
            self._transport.close()

    def _read_enough(self, new: int) -> bool:
        """Whether the answer can be given: a head without the token is read to its end."""
        if self._status is not HTTPStatus.FORBIDDEN or len(self._head) > HEAD:
            return True
        return END.search(self._head, max(0, len(self._head) - new - 3)) is not None

    def connection_lost(self, error: Exception | None) -> None:
        """Give the place to another one."""
        self._end()

    def leave(self) -> None:
        """Close the connection without an answer."""
        self._end()
        if self._transport is not None:
            self._transport.abort()

    def _end(self) -> None:
        self._gate.left(self)
        if self._clock is not None:
            self._clock.cancel()
