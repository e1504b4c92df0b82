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
from shadowtime.scenarios.traces.unxz import Unxz

MAGIC: Mapping[str, bytes] = {"gzip": b"\x1f\x8b", "xz": b"\xfd7zXZ\0"}
"""The first bytes of an archive, by its kind."""
SUFFIXES: Mapping[str, str] = {".gz": "gzip", ".xz": "xz"}
_BUFFER = 2**16
INNOCENT = 2**26
"""Bytes that an archive may always unpack to."""
RATIO = 200
"""How many times as long as its archive a log may be beyond that: real ones are 3 to 20 times as long."""


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
