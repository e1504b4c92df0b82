"""The server: who asks with its token, by one of its names and from its own pages, gets a console.

The pages, their script and the protocol between page and console are those of textual-serve.
"""

import asyncio
import json
import logging
import re
import signal
import socket
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import aiohttp_jinja2
import jinja2
import textual_serve
from aiohttp import WSMsgType, web
from aiohttp.http_exceptions import HttpProcessingError
from textual_serve.download_manager import DownloadManager

from shadowtime.console.serving.gate import NO_TOKEN, Gate
from shadowtime.console.serving.names import BadName, Door, Named
from shadowtime.console.serving.page_console import PATIENCE, PageConsole, fitted

MOST = 64
"""Consoles at the same time: each is a process of a hundred megabytes."""
HEARTBEAT = 15.0
"""Seconds between two questions whether a page is still there."""
IDLE = 75.0
"""Seconds that a connection with the token may be without a whole request."""
GOODBYE = 2.0
"""Seconds that a page has to answer that it is closed."""
LONGEST = 1 << 20
"""Bytes of a message of a page."""
OUTSIDE = re.compile(r"<link[^>]*\"https://[^>]*>")
"""What a page would load from another host: a font. It has another one without."""
FOCUS = """<script>
new MutationObserver((_, observer) => {
  const keys = document.querySelector("textarea.xterm-helper-textarea");
  if (keys) { keys.focus(); observer.disconnect(); }
}).observe(document, {childList: true, subtree: true});
</script>"""
"""Gives the keys to the console as soon as it is there: otherwise the mouse would be needed first."""
RIM = """<script>
new MutationObserver(() => {
  const ground = document.querySelector(".xterm-viewport");
  if (ground) document.body.style.background = ground.style.backgroundColor;
}).observe(document, {attributes: true, attributeFilter: ["style"], childList: true, subtree: true});
</script>"""
"""Gives the rim around the cells the ground that the console gives its terminal."""
HEADERS: Mapping[str, str] = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""No other site shows a page, and none learns its address, which holds the token."""
SMALLEST, LARGEST = 4, 64
"""Pixels of a letter."""
HOME = Path(textual_serve.__file__).parent

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Pages:
    """Serves the console of a command line on a socket until it is told to end."""

    def __init__(
        self,
        command: Sequence[str],
        listener: socket.socket,
        door: Door,
        title: str,
        report: Callable[[str], None],
    ) -> None:
        """Serve `command` on `listener` to who comes through `door`; `report` gets lines for the terminal."""
        self._command = command
        self._listener = listener
        self._door = door
        self._title = title
        self._report = report
        self._consoles: dict[asyncio.Task[object], web.WebSocketResponse] = {}
        self._downloads = DownloadManager()

    def serve(self) -> None:
        """Serve until the process is told to end; every console has ended then."""

        async def serving() -> None:
            ended = asyncio.Event()
            _end_with_signals(ended)
            await self.served(ended)

        asyncio.run(serving())

    async def served(self, ended: asyncio.Event) -> None:
        """Serve in an event loop until an event."""
        runner = web.AppRunner(
            self.application(),
            access_log=None,
            logger=_quiet(),
            keepalive_timeout=IDLE,
            lingering_time=0,
            shutdown_timeout=PATIENCE,
        )
        await runner.setup()
        try:
            assert runner.server is not None
            gate = Gate(self._door, runner.server, HEADERS, self._report)
            accepting = await gate.open(self._listener)
            try:
                await ended.wait()
            finally:
                accepting.close()
        finally:
            await runner.cleanup()

    def application(self) -> web.Application:
        """The application: everything is reached by the token in the query, or before the path."""
        app = web.Application(middlewares=[self._guarded])
        aiohttp_jinja2.setup(app, loader=jinja2.FileSystemLoader(HOME / "templates"))
        for place in ("", f"/{self._door.token}"):
            app.router.add_get(f"{place}/", self._page)
            app.router.add_get(f"{place}/ws", self._socket)
            app.router.add_static(f"{place}/static", HOME / "static", show_index=False)
        app.on_shutdown.append(self._end)
        app.on_response_prepare.append(_with_headers)
        return app

    @web.middleware
    async def _guarded(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refuse who has no token, and requests that another site's page has a browser send."""
        try:
            named = Named.read(request.headers.get("Host", ""))
        except BadName as error:
            raise web.HTTPBadRequest(text=f"{error}\n") from None
        if not self._door.known(named):
            raise web.HTTPForbidden(text=f"{named.name} is no name of this console (--allow-host)\n")
        origin = request.headers.get("Origin")
        if origin is not None and not self._door.own(origin, named, request.scheme):
            raise web.HTTPForbidden(text="a page of another site may not use this console\n")
        # The gate has read the first request of a connection; others come after it.
        if not self._door.shown(request.raw_path):
            raise web.HTTPForbidden(text=NO_TOKEN)
        return await handler(request)

    async def _page(self, request: web.Request) -> web.StreamResponse:
        """Serve the page, whose socket has the name by which the browser knows this machine."""
        secure, host = ("s" if request.scheme == "https" else ""), request.host
        place = f"{host}/{self._door.token}"
        size = request.query.get("fontsize", "")
        context = {
            "font_size": max(SMALLEST, min(int(size[:4]), LARGEST)) if size.isdecimal() else 16,
            "app_websocket_url": f"ws{secure}://{place}/ws",
            "config": {"static": {"url": f"http{secure}://{place}/static/"}},
            "application": {"name": self._title},
        }
        response = aiohttp_jinja2.render_template("app_index.html", request, context)
        assert response.text is not None
        response.text = OUTSIDE.sub("", response.text).replace("</head>", f"{FOCUS}{RIM}</head>")
        return response

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        """Serve one console, from the first message of its page to the last."""
        if len(self._consoles) >= MOST:
            raise web.HTTPServiceUnavailable(text=f"{MOST} consoles are open: no more are served\n")
        task = asyncio.current_task()
        assert task is not None
        page = web.WebSocketResponse(heartbeat=HEARTBEAT, max_msg_size=LONGEST, timeout=GOODBYE)
        # The place is taken before anything is waited for, and given back when the process has ended.
        self._consoles[task] = page
        console = PageConsole(
            "",
            write_bytes=page.send_bytes,
            write_str=page.send_str,
            close=lambda: _part(page),
            download_manager=self._downloads,
        )
        console.arguments = self._command
        connection = request.transport
        try:
            await page.prepare(request)
            await console.start(*fitted(request.query.get("width"), request.query.get("height")))
            async for message in page:
                if message.type is WSMsgType.TEXT:
                    await _obey(message.data, page, console)
        except ConnectionError:
            # The page is gone.
            pass
        except OSError as error:
            self._report(f"a page gets no console: {(error.strerror or str(error)).lower()}")
        except asyncio.CancelledError:
            # The server ends.
            pass
        finally:
            await _part(page)
            await console.stop()
            del self._consoles[task]
            if connection is not None and connection.get_write_buffer_size():
                # A page that reads nothing would never be rid of the rest.
                connection.abort()
        return page

    async def _end(self, app: web.Application) -> None:
        """End every console, rather than wait until its page is closed."""
        consoles = list(self._consoles)
        for console, page in self._consoles.items():
            if not page.closed:
                console.cancel()
        if consoles:
            # A console that does not end by itself is killed after PATIENCE.
            await asyncio.wait(consoles, timeout=2 * PATIENCE)


def _end_with_signals(ended: asyncio.Event) -> None:
    """End with Ctrl+C, when asked to, and when the terminal is closed, unless that is to be ignored."""
    signals = [signal.SIGINT, signal.SIGTERM]
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        signals.append(signal.SIGHUP)
    for number in signals:
        # Where there are no such handlers, Ctrl+C cancels what runs.
        with suppress(NotImplementedError):
            asyncio.get_running_loop().add_signal_handler(number, ended.set)


def _quiet() -> logging.Logger:
    """The log of the server without what a page, or whoever shares its connection, sends wrongly."""
    for name in ("aiohttp", "asyncio"):
        logging.getLogger(name).setLevel(logging.ERROR)
    log = logging.getLogger("aiohttp.server")
    log.addFilter(lambda entry: not (entry.exc_info and isinstance(entry.exc_info[1], HttpProcessingError)))
    return log


async def _part(page: web.WebSocketResponse) -> None:
    """Close a page, whose answer is not waited for very long."""
    with suppress(TimeoutError):
        async with asyncio.timeout(GOODBYE):
            if page.prepared:
                await page.close()


async def _with_headers(request: web.Request, response: web.StreamResponse) -> None:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)


async def _obey(text: str, page: web.WebSocketResponse, console: PageConsole) -> None:
    """Do what a message of a page says; a message without a meaning is passed over."""
    try:
        envelope = json.loads(text)
    except (ValueError, RecursionError):
        return
    match envelope:
        case ["stdin", str(keys)]:
            await console.send_bytes(keys.encode("utf-8", "replace"))
        case ["resize", {"width": width, "height": height}]:
            await console.resize(width, height)
        case ["ping", answer]:
            await page.send_json(["pong", answer])
        case ["blur", *_]:
            await console.blur()
        case ["focus", *_]:
            await console.focus()
