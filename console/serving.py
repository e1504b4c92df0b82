"""The console in a browser: a server of pages, each of which is a console in a process of its own.

It stands on textual-serve and adds what a server without passwords needs: it answers only pages that it
served itself, so that no other page in the browser can press keys here, and it ends with all its consoles.
"""

import asyncio
import re
import shlex
import socket
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

from aiohttp import web
from textual_serve.server import Server

LOOPBACK = frozenset(("127.0.0.1", "localhost", "::1"))
"""The names of this machine, as only it can use them."""
PATIENCE = 5.0
"""Seconds that a console has to end before it is left to itself."""

OUTSIDE = re.compile(r"<link[^>]*\"https://[^>]*>")
"""What a page would load from another host: a font. It has another one without."""
FOCUS = """<script>
new MutationObserver((_, observer) => {
  const keys = document.querySelector("textarea.xterm-helper-textarea");
  if (keys) { keys.focus(); observer.disconnect(); }
}).observe(document, {childList: true, subtree: true});
</script>"""
"""Gives the keys to the console as soon as it is there: otherwise the mouse would be needed first."""

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def command_of(arguments: Sequence[str]) -> str:
    """The shell's command that opens a console for a page, whatever terminal the server was started in."""
    # The page has all colours; NO_COLOR goes with the rest of the environment.
    opening = shlex.join([sys.executable, "-P", "-m", "console", *arguments])
    return f"TERM=xterm-256color COLORTERM=truecolor exec {opening}"


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens there; port 0 picks a free one. Raises OSError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family)


def address(host: str, port: int) -> str:
    """The address that a browser asks for."""
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


class Pages(Server):
    """Serves consoles on a socket until it is told to end."""

    def __init__(self, command: str, host: str, listener: socket.socket, title: str) -> None:
        port = listener.getsockname()[1]
        super().__init__(command, host, port, title, public_url=address(host, port))
        self._listener = listener
        self._consoles: set[asyncio.Task[object]] = set()

    def serve(self, debug: bool = False) -> None:
        """Serve until the process is told to end; every console has ended then."""
        web.run_app(
            self._make_app(),
            sock=self._listener,
            print=None,
            shutdown_timeout=PATIENCE,
            handle_signals=True,
        )

    async def _make_app(self) -> web.Application:
        app = await super()._make_app()
        app.middlewares.append(self._guarded)
        return app

    @web.middleware
    async def _guarded(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refuse requests that another site's page has a browser send."""
        if self.host in LOOPBACK and request.url.host not in LOOPBACK:
            raise web.HTTPForbidden(text=f"{request.host} is no name of this console")
        origin = request.headers.get("Origin")
        if origin is not None and origin.partition("://")[2] != request.host:
            raise web.HTTPForbidden(text=f"a page of {origin} may not use this console")
        return await handler(request)

    async def handle_index(self, request: web.Request) -> web.StreamResponse:
        """Serve the page, whose socket has the name by which the browser knows this machine."""
        self.public_url = f"{request.scheme}://{request.host}"
        response = await super().handle_index(request)
        assert isinstance(response, web.Response) and response.text is not None
        response.text = OUTSIDE.sub("", response.text).replace("</head>", f"{FOCUS}</head>")
        return response

    async def handle_websocket(self, request: web.Request) -> web.WebSocketResponse:
        """Serve one console."""
        task = asyncio.current_task()
        assert task is not None
        self._consoles.add(task)
        try:
            return await super().handle_websocket(request)
        finally:
            self._consoles.discard(task)

    async def on_startup(self, app: web.Application) -> None:
        """Say nothing: the command has said it."""

    async def on_shutdown(self, app: web.Application) -> None:
        """End every console, rather than wait until its page is closed."""
        consoles = list(self._consoles)
        for console in consoles:
            console.cancel()
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                await asyncio.gather(*consoles, return_exceptions=True)
