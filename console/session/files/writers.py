"""Files that appear whole or not at all, and names that they must not have.

All that the program writes is written here or in `databases.py`. The text lies beside the file under a random
name until it is whole. A link is followed as `places.py` says, and stays. A file that is there keeps its mode
and its owner; a read-only file stays as it is.
"""

import errno
import fcntl
import os
import re
import stat
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO, Any, BinaryIO, TextIO, TypeVar, cast

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.files.places import OWN_FILE, OWN_FOLDER, HeldName, named, own, reached
from shadowtime.console.session.progress import Progress

Line = TypeVar("Line")
LINES = 16384
"""Lines between two reports of progress: some ten milliseconds."""

_PART = re.compile(r"\.(.+)\.[0-9a-f]{16}\.part", re.DOTALL)
_LONGEST = 200
"""Bytes of a file's name that are a part of the other one: a name has 255 at most."""


@contextmanager
def written_whole(
    path: str | Path, *, private: bool = False, folders: bool = False, flush: bool = True
) -> Iterator[TextIO]:
    """Open a text file that takes its name only when all is written; an interrupt leaves nothing.

    A new file that is `private` can be read by its owner alone. With `folders` the missing ones are made, for
    their owner alone. Without `flush` the file outlives the process, and perhaps not the machine. What is
    there and is no plain file (a terminal, a pipe, `/dev/null`) is written to directly. Raises OSError.
    """
    with _written(path, private, folders, flush, "w", encoding="utf-8", newline="\n") as stream:
        yield cast(TextIO, stream)


@contextmanager
def written_bytes(path: str | Path) -> Iterator[BinaryIO]:
    """Open a file of bytes, as `written_whole` does."""
    with _written(path, False, False, True, "wb") as stream:
        yield cast(BinaryIO, stream)


def counted(lines: Iterable[Line], total: int, progress: Progress | None) -> Iterator[Line]:
    """Yield lines, or rows, and report now and then how many of the `total` have been taken."""
    for number, line in enumerate(lines):
        if progress is not None and not number % LINES:
            progress(number, total)
        yield line
    if progress is not None:
        progress(total, total)


def opened_new(path: str | Path) -> TextIO:
    """Open a text file that is not there yet, and is seen while it grows. FileExistsError, OSError."""
    with reached(path) as place, named(path):
        number = place.open(os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        return os.fdopen(number, "w", encoding="utf-8", newline="\n")


def drop_left(folder: str | Path) -> None:
    """Remove from a folder what killed processes were writing; what one still writes stays."""
    with suppress(OSError), reached(f"{Path(folder)}/.") as place:
        _sweep(place.folder)


@contextmanager
def _written(
    path: str | Path, private: bool, folders: bool, flush: bool, mode: str, **how: Any
) -> Iterator[IO[Any]]:
    with ExitStack() as held:
        place = held.enter_context(reached(path, OWN_FOLDER if folders else None))
        part = _Part(place)
        held.callback(part.drop)
        with named(path):
            device = _device(path, place)
            stream = os.fdopen(part.open(private) if device is None else device, mode, **how)
        try:
            yield stream
            with named(path):
                stream.flush()
                if device is None:
                    part.take_name(stream.fileno(), flush)
        except OSError as error:
            # The system does not say which file is full.
            if error.errno is not None and error.filename is None:
                error.filename = str(path)
            raise
        finally:
            with suppress(OSError):
                stream.close()


def _device(path: str | Path, place: HeldName) -> int | None:
    """Open what is there and is no plain file; None for a plain file, and for a new one. OSError."""
    found = place.found()
    if found is None:
        # `/dev/stdout` leads to a pipe that has no name.
        with suppress(OSError):
            found = Path(path).stat()
        if found is None or stat.S_ISREG(found.st_mode):
            return None
        number = os.open(path, os.O_WRONLY | os.O_NOCTTY | os.O_CLOEXEC)
    elif stat.S_ISREG(found.st_mode):
        return None
    else:
        if stat.S_ISFIFO(found.st_mode) and not own(found):
            raise PermissionError(errno.EACCES, "the pipe belongs to another user")
        number = place.open(os.O_WRONLY)
    if stat.S_ISREG(os.fstat(number).st_mode):
        os.close(number)
        raise PermissionError(errno.EACCES, "another file has come to its place meanwhile")
    return number


class _Part:
    """What is written so far, under a random name beside the file. It is locked as long as it is written."""

    def __init__(self, place: HeldName) -> None:
        self._place = place
        self._name = ""
        """Known before there is such a file: whatever interrupts, it can be removed."""
        self._before: os.stat_result | None = None

    def open(self, private: bool) -> int:
        """Make the file, if there may be one, and return its number. OSError."""
        self._before = self._place.replaced()
        stem = os.fsdecode(os.fsencode(self._place.name)[:_LONGEST])
        _sweep(self._place.folder, stem)
        mode = 0o666 if self._before is None and not private else OWN_FILE
        while True:
            self._name = f".{stem}.{os.urandom(8).hex()}.part"
            number = HeldName(self._place.folder, self._name).open(os.O_RDWR | os.O_CREAT | os.O_EXCL, mode)
            with suppress(OSError):
                fcntl.flock(number, fcntl.LOCK_EX)
            # Before the lock another process may have taken it for one that was left.
            if os.fstat(number).st_nlink:
                return number
            os.close(number)

    def take_name(self, number: int, flush: bool) -> None:
        """Put it in the place of the file."""
        if self._before is not None:
            _keep(self._before, number)
        if flush:
            os.fsync(number)
        folder = self._place.folder
        os.replace(self._name, self._place.name, src_dir_fd=folder, dst_dir_fd=folder)
        self._name = ""
        if flush:
            self._place.flush()

    def drop(self) -> None:
        """Remove it, unless it has taken its name."""
        if self._name:
            with suppress(OSError):
                os.unlink(self._name, dir_fd=self._place.folder)


def _keep(before: os.stat_result, number: int) -> None:
    """Give a file the owner, the group and the mode of the one before, as far as the system allows it."""
    mode, now = stat.S_IMODE(before.st_mode) & 0o777, os.fstat(number)
    if (now.st_uid, now.st_gid) != (before.st_uid, before.st_gid):
        try:
            os.fchown(number, before.st_uid, before.st_gid)
        except OSError:
            try:
                os.fchown(number, -1, before.st_gid)
            except OSError:
                # What one group might do is not for another one.
                mode &= ~stat.S_IRWXG
    # Some file systems have no modes.
    with suppress(OSError):
        os.fchmod(number, mode)


def _sweep(folder: int, stem: str | None = None) -> None:
    """Remove the parts in a folder, or those of one file, that nobody writes any more."""
    with suppress(OSError):
        listed = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=folder)
        try:
            with os.scandir(listed) as entries:
                parts = [found for entry in entries if (found := _PART.fullmatch(entry.name)) is not None]
        finally:
            os.close(listed)
        for found in parts:
            if stem in (None, found[1]):
                _drop_free(HeldName(folder, found[0]))


def _drop_free(part: HeldName) -> None:
    """Remove a part of one's own that is not locked."""
    with suppress(OSError):
        found = part.found()
        if found is None or not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid():
            return
        number = part.open(os.O_RDWR | os.O_NONBLOCK)
        try:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.unlink(part.name, dir_fd=part.folder)
        finally:
            os.close(number)


def refuse_twice(outputs: Iterable[str | Path | None]) -> None:
    """Let no two outputs be one file, and none be `-`. SessionError. `/dev/null` takes any number."""
    known = set[str]()
    for path in outputs:
        if path is None or str(path) == os.devnull:
            continue
        _refuse_dash(path)
        file = os.path.realpath(path)
        if file in known:
            raise SessionError(f"{path} cannot be two outputs; expected another file for one of them")
        known.add(file)


def refuse_inputs(outputs: Iterable[str | Path | None], inputs: Iterable[str | Path | None]) -> None:
    """Let nothing be written over what is read. SessionError."""
    read = {os.path.realpath(path) for path in inputs if path is not None}
    for path in outputs:
        if path is not None and os.path.realpath(path) in read:
            raise SessionError(f"{path} is an input of this command; expected another file to write to")


def refuse_overwriting(paths: Iterable[str | Path | None], force: bool = False) -> None:
    """Let no file be lost that is there already, unless `force`. SessionError."""
    for path in paths:
        if path is not None and not force and Path(path).is_file():
            raise SessionError(f"{path} is there already; --force writes over it")


def refuse_archive(path: str | Path) -> None:
    """Let no plain log be written under the name of a packed one, and none to `-`. SessionError."""
    _refuse_dash(path)
    if str(path).lower().endswith((".gz", ".xz")):
        raise SessionError(f"{path} would be an archive; expected a plain log, such as out.swf")


def _refuse_dash(path: str | Path) -> None:
    if str(path) == "-":
        raise SessionError("'-' is no output here; expected a file, or /dev/stdout")
