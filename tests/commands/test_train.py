"""`shadowtime train`: the list, the answer sheet, and progress as CSV."""

import csv
import io
import re
from pathlib import Path

import pytest

from console.session.training import Progress, Record, progress_file
from console.session.training.progress import COLUMNS
from scenarios.values import QUESTIONS
from tests.commandline import ROOT, Shadowtime

COURSE = ROOT / "scenarios" / "courses" / "backfilling"


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A data folder of the test's own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def test_without_a_terminal_the_courses_are_listed(shadowtime: Shadowtime) -> None:
    ended = shadowtime("train")
    assert (ended.code, ended.err) == (0, "")
    assert "Backfilling\n  1. First come, first served\n" in ended.out
    assert "Gang scheduling and preemption\n" in ended.out
    assert "1. Time slots" not in shadowtime("train", COURSE).out


def test_the_answer_sheet(shadowtime: Shadowtime) -> None:
    """Every question with its choices, the right ones marked, and why."""
    out = shadowtime("train", COURSE, "--answers").out
    assert out.count("?") >= 30
    assert re.search(r"\n   \* [a-d]  0d 02:00:00\n", out) and re.search(r"\n     [a-d]  0d 00:10:00\n", out)
    assert out == shadowtime("train", COURSE, "--answers", "--seed", "0").out
    assert out != shadowtime("train", COURSE, "--answers", "--seed", "1").out
    assert "job 7 is backfilled: it needs 1 node, 3 are free, and ends at 0d 01:30:00" in out


def test_faults_of_a_course_and_its_lessons(shadowtime: Shadowtime, tmp_path: Path) -> None:
    """All of them, a line each, and exit code 2; a question without an answer is one."""
    missing = shadowtime("train", tmp_path, "--answers")
    assert (missing.code, len(missing.complaints)) == (2, 1)
    lesson = (COURSE / "01-first-come.toml").read_text()
    (tmp_path / "a.toml").write_text(lesson.replace('at = "10m"\nask = "why"', 'at = "5m"\nask = "why"'))
    (tmp_path / "b.toml").write_text("title = 3\n")
    (tmp_path / "course.toml").write_text(
        'title = "T"\nabout = "A"\naudience = "B"\nlessons = ["a.toml", "b.toml"]\n'
    )
    ended = shadowtime("train", tmp_path, "--answers")
    assert ended.code == 2 and ended.out == "T\n"
    assert "a.toml:" in ended.complaints[0] and "has no answer: job 2 is submitted at" in ended.complaints[0]
    assert any("b.toml:1:9: title is 3; expected a text" in line for line in ended.complaints)


def test_progress_as_csv(shadowtime: Shadowtime) -> None:
    header = "operator,moment,course,lesson,question,ask,verdict,given,hints,points,most\n"
    assert shadowtime("train", "--csv").out == header
    progress = Progress(progress_file())
    for operator in ("kim", "ada"):
        progress.save(
            Record(operator, "2026-01-05T08:00:00+00:00", "c", "l", 1, "why", "right", "a,b", 0, 3, 3)
        )
    rows = list(csv.DictReader(io.StringIO(shadowtime("train", "--csv").out)))
    assert [row["operator"] for row in rows] == ["kim", "ada"] and rows[0]["given"] == "a,b"
    assert shadowtime("train", "--csv", "--operator", "ada").out.count("\n") == 2


def test_damaged_progress_is_one_line(shadowtime: Shadowtime) -> None:
    progress_file().parent.mkdir(parents=True)
    progress_file().write_text("no database")
    ended = shadowtime("train", "--csv")
    assert (ended.code, ended.out, len(ended.complaints)) == (2, "", 1)
    assert "is damaged" in ended.err and "left as it is" in ended.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(["--operator", "kim"], "--operator goes with --csv"), (["--csv", "--answers"], "cannot both be given")],
)
def test_mistakes(arguments: list[str], words: str, shadowtime: Shadowtime) -> None:
    ended = shadowtime("train", *arguments)
    assert (ended.code, len(ended.complaints)) == (2, 1)
    assert words in ended.err


def test_the_page_shows_what_is_there(shadowtime: Shadowtime, tmp_path: Path) -> None:
    """Its course and its question are read as they stand; its words and columns are all there are."""
    page = (ROOT / "docs" / "training.md").read_text(encoding="utf-8")
    course, question, drawn = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    (tmp_path / "course.toml").write_text(course)
    scenario = (COURSE / "01-first-come.toml").read_text()
    (tmp_path / "01-first.toml").write_text(scenario + "\n" + question)
    (tmp_path / "02-second.toml").write_text(scenario)
    ended = shadowtime("train", tmp_path, "--answers")
    assert (ended.code, ended.err) == (0, "")
    assert "When does job 4 start? (within 60 s)" in ended.out and "Job 2 has just ended early." in ended.out
    scenario = (ROOT / "scenarios" / "generated" / "modal-128.toml").read_text()
    (tmp_path / "02-second.toml").write_text(scenario + "\n" + drawn)
    ended = shadowtime("train", tmp_path, "--answers", "--seed", "4")
    assert (ended.code, ended.err) == (0, "") and ended.out.count("start? (Assume") == 4
    assert ended.out == shadowtime("train", tmp_path, "--answers", "--seed", "4").out
    assert set(re.findall(r"^\| `(\w+)`(?: \(`job`\))? \| [a-z]", page, re.MULTILINE)) >= set(QUESTIONS)
    assert f"`{','.join(COLUMNS)}`" in page
