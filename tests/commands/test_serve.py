"""`shadowtime serve`: a page, a console behind it, and nothing left when it ends."""

import asyncio
import importlib.util
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.commandline import ROOT, Shadowtime, command

Story = Callable[[str], Path]
DILEMMA = "fj97/dilemma.toml"
PATIENCE = 30.0
"""Seconds after which a test gives up waiting for what was to come."""

needs_the_extra = pytest.mark.skipif(
    importlib.util.find_spec("textual_serve") is None, reason="the extra 'serve' is not installed"
)


class Served:
    """A server in a process group of its own, and the address that it printed."""

    def __init__(self, *arguments: object) -> None:
        self.process = subprocess.Popen(
            command("serve", *arguments, "--port", "0"),
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        assert self.process.stdout is not None
        self.lines = [self.process.stdout.readline() for _ in range(2)]
        self.address = self.lines[0].split()[-1]

    def alone(self) -> bool:
        """Whether nothing of the process group is left."""
        try:
            os.killpg(self.process.pid, 0)
        except ProcessLookupError:
            return True
        return False

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


@needs_the_extra
def test_a_page_shows_the_console_and_its_keys_work(served: Served) -> None:
    """The first frame, a key, strangers refused; Ctrl+C ends with 130, and all consoles with it."""
    from aiohttp import ClientSession, WSServerHandshakeError

    assert served.lines[0].startswith("The console is at http://127.0.0.1:")
    assert "no authentication" in served.lines[1]

    async def browse() -> None:
        where = served.address.replace("http", "ws") + "/ws?width=120&height=36"
        async with ClientSession() as session:
            async with session.get(served.address) as page:
                text = await page.text()
            assert page.status == 200 and served.address.partition("//")[2] + "/ws" in text
            assert "https://" not in text.partition("<body")[0]
            with pytest.raises(WSServerHandshakeError):
                await session.ws_connect(where, headers={"Origin": "http://elsewhere.example"})
            async with session.get(served.address, headers={"Host": "elsewhere.example"}) as refused:
                assert refused.status == 403
            async with session.ws_connect(where, headers={"Origin": served.address}) as socket:
                browser = Browser(socket)
                await browser.shows("NODE MAP")
                await browser.shows("easy")
                await browser.press("nn")
                await browser.shows("starts 1")
                assert not served.alone()
                # A browser answers when a page is closed; so does whoever reads.
                closing = asyncio.create_task(socket.receive())
                assert await asyncio.to_thread(served.end, signal.SIGINT) == 130
                await closing
                await until(served.alone)

    asyncio.run(browse())


@needs_the_extra
@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs /proc, which lists the processes")
def test_a_server_that_is_killed_leaves_no_console(served: Served) -> None:
    """A console ends by itself when nobody serves it any more."""
    from aiohttp import ClientSession

    async def browse() -> None:
        async with (
            ClientSession() as session,
            session.ws_connect(served.address.replace("http", "ws") + "/ws") as socket,
        ):
            await Browser(socket).shows("QUEUE")
            assert served.end(signal.SIGKILL) == -signal.SIGKILL
            await until(served.alone)

    asyncio.run(browse())


@needs_the_extra
def test_a_port_that_is_taken_is_one_line(served: Served, shadowtime: Shadowtime) -> None:
    """The address, and why."""
    ended = shadowtime("serve", "--port", served.address.rpartition(":")[2])
    assert ended.code == 2
    assert ended.complaints == [f"cannot serve on {served.address[7:]}: address already in use"]


def test_without_the_extra_one_line_says_so(
    shadowtime: Shadowtime, monkeypatch: pytest.MonkeyPatch, story: Story
) -> None:
    """And how to get it."""
    monkeypatch.setattr("console.commands.serve.NEEDED", "a_module_that_nobody_has")
    ended = shadowtime("serve", story(DILEMMA))
    assert (ended.code, ended.out) == (2, "")
    assert ended.complaints == ["serve needs the extra 'serve': pip install 'shadowtime[serve]'"]


@needs_the_extra
def test_what_is_wrong_is_reported_before_anything_is_served(shadowtime: Shadowtime, tmp_path: Path) -> None:
    """A file that is none, options without a file, a theme that is none."""
    for arguments, fault in (
        ((tmp_path / "none.toml",), f"{tmp_path}/none.toml: no such file"),
        (("--policy", "easy"), "shadowtime serve: --policy needs a FILE (see shadowtime serve --help)"),
        (("--theme", "pink"), "shadowtime serve: there is no theme 'pink'; expected one of dark, light"),
    ):
        ended = shadowtime("serve", *arguments)
        assert (ended.code, ended.out) == (2, "")
        assert ended.complaints[0].startswith(fault)


def test_the_options_of_a_scenario_are_handed_on() -> None:
    """As they were given, quoted for the shell."""
    pytest.importorskip("textual_serve", reason="the extra 'serve' is not installed")
    from console.commands.serve import _given
    from console.serving import address, command_of

    given = list(_given(settings=("a=1", "b=[2, 3]"), at="50%", policy=None, nodes=4))
    assert given == ["--at", "50%", "--nodes", "4", "--set", "a=1", "--set", "b=[2, 3]"]
    line = command_of(["open", "a file.toml", *given])
    assert f"exec {sys.executable} -P -m console open 'a file.toml' --at 50% --nodes 4" in line
    assert address("::1", 80) == "http://[::1]:80"
