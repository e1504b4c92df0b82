"""Files that appear whole or not at all, and names that they must not have."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path
from typing import TextIO, TypeVar

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.progress import Progress

Line = TypeVar("Line")
LINES = 16384
"""Lines between two reports of progress: some ten milliseconds."""


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
    for left in target.parent.glob(f".{escape(target.name)}.*.part"):
        drop_left(left)
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


def counted(lines: Iterable[Line], total: int, progress: Progress | None) -> Iterator[Line]:
    """Yield lines, or rows, and report now and then how many of the `total` have been taken."""
    for number, line in enumerate(lines):
        if progress is not None and not number % LINES:
            progress(number, total)
        yield line
    if progress is not None:
        progress(total, total)


def drop_left(part: Path) -> None:
    """Remove what a process wrote that was killed; what one still writes stays."""
    # The number of the process is a part of the name.
    number = part.name.removesuffix(".part").rpartition(".")[2]
    try:
        os.kill(int(number), 0)
    except (ValueError, OverflowError, ProcessLookupError):
        with suppress(OSError):
            part.unlink()
    except OSError:
        # It is another user's.
        return


def refuse_twice(outputs: Iterable[str | Path | None]) -> None:
    """Let no two outputs be one file, and none be `-`. SessionError. `/dev/null` takes any number."""
    known: set[Path] = set()
    for path in outputs:
        if path is None or str(path) == os.devnull:
            continue
        _refuse_dash(path)
        file = Path(path).resolve()
        if file in known:
            raise SessionError(f"{path} cannot be two outputs; expected another file for one of them")
        known.add(file)


def refuse_overwriting(paths: Iterable[str | Path | None]) -> None:
    """Let no file be lost that is there already. SessionError."""
    for path in paths:
        if path is not None and Path(path).is_file():
            raise SessionError(f"{path} is there already; --force writes over it")


def refuse_archive(path: str | Path) -> None:
    """Let no plain log be written under the name of a packed one, and none to `-`. SessionError."""
    _refuse_dash(path)
    if str(path).lower().endswith((".gz", ".xz")):
        raise SessionError(f"{path} would be an archive; expected a plain log, such as out.swf")


def _refuse_dash(path: str | Path) -> None:
    if str(path) == "-":
        raise SessionError("'-' is no output here; expected a file, or /dev/stdout")
