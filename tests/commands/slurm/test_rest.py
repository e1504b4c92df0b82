"""A cluster over REST: what is asked, which version, what is not shown, and every failure in one line."""

import json
import ssl
from collections.abc import Iterator
from pathlib import Path
from threading import Timer
from typing import Any

import attrs
import pytest

from shadowtime.console.session import SessionError
from shadowtime.console.session.slurm.capturing import Live
from shadowtime.console.session.slurm.capturing.rest.asking import Asking, parse_address
from shadowtime.console.session.slurm.capturing.rest.reading import Rest, read_token
from shadowtime.console.session.slurm.caveats import caveats
from shadowtime.console.session.slurm.guard.caveat import Caveat, Left
from shadowtime.scenarios.slurm import Backfill, read_capture
from tests.commandline import Shadowtime
from tests.commands.slurm.fake import contents_of
from tests.commands.slurm.rest import TOKEN, serving
from tests.commands.slurm.rest import Rest as Server
from tests.scenarios.slurm.support import write

OF_CONFIGURATION = "settings", "folder", "calculated"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server of 24.11 that knows one token, which is in the environment."""
    monkeypatch.setenv("SLURM_JWT", TOKEN)
    with serving(Server((42,))) as rest:
        yield rest


@pytest.mark.parametrize(("versions", "newest"), [((42,), 42), ((39, 42), 42), ((39,), 39), ((42, 45), 45)])
def test_a_captured_folder_says_what_the_commands_say(
    shadowtime: Shadowtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, versions: Any, newest: int
) -> None:
    """But for the configuration. The newest version is used, the token is in no file, all is GET."""
    monkeypatch.setenv("SLURM_JWT", TOKEN)
    folder = tmp_path / "captured"
    with serving(Server(versions)) as rest:
        ended = shadowtime("capture", "slurm", "--rest", rest.address, "-o", folder)
    assert (ended.code, ended.err) == (0, "") and ended.out.count("left out") == 1
    ours, theirs = read_capture(folder), read_capture(write(tmp_path / "expected", contents_of(newest)))
    names = [field.name for field in attrs.fields(type(ours)) if field.name not in OF_CONFIGURATION]
    changed = [name for name in names if getattr(ours, name) != getattr(theirs, name)]
    assert changed == (["taken"] if newest == 39 else [])
    settings = ours.settings
    assert (settings.cluster, settings.licenses) == ("far", {"matlab": 8, "fluent": 1})
    assert settings.assumed and settings.backfill == Backfill() and not settings.limits_enforced
    assert Caveat(Left.ASSUMED) in caveats(ours) and Caveat(Left.ASSUMED) not in caveats(theirs)
    assert {method for method, _, _ in rest.asked} == {"GET"}
    assert {headers["X-SLURM-USER-NAME"] for _, _, headers in rest.asked} == {"grace"}
    assert not [path for path in folder.iterdir() if TOKEN in path.read_text()]
    assert {path.name for path in folder.iterdir()} >= {
        "capture.json",
        "config.txt",
        "squeue.json",
        "qos.json",
    }
    assert not {path.name for path in folder.iterdir()} & {"ping.json", "licenses.json"}


def test_a_second_capture_asks_for_no_version(server: Server) -> None:
    """The version is found once; the configuration is read each time."""
    live = Live(Rest(parse_address(server.address), read_token(None), 30))
    try:
        first = live.take()
        asked = len(server.asked)
        second = live.take()
    finally:
        live.close()
    assert first.settings == second.settings and first.jobs == second.jobs
    pings = [
        [path for _, path, _ in part if "ping" in path]
        for part in (server.asked[:asked], server.asked[asked:])
    ]
    assert pings == [
        [f"/slurm/v0.0.{each}/ping/" for each in (45, 44, 43, 42, 42)], ["/slurm/v0.0.42/ping/"]
    ]  # fmt: skip
    assert live.name == f"slurm at {server.address}" and TOKEN not in repr(live)


def test_a_unix_socket_needs_no_token(
    shadowtime: Shadowtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server knows by itself who asks."""
    monkeypatch.delenv("SLURM_JWT", raising=False)
    with serving(Server((42,), token=""), tmp_path / "s") as rest:
        ended = shadowtime("run", "slurm", "--rest", rest.address)
    assert (ended.code, ended.err) == (0, "")
    assert not [headers for _, _, headers in rest.asked if any("SLURM" in name.upper() for name in headers)]


def test_the_token_may_stand_in_a_file(
    shadowtime: Shadowtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: Server
) -> None:
    """As `scontrol token` prints it; it goes before that of the environment."""
    monkeypatch.setenv("SLURM_JWT", "another")
    path = tmp_path / "token"
    path.write_text(f"SLURM_JWT={TOKEN}\n")
    assert shadowtime("run", "slurm", "--rest", server.address, "--token-file", path).code == 0
    for text in ("", "two words\n", "x\r\nHost: y", "x" * (1 << 17)):
        path.write_text(text)
        ended = shadowtime("run", "slurm", "--rest", server.address, "--token-file", path)
        assert ended.code == 2 and len(ended.complaints) == 1 and "words" not in ended.err
    assert shadowtime("run", "slurm", "--rest", server.address, "--token-file", tmp_path / "none").code == 3


JOBS = "/slurm/v0.0.42/jobs/"
ERRORS = {"errors": [{"description": "Unable to query jobs", "error": "Protocol authentication error"}]}


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (302, "redirects"),
        (401, "refuses the token (401)"),
        ((511, ERRORS), "refuses the token (511)"),
        (403, "403"),
        (404, "404"),
        ((500, ERRORS), "Unable to query jobs: Protocol authentication error"),
        ((500, [1]), "500"),
        (b"<html>\x1b[2J</html>", "JSON"),
        (b'{"jobs": [] cut', "cut off"),
        ({"jobs": [], "meta": {"plugin": {"data_parser": "data_parser/v0.0.99"}}}, "v0.0.38"),
        (ERRORS, "Unable to query jobs"),
        ([], "object"),
    ],
)
def test_an_answer_that_is_none_is_one_line(
    shadowtime: Shadowtime, tmp_path: Path, server: Server, answer: Any, said: str
) -> None:
    """A redirect is not followed; what the server says is shown without control characters."""
    server.answers[JOBS] = answer
    ended = shadowtime("run", "slurm", "--rest", server.address)
    assert ended.code == 2 and len(ended.complaints) == 1 and said in ended.err, ended.err
    assert TOKEN not in ended.err and "\x1b" not in ended.err
    assert not [path for _, path, _ in server.asked if "elsewhere" in path]


def test_what_is_not_required_is_left_out(shadowtime: Shadowtime, tmp_path: Path, server: Server) -> None:
    """Statistics, licences and qualities of service: each is named."""
    for name in ("/slurm/v0.0.42/diag/", "/slurm/v0.0.42/licenses/", "/slurmdb/v0.0.42/qos/"):
        del server.answers[name]
    ended = shadowtime("capture", "slurm", "--rest", server.address, "-o", tmp_path / "c")
    assert ended.code == 0 and ended.out.count("left out") == 4
    assert read_capture(tmp_path / "c").settings.licenses == {}


def test_a_server_without_a_version_that_is_read(shadowtime: Shadowtime, server: Server) -> None:
    """v0.0.38 alone is not enough: its partitions do not say whether they give whole nodes."""
    server.answers = {name.replace("42", "38"): value for name, value in server.answers.items()}
    ended = shadowtime("run", "slurm", "--rest", server.address)
    assert ended.code == 2 and len(ended.complaints) == 1 and "v0.0.39 to v0.0.45" in ended.err


def test_a_token_that_is_missing_or_wrong(
    shadowtime: Shadowtime, monkeypatch: pytest.MonkeyPatch, server: Server
) -> None:
    """The line says which of the two it is."""
    monkeypatch.delenv("SLURM_JWT")
    assert "wants a token" in shadowtime("run", "slurm", "--rest", server.address).err
    monkeypatch.setenv("SLURM_JWT", "wrong.token.of")
    ended = shadowtime("run", "slurm", "--rest", server.address)
    assert ended.code == 2 and "refuses the token" in ended.err and "wrong.token" not in ended.err


def test_a_server_that_does_not_answer(shadowtime: Shadowtime, tmp_path: Path, server: Server) -> None:
    """It hangs, is broken off, speaks no TLS, or is not there."""
    server.hanging = True
    ended = shadowtime("run", "slurm", "--rest", server.address, "--timeout", "0.2")
    assert ended.code == 2 and len(ended.complaints) == 1 and "0.2 s" in ended.err
    asking = Asking(parse_address(server.address), {}, 20.0, 1 << 20)
    Timer(0.1, asking.stop).start()
    with pytest.raises(SessionError, match=r"broken off$"):
        asking.get(JOBS, tmp_path / "x")
    server.hanging = False
    secure = server.address.replace("http:", "https:")
    for address in (secure, "http://127.0.0.1:1", f"unix:{tmp_path}/none"):
        ended = shadowtime("run", "slurm", "--rest", address)
        assert ended.code == 2 and len(ended.complaints) == 1, ended.err


def test_an_answer_without_end_is_cut_off(tmp_path: Path, server: Server) -> None:
    """It is ended at the bound."""
    server.answers[JOBS], server.token = b" " * (1 << 20), ""
    with pytest.raises(SessionError, match="its answer is larger than"):
        Asking(parse_address(server.address), {}, 20.0, 1 << 18).get(JOBS, tmp_path / "x")


def test_certificates_are_verified() -> None:
    """With the name of the host."""
    connection: Any = Asking(parse_address("https://127.0.0.1:1"), {}, 1.0, 1)._connection()
    context = connection._context
    assert context.verify_mode is ssl.CERT_REQUIRED and context.check_hostname


@pytest.mark.parametrize(
    "address",
    [
        "", "host:6820", "ftp://host", "http://", "http://user:pass@host", "http://host?x=1", "http://host#x",
        "http://host:port", "http://ho st", "unix:relative", "unix://host/x", "http://h\x1b", "https://u@h",
    ],
)  # fmt: skip
def test_an_address_that_is_none(shadowtime: Shadowtime, address: str) -> None:
    """Nothing is contacted; a password in it is not shown."""
    ended = shadowtime("run", "slurm", "--rest", address)
    assert ended.code == 2 and len(ended.complaints) == 1 and "pass@" not in ended.err


@pytest.mark.parametrize(
    "options",
    [
        ("slurm", "--rest", "http://h", "--via", "ssh x"),
        ("slurm", "--rest", "http://h", "-M", "a"),
        ("slurm", "--token-file", "x"),
        ("two-tiers", "--rest", "http://h"),
        ("two-tiers", "-M", "a"),
        ("small", "--rest", "http://h"),
    ],
)
def test_options_at_odds(shadowtime: Shadowtime, options: tuple[str, ...]) -> None:
    """One way at a time, and only to a live cluster."""
    ended = shadowtime("run", *options)
    assert ended.code == 2 and len(ended.complaints) == 1


def test_a_path_before_those_of_the_interface(server: Server, tmp_path: Path) -> None:
    """As a server behind a proxy has it."""
    address = parse_address(f"{server.address}/behind/")
    server.token, server.answers["/behind" + JOBS] = "", {"jobs": []}
    Asking(address, {}, 20.0, 1 << 20).get(JOBS, tmp_path / "x")
    assert json.loads((tmp_path / "x").read_text()) == {"jobs": []}
