"""Files that are read: regular ones, of a size that is no accident. Anything else is one clear line."""

import io
import os
import stat
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import BinaryIO

from shadowtime.scenarios.errors import ScenarioError, single

Progress = Callable[[int, int], None]
"""Called with what has been read so far, and all of it."""
PIECE = 1 << 24
"""Bytes that are read at once: an interrupt waits for no more."""
KINDS: Mapping[int, str] = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
"""What is no regular file."""


def open_regular(path: Path, expected: str = "expected a file") -> BinaryIO:
    """Open a regular file to read its bytes. ScenarioError says what else it is, or why it cannot be read."""
    try:
        # Asked before it is opened, which may wait for ever, or do something to a device.
        _refuse(path, path.stat().st_mode, expected)
        number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        stream = os.fdopen(number, "rb")
        try:
            _refuse(path, os.fstat(number).st_mode, expected)
        except ScenarioError:
            stream.close()
            raise
    except FileNotFoundError:
        raise single(
            path, "no such file" if expected == "expected a file" else f"no such file; {expected}"
        ) from None
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from None
    return stream


def read_regular(
    path: Path, most: int, expected: str = "expected a file", progress: Progress | None = None
) -> bytes:
    """Return the bytes of a regular file, `most` of them at most. ScenarioError as `open_regular`."""
    found = io.BytesIO()
    with open_regular(path, expected) as stream:
        try:
            # A file may grow, and some that the system makes up have no size.
            whole = os.fstat(stream.fileno()).st_size
            while found.tell() <= most and (piece := stream.read(min(most + 1 - found.tell(), PIECE))):
                found.write(piece)
                if progress is not None:
                    progress(found.tell(), max(whole, found.tell()))
        except OSError as error:
            raise _unreadable(path, error) from None
    if found.tell() > most:
        raise single(path, f"is larger than {size(most)}; {expected}")
    # The buffer itself, rather than a copy of it.
    return found.getvalue()


def size(count: int) -> str:
    """A number of bytes in words."""
    for unit, name in ((1 << 30, "GiB"), (1 << 20, "MiB")):
        if count >= unit:
            return f"{count / unit:.3g} {name}"
    return f"{count:,} bytes"


def _refuse(path: Path, mode: int, expected: str) -> None:
    if not stat.S_ISREG(mode):
        raise single(path, f"is {KINDS.get(stat.S_IFMT(mode), 'no file')}; {expected}")


def _unreadable(path: Path, error: Exception) -> ScenarioError:
    # ValueError: a name that holds a NUL.
    reason = error.strerror or str(error) if isinstance(error, OSError) else "not a name of a file"
    return single(path, f"cannot be read: {reason}")


def is_folder(path: Path) -> bool:
    """Whether there is a folder of that name. A name that is too long names no folder."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False
