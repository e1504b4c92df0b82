"""Progress: every answer of every operator, in a SQLite file in the user's data folder.

One answer is one transaction, on the disk before the next key is read (a write-ahead log, synchronous):
whenever the process is killed, what was saved before is there. A file that is damaged, or of another program,
is reported in one line and never touched.
"""

import getpass
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import attrs

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.files.databases import connected, records, typed
from shadowtime.console.session.files.tidy import Table
from shadowtime.scenarios.text.gate import printable


def operator_name() -> str:
    """Return $SHADOWTIME_OPERATOR if it is set, else the user's name on this machine, printable."""
    named = os.environ.get("SHADOWTIME_OPERATOR", "").strip()
    if named:
        return printable(named)
    try:
        return printable(getpass.getuser())
    except (OSError, KeyError):
        # There is no user of that number, and no variable holds a name.
        return "operator"


def moment_now() -> str:
    """Return the wall clock in UTC, as ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="seconds")


SCHEMA = 2
"""The version of the tables, in the file's `user_version`. Version 1 lacks the columns of `ADDED`."""
APPLICATION = 0x53484457
"""Marks the file as ours, in its `application_id`: SHDW."""
TABLES = """
CREATE TABLE answer (
    number INTEGER PRIMARY KEY, operator TEXT NOT NULL, moment TEXT NOT NULL, course TEXT NOT NULL,
    lesson TEXT NOT NULL, question INTEGER NOT NULL, ask TEXT NOT NULL, verdict TEXT NOT NULL,
    given TEXT NOT NULL, hints INTEGER NOT NULL, points INTEGER NOT NULL, most INTEGER NOT NULL,
    asked TEXT NOT NULL DEFAULT '', value TEXT NOT NULL DEFAULT '', seconds INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX of_operator ON answer (operator, course, lesson);
"""
COLUMNS = (
    "operator", "moment", "course", "lesson", "question", "ask", "verdict", "given", "hints", "points",
    "most", "asked", "value", "seconds",
)  # fmt: skip
ADDED = (
    "asked TEXT NOT NULL DEFAULT ''",
    "value TEXT NOT NULL DEFAULT ''",
    "seconds INTEGER NOT NULL DEFAULT 0",
)
AS_ADDED = "CREATE TEMP VIEW answer AS SELECT *, '' AS asked, '' AS value, 0 AS seconds FROM main.answer"
"""How a file of version 1 is read; what writes to it adds the columns."""
HINTED = "hint"
"""The verdict of a record that keeps a hint, and answers nothing."""
UNANSWERED = ("skipped", HINTED)
PATIENCE = 10.0
"""Seconds to wait for another console that writes."""


@attrs.frozen
class Record:
    """One answer as it is kept."""

    operator: str
    moment: str
    """When it was given: the wall clock, in UTC, as ISO 8601."""
    course: str
    lesson: str
    question: int
    """Its place in the lesson, from 1."""
    ask: str
    verdict: str
    given: str = ""
    hints: int = 0
    points: int = 0
    most: int = 0
    asked: str = ""
    """Of a question that a seed has drawn: its instant and its job."""
    value: str = ""
    """The answer as JSON, whatever the order of the choices was; empty if none was given."""
    seconds: int = 0
    """From when it was asked until it ended."""


@attrs.frozen
class LessonStanding:
    """How far an operator has come in a lesson: the best of each question that was answered."""

    best: Mapping[int, int]
    """The points of each question, by its place from 1; one that was only skipped is not among them."""
    hints: Mapping[int, int] = attrs.field(factory=dict)
    """The hints taken for a question since it was last answered, by its place from 1."""

    @property
    def points(self) -> int:
        return sum(self.best.values())

    def begins_at(self, questions: int) -> int:
        """The place, from 0, of the first question not answered yet; 0 if all are."""
        return next((place for place in range(questions) if place + 1 not in self.best), 0)


class ProgressError(SessionError):
    """The file of progress cannot be used: one line that names it."""


class Progress:
    """The file. Each call opens it anew: nothing is held open between two keys."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._sound = False
        """Whether the file has been looked through: nothing is added to one that is damaged anywhere."""

    def save(self, record: Record) -> None:
        """Keep an answer. It is on the disk on return. ProgressError if it cannot be."""
        marks = ", ".join("?" * len(COLUMNS))
        with self._open(writing=True) as file:
            file.execute(
                f"INSERT INTO answer ({', '.join(COLUMNS)}) VALUES ({marks})",
                attrs.astuple(record),
            )

    def standing(self, operator: str, course: str) -> Mapping[str, LessonStanding]:
        """Return how far an operator has come in each lesson of a course, by the lesson's name."""
        query = (
            "SELECT lesson, question, verdict, points, hints FROM answer WHERE operator = ? AND course = ?"
            " ORDER BY number"
        )
        kinds = {"lesson": str, "question": int, "verdict": str, "points": int, "hints": int}
        with self._read(query, operator, course) as rows:
            return standings(typed(rows, **kinds))

    def records(self, operator: str | None = None) -> tuple[Record, ...]:
        """Return every answer, of one operator or of all, in the order in which they were given."""
        query = f"SELECT {', '.join(COLUMNS)} FROM answer WHERE ? IS NULL OR operator = ? ORDER BY number"
        with self._read(query, operator, operator) as rows:
            return tuple(records(Record, rows))

    def csv(self, operator: str | None = None) -> str:
        """Return the same as CSV with a header."""
        return Table.of_rows(COLUMNS, map(attrs.astuple, self.records(operator))).csv()

    @contextmanager
    def _read(self, query: str, *values: str | None) -> Iterator[Iterable[tuple[Any, ...]]]:
        """Yield rows of the file, none if it is not there. ProgressError for what is wrong with them."""
        if not self.path.exists():
            yield ()
            return
        with self._open(writing=False) as file:
            yield file.execute(query, values)

    @contextmanager
    def _open(self, writing: bool) -> Iterator[sqlite3.Connection]:
        """Yield a connection in a transaction: it is committed at the end, or nothing of it stays."""
        connection = None
        try:
            connection = connected(self.path, PATIENCE, writing)
            self._check(connection, writing)
            connection.execute("BEGIN IMMEDIATE" if writing else "BEGIN")
            yield connection
            connection.execute("COMMIT")
        except sqlite3.DatabaseError as error:
            raise self._refused(error) from error
        except OSError as error:
            raise ProgressError(f"{self.path}: {(error.strerror or str(error)).lower()}") from error
        finally:
            if connection is not None:
                connection.close()

    def _check(self, connection: sqlite3.Connection, writing: bool) -> None:
        """Make the tables of a new file; refuse one that is not ours, or of a later version."""
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if tables == 0 and application == 0 and version == 0:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            self._make(connection)
        elif application != APPLICATION:
            raise ProgressError(
                f"{self.path} is no progress of training, and is left as it is; move it away to begin anew"
            )
        elif version not in (1, SCHEMA):
            raise ProgressError(
                f"{self.path} has version {version} of the tables, of a later shadowtime;"
                f" this one knows {SCHEMA}"
            )
        elif not self._sound:
            (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            if found != "ok":
                raise sqlite3.DatabaseError(" ".join(str(found).split()))
        self._sound = True
        if version == 1 and application == APPLICATION:
            connection.execute(AS_ADDED) if not writing else self._add(connection)
        if writing:
            connection.execute("PRAGMA synchronous = FULL")

    def _add(self, connection: sqlite3.Connection) -> None:
        """Add the columns that version 1 lacks."""
        connection.execute("BEGIN IMMEDIATE")
        # Another console may have added them between the look and the lock.
        if connection.execute("PRAGMA user_version").fetchone()[0] == 1:
            for column in ADDED:
                connection.execute(f"ALTER TABLE answer ADD COLUMN {column}")
            connection.execute(f"PRAGMA user_version = {SCHEMA}")
        connection.execute("COMMIT")

    def _make(self, connection: sqlite3.Connection) -> None:
        connection.execute("BEGIN IMMEDIATE")
        # Another console may have made them between the look and the lock.
        if not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            for statement in TABLES.split(";\n"):
                if statement.strip():
                    connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            connection.execute(f"PRAGMA user_version = {SCHEMA}")
        connection.execute("COMMIT")

    def _refused(self, error: sqlite3.DatabaseError) -> ProgressError:
        if isinstance(error, sqlite3.OperationalError) and not _damaged(error):
            return ProgressError(f"{self.path}: {error}")
        return ProgressError(
            f"{self.path} is damaged ({error}), and is left as it is; move it away to begin anew"
        )


class Unkept(Progress):
    """Progress that lasts as long as the console: no file is read, and none is written."""

    def __init__(self) -> None:
        super().__init__(Path())
        self._records: list[Record] = []

    def save(self, record: Record) -> None:
        self._records.append(record)

    def standing(self, operator: str, course: str) -> Mapping[str, LessonStanding]:
        return standings(
            (it.lesson, it.question, it.verdict, it.points, it.hints)
            for it in self.records(operator)
            if it.course == course
        )

    def records(self, operator: str | None = None) -> tuple[Record, ...]:
        return tuple(record for record in self._records if operator in (None, record.operator))


def standings(rows: Iterable[tuple[str, int, str, int, int]]) -> Mapping[str, LessonStanding]:
    """Return the standing in each lesson: rows of lesson, question, verdict, points, hints in their order."""
    best: dict[str, dict[int, int]] = {}
    hints: dict[str, dict[int, int]] = {}
    for lesson, question, verdict, points, taken in rows:
        known, spent = best.setdefault(lesson, {}), hints.setdefault(lesson, {})
        if verdict in UNANSWERED:
            spent[question] = max(taken, spent.get(question, 0))
        else:
            known[question] = max(points, known.get(question, 0))
            spent.pop(question, None)
    return {
        lesson: LessonStanding(best[lesson], hints[lesson])
        for lesson in best
        if best[lesson] or hints[lesson]
    }


def _damaged(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorname", "").startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB"))
