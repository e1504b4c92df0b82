"""Progress survives whatever happens to the process, and never spoils a file that is not its own."""

import os
import random
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import attrs
import pytest

from shadowtime.console.session.training import Progress, ProgressError, Record
from shadowtime.console.session.training.progress import COLUMNS, HINTED, SCHEMA
from tests.amount import many
from tests.killing import killed

ANSWER = Record("kim", "2026-01-05T08:00:00+00:00", "backfilling", "02", 1, "why", "right", "c", 1, 2, 3)
WRITER = """
import sys
from pathlib import Path
from shadowtime.console.session.training.progress import Progress, Record
progress, first = Progress(Path(sys.argv[1])), int(sys.argv[2])
for number in range(first, first + 10_000):
    progress.save(Record("kim", "now", "course", "lesson", number, "why", "right", "x" * 50, 0, 3, 3))
    print(number, flush=True)
"""


@pytest.fixture
def progress(tmp_path: Path) -> Progress:
    return Progress(tmp_path / "of" / "somebody" / "training.sqlite3")


def test_what_is_saved_is_read_again(progress: Progress) -> None:
    """By anyone who opens the file later; the folders of the file are made."""
    assert progress.records() == () and not progress.path.exists()
    progress.save(ANSWER)
    other = attrs.evolve(ANSWER, operator="ada", given="0 00:10:00, or so")
    progress.save(other)
    again = Progress(progress.path)
    assert again.records() == (ANSWER, other)
    assert again.records("ada") == (other,)


def test_the_best_of_each_question_counts(progress: Progress) -> None:
    """A skipped question was not answered; a worse answer later takes nothing away."""
    for question, verdict, points in ((1, "right", 2), (1, "wrong", 0), (2, "wrong", 0), (3, "skipped", 0)):
        progress.save(attrs.evolve(ANSWER, question=question, verdict=verdict, points=points))
    standing = progress.standing("kim", "backfilling")["02"]
    assert standing.best == {1: 2, 2: 0} and standing.points == 2
    assert standing.begins_at(4) == 2 and standing.begins_at(2) == 0
    assert progress.standing("ada", "backfilling") == {} == progress.standing("kim", "gang")


def test_a_hint_is_kept_until_the_question_is_answered(progress: Progress) -> None:
    """Neither leaving nor skipping gives it back; an answer ends it. Without an answer there is no place."""
    hint = attrs.evolve(ANSWER, question=2, verdict=HINTED, points=0, hints=1)
    for record in (hint, attrs.evolve(hint, hints=2), attrs.evolve(hint, verdict="skipped", hints=2)):
        progress.save(record)
    standing = progress.standing("kim", "backfilling")["02"]
    assert (standing.best, standing.hints, standing.begins_at(3)) == ({}, {2: 2}, 0)
    progress.save(attrs.evolve(ANSWER, question=2))
    assert progress.standing("kim", "backfilling")["02"].hints == {}


def test_csv(progress: Progress) -> None:
    assert progress.csv() == ",".join(COLUMNS) + "\n"
    progress.save(attrs.evolve(ANSWER, given='a, "b"'))
    header, line = progress.csv().splitlines()
    assert (
        header
        == "operator,moment,course,lesson,question,ask,verdict,given,hints,points,most,asked,value,seconds"
    )
    assert line == 'kim,2026-01-05T08:00:00+00:00,backfilling,02,1,why,right,"a, ""b""",1,2,3,,,0'


@pytest.mark.parametrize(
    "content", [b"not a database at all", b"\0" * 8192, b"SQLite format 3\0" + b"\xff" * 4096]
)
def test_a_damaged_file_is_reported_in_one_line_and_left_as_it_is(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "training.sqlite3"
    path.write_bytes(content)
    for use in (lambda: Progress(path).save(ANSWER), lambda: Progress(path).records()):
        with pytest.raises(ProgressError) as caught:
            use()
        assert str(caught.value).startswith(f"{path} is ") and "\n" not in str(caught.value)
        assert "left as it is" in str(caught.value)
    assert path.read_bytes() == content


@pytest.mark.parametrize("column", COLUMNS)
def test_a_value_of_another_kind_is_reported_in_one_line(progress: Progress, column: str) -> None:
    """In a table without the rules of ours; what the standing does not need does not matter there."""
    progress.save(ANSWER)
    with sqlite3.connect(progress.path) as file:
        file.execute("CREATE TABLE loose AS SELECT * FROM answer")
        file.execute("DROP TABLE answer")
        file.execute("ALTER TABLE loose RENAME TO answer")
        file.execute(f"UPDATE answer SET {column} = x'00'")
    with pytest.raises(ProgressError) as caught:
        progress.records()
    assert column in str(caught.value) and "\n" not in str(caught.value)
    if column in ("question", "verdict", "points", "hints", "lesson"):
        with pytest.raises(ProgressError, match=column):
            progress.standing(ANSWER.operator, ANSWER.course)


def test_the_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    """And so is the folder that is made for it."""
    progress = Progress(tmp_path / "data" / "training.sqlite3")
    progress.save(ANSWER)
    for path in (progress.path, progress.path.parent):
        assert path.stat().st_mode & 0o077 == 0


def test_a_page_that_is_damaged_is_reported(progress: Progress) -> None:
    """Not only the beginning of the file may be wrong."""
    for _ in range(40):
        progress.save(attrs.evolve(ANSWER, given="x" * 400))
    content = bytearray(progress.path.read_bytes())
    content[4096:] = os.urandom(len(content) - 4096)
    progress.path.write_bytes(content)
    with pytest.raises(ProgressError, match=r"is damaged .* left as it is"):
        progress.records()
    assert progress.path.read_bytes() == content


def test_nothing_is_added_to_a_file_that_is_damaged_in_the_middle(progress: Progress) -> None:
    """Not even where a new answer would go to a page that is whole."""
    for number in range(40):
        progress.save(attrs.evolve(ANSWER, question=number, given="x" * 400))
    with sqlite3.connect(progress.path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = bytearray(progress.path.read_bytes())
    assert len(content) > 5 * 4096
    content[3 * 4096 : 3 * 4096 + 200] = b"\xff" * 200
    progress.path.write_bytes(content)
    with pytest.raises(ProgressError, match="is damaged"):
        Progress(progress.path).save(ANSWER)
    assert progress.path.read_bytes() == content


def test_a_file_of_somebody_else_and_one_of_a_later_version(tmp_path: Path) -> None:
    other = tmp_path / "other.sqlite3"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE mine (x)")
    with pytest.raises(ProgressError, match="is no progress of training, and is left as it is"):
        Progress(other).save(ANSWER)
    late = Progress(tmp_path / "late.sqlite3")
    late.save(ANSWER)
    with sqlite3.connect(late.path) as connection:
        connection.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    with pytest.raises(ProgressError, match=rf"has version {SCHEMA + 1} .* this one knows {SCHEMA}"):
        late.records()


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    """One line names the file."""
    (tmp_path / "file").write_text("")
    with pytest.raises(ProgressError) as caught:
        Progress(tmp_path / "file" / "training.sqlite3").save(ANSWER)
    assert str(tmp_path) in str(caught.value) and "\n" not in str(caught.value)


def kill_often(progress: Progress, times: int) -> None:
    """Kill at random moments; after each all that had been reported is there, and the file is sound."""
    chance, first = random.Random(5), 1
    for _ in range(times):
        last = killed(WRITER, progress.path, first, after=chance.uniform(0, 0.02))
        numbers = [record.question for record in progress.records()]
        assert numbers == list(range(1, len(numbers) + 1)), "in order, each once, none missing"
        assert len(numbers) >= last
        first = len(numbers) + 1
    with sqlite3.connect(progress.path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.mark.proof
def test_a_kill_loses_nothing_that_was_saved(progress: Progress) -> None:
    kill_often(progress, 4)


@pytest.mark.proof
def test_many_kills_lose_nothing_that_was_saved(progress: Progress) -> None:
    kill_often(progress, many(200))


class Careless(sqlite3.Connection):
    """As one of a SQLite that was built to wait for no disk, unless it has to."""

    heard: ClassVar[list[tuple[str, int]]] = []

    def __init__(self, *arguments: Any, **others: Any) -> None:
        super().__init__(*arguments, **others)
        super().execute("PRAGMA synchronous = OFF")

    def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
        word = sql.split()[0]
        if word in ("CREATE", "INSERT"):
            self.heard.append((word, super().execute("PRAGMA synchronous").fetchone()[0]))
        return super().execute(sql, *values)


def test_an_answer_is_on_the_disk_however_sqlite_was_built(
    progress: Progress, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tables and each answer are written with synchronous = FULL, which is 2."""
    monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=Careless))
    Careless.heard.clear()
    progress.save(ANSWER)
    progress.save(ANSWER)
    assert {word for word, _ in Careless.heard} == {"CREATE", "INSERT"}
    assert {level for _, level in Careless.heard} == {2}


def test_a_file_of_version_1_is_read_and_goes_on(tmp_path: Path) -> None:
    """Its answers have no value and no seconds; the first new one adds the columns."""
    path = tmp_path / "training.sqlite3"
    old = Record("kim", "2026-01-05T08:00:00+00:00", "c", "l", 1, "why", "right", "a", 0, 3, 3)
    Progress(path).save(old)
    with closing(sqlite3.connect(path)) as connection, connection:
        for column in ("asked", "value", "seconds"):
            connection.execute(f"ALTER TABLE answer DROP COLUMN {column}")
        connection.execute("PRAGMA user_version = 1")
    assert Progress(path).records() == (old,) and Progress(path).standing("kim", "c")["l"].points == 3
    new = attrs.evolve(old, value='"head_blocked"', seconds=12)
    Progress(path).save(new)
    assert Progress(path).records() == (old, new)
