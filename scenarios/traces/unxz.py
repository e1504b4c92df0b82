"""An .xz archive as a stream of bytes: it is unpacked piece by piece, in bounded memory."""

import io
import lzma
from pathlib import Path
from typing import IO, Any

from shadowtime.scenarios.errors import single
from shadowtime.scenarios.files import size

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
