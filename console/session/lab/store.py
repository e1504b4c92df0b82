"""Results on disk: a file for each finished cell, so that nothing is ever simulated twice.

A result takes its name only when it is whole: whatever interrupts the work loses the cell that was being
simulated, and no other. The name is the key of the cell; the text of its scenario lies beside it and opens in
the console.
"""

import json
from contextlib import suppress
from pathlib import Path

from console.session.lab.cells import Cell
from console.session.lab.measures import Results
from console.session.writers import written_whole

LISTED = "results"


class Store:
    """The results in a folder. OSError where it cannot be written."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / LISTED
        self._folder.mkdir(parents=True, exist_ok=True)
        for left in self._folder.glob(".*.part"):
            # Half a result of a process that was killed.
            with suppress(OSError):
                left.unlink()

    def _path(self, cell: Cell) -> Path:
        return self._folder / f"{cell.key}.json"

    def has(self, cell: Cell) -> bool:
        """Whether the result of a cell is there."""
        return self._path(cell).exists()

    def take(self, cell: Cell, result: str) -> None:
        """Keep a result, a line of JSON."""
        scenario = self._folder / f"{cell.key}.toml"
        with written_whole(scenario) as stream:
            stream.write(cell.text)
        with written_whole(self._path(cell)) as stream:
            stream.write(result + "\n")

    def read(self, cell: Cell) -> Results | None:
        """Return the result of a cell; None where there is none. One that cannot be read is removed."""
        path = self._path(cell)
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except ValueError:
            path.unlink()
            return None
        return found if isinstance(found, dict) else None
