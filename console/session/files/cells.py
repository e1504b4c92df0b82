"""Tables as CSV: texts of others as cells that no spreadsheet computes, and the texts read back.

A cell that begins like a formula gets an apostrophe in front, as does one that begins with an apostrophe.
What is not printable is an escape (`shadowtime.scenarios.text.gate`). Numbers stay as they are.
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator
from typing import TextIO

from shadowtime.scenarios.text.gate import decoded, encoded

_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_FORMULA = "=+\\-@\uff1d\uff0b\uff0d\uff20"
_GUARDED = re.compile(rf"\s*[{_FORMULA}]|'")
# Where the semicolon separates, the rest of the text would be a cell of its own.
_SPLIT = re.compile(rf";(?=[\s\"']*[{_FORMULA}])")


class Cells:
    """Writes rows to a stream of text."""

    def __init__(self, stream: TextIO) -> None:
        self._write = csv.writer(stream, lineterminator="\n").writerow

    def row(self, values: Iterable[object]) -> None:
        """Write one row. A text is guarded; None is an empty cell."""
        self._write([cell(value) if isinstance(value, str) else value for value in values])

    def rows(self, rows: Iterable[Iterable[object]]) -> None:
        for row in rows:
            self.row(row)


def cell(text: str) -> str:
    """A text as a cell, before the quotes of CSV."""
    if _NUMBER.fullmatch(text):
        return text
    shown = _SPLIT.sub(r"\\x3b", encoded(text))
    return f"'{shown}" if _GUARDED.match(shown) else shown


def text_of(shown: str) -> str:
    """The text that a cell was made of."""
    return decoded(shown.removeprefix("'"))


def read_rows(text: str) -> Iterator[list[str]]:
    """Yield the rows of a CSV, each cell as the text that it was made of. csv.Error if the text is no CSV."""
    for row in csv.reader(io.StringIO(text, newline=""), strict=True):
        yield [text_of(value) for value in row]
