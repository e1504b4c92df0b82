"""Who has no token takes nothing from who has: connections that are half open, malformed, slow, or many."""

import asyncio
import hmac
import signal
import sys
from asyncio.subprocess import Process
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from itertools import cycle, islice

import pytest

from shadowtime.console.themes import DARK, LIGHT
from tests.serving.served import PATIENCE, Browser, Served, until

resource = pytest.importorskip("resource", reason="the system has no bounds for open files")
pytest.importorskip("textual_serve", reason="the extra 'serve' is not installed")

from shadowtime.console.serving import gate, page_console, pages  # noqa: E402
from shadowtime.console.serving.names import Door, listening  # noqa: E402
from shadowtime.console.serving.page_console import PageConsole  # noqa: E402
from shadowtime.console.serving.pages import Pages  # noqa: E402

HALF_OPEN = (b"", b"G", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-", b"GET /?token=wrong HTTP/1.1\r\n")
MALFORMED = (
    b"\x16\x03\x01\x00\xa5\x01\x00\x00",
    b"GET / HTTP/9.9\r\n\r\n",
    b"\r\n\r\n",
    b"GET / HTTP/1.1 and more\r\n\r\n",
    b"GET /\x00 HTTP/1.1\r\n\r\n",
    b"get / HTTP/1.1\r\n\r\n",
    b"A" * 9000,
    b"PRI * HTTP/2.0\r\n\r\n",
)
# What makes of a first line with the token a request that is none, in the head or behind it.
BEHIND = (
    b"A b\r\n\r\n",
    b"Content-Length: -1\r\n\r\n",
    b"X: \x00\r\n\r\n",
    b"\xff\r\n\r\n",
    b"X: " + b"x" * 9000,
    b"X: y\r\n" * 200 + b"\r\n",
    b"Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\nzz\r\n",
)


class Crowd:
    """Connections to a port of this machine, which stay open until the server closes them."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.answers: Counter[bytes] = Counter()

    async def each(self, *sent: bytes) -> None:
        """Open a connection for each text, and count the first lines of the answers; b"" is none."""
        await asyncio.gather(*map(self._one, sent))

    async def _one(self, sent: bytes) -> None:
        answer = b""
        with suppress(ConnectionError):
            reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
            try:
                writer.write(sent)
                answer = (await reader.read()).partition(b"\r\n")[0]
            finally:
                writer.close()
        self.answers[answer] += 1


def _port(served: Served) -> int:
    return int(served.origin.rpartition(":")[2])


async def _works(browser: Browser) -> None:
    """Change the theme and change it back: what is drawn of another change may be one letter."""
    for name, theme in (("light", LIGHT), ("dark", DARK)):
        await browser.press(":")
        await browser.shows("goto 50%")
        await browser.press(f"theme {name}\r")
        await browser.shows(f"\x1b]11;{theme.background}\x1b\\")


async def _besieged(served: Served, half_open: int, malformed: int) -> Counter[bytes]:
    """Use a page and open another one while strangers come; return the answers that they got."""
    from aiohttp import ClientSession

    async with ClientSession() as session, session.ws_connect(served.socket) as socket:
        browser = Browser(socket)
        await browser.shows("QUEUE")
        crowd = Crowd(_port(served))
        waiting = asyncio.create_task(crowd.each(*islice(cycle(HALF_OPEN), half_open)))
        answered = asyncio.create_task(crowd.each(*islice(cycle(MALFORMED), malformed)))
        await _works(browser)
        async with session.get(served.address, headers={"Connection": "close"}) as page:
            assert page.status == 200
        async with session.ws_connect(served.socket) as other:
            await Browser(other).shows("QUEUE")
        await answered
        await _works(browser)
        waiting.cancel()
        await asyncio.wait([waiting])
    return crowd.answers


def _rest(served: Served) -> list[str]:
    assert served.end(signal.SIGTERM) == 130
    return served.rest().splitlines()


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="the bounds of another process cannot be set")
def test_a_page_works_while_strangers_keep_connections_open(served: Served) -> None:
    """More of them than the server may open files: they are closed, and one line reports it."""
    resource.prlimit(served.process.pid, resource.RLIMIT_NOFILE, (400, 400))
    answers = asyncio.run(_besieged(served, 450, 150))
    assert answers.total() >= 150
    assert len(_rest(served)) == 2


@pytest.mark.proof
def test_a_page_works_while_thousands_of_strangers_come(served: Served) -> None:
    """Two thousand that never end their head, and two thousand that send what is no request."""
    files = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(files[1], 8192), files[1]))
    try:
        answers = asyncio.run(_besieged(served, 2000, 2000))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, files)
    assert answers.total() >= 2000
    assert len(_rest(served)) == 2


def test_what_is_no_request_prints_nothing(served: Served) -> None:
    """Neither from a stranger, nor behind a first line with the token, nor where a socket is expected."""
    target = served.address.partition(served.origin)[2].encode()

    async def send() -> Counter[bytes]:
        crowd = Crowd(_port(served))
        first = b"GET " + target + b" HTTP/1.1\r\nHost: localhost\r\n"
        await crowd.each(*MALFORMED, *(first + each for each in BEHIND))
        await crowd.each(first.replace(b" /?", b" /ws?") + b"Connection: close\r\n\r\n")
        return crowd.answers

    answers = asyncio.run(send())
    assert answers.total() == len(MALFORMED) + len(BEHIND) + 1
    assert {answer[9:12] for answer in answers} == {b"400"}
    assert _rest(served) == ["interrupted"]


ENDLESS = """import sys
print("__GANGLION__", flush=True)
while True:
    sys.stdout.buffer.write(b"D" + (1 << 16).to_bytes(4, "big") + b" " * (1 << 16))
"""
"""A console that draws for ever."""
QUIET = """import sys
print("__GANGLION__", flush=True)
while b"quit" not in sys.stdin.buffer.read1():
    pass
"""
"""A console that draws nothing, and ends with its page."""


class Open:
    """Pages of a program that stands for the console, served by this process."""

    def __init__(self, program: str) -> None:
        self.door = Door("a-token", "127.0.0.1")
        self.lines: list[str] = []
        self.listener = listening("127.0.0.1", 0)
        self.port = int(self.listener.getsockname()[1])
        self.pages = Pages([sys.executable, "-c", program], self.listener, self.door, "", self.lines.append)
        self.address = f"http://127.0.0.1:{self.port}/?token={self.door.token}"
        self.socket = self.address.replace("http", "ws").replace("/?", "/ws?")

    async def answers(self, *sent: bytes) -> Counter[bytes]:
        """What the texts are answered, each on a connection of its own."""
        crowd = Crowd(self.port)
        await crowd.each(*sent)
        return crowd.answers


@asynccontextmanager
async def _opened(program: str = QUIET) -> AsyncIterator[Open]:
    opened = Open(program)
    with opened.listener:
        ended = asyncio.Event()
        serving = asyncio.create_task(opened.pages.served(ended))
        yield opened
        ended.set()
        await serving


def test_a_connection_has_a_time_to_show_the_token(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then it is closed without an answer, whatever it has sent; nothing is reported."""
    monkeypatch.setattr(gate, "PATIENCE", 0.2)

    async def send() -> None:
        async with _opened() as opened:
            assert await opened.answers(*HALF_OPEN) == {b"": len(HALF_OPEN)}
            assert not opened.lines

    asyncio.run(send())


def test_one_more_stranger_closes_the_oldest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exactly those for which there is no room, and one line; who shows the token is served in between."""
    monkeypatch.setattr(gate, "STRANGERS", 8)
    monkeypatch.setattr(gate, "BATCH", 4)

    async def send() -> None:
        async with _opened() as opened:
            crowd = Crowd(opened.port)
            waiting = [asyncio.create_task(crowd.each(b"")) for _ in range(20)]
            await until(lambda: crowd.answers[b""] == 12)
            own = b"GET /?token=a-token HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
            assert await opened.answers(own) == {b"HTTP/1.1 200 OK": 1}
            for task in waiting:
                task.cancel()
            await asyncio.wait(waiting)
            assert len(opened.lines) == 1

    asyncio.run(send())


def test_a_refusal_ends_the_connection() -> None:
    """One answer, whatever follows the first head, in whatever pieces it comes."""

    async def send() -> None:
        async with _opened() as opened:
            for sent, status in (
                (b"GET /?token=x HTTP/1.1\r\nHost: a\r\n\r\n" * 50, b"403"),
                (b"GET / HTTP/1.0\n\n", b"403"),
                (b"POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nGET /?token=a-token HTTP/1.1\r\n\r\n", b"403"),
                (b"GET / HTTP/1.1\r\nX: " + b"x" * (1 << 17), b"403"),
                (b"NONSENSE\r\n" * 50, b"400"),
            ):
                for step in (1, len(sent)):
                    reader, writer = await asyncio.open_connection("127.0.0.1", opened.port)
                    answer = b""
                    with suppress(ConnectionError):
                        for at in range(0, len(sent), step if len(sent) < 100 else len(sent)):
                            writer.write(sent[at : at + step] if len(sent) < 100 else sent)
                            await writer.drain()
                            await asyncio.sleep(0)
                        answer = await reader.read()
                    writer.close()
                    assert answer.count(b"HTTP/1.1 ") <= 1
                    assert answer[9:12] in (status, b""), sent[:40]

    asyncio.run(send())


def test_every_guess_is_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole of it, in the query and before the path, at the gate and behind it."""
    compared: list[bytes] = []

    def compare(given: bytes, token: bytes) -> bool:
        compared.append(given)
        return given == token

    monkeypatch.setattr(hmac, "compare_digest", compare)
    door = Door("a-token", "127.0.0.1")
    for target, shown in (
        ("/?token=a-token", True),
        ("/a-token/ws", True),
        ("/ws?token=a-toke", False),
        ("/a-tokens/ws?token=", False),
        ("/a-token", False),
        ("/?token=%E4%ff", False),
        ("http://[", False),
        ("*", False),
    ):
        assert door.shown(target) is shown, target
    assert compared.count(b"a-token") == 2 and b"a-toke" in compared and b"a-tokens" in compared


def test_a_flood_of_new_pages_starts_no_more_consoles_than_there_may_be(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whoever comes at the same time, too; a place is free again when the process has ended."""
    from aiohttp import ClientSession, ClientWebSocketResponse, WSServerHandshakeError

    monkeypatch.setattr(pages, "MOST", 3)
    begun: list[int] = []
    start = PageConsole.start

    async def counted(self: PageConsole, width: int, height: int) -> None:
        begun.append(width)
        await start(self, width, height)

    monkeypatch.setattr(PageConsole, "start", counted)

    async def browse() -> None:
        async with _opened() as opened, ClientSession() as session:

            async def page() -> ClientWebSocketResponse | int:
                try:
                    return await session.ws_connect(opened.socket)
                except WSServerHandshakeError as error:
                    return error.status

            got = await asyncio.gather(*(page() for _ in range(40)))
            assert got.count(503) == 37 and len(begun) == 3
            for each in got:
                if isinstance(each, ClientWebSocketResponse):
                    await each.close()
            async with asyncio.timeout(PATIENCE):
                while isinstance(again := await page(), int):
                    await asyncio.sleep(0.05)
            await again.close()

    asyncio.run(browse())


def test_there_is_a_bound_for_connections_with_the_token(monkeypatch: pytest.MonkeyPatch) -> None:
    """One more gets an answer and is closed; requests on an open one go on."""
    monkeypatch.setattr(gate, "GUESTS", 4)

    async def send() -> None:
        async with _opened() as opened:
            own = b"GET /?token=a-token HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
            guests = [await asyncio.open_connection("127.0.0.1", opened.port) for _ in range(4)]
            for reader, writer in guests:
                writer.write(own)
                assert (await reader.readline()).endswith(b"200 OK\r\n")
            assert await opened.answers(own) == {b"HTTP/1.1 503 Service Unavailable": 1}
            # A hundred requests at once are answered in their order, a wrong one among them by itself.
            reader, writer = guests[0]
            writer.write(own * 50 + own.replace(b"a-token", b"x") + own * 49)
            statuses: list[bytes] = []
            async with asyncio.timeout(PATIENCE):
                while len(statuses) < 100:
                    line = await reader.readline()
                    if b"HTTP/1.1 " in line:
                        statuses.append(line.partition(b"HTTP/1.1 ")[2][:3])
            assert statuses == [b"200"] * 50 + [b"403"] + [b"200"] * 49
            for _, writer in guests:
                writer.close()

    asyncio.run(send())


def test_a_page_that_does_not_read_ends_with_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its console waits for it, holds no more than a bound, and is killed; another page works meanwhile."""
    from aiohttp import ClientSession

    monkeypatch.setattr(pages, "GOODBYE", 0.2)
    monkeypatch.setattr(page_console, "PATIENCE", 0.2)
    processes: list[Process] = []
    open_process = PageConsole._open_app_process

    async def kept(self: PageConsole, width: int = 80, height: int = 24) -> Process:
        processes.append(await open_process(self, width, height))
        return processes[-1]

    monkeypatch.setattr(PageConsole, "_open_app_process", kept)

    async def browse() -> None:
        async with _opened(ENDLESS) as opened:
            reader, writer = await asyncio.open_connection("127.0.0.1", opened.port, limit=1024)
            writer.write(
                b"GET /ws?token=a-token HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                b"Upgrade: websocket\r\nConnection: Upgrade\r\n"
                b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n"
            )
            assert b"101" in await reader.readline()
            async with ClientSession() as session, session.ws_connect(opened.socket) as socket:
                for _ in range(50):
                    assert (await socket.receive()).data
            assert len(processes) == 2
        writer.close()
        assert all(process.returncode is not None for process in processes)

    asyncio.run(browse())


def test_a_message_that_is_too_large_ends_its_page() -> None:
    """In one frame, in many, or packed; the server and its other pages go on."""
    from aiohttp import ClientSession, WSMsgType

    async def browse() -> None:
        async with _opened() as opened, ClientSession() as session:
            async with session.ws_connect(opened.socket) as other:
                for packed in (0, 15):
                    async with session.ws_connect(opened.socket, compress=packed) as socket:
                        await socket.send_str(" " * (pages.LONGEST + 1))
                        message = await socket.receive()
                        assert (message.type, message.data) == (WSMsgType.CLOSE, 1009)
                async with session.ws_connect(opened.socket) as socket:
                    writer = socket._writer
                    with suppress(ConnectionError):
                        await writer.send_frame(b" " * 60000, WSMsgType.TEXT, None)
                        for _ in range(40):
                            await writer.send_frame(b" " * 60000, WSMsgType.CONTINUATION)
                    message = await socket.receive()
                    assert message.type in (WSMsgType.CLOSE, WSMsgType.ERROR, WSMsgType.CLOSED)
                # A page that is gone at once, or that cuts its connection, is nothing to report.
                async with session.ws_connect(opened.socket) as socket:
                    assert socket._conn is not None and socket._conn.transport is not None
                    await socket.send_json(["ping", 7])
                    socket._conn.transport.abort()
                await other.send_json(["ping", 7])
                assert (await other.receive()).json() == ["pong", 7]
            assert not opened.lines

    asyncio.run(browse())
