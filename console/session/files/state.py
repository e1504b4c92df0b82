"""What the user's folder of states keeps: the files opened last, and whether somebody has been greeted."""

import os
from contextlib import suppress
from pathlib import Path

import attrs

from shadowtime.console.session.files.writers import written_whole

MOST = 12
"""Files that are kept."""
LONGEST = 1 << 16
"""Bytes of the list that are read: it is no longer unless it is damaged."""


def place() -> Path:
    folder = os.environ.get("XDG_STATE_HOME") or "~/.local/state"
    return Path(folder).expanduser() / "shadowtime" / "recent"


@attrs.frozen
class Recent:
    """A list of files, the latest first. What cannot be read is empty, and what cannot be written stays."""

    path: Path

    def files(self) -> tuple[Path, ...]:
        try:
            if not self.path.is_file():
                return ()
            with self.path.open(encoding="utf-8") as stream:
                lines = stream.read(LONGEST).splitlines()
            return tuple(path for path in map(Path, lines[:MOST]) if path.is_absolute() and path.is_file())
        except (OSError, ValueError):
            return ()

    def add(self, path: Path) -> None:
        path = path.absolute()
        if "\n" in str(path):
            return
        listed = [path, *(other for other in self.files() if other != path)][:MOST]
        # The list is a convenience: without it the console works as well.
        with suppress(OSError, ValueError), written_whole(self.path, private=True, folders=True) as stream:
            stream.writelines(f"{other}\n" for other in listed)


def place_of_first_start() -> Path:
    return place().with_name("greeted")


@attrs.frozen
class FirstStart:
    """The file that is there once somebody has been greeted."""

    path: Path

    @property
    def ahead(self) -> bool:
        """Whether nobody was greeted yet."""
        try:
            return not self.path.exists()
        except OSError:
            return False

    def over(self) -> None:
        """Keep that somebody was greeted; where nothing can be written, the next start greets again."""
        with suppress(OSError, ValueError), written_whole(self.path, private=True, folders=True):
            pass
