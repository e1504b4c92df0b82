"""`shadowtime serve`: a page, a console behind it, and nothing left when it ends."""

import asyncio
import re
import signal
import socket
import sys
from pathlib import Path

import pytest

from tests.commandline import Shadowtime
from tests.serving.served import DILEMMA, Browser, Served, Story, needs_the_extra, until


@needs_the_extra
def test_a_page_shows_the_console_and_its_keys_work(served: Served) -> None:
    """The first frame, a key; Ctrl+C ends with 130, and all consoles with it."""
    from aiohttp import ClientSession

    assert served.lines[0].startswith("The console is at http://127.0.0.1:")
    assert served.lines[1] == "Everybody who has this address can use the console. Ctrl+C ends it.\n"

    async def browse() -> None:
        async with ClientSession() as session:
            async with session.get(served.address) as page:
                text = await page.text()
            assert page.status == 200 and "https://" not in text.partition("<body")[0]
            assert page.headers["Referrer-Policy"] == "no-referrer"
            # Everything that the page loads is there, and nothing else is needed to load it.
            for link in re.findall(r'(?:href|src)="([^"]+)"', text):
                async with session.get(link) as found:
                    assert found.status == 200, link
            (where,) = re.findall(r'data-session-websocket-url="([^"]+)"', text)
            async with session.ws_connect(
                f"{where}?width=120&height=36", headers={"Origin": served.origin}
            ) as socket:
                browser = Browser(socket)
                await browser.shows("NODE MAP")
                await browser.shows("easy")
                await browser.press("nn")
                await browser.shows("starts job 1")
                for nonsense in ("[", "[]", "7", '["stdin"]', '["resize", 3]', "[" * 100_000):
                    await socket.send_str(nonsense)
                await browser.press("n")
                await browser.shows("event 3")
                await browser.press("\x1a")
                await browser.shows("there is no shell to go back to")
                assert not served.alone()
                # A browser answers when a page is closed; so does whoever reads.
                closing = asyncio.create_task(socket.receive())
                assert await asyncio.to_thread(served.end, signal.SIGINT) == 130
                await closing
                await until(served.alone)

    asyncio.run(browse())


@pytest.mark.proof
@needs_the_extra
def test_the_rim_of_a_page_has_the_ground_of_the_theme(served: Served) -> None:
    """The console gives it to its terminal, at the start and with each theme; the page follows."""
    from aiohttp import ClientSession

    from shadowtime.console.themes import DARK, LIGHT

    async def browse() -> None:
        async with ClientSession() as session:
            async with session.get(served.address) as page:
                assert ".xterm-viewport" in await page.text()
            async with session.ws_connect(served.socket, headers={"Origin": served.origin}) as socket:
                browser = Browser(socket)
                await browser.shows(f"\x1b]11;{DARK.background}\x1b\\")
                await browser.shows("QUEUE")
                await browser.press(":")
                await browser.shows("goto 50%")
                await browser.press("theme light\r")
                await browser.shows(f"\x1b]11;{LIGHT.background}\x1b\\")

    asyncio.run(browse())


@pytest.mark.proof
@needs_the_extra
def test_a_page_that_changes_its_size_at_the_start_has_it(served: Served) -> None:
    """Its first size is that of its address; another comes before the first frame."""
    from aiohttp import ClientSession

    async def browse() -> None:
        async with ClientSession() as session:
            origin = {"Origin": served.origin}
            async with session.ws_connect(f"{served.socket}&width=100&height=28", headers=origin) as socket:
                await socket.send_json(["resize", {"width": 100, "height": 36}])
                browser = Browser(socket)
                await browser.shows("QUEUE")
                await browser.shows("\x1b[36;1H")

    asyncio.run(browse())


@pytest.mark.proof
@needs_the_extra
def test_without_the_token_nothing_is_served(served: Served) -> None:
    """Neither the page nor what it loads, nor a console; what does not exist is not known to be missing."""
    from aiohttp import ClientSession, WSServerHandshakeError

    token = served.address.partition("token=")[2]
    assert len(token) >= 32

    async def ask() -> None:
        async with ClientSession() as session:
            for path in ("/", "/static/js/textual.js", "/static/", "/download/1", "/ws", "/none", "/x/ws"):
                for given in ("", "?token=", "?token=wrong", f"?token={token[:-1]}", "?token=%ff"):
                    async with session.get(served.origin + path + given) as refused:
                        assert refused.status == 403, (path, given)
            with pytest.raises(WSServerHandshakeError):
                await session.ws_connect(served.origin.replace("http", "ws") + "/ws")
            for path, status in (("/static/js/textual.js", 200), ("/static/", 403), ("/static/js", 403)):
                for place in (f"{path}?token={token}", f"/{token}{path}"):
                    async with session.get(served.origin + place) as answer:
                        assert answer.status == status and "href" not in (await answer.text())[:200]
            async with session.get(f"{served.origin}/download/1?token={token}") as answer:
                assert answer.status == 404

    asyncio.run(ask())


@pytest.mark.proof
@needs_the_extra
def test_a_page_of_another_site_is_refused(served: Served) -> None:
    """By the name that it calls this machine, or by where it is from; no name is a bad request."""
    from aiohttp import ClientSession

    port = served.origin.rpartition(":")[2]
    known = [f"{name}:{port}" for name in ("LOCALHOST", "localhost.", "127.0.0.2", "[::1]", "127.0.0.1")]
    strange = ["elsewhere.example", "127.0.0.1.elsewhere.example", "10.0.0.1", "[fe80::1]", "localhost.x"]
    broken = ["", "[::1", "a b", "localhost:x", "localhost:99999", "[xyz]", "/", "a@b", "x" * 400, "\u00e9"]

    async def ask() -> None:
        async with ClientSession() as session:
            for names, status in ((known, 200), (strange, 403), (broken, 400)):
                for name in names:
                    async with session.get(served.address, headers={"Host": name}) as answer:
                        assert answer.status == status, name
            for origin, status in (
                (served.origin, 200),
                (served.origin.upper(), 200),
                ("null", 403),
                ("", 403),
                ("http://elsewhere.example", 403),
                ("http://127.0.0.1", 403),
                (f"http://localhost:{port}", 403),
                (f"{served.origin}.elsewhere.example", 403),
                ("file://", 403),
                ("http://[", 403),
            ):
                async with session.get(served.address, headers={"Origin": origin}) as answer:
                    assert answer.status == status, origin

    asyncio.run(ask())
    served.end(signal.SIGTERM)
    assert served.rest() == "interrupted\n"


@pytest.mark.proof
@needs_the_extra
def test_another_host_answers_to_the_names_that_are_allowed(story: Story) -> None:
    """To its own, to those of --allow-host, in any letters, and to no other."""
    from shadowtime.console.serving.names import Door, Named

    def known(door: Door, *names: str) -> list[bool]:
        return [door.known(Named.read(name)) for name in names]

    asked = ("login1:80", "LOGIN1", "elsewhere.example", "localhost", "10.1.2.3")
    assert known(Door("t", "0.0.0.0", ["login1"]), *asked) == [True, True, False, True, True]
    assert known(Door("t", "10.1.2.3", ["login1"]), *asked) == [True, True, False, True, True]
    assert known(Door("t", "10.1.2.4"), *asked) == [False, False, False, True, False]
    for host in ("127.0.0.1", "LOCALHOST", "127.0.0.2", "::1"):
        assert known(Door("t", host), *asked) == [False, False, False, True, False]
    server = Served(
        story(DILEMMA), "--host", "0.0.0.0", "--allow-host", "Login1", "--allow-host", "localhost"
    )
    try:
        assert server.lines[0].startswith("The console is at http://login1:")
    finally:
        server.end(signal.SIGTERM)
        server.close()


@pytest.mark.proof
@needs_the_extra
@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs /proc, which lists the processes")
def test_a_page_gets_no_more_than_a_large_screen(served: Served) -> None:
    """Whatever size the page asks for, first and later."""
    from aiohttp import ClientSession

    from shadowtime.console.serving.page_console import fitted

    for asked, given in (
        (("100000", "100000"), (500, 200)),
        ((120, 36), (120, 36)),
        ((0, -3), (1, 1)),
        ((None, "x"), (80, 24)),
        (("9" * 5000, 10**400), (500, 200)),
        ((1.5, True), (80, 24)),
    ):
        assert fitted(*asked) == given

    async def browse() -> None:
        async with ClientSession() as session:
            async with session.ws_connect(f"{served.socket}&width=99999&height=99999") as socket:
                await Browser(socket).shows("QUEUE")
                await socket.send_json(["resize", {"width": 100_000, "height": 100_000}])
                browser = Browser(socket)
                await browser.press("n")
                await browser.shows("event 1")
                assert "\x1b[201;" not in browser.seen
            await until(lambda: served.size() == 1)

    asyncio.run(browse())


@needs_the_extra
def test_a_console_ends_with_its_page_even_if_it_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is asked to end, and killed some seconds later; keys for it wait for nothing."""
    from textual_serve.download_manager import DownloadManager

    from shadowtime.console.serving import page_console

    monkeypatch.setattr(page_console, "PATIENCE", 0.2)

    async def written(text: object) -> None:
        """What goes to the page."""

    async def closed() -> None:
        """The page is closed."""

    async def live() -> None:
        console = page_console.PageConsole(
            "", write_bytes=written, write_str=written, close=closed, download_manager=DownloadManager()
        )
        deaf = "print('__GANGLION__', flush=True); import time; time.sleep(1000)"
        console.arguments = [sys.executable, "-c", deaf]
        await console.start(80, 24)
        process = console._process
        assert process is not None
        for _ in range(40):
            await console.send_bytes(b"x" * 100_000)
        await console.resize(10, 10)
        await console.stop()
        assert process.returncode == -signal.SIGKILL
        await console.stop()

    asyncio.run(live())


@pytest.mark.proof
@needs_the_extra
def test_pages_for_a_lecture_only_look(story: Story, tmp_path: Path) -> None:
    """With --read-only nothing is acted on; without --allow-files nothing is written."""
    from aiohttp import ClientSession

    wanted = tmp_path / "out.svg"

    async def browse(address: str, keys: str, shown: str) -> None:
        async with ClientSession() as session, session.ws_connect(address) as socket:
            browser = Browser(socket)
            await browser.shows("QUEUE")
            if keys.startswith(":"):
                await browser.press(":")
                await browser.shows("goto 50%")
            await browser.press(keys.removeprefix(":"))
            await browser.shows(shown)

    for options, keys, shown in (
        (["--read-only", "--allow-files"], "a", "read-only: nothing can be acted on"),
        (["--read-only"], f":export svg {wanted}\r", "read-only: nothing can be saved or exported"),
        ([], f":export svg {wanted}\r", "no file can be written from here"),
        (["--allow-files"], f":export svg {wanted}\r", "wrote "),
    ):
        server = Served(story(DILEMMA), *options)
        try:
            assert ("can look at" in server.lines[1]) == ("--read-only" in options)
            asyncio.run(browse(f"{server.socket}&width=120&height=36", keys, shown))
            assert wanted.exists() == (shown == "wrote ")
        finally:
            server.end(signal.SIGTERM)
            server.close()


@pytest.mark.proof
@needs_the_extra
def test_a_page_without_files_leaves_none(story: Story, tmp_path: Path) -> None:
    """Actions, training, a question about unsaved actions: no file in any folder of the user."""
    from aiohttp import ClientSession

    home = tmp_path / "home"
    home.mkdir()
    folders = {name: str(home) for name in ("HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")}

    async def browse(address: str) -> None:
        async with ClientSession() as session, session.ws_connect(address) as socket:
            browser = Browser(socket)
            await browser.shows("QUEUE")
            await browser.press("n" * 6)
            await browser.shows("event 6")
            await browser.press(":")
            await browser.shows("goto 50%")
            await browser.press("hold 2\r")
            await browser.shows("holds job 2")
            await browser.press("q")
            await browser.shows("UNSAVED ACTIONS")
            await browser.press("n")
            await browser.press("t")
            await browser.shows("TRAINING")

    server = Served(story(DILEMMA), **folders, TMPDIR=str(home), XDG_CONFIG_HOME=str(home))
    try:
        asyncio.run(browse(f"{server.socket}&width=120&height=36"))
        asyncio.run(until(lambda: server.size() == 1))
    finally:
        server.end(signal.SIGTERM)
        server.close()
    assert not [str(path) for path in home.rglob("*")]


@pytest.mark.proof
@needs_the_extra
@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs /proc, which lists the processes")
def test_a_server_that_is_killed_leaves_no_console(served: Served) -> None:
    """A console ends by itself when nobody serves it any more."""
    from aiohttp import ClientSession

    async def browse() -> None:
        async with (
            ClientSession() as session,
            session.ws_connect(served.socket) as socket,
        ):
            await Browser(socket).shows("QUEUE")
            assert served.end(signal.SIGKILL) == -signal.SIGKILL
            await until(served.alone)

    asyncio.run(browse())


@pytest.mark.proof
@needs_the_extra
def test_a_port_that_is_taken_is_one_line(served: Served, shadowtime: Shadowtime) -> None:
    """The address, and why."""
    ended = shadowtime("serve", "--port", served.origin.rpartition(":")[2])
    assert ended.code == 2
    assert ended.complaints == [f"cannot serve on {served.origin[7:]}: address already in use"]


@needs_the_extra
def test_a_shipped_cluster_is_served_by_its_name(shadowtime: Shadowtime) -> None:
    """It is found: the port is what is wrong."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ended = shadowtime("serve", "two-tiers", "--port", str(port))
    assert ended.complaints == [f"cannot serve on 127.0.0.1:{port}: address already in use"]


def test_without_the_extra_one_line_says_so(
    shadowtime: Shadowtime, monkeypatch: pytest.MonkeyPatch, story: Story
) -> None:
    """And how to get it."""
    monkeypatch.setattr("shadowtime.console.commands.serve.NEEDED", "a_module_that_nobody_has")
    ended = shadowtime("serve", story(DILEMMA))
    assert (ended.code, ended.out) == (2, "")
    assert ended.complaints == ["serve needs the extra 'serve': pip install 'shadowtime[serve]'"]


@needs_the_extra
def test_what_is_wrong_is_reported_before_anything_is_served(shadowtime: Shadowtime, tmp_path: Path) -> None:
    """A file that is none, options without a file, a theme that is none."""
    for arguments, fault in (
        ((tmp_path / "none.toml",), f"{tmp_path}/none.toml: no such file"),
        (("--policy", "easy"), "shadowtime serve: --policy needs a FILE (see shadowtime serve --help)"),
        (
            ("--allow-host", "a b"),
            "shadowtime serve: --allow-host is no name of a machine; expected one such",
        ),
        (("--theme", "pink"), "shadowtime serve: there is no theme 'pink'; expected one of dark, light"),
    ):
        ended = shadowtime("serve", *arguments)
        assert (ended.code, ended.out) == (2, "")
        assert ended.complaints[0].startswith(fault)


def test_the_options_of_a_scenario_are_handed_on() -> None:
    """As they were given, for no shell."""
    pytest.importorskip("textual_serve", reason="the extra 'serve' is not installed")
    from shadowtime.console.commands.serve import options_given
    from shadowtime.console.serving.names import address, reached_as
    from shadowtime.console.serving.page_console import command_of

    given = list(options_given(settings=("a=1", "b=[2, 3]"), at="50%", policy=None, nodes=4))
    assert given == ["--at", "50%", "--nodes", "4", "--set", "a=1", "--set", "b=[2, 3]"]
    line = command_of(["open", "a file.toml", *given])
    assert line[:4] == [sys.executable, "-P", "-m", "shadowtime"] and line[4:6] == ["open", "a file.toml"]
    assert address("::1", 80) == "http://[::1]:80"
    assert [reached_as(host) for host in ("0.0.0.0", "::", "login1")] == ["127.0.0.1", "::1", "login1"]
