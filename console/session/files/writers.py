"""Files that appear whole or not at all, and names that they must not have."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from console.session.errors import SessionError


@contextmanager
def written_whole(path: str | Path) -> Iterator[TextIO]:
    """Open a text file that takes its name only when all is written; an interrupt leaves nothing.

    What is there and is no plain file (a terminal, a pipe, `/dev/null`) is written to directly. Raises
    OSError.
    """
    target = Path(path)
    if target.exists() and not target.is_file():
        with target.open("w", encoding="utf-8", newline="\n") as stream:
            yield stream
        return
    target = target.resolve()
    beside = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with beside.open("w", encoding="utf-8", newline="\n") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        beside.replace(target)
    except BaseException as error:
        with suppress(OSError):
            beside.unlink()
        if isinstance(error, OSError):
            # The name that was asked for says more than the one that the text had meanwhile.
            error.filename, error.filename2 = str(path), None
        raise


def refuse_archive(path: str | Path) -> None:
    """Let no plain log be written under the name of a packed one. SessionError."""
    if str(path).lower().endswith((".gz", ".xz")):
        raise SessionError(f"{path} would be an archive; expected a plain log, such as out.swf")
