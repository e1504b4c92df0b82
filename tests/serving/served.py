"""A server in a process of its own, and what a page of it does."""

import asyncio
import importlib.util
import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.commandline import ROOT, command

Story = Callable[[str], Path]
DILEMMA = "fj97/dilemma.toml"
PATIENCE = 30.0
"""Seconds after which a test gives up waiting for what was to come."""

needs_the_extra = pytest.mark.skipif(
    importlib.util.find_spec("textual_serve") is None, reason="the extra 'serve' is not installed"
)


class Served:
    """A server in a process group of its own, and the address that it printed."""

    def __init__(self, *arguments: object, **environment: str) -> None:
        self.process = subprocess.Popen(
            command("serve", *arguments, "--port", "0"),
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
            env={**os.environ, **environment},
        )
        assert self.process.stdout is not None
        self.lines = [self.process.stdout.readline() for _ in range(2)]
        self.address = self.lines[0].split()[-1]
        self.origin, _, query = self.address.partition("/?")
        self.socket = f"{self.origin.replace('http', 'ws')}/ws?{query}"

    def alone(self) -> bool:
        """Whether nothing of the process group is left."""
        try:
            os.killpg(self.process.pid, 0)
        except ProcessLookupError:
            return True
        return False

    def size(self) -> int:
        """How many processes the group has."""
        listed = [entry / "stat" for entry in Path("/proc").iterdir() if entry.name.isdecimal()]
        groups = []
        for each in listed:
            with suppress(OSError):
                state, _, group = each.read_text().rpartition(")")[2].split()[:3]
                groups.append(group if state != "Z" else "")
        return groups.count(str(self.process.pid))

    def rest(self) -> str:
        """What was printed after the first lines, to the end."""
        assert self.process.stdout is not None
        return self.process.stdout.read()

    def close(self) -> None:
        """Leave nothing open."""
        assert self.process.stdout is not None
        self.process.stdout.close()

    def end(self, by: int) -> int:
        """End the server with a signal; return its exit code."""
        self.process.send_signal(by)
        return self.process.wait(PATIENCE)


@pytest.fixture
def served(story: Story) -> Iterator[Served]:
    """A story that is served; whatever a test leaves of it is ended."""
    server = Served(story(DILEMMA), "--variant", "easy")
    yield server
    if not server.alone():
        os.killpg(server.process.pid, signal.SIGKILL)
    server.process.wait(PATIENCE)
    assert server.process.stdout is not None
    server.process.stdout.close()


async def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds; fail when it never does."""
    async with asyncio.timeout(PATIENCE):
        while not holds():
            await asyncio.sleep(0.05)


class Browser:
    """What a page does, as far as the console is concerned."""

    def __init__(self, socket: object) -> None:
        self._socket = socket
        self.seen = ""

    async def shows(self, text: str) -> None:
        """Read frames until a text has come."""
        async with asyncio.timeout(PATIENCE):
            while text not in self.seen:
                message = await self._socket.receive()  # type: ignore[attr-defined]
                assert isinstance(message.data, bytes), f"{text!r} never came: {message}"
                self.seen += message.data.decode()

    async def press(self, keys: str) -> None:
        """Press keys; what was seen before is forgotten."""
        self.seen = ""
        await self._socket.send_json(["stdin", keys])  # type: ignore[attr-defined]
