"""Tables for other programs: named columns, as CSV, as a frame of pandas, as Parquet.

Texts of others become cells that no spreadsheet computes, and are read back. A cell that begins like a
formula gets an apostrophe in front, as does one that begins with an apostrophe. What is not printable is an
escape (`shadowtime.scenarios.text.gate`). Numbers stay as they are.
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, TextIO

import attrs

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.files.writers import refuse_overwriting, written_bytes, written_whole
from shadowtime.scenarios.text.gate import decoded, encoded

_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_FORMULA = "=+\\-@\uff1d\uff0b\uff0d\uff20"
_GUARDED = re.compile(rf"\s*[{_FORMULA}]|'")
# Where the semicolon separates, the rest of the text would be a cell of its own.
_SPLIT = re.compile(rf";(?=[\s\"']*[{_FORMULA}])")


@attrs.frozen
class Table:
    """Columns of equal length by name. A value is a number, a text, or None where there is none."""

    columns: Mapping[str, Sequence[object]]

    @classmethod
    def of_rows(cls, names: Sequence[str], rows: Iterable[Sequence[object]]) -> "Table":
        """Return the table of rows, each of which has a value for every name."""
        columns = tuple(zip(*rows, strict=True)) or ((),) * len(names)
        return cls(dict(zip(names, columns, strict=True)))

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def rows(self) -> Iterator[dict[str, object]]:
        """Yield each row as a mapping of names to values."""
        for row in zip(*self.columns.values(), strict=True):
            yield dict(zip(self.columns, row, strict=True))

    def csv(self) -> str:
        """Return the table as CSV: texts are guarded against spreadsheets, None is an empty cell."""
        out = io.StringIO()
        write_rows(out, self.columns, zip(*self.columns.values(), strict=True))
        return out.getvalue()

    def to_csv(self, path: str | Path) -> None:
        """Write the table as CSV. OSError leaves nothing half-written."""
        save_rows(path, self.columns, zip(*self.columns.values(), strict=True), force=True)

    def to_pandas(self) -> Any:
        """Return a pandas.DataFrame. SessionError if pandas is not installed."""
        return _package("pandas").DataFrame(dict(self.columns))

    def to_parquet(self, path: str | Path) -> None:
        """Write the table as Parquet. SessionError if pyarrow is not installed; OSError: not written."""
        parquet = _package("pyarrow.parquet")
        table = _package("pyarrow").table({name: list(column) for name, column in self.columns.items()})
        with written_bytes(path) as stream:
            parquet.write_table(table, stream)


def write_rows(stream: TextIO, names: Iterable[str], rows: Iterable[Iterable[object]]) -> None:
    """Write a head and rows as CSV, each row as it comes."""
    cells = Cells(stream)
    cells.row(names)
    cells.rows(rows)


def save_rows(
    path: str | Path, names: Iterable[str], rows: Iterable[Iterable[object]], force: bool = False
) -> None:
    """Write a file of CSV. SessionError for one that is there, unless `force`; OSError."""
    refuse_overwriting([path], force)
    with written_whole(path) as stream:
        write_rows(stream, names, rows)


def _package(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        needed = name.partition(".")[0]
        raise SessionError(f"the package {needed} is not installed; install shadowtime[tables]") from None


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
