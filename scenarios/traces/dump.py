"""The lines of an accounting dump: from a file or a pipe, plain or packed, in UTF-8 or UTF-16."""

import io
import os
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from stat import S_ISREG
from typing import IO, Any, cast

from shadowtime.scenarios.errors import single
from shadowtime.scenarios.traces.unpacking import MAGIC, readable, unpacked

LONGEST_LINE = 1 << 20
"""Characters of a line: whatever is longer is no dump."""
STDIN = "-"
_HEAD = 6


class Counted(io.RawIOBase):
    """The bytes of a file or a pipe, and how many were read. `head` has the first few."""

    def __init__(self, raw: IO[bytes]) -> None:
        self._raw = raw
        self.count = 0
        self.size = os.fstat(raw.fileno()).st_size if S_ISREG(os.fstat(raw.fileno()).st_mode) else 0
        """The bytes of a file; 0 for a pipe, of which nobody knows."""
        self.head = b""
        while len(self.head) < _HEAD and (piece := raw.read(_HEAD - len(self.head))):
            self.head += piece
        self._left = self.head

    def readable(self) -> bool:
        """Bytes are read from it."""
        return True

    def readinto(self, into: Any) -> int:
        """Read the next bytes."""
        piece = self._left or self._raw.read(len(into))
        self._left = b""
        into[: len(piece)] = piece
        self.count += len(piece)
        return len(piece)


class Lines:
    """The lines of a text without their ends: iterate, or look ahead. ScenarioError at one without an end."""

    def __init__(self, text: IO[str], source: str) -> None:
        self.source = source
        self.number = 0
        """The line that was read last, from 1."""
        self._text = text
        self._ahead: deque[str] = deque()

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._ahead.popleft() if self._ahead else self._read()
        if line is None:
            raise StopIteration
        self.number += 1
        return line

    def ahead(self, count: int) -> str | None:
        """The line that comes `count` lines after the next one; None behind the last."""
        while len(self._ahead) <= count:
            line = self._read()
            if line is None:
                return None
            self._ahead.append(line)
        return self._ahead[count]

    def skip(self, count: int) -> None:
        for _ in range(count):
            next(self)

    def _read(self) -> str | None:
        line = self._text.readline(LONGEST_LINE)
        if len(line) == LONGEST_LINE and line[-1] != "\n":
            raise single(
                self.source,
                f"the line is longer than {LONGEST_LINE:,} characters; expected a row of sacct -P",
                self.number + len(self._ahead) + 1,
            )
        return line.rstrip("\r\n") if line else None


@contextmanager
def opened(source: str) -> Iterator[tuple[Lines, Counted]]:
    """Yield the lines of a file, a pipe or, for `-`, standard input, and what counts the bytes.

    Text is in UTF-8, or in UTF-16 as Windows writes it; bytes that are neither become texts such as `\\xfc`.
    Archives are known by their first bytes. ScenarioError: why there is no text.
    """
    name = "standard input" if source == STDIN else source
    try:
        file = open(0 if source == STDIN else source, "rb", buffering=0, closefd=source != STDIN)  # noqa: SIM115
        with file as raw:
            counted = Counted(cast(IO[bytes], raw))
            kind = next((kind for kind, magic in MAGIC.items() if counted.head.startswith(magic)), None)
            with _plain(counted, Path(name), kind) as stream:
                text = io.TextIOWrapper(
                    stream, _encoding(stream.peek(2)[:2]), errors="backslashreplace", newline="\n"
                )
                yield Lines(text, name), counted
    except (FileNotFoundError, IsADirectoryError, PermissionError, BlockingIOError) as error:
        if error.filename not in (None, source):
            raise
        raise single(name, str(error.strerror)[:1].lower() + str(error.strerror)[1:]) from None


@contextmanager
def _plain(counted: Counted, path: Path, kind: str | None) -> Iterator["io.BufferedReader[Any]"]:
    raw: io.BufferedReader[Any] = io.BufferedReader(counted)
    if kind is None:
        yield raw
        return
    with readable(path, kind):
        yield unpacked(path, kind, lambda: counted.size or counted.count, raw)


def _encoding(head: bytes) -> str:
    """The encoding of a text by its first two bytes: every dump begins with two letters, or a mark."""
    if head in (b"\xff\xfe", b"\xfe\xff"):
        return "utf-16"
    if len(head) == 2 and 0 in head and any(head):
        return "utf-16-be" if head[0] == 0 else "utf-16-le"
    return "utf-8-sig"
