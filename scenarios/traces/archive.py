"""The bytes of a file: plain, .gz or .xz. Whatever keeps them away is one clear line."""

import io
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from scenarios.errors import ScenarioError, single
from scenarios.files import read_regular, size

LOG_SUFFIXES = (".swf", ".swf.gz", ".swf.xz")
# An archive that asks for more memory than this was not made by an ordinary xz.
_MEMORY = 2**30
_PIECE = 2**24
LARGEST = 2**31
"""Bytes of a text, unpacked: three times the largest log of the Parallel Workloads Archive."""
INNOCENT = 2**26
"""Bytes that an archive may always unpack to."""
RATIO = 200
"""How many times as long as its archive a log may be beyond that: real ones are 3 to 20 times as long."""


def is_log(path: Path) -> bool:
    """Whether a file is a log by its name."""
    return path.name.lower().endswith(LOG_SUFFIXES)


def read_bytes(path: Path, most: int = LARGEST) -> bytes:
    """The content of a file of so many bytes, unpacked where its name ends in .gz or .xz.

    ScenarioError says why there is none.
    """
    packed = read_regular(path, most)
    suffix = path.suffix.lower()
    if suffix == ".gz":
        return _gunzip(path, packed)
    if suffix == ".xz":
        return _unxz(path, packed)
    return packed


def _gunzip(path: Path, packed: bytes) -> bytes:
    import gzip

    try:
        with gzip.GzipFile(fileobj=io.BytesIO(packed)) as stream:
            return _within(path, len(packed), iter(lambda: stream.read(_PIECE), b""))
    except EOFError:
        raise _broken(path, "gzip", "it ends too early") from None
    except (gzip.BadGzipFile, zlib.error, MemoryError) as error:
        raise _broken(path, "gzip", str(error)) from None


def _unxz(path: Path, packed: bytes) -> bytes:
    import lzma

    try:
        return _within(path, len(packed), _streams(path, packed))
    except (lzma.LZMAError, EOFError, MemoryError) as error:
        raise _broken(path, "xz", str(error)) from None


def _streams(path: Path, packed: bytes) -> Iterator[bytes]:
    """Yield the pieces of an archive of several streams, padded with zeros."""
    import lzma

    while packed:
        unpacker = lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=_MEMORY)
        piece = unpacker.decompress(packed, _PIECE)
        while piece or not (unpacker.eof or unpacker.needs_input):
            yield piece
            piece = b"" if unpacker.eof else unpacker.decompress(b"", _PIECE)
        if not unpacker.eof:
            raise _broken(path, "xz", "it ends too early")
        packed = unpacker.unused_data.lstrip(b"\0")


def _within(path: Path, packed: int, pieces: Iterator[bytes]) -> bytes:
    """Return the pieces as one, unless they grow beyond what an archive of a log holds. ScenarioError."""
    found: list[bytes] = []
    total = 0
    for piece in pieces:
        total += len(piece)
        if total > LARGEST:
            raise single(path, f"unpacks to more than {size(LARGEST)}; expected an archive of a log")
        refuse_swollen(path, packed, total)
        found.append(piece)
    return b"".join(found)


def refuse_swollen(path: Path, packed: int, total: int) -> None:
    """Refuse an archive of so many bytes that unpacks to so many: no archive of a text. ScenarioError."""
    if total > INNOCENT and total > packed * RATIO:
        raise single(
            path, f"unpacks to more than {RATIO} times its {size(packed)}; expected an archive of a log"
        )


class Unpacking(io.RawIOBase):
    """The bytes of an archive while they are unpacked. Reading raises ScenarioError as `refuse_swollen`."""

    def __init__(self, path: Path, packed: int, stream: IO[bytes]) -> None:
        self._path = path
        self._packed = packed
        self._stream = stream
        self._total = 0

    def readable(self) -> bool:
        """Bytes are read from it."""
        return True

    def readinto(self, into: Any) -> int:
        """Read the next bytes."""
        piece = self._stream.read(len(into))
        self._total += len(piece)
        refuse_swollen(self._path, self._packed, self._total)
        into[: len(piece)] = piece
        return len(piece)

    def close(self) -> None:
        """Close the archive."""
        self._stream.close()
        super().close()


def _broken(path: Path, kind: str, why: str) -> ScenarioError:
    return single(
        path, f"is not a whole {kind} archive ({why[:1].lower()}{why[1:]}); expected one that unpacks"
    )
