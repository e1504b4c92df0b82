"""One console behind a page: a process that ends with the page, and with the server."""

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence
from contextlib import suppress

from textual_serve.app_service import AppService

from shadowtime.console.orphan import SERVER

PATIENCE = 5.0
"""Seconds that a console has to end before it is killed."""
WIDEST, HIGHEST = 500, 200
"""Cells of the largest screen that a page gets."""
DRIVER = "shadowtime.console.serving.driver:PageDriver"
"""What draws to the page, and reads from it, in the process of a console."""
UNREAD = 1 << 20
"""Bytes of keys that wait for a console that is at work; further ones are dropped."""


def command_of(arguments: Sequence[str]) -> list[str]:
    """The command line that opens a console for a page."""
    return [sys.executable, "-P", "-m", "shadowtime", *arguments]


def fitted(width: object, height: object) -> tuple[int, int]:
    """The size of a screen as a page asks for it, within bounds; what is no number is 80 x 24."""
    return _within(width, 80, WIDEST), _within(height, 24, HIGHEST)


def _within(value: object, usual: int, most: int) -> int:
    if isinstance(value, str) and value.isascii() and value.isdigit():
        value = int(value[:9])
    return max(1, min(value, most)) if type(value) is int else usual


class PageConsole(AppService):
    """The process of a page. Whatever the process does, `stop` ends it."""

    arguments: Sequence[str] = ()
    """The command line; set before `start`."""

    async def _open_app_process(self, width: int = 80, height: int = 24) -> Process:
        # The page has all colours, whatever terminal the server was started in; NO_COLOR stays.
        environment = {
            **self._build_environment(width=width, height=height),
            "TERM": "xterm-256color",
            "COLORTERM": "truecolor",
            "TEXTUAL_DRIVER": DRIVER,
            SERVER: str(os.getpid()),
        }
        self._process = process = await asyncio.create_subprocess_exec(
            *self.arguments, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=environment
        )
        assert process.stdin is not None
        self._stdin = process.stdin
        return process

    async def run(self) -> None:
        """Hand on what the process draws; close the page when the process has ended."""
        try:
            await super().run()
        finally:
            with suppress(Exception):
                await self.remote_close()

    async def send_bytes(self, data: bytes) -> bool:
        """Send keys. Keys for a console that does not read are dropped: nothing waits for it."""
        return self._send(self.encode_packet(b"D", data))

    async def resize(self, width: object, height: object) -> None:
        """Give the console another size, within bounds."""
        wide, high = fitted(width, height)
        await self.set_terminal_size(wide, high)

    def _send(self, packet: bytes) -> bool:
        if self.stdin.is_closing() or self.stdin.transport.get_write_buffer_size() > UNREAD:
            return False
        self.stdin.write(packet)
        return True

    async def send_meta(self, data: dict[str, str | int | bool | None]) -> bool:
        """Send something else than keys, likewise."""
        return self._send(self.encode_packet(b"M", json.dumps(data).encode()))

    async def stop(self) -> None:
        """End the process: it is asked to, and killed if it does not."""
        process, task = self._process, self._task
        if process is None:
            return
        self._process = self._task = None
        await self.send_meta({"type": "quit"})
        if task is not None:
            # It may wait for a page that reads nothing.
            task.cancel()
            await asyncio.wait([task])
        try:
            with suppress(TimeoutError):
                await asyncio.wait_for(_ended(process), PATIENCE)
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    process.kill()
                await _ended(process)


async def _ended(process: Process) -> None:
    """Wait for the end of a process. Its end is known only when its output is read."""

    async def discard(output: asyncio.StreamReader | None) -> None:
        while output is not None and await output.read(UNREAD):
            pass

    await asyncio.gather(discard(process.stdout), discard(process.stderr), process.wait())
