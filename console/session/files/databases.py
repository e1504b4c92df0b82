"""SQLite files: where they may lie, and rows whose values are of the kinds that they should be.

SQLite writes such a file itself, and follows no link to the files that it makes beside it.
"""

import os
import sqlite3
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from types import UnionType
from typing import Any

import attrs

from shadowtime.console.session.files.kinds import Record, check, made_of
from shadowtime.console.session.files.places import OWN_FILE, OWN_FOLDER, named, reached


class WrongKindError(sqlite3.DatabaseError):
    """A value is of another kind than its column: which one, and what was expected."""


def connected(
    path: Path, patience: float, writing: bool = True, same_thread: bool = True
) -> sqlite3.Connection:
    """Open a file in autocommit mode. If it is not there it is made with its folders, for its owner alone.

    `patience` is how many seconds to wait for another process that writes. OSError: what is no file, cannot
    be reached or, if `writing`, may not be written to; sqlite3.Error.
    """
    with reached(path, OWN_FOLDER) as place, named(path):
        found = place.found()
        if found is None:
            with suppress(FileExistsError):
                os.close(place.open(os.O_RDWR | os.O_CREAT | os.O_EXCL, OWN_FILE))
        elif not stat.S_ISREG(found.st_mode):
            raise OSError(None, "it is no file; expected a database")
        elif writing:
            place.replaced()
    return sqlite3.connect(path, timeout=patience, isolation_level=None, check_same_thread=same_thread)


def records(record: type[Record], rows: Iterable[tuple[Any, ...]]) -> Iterator[Record]:
    """Yield rows as records, whose fields they have in order. WrongKindError for a value of another kind."""
    names = [field.name for field in attrs.fields(record)]
    for row in rows:
        try:
            found = made_of(record, dict(zip(names, row, strict=True)))
        except TypeError as error:
            raise WrongKindError(str(error)) from None
        yield found


def typed(rows: Iterable[tuple[Any, ...]], **kinds: type | UnionType) -> Iterator[tuple[Any, ...]]:
    """Yield rows whose columns are of these kinds. WrongKindError for a value of another kind."""
    for row in rows:
        for (name, kind), value in zip(kinds.items(), row, strict=True):
            try:
                check(name, value, kind)
            except TypeError as error:
                raise WrongKindError(str(error)) from None
        yield row
