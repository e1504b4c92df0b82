"""An archive as a stream of bytes, .gz or .xz: unpacked piece by piece, and not to any size."""

import gzip
import io
import lzma
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

from shadowtime.scenarios.errors import single
from shadowtime.scenarios.files import size

MAGIC: Mapping[str, bytes] = {"gzip": b"\x1f\x8b", "xz": b"\xfd7zXZ\0"}
"""The first bytes of an archive, by its kind."""
SUFFIXES: Mapping[str, str] = {".gz": "gzip", ".xz": "xz"}
_BUFFER = 2**16
INNOCENT = 2**26
"""Bytes that an archive may always unpack to."""
RATIO = 200
"""How many times as long as its archive a log may be beyond that: real ones are 3 to 20 times as long."""
MOST_MEMORY = 1 << 27
"""Bytes that unpacking may take. The archive chooses how many it needs; `xz -9` makes it half as many."""
PIECE = 1 << 15
"""Bytes of the archive that are read at once."""
PADDING = b"\0"
_OUT_OF_MEMORY = "memory usage limit"
"""What liblzma says of an archive that needs more."""


class Unxz(io.RawIOBase):
    """The bytes of an archive of one stream or several, padded with zeros.

    Reading raises EOFError if the archive is cut off, LZMAError if it is damaged, ScenarioError if unpacking
    it needs more than MOST_MEMORY.
    """

    def __init__(self, path: Path, raw: IO[bytes]) -> None:
        self._path = path
        self._raw = raw
        self._left = b""
        self._decoder = _decoder()
        self._begun = False
        """Whether a byte of the present stream was read."""
        self._further = False
        """Whether a stream has ended."""

    def readable(self) -> bool:
        """Bytes are read from it."""
        return True

    def readinto(self, into: Any) -> int:
        """Read the next bytes; 0 at the end of the last stream."""
        while self._ready():
            if piece := self._unpacked(len(into)):
                into[: len(piece)] = piece
                return len(piece)
        return 0

    def _ready(self) -> bool:
        """Whether there is more to unpack: read on, and begin the next stream if one has ended."""
        if self._decoder.eof:
            self._left, self._decoder, self._begun = self._decoder.unused_data, _decoder(), False
            self._further = True
        if not self._decoder.needs_input:
            return True
        while True:
            if self._further and not self._begun:
                self._left = self._left.lstrip(PADDING)
            if self._left:
                return True
            self._left = self._raw.read(PIECE)
            if not self._left:
                if self._begun or not self._further:
                    raise EOFError("it ends too early")
                return False

    def _unpacked(self, most: int) -> bytes:
        packed, self._left, self._begun = self._left, b"", True
        try:
            return self._decoder.decompress(packed, most)
        except lzma.LZMAError as error:
            if _OUT_OF_MEMORY not in str(error).lower():
                raise
            raise single(
                self._path,
                f"needs more than {size(MOST_MEMORY)} of memory to unpack; expected at most what xz -9 makes",
            ) from None


def _decoder() -> lzma.LZMADecompressor:
    return lzma.LZMADecompressor(lzma.FORMAT_XZ, MOST_MEMORY)


def unpacked(path: Path, kind: str, packed: Callable[[], int], raw: IO[bytes]) -> io.BufferedReader:
    """The bytes of an archive, while they are unpacked. Read it within `readable`.

    `packed` gives how many bytes the archive has, as far as that is known.
    """
    stream: IO[bytes]
    if kind == "gzip":
        stream = cast(IO[bytes], gzip.GzipFile(fileobj=raw))
    else:
        stream = cast(IO[bytes], io.BufferedReader(Unxz(path, raw), _BUFFER))
    return io.BufferedReader(Unpacking(path, packed, stream), _BUFFER)


@contextmanager
def readable(path: Path, kind: str) -> Iterator[None]:
    """Refuse an archive that cannot be read to its end. ScenarioError."""
    try:
        yield
    except (gzip.BadGzipFile, zlib.error, lzma.LZMAError, EOFError, MemoryError) as error:
        why = "it ends too early" if isinstance(error, EOFError) else str(error) or "no memory is left"
        raise single(
            path, f"is not a whole {kind} archive ({why[:1].lower()}{why[1:]}); expected one that unpacks"
        ) from None


def refuse_swollen(path: Path, packed: int, total: int) -> None:
    """Refuse an archive of so many bytes that unpacks to so many: no archive of a text. ScenarioError."""
    if total > INNOCENT and total > packed * RATIO:
        raise single(
            path, f"unpacks to more than {RATIO} times its {size(packed)}; expected an archive of a log"
        )


class Unpacking(io.RawIOBase):
    """The bytes of an archive while they are unpacked. Reading raises ScenarioError as `refuse_swollen`."""

    def __init__(self, path: Path, packed: Callable[[], int], stream: IO[bytes]) -> None:
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
        refuse_swollen(self._path, self._packed(), self._total)
        into[: len(piece)] = piece
        return len(piece)

    def close(self) -> None:
        self._stream.close()
        super().close()
