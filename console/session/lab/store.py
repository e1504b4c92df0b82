"""Results on disk: a file for each finished cell, so that nothing is ever simulated twice.

A result takes its name only when it is whole: whatever interrupts the work loses the cell that was being
simulated, and no other. The name is the key of the cell; the text of its scenario lies beside it and opens in
the console. The file has the result in its first line and the sha256 of that in its second: a file that was
damaged counts as none. Any number of processes may use a folder at once; they write the same.
"""

import hashlib
import json
from pathlib import Path

from shadowtime.console.session.files.places import make_folder
from shadowtime.console.session.files.writers import drop_left, written_whole
from shadowtime.console.session.lab.cells import Cell
from shadowtime.console.session.lab.measures import Results

LISTED = "results"


def user_cache() -> Path:
    """Return the folder in which results are kept if no other is named."""
    from platformdirs import user_cache_path

    return user_cache_path("shadowtime", appauthor=False)


class Store:
    """The results in a folder. OSError if it cannot be written."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / LISTED
        make_folder(self._folder)
        drop_left(self._folder)

    def _path(self, cell: Cell) -> Path:
        return self._folder / f"{cell.key}.json"

    def has(self, cell: Cell) -> bool:
        """Whether the result of a cell is there, undamaged."""
        return self._line(cell) is not None

    def take(self, cell: Cell, result: str) -> None:
        """Keep a result, a line of JSON."""
        scenario = self._folder / f"{cell.key}.toml"
        with written_whole(scenario) as stream:
            stream.write(cell.text)
        with written_whole(self._path(cell)) as stream:
            stream.write(f"{result}\n{sum_of(result.encode())}\n")

    def read(self, cell: Cell) -> Results | None:
        """Return the result of a cell; None if there is no result, or a damaged one."""
        line = self._line(cell)
        return None if line is None else parsed(line)

    def _line(self, cell: Cell) -> str | None:
        try:
            text = self._path(cell).read_text(encoding="utf-8")
        except (FileNotFoundError, UnicodeDecodeError):
            return None
        line, _, mark = text.partition("\n")
        return line if mark == f"{sum_of(line.encode())}\n" else None


def parsed(text: str | bytes) -> Results | None:
    """Return a result from its line of JSON; None for another text."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def sum_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
