"""Tables for other programs: named columns, as CSV, as a frame of pandas, as Parquet; jobs of a run as one.

Texts of others become cells that no spreadsheet computes, and are read back. A cell that begins like a
formula gets an apostrophe in front, as does one that begins with an apostrophe. What is not printable is an
escape (`shadowtime.scenarios.text.gate`). Numbers stay as they are.
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from importlib import import_module
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import attrs

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.files.writers import refuse_overwriting, written_bytes, written_whole
from shadowtime.scenarios.text.gate import decoded, encoded

_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_FORMULA = "=+\\-@\uff1d\uff0b\uff0d\uff20"
_GUARDED = re.compile(rf"\s*[{_FORMULA}]|'")
# Where the semicolon separates, the rest of the text would be a cell of its own.
_SPLIT = re.compile(rf";(?=[\s\"']*[{_FORMULA}])")
NAMES = ("job", "submit", "start", "finish", "wait", "response")
_BATSIM = ("job_id", "submission_time", "starting_time", "finish_time")
_ACCASIM = re.compile(r"([^;]+);(?:.*;)?([^;]+?)__.*__([^;]+);([^;]+);")

NO_JOB = "no job of a result file; expected jobs.csv of Batsim, or a schedule of AccaSim"


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


class Outcome(NamedTuple):
    """What became of a job; times are seconds."""

    job: str
    submit: float
    start: float
    finish: float


def read_outcomes(path: str | Path) -> Table:
    """Return the jobs that a result file has (`outcomes_of`), with their waits and responses."""
    rows = outcomes_of(path)
    return Table.of_rows(NAMES, ((*row, row.start - row.submit, row.finish - row.submit) for row in rows))


def outcomes_of(path: str | Path) -> list[Outcome]:
    """Return the jobs that a result file has, by their id as a text.

    The file is Batsim's `jobs.csv`, or the schedule of AccaSim. Times are seconds: Batsim's own, of AccaSim
    from the submission of its first row on. SessionError: the file is neither, or a row lacks times. OSError.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
        rows = list(_batsim(text, path) if text.startswith("job_id,") else _accasim(text, path))
    except UnicodeDecodeError:
        text = ""
    except csv.Error as error:
        raise SessionError(f"{path}: {error}; expected jobs.csv of Batsim") from None
    if not text:
        raise SessionError(f"{path}: {NO_JOB}")
    return rows


def _batsim(text: str, path: str | Path) -> Iterator[Outcome]:
    for number, row in enumerate(csv.DictReader(io.StringIO(text)), 2):
        if row.get("final_state") == "REJECTED":
            continue
        try:
            submit, start, finish = (_seconds(row[name]) for name in _BATSIM[1:])
        except (KeyError, TypeError, ValueError):
            expected = ", ".join(_BATSIM[1:])
            raise SessionError(f"{path}:{number}: a job without times; expected {expected}") from None
        yield Outcome(row["job_id"], submit, start, finish)


def _seconds(text: str) -> float:
    """A time of Batsim. ValueError for another text, and for one that is not finite."""
    if not isfinite(seconds := float(text)):
        raise ValueError(text)
    return seconds


def _accasim(text: str, path: str | Path) -> Iterator[Outcome]:
    first: float | None = None
    for number, line in enumerate(text.splitlines(), 1):
        match = _ACCASIM.match(line)
        if match is None:
            raise SessionError(f"{path}:{number}: {NO_JOB}")
        try:
            # The three are of one clock, whose offset cancels out.
            times = [datetime.fromisoformat(f"{each}+00:00").timestamp() for each in match.groups()[1:]]
        except ValueError:
            raise SessionError(f"{path}:{number}: {NO_JOB}") from None
        first = times[0] if first is None else first
        submit, start, finish = (each - first for each in times)
        yield Outcome(match[1], submit, start, finish)
