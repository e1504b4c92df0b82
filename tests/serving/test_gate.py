"""The gate alone, byte by byte: when a stranger is answered, and how."""

import asyncio
from typing import cast

import pytest

pytest.importorskip("aiohttp", reason="the extra 'serve' is not installed")

from aiohttp import web

from shadowtime.console.serving.gate import HEAD, LONGEST, Gate, Stranger
from shadowtime.console.serving.names import Door

FIRST = b"GET / HTTP/1.1\r\n"
WHOLE = FIRST + b"Host: localhost\r\n\r\n"


class Wire(asyncio.Transport):
    """A connection that keeps what is written to it."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.closed = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written += bytes(data)

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = True

    def abort(self) -> None:
        self.closed = True


def answers(pieces: list[bytes]) -> list[int | None]:
    """Return the status after each piece that a stranger sends; None before there is an answer."""

    async def send() -> list[int | None]:
        # Who has no token gets to no server.
        nobody = cast(web.Server, None)
        stranger, wire = Stranger(Gate(Door("secret", "127.0.0.1"), nobody, {}, print)), Wire()
        stranger.connection_made(wire)
        found: list[int | None] = []
        for piece in pieces:
            stranger.data_received(piece)
            assert wire.closed == bool(wire.written)
            found.append(int(wire.written.split()[1]) if wire.written else None)
        stranger.connection_lost(None)
        return found

    return asyncio.run(send())


@pytest.mark.parametrize("size", [1, 2, 3, 5, len(WHOLE)])
def test_a_head_without_the_token_is_answered_at_its_end(size: int) -> None:
    """However small the pieces are in which it comes."""
    found = answers([WHOLE[at : at + size] for at in range(0, len(WHOLE), size)])
    assert found == [None] * (len(found) - 1) + [403]


def test_a_head_without_an_end_is_answered_when_it_is_too_long() -> None:
    """A first line sooner than the rest."""
    assert answers([b"A" * LONGEST, b"A"]) == [None, 400]
    assert answers([FIRST + b"A" * (HEAD - len(FIRST)), b"A"]) == [None, 403]


@pytest.mark.parametrize("first", [b"\x16", b"\r", b"get", b"0"])
def test_what_cannot_become_a_request_is_answered_at_once(first: bytes) -> None:
    assert answers([first]) == [400]
