"""The report of a crash: the traceback, the versions, the last keys and commands, the scenario, the event."""

import os
import platform
import sys
import tempfile
import traceback
from collections import deque
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from secrets import token_hex

import platformdirs

from shadowtime.console.session.files.writers import written_whole
from shadowtime.console.session.texts import printable_lines

KEPT = 50
"""Keys and commands that a report lists."""
PACKAGES = ("shadowtime", "textual", "rich")


class LastKeys:
    """The last keys, clicks and commands, oldest first."""

    def __init__(self) -> None:
        self._noted: deque[str] = deque(maxlen=KEPT)

    def note(self, text: str) -> None:
        self._noted.append(text)

    @property
    def lines(self) -> tuple[str, ...]:
        """All of them, each on a line of its own."""
        return tuple(" ".join(repr(text)[1:-1].split()) for text in self._noted)


def report(error: BaseException, last: LastKeys, about: Mapping[str, object]) -> str:
    """Return the text of a report; `about` is what was on the screen."""
    parts = [f"shadowtime ended by an error of its own, {datetime.now(UTC).isoformat(timespec='seconds')}\n"]
    parts += [f"{name}: {value}" for name, value in {**_versions(), **about}.items()]
    parts += ["", f"the last {KEPT} keys and commands, the oldest first:", *last.lines]
    parts += ["", "".join(traceback.format_exception(error)).rstrip()]
    return "\n".join(parts) + "\n"


def _versions() -> dict[str, str]:
    found = {"python": sys.version.split()[0], "system": platform.platform()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found | {"TERM": os.environ.get("TERM", ""), "arguments": " ".join(sys.argv[1:])}


def write_report(text: str) -> Path | None:
    """Write a report to the user's data folder, else to the folder of temporary files; return the file.

    It is for the user's eyes alone: it has what was typed.
    """
    name = f"crash-{datetime.now(UTC):%Y%m%dT%H%M%S}-{token_hex(4)}.txt"
    for folder in (platformdirs.user_data_path("shadowtime"), Path(tempfile.gettempdir())):
        try:
            with written_whole(folder / name, private=True, folders=True) as stream:
                stream.write(printable_lines(text))
        except OSError:
            continue
        return folder / name
    return None
