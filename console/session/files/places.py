"""Where a path leads, link by link, and what may be written there.

Followed are the links of the user and of root. A link that belongs to anybody else is refused, wherever it
lies: who placed it decides where it leads. The folder that is reached is held open, so that nothing that is
renamed meanwhile leads elsewhere.
"""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import attrs

MOST_LINKS = 40
"""As many as the system follows."""
OWN_FOLDER = 0o700
"""The mode of a folder that is made for what belongs to one user alone."""
OWN_FILE = 0o600
_FOLDER = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
"""How a folder is opened. It may be one that can be passed and not be listed, where the system has that."""


@attrs.frozen
class HeldName:
    """A name in a folder that is held open. The name is no link when it is reached."""

    folder: int
    name: str

    def found(self) -> os.stat_result | None:
        """What has the name, a link itself; None if nothing has."""
        try:
            return os.stat(self.name, dir_fd=self.folder, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def open(self, flags: int, mode: int = OWN_FILE) -> int:
        """Open what has the name, which may be no link. OSError."""
        return os.open(
            self.name, flags | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NOCTTY, mode, dir_fd=self.folder
        )

    def flush(self) -> None:
        """Have the names in the folder on the disk, as far as the system does that for a folder."""
        with suppress(OSError):
            number = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=self.folder)
            try:
                os.fsync(number)
            finally:
                os.close(number)

    def replaced(self) -> os.stat_result | None:
        """Return the file that a new one may take the place of; None if there is no file.

        PermissionError for a read-only file, and for one of another user in a folder where all users make
        files; another OSError if it cannot be written to.
        """
        found = self.found()
        if found is None:
            return None
        if stat.S_ISREG(found.st_mode) and not found.st_mode & 0o222:
            raise PermissionError(errno.EACCES, "the file is read-only")
        if not own(found) and os.fstat(self.folder).st_mode & stat.S_ISVTX:
            raise PermissionError(errno.EACCES, "the file belongs to another user, in a folder of all users")
        # To open it asks the system, which knows of more than modes.
        number = self.open(os.O_WRONLY | os.O_NONBLOCK)
        try:
            return os.fstat(number)
        finally:
            os.close(number)


@contextmanager
def reached(path: str | Path, making: int | None = None) -> Iterator[HeldName]:
    """Yield the place that a path leads to; nothing needs to be there yet.

    `making` is the mode of the folders that are made where they are missing. PermissionError at a link of
    another user; any other OSError names the path.
    """
    with named(path):
        place = _walk(os.fspath(path), making)
    try:
        yield place
    finally:
        os.close(place.folder)


def make_folder(path: str | Path, mode: int = 0o777) -> None:
    """Make a folder, and those above it, where they are missing. OSError as `reached`."""
    with reached(f"{Path(path)}/.", mode):
        pass


def make_own(path: str | Path) -> None:
    """Make a folder in which nobody else writes: what lies there can be opened by its name.

    PermissionError if it is there and others write in it; another OSError as `reached`.
    """
    with reached(f"{Path(path)}/.", OWN_FOLDER) as place, named(path):
        found = os.fstat(place.folder)
        if found.st_uid != os.geteuid() or found.st_mode & 0o022:
            raise PermissionError(errno.EACCES, "others can write in the folder")


def check_writable(path: str | Path) -> None:
    """Raise the OSError that a file could not be written for, as far as that is known before."""
    with reached(path) as place, named(path):
        if (found := place.found()) is not None and stat.S_ISREG(found.st_mode):
            place.replaced()


@contextmanager
def named(path: str | Path) -> Iterator[None]:
    """Have an OSError name the path that was asked for, rather than a part of it or a hidden file."""
    try:
        yield
    except OSError as error:
        # The class follows the number.
        raise OSError(error.errno, error.strerror, str(path)) from error
    except ValueError:
        raise OSError(errno.EINVAL, "not a name of a file", str(path)) from None


def own(found: os.stat_result) -> bool:
    """Whether something belongs to the user, or to root."""
    return found.st_uid in (0, os.geteuid())


def _walk(path: str, making: int | None) -> HeldName:
    folder = os.open("/" if path.startswith("/") else ".", _FOLDER)
    try:
        rest, links = _parts(path), 0
        while True:
            here = HeldName(folder, rest.pop() if rest else ".")
            found = here.found()
            if found is not None and stat.S_ISLNK(found.st_mode):
                links += 1
                target = _followed(here, found, links)
                rest += _parts(target)
                deeper = os.open("/", _FOLDER) if target.startswith("/") else None
            elif not rest:
                return here
            else:
                if found is None and making is not None:
                    with suppress(FileExistsError):
                        os.mkdir(here.name, making, dir_fd=folder)
                deeper = os.open(here.name, _FOLDER, dir_fd=folder)
            if deeper is not None:
                os.close(folder)
                folder = deeper
    except BaseException:
        os.close(folder)
        raise


def _parts(path: str) -> list[str]:
    """The names of a path, the last first. One that ends in `.` or a slash keeps that: it is a folder."""
    names = [name for name in path.split("/") if name not in ("", ".")]
    if path.endswith(("/", "/.")) or not names:
        names.append(".")
    return names[::-1]


def _followed(here: HeldName, found: os.stat_result, links: int) -> str:
    """Return where a link leads. OSError if it is not followed."""
    if links > MOST_LINKS:
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    target = os.readlink(here.name, dir_fd=here.folder)
    again = here.found()
    if again is None or (again.st_ino, again.st_ctime_ns) != (found.st_ino, found.st_ctime_ns):
        raise PermissionError(errno.EACCES, f"the link {here.name} on the way is changed meanwhile")
    if not own(found):
        raise PermissionError(
            errno.EACCES, f"the link {here.name} on the way belongs to another user and is not followed"
        )
    return target
