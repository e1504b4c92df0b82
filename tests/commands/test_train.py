"""`shadowtime train`: the list, the answer sheet, and progress as CSV."""

import csv
import io
import re
from pathlib import Path
from shutil import copytree

import pytest

from shadowtime.console.session.exam.collecting import TABLES
from shadowtime.console.session.exam.forms import FORMS
from shadowtime.console.session.exam.paper import Paper, save
from shadowtime.console.session.exam.sitting import Sitting
from shadowtime.console.session.training import Progress, Record, letter_of, progress_file, read_course
from shadowtime.console.session.training.progress import COLUMNS
from shadowtime.scenarios.values import QUESTION_FIELDS
from tests.commandline import ROOT, Shadowtime

COURSE = ROOT / "scenarios" / "courses" / "backfilling"


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A data folder of the test's own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


@pytest.mark.proof
def test_without_a_terminal_the_courses_are_listed(shadowtime: Shadowtime) -> None:
    ended = shadowtime("train")
    assert (ended.code, ended.err) == (0, "")
    assert "LEVEL 1  FCFS, EASY, and the odds of a start\n" in ended.out
    assert "\n    1. First come, first served\n" in ended.out
    assert re.search(r"\n  Gang scheduling and preemption   0 of \d+\n", ended.out)
    assert shadowtime("train", "--list").out == ended.out
    assert "1. Time slots" not in shadowtime("train", COURSE).out


def test_the_answer_sheet(shadowtime: Shadowtime) -> None:
    """Every question with its choices, the right ones marked, and why."""
    out = shadowtime("train", COURSE, "--answers").out
    assert out.count("?") >= 30
    assert re.search(r"\n   \* [a-d]  0d 02:00:00\n", out) and re.search(r"\n     [a-d]  0d 00:10:00\n", out)
    assert out == shadowtime("train", COURSE, "--answers", "--seed", "0").out
    assert out != shadowtime("train", COURSE, "--answers", "--seed", "1").out
    assert re.search(r"job 7 .*1 node.*0d 01:30:00", out)


def test_the_answer_sheet_of_a_form(shadowtime: Shadowtime, tmp_path: Path) -> None:
    """It has the questions that the exam asks, with their places in the lesson."""
    course, sheets = read_course(COURSE), []
    for form in FORMS:
        out = shadowtime("train", COURSE, "--answers", "--exam", "--seed", "5", "--form", form).out
        sheets.append(out)
        exam = Sitting(course, 5, 60, "kim", tmp_path / f"{form}.json", form=form)
        places = [at + 1 for drill in exam.drills for at in range(drill.stop) if at not in drill.omitted]
        assert list(map(int, re.findall(r"^ +(\d+)\. ", out, re.MULTILINE))) == places
    assert sheets[0] != sheets[1]


def test_a_certificate_is_written_over_nothing(shadowtime: Shadowtime, tmp_path: Path) -> None:
    """Not over what is read; over another file only with --force; a certificate has no other one."""
    folder = tmp_path / "course"
    copytree(COURSE, folder)
    result, lesson, out = tmp_path / "kim.json", folder / "01-first-come.toml", tmp_path / "c.json"
    sitting = Sitting(read_course(folder), 5, 600, "kim", result)
    while (drill := sitting.ask()) is not None:
        sitting.close(drill.give(letter_of(drill.answer.offered.index(drill.answer.shown))))
    sitting.hand_in()
    verify = ("train", folder, "--verify", result, "-o")
    for path in (result, lesson, folder / "course.toml"):
        before = path.read_bytes()
        ended = shadowtime(*verify, path, "--force")
        assert (ended.code, len(ended.complaints)) == (2, 1) and "is an input of this command" in ended.err
        assert path.read_bytes() == before
    out.write_text("mine")
    assert "--force writes over it" in shadowtime(*verify, out).err and out.read_text() == "mine"
    assert shadowtime(*verify, out, "--force").code == 0
    assert shadowtime("train", "--verify", out).code == 0
    ended = shadowtime("train", "--verify", out, "-o", tmp_path / "d.json")
    assert ended.code == 2 and "expected --verify without -o" in ended.err
    assert not (tmp_path / "d.json").exists()


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


def test_all_faults_at_once(shadowtime: Shadowtime, tmp_path: Path) -> None:
    """Those of course.toml and those of its lessons, for every command that reads a course."""
    (tmp_path / "a.toml").write_text("title = 3\n")
    (tmp_path / "course.toml").write_text('title = 4\nabout = "A"\nlessons = ["a.toml", "b.toml"]\n')
    for arguments in (
        ("check", tmp_path),
        ("train", tmp_path, "--answers"),
        ("check", tmp_path / "course.toml"),
    ):
        ended = shadowtime(*arguments)
        assert ended.code == 2 and ended.out == ""
        for fault in ("course.toml:1:9: title is 4", 'lesson 2 is "b.toml"', "a.toml:1:9: title is 3"):
            assert sum(fault in line for line in ended.complaints) == 1, (fault, ended.err)


def test_flaws_are_counted_in_words(shadowtime: Shadowtime, tmp_path: Path) -> None:
    """A place is printed once; a name that is not there has its line, and the one that was meant."""
    lesson = (COURSE / "01-first-come.toml").read_text()
    (tmp_path / "a.toml").write_text(lesson.replace('at = "10m"\nask = "why"', 'at = "5m"\nask = "why"'))
    (tmp_path / "course.toml").write_text(
        'title = "T"\nabout = "A"\naudience = "B"\nlessons = ["a.toml"]\nlevel = 6\nneeds = ["backfiling"]\n'
    )
    ended = shadowtime("check", tmp_path)
    assert ended.code == 1 and "questions, 2 flaws; " in ended.out
    assert f"{tmp_path}/course.toml:6: it needs backfiling; " in ended.out
    assert "; did you mean backfilling?\n" in ended.out
    (line,) = [line for line in ended.out.splitlines() if "has no answer" in line]
    assert line.count("a.toml:") == 1 and re.match(rf"{tmp_path}/a.toml:\d+: why at ", line)


def test_progress_as_csv(shadowtime: Shadowtime) -> None:
    header = f"{','.join(COLUMNS)}\n"
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
    [
        (["--operator", "kim"], "--operator goes with"),
        (["--csv", "--answers"], "cannot both be given"),
    ],
)
def test_mistakes(arguments: list[str], words: str, shadowtime: Shadowtime) -> None:
    ended = shadowtime("train", *arguments)
    assert (ended.code, len(ended.complaints)) == (2, 1)
    assert words in ended.err


@pytest.fixture
def paper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A result file, alone in the folder where the commands are called."""
    folder = tmp_path / "class"
    folder.mkdir()
    monkeypatch.chdir(folder)
    save(folder / "kim.json", Paper("C", "d" * 64, 5, "kim", 1200, "2026-01-05T08:00:00+00:00", 2))
    return folder / "kim.json"


def test_each_file_that_is_refused_has_a_line(shadowtime: Shadowtime, tmp_path: Path) -> None:
    """Not one line with all of them."""
    ended = shadowtime("train", "--collect", "kim.json", "ada.json", "--csv", tmp_path / "class.csv")
    assert ended.code == 2 and [line.split(":")[0] for line in ended.err.splitlines()] == [
        "kim.json",
        "ada.json",
    ]


def test_a_course_by_its_name(shadowtime: Shadowtime) -> None:
    """The name under which other courses need it is enough, as it is for `check`."""
    assert (
        shadowtime("train", "odds", "--answers").out
        == shadowtime("train", COURSE.parent / "odds", "--answers").out
    )


@pytest.mark.parametrize("table", [".", "..", "/", "there", "there/", "none/", "none/.", "none/..", ".csv"])
def test_tables_need_a_name(shadowtime: Shadowtime, paper: Path, table: str) -> None:
    (paper.parent / "there").mkdir()
    ended = shadowtime("train", "--collect", "kim.json", "--csv", table)
    assert (ended.code, ended.out, len(ended.complaints)) == (2, "", 1)
    assert {it.name for it in paper.parent.iterdir()} == {"kim.json", "there"}


def test_tables_keep_their_whole_name(shadowtime: Shadowtime, paper: Path) -> None:
    """Only `.csv` is cut off."""
    for table in ("week.1", "week.2.csv"):
        assert shadowtime("train", "--collect", "kim.json", "--csv", table).code == 0
    found = {it.name for it in paper.parent.iterdir()} - {"kim.json"}
    assert found == {f"{week}-{name}.csv" for week in ("week.1", "week.2") for name in TABLES}


def test_tables_write_over_nothing(shadowtime: Shadowtime, paper: Path) -> None:
    """No input, whatever is given; nothing that is there, without --force."""
    named = paper.rename("cls-answers.csv")
    result = named.read_bytes()
    (paper.parent / "link").symlink_to(named)
    for names in ((named,), ("link",)):
        for force in ((), ("--force",)):
            ended = shadowtime("train", "--collect", *names, "--csv", "cls.csv", *force)
            assert (ended.code, ended.out, len(ended.complaints)) == (2, "", 1)
    topics = paper.parent / "week-topics.csv"
    topics.write_text("mine\n")
    command = ("train", "--collect", named, "--csv", "week.csv")
    ended = shadowtime(*command)
    assert (ended.code, ended.out, len(ended.complaints)) == (2, "", 1) and "week-topics.csv" in ended.err
    assert topics.read_text() == "mine\n" and named.read_bytes() == result
    assert {it.name for it in paper.parent.iterdir()} == {named.name, "link", topics.name}
    assert shadowtime(*command, "--force").code == 0
    assert topics.read_text() == f"{','.join(TABLES['topics'])}\n" and named.read_bytes() == result


def test_the_page_shows_what_is_there(shadowtime: Shadowtime, tmp_path: Path) -> None:
    """Its course and its questions are read as they stand; its words and columns are all there are."""
    page = (ROOT / "docs" / "training.md").read_text(encoding="utf-8")
    (course,) = re.findall(r"```toml\n# monday/course.toml\n(.*?)```", page, re.DOTALL)
    own = page[page.index("\n## A course of your own") :]
    question, drawn = re.findall(r"```toml\n((?!# ).*?)```", own, re.DOTALL)
    (tmp_path / "course.toml").write_text(course)
    scenario = (COURSE / "01-first-come.toml").read_text()
    (tmp_path / "01-first.toml").write_text(scenario + "\n" + question)
    (tmp_path / "02-drawn.toml").write_text(scenario)
    ended = shadowtime("train", tmp_path, "--answers")
    assert (ended.code, ended.err) == (0, "")
    assert "When does job 4 start? (within 60 s)" in ended.out and "Job 2 has just ended early." in ended.out
    scenario = (ROOT / "scenarios" / "generated" / "modal-128.toml").read_text()
    (tmp_path / "02-drawn.toml").write_text(scenario + "\n" + drawn)
    ended = shadowtime("train", tmp_path, "--answers", "--seed", "4")
    assert (ended.code, ended.err) == (0, "") and ended.out.count("start? (Assume") == 4
    assert ended.out == shadowtime("train", tmp_path, "--answers", "--seed", "4").out
    described = re.findall(r"^\| `(\w+)`(?: \([^)|]*\))? \| [a-z]", page, re.MULTILINE)
    assert set(described) >= QUESTION_FIELDS.keys()
    assert f"`{','.join(COLUMNS)}`" in page


@pytest.mark.proof
def test_the_page_has_a_course_that_is_sound(
    shadowtime: Shadowtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The course of its tutorial, copied file by file: its check is what the page shows, and it is taken."""
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / "training.md").read_text(encoding="utf-8")
    files = re.findall(r"```toml\n(# (monday/\S+)\n.*?)```", page, re.DOTALL)
    assert len(files) == 3
    (tmp_path / "monday").mkdir()
    for text, name in files:
        (tmp_path / name).write_text(text)
    (shown,) = re.findall(r"\$ shadowtime check monday\n(.*\n)", page)
    ended = shadowtime("check", "monday")
    assert (ended.out, ended.err, ended.code) == (shown, "", 0)
    monkeypatch.setattr("sys.stdin", io.StringIO("a\n" * 6))
    ended = shadowtime(
        "train", "monday", "--exam", "--seed", "7", "--time", "20m", "-o", "kim.json", "--text"
    )
    assert ended.code == 0 and "kim.json has the result" in ended.out
    assert shadowtime("train", "--collect", "kim.json", "--csv", "class.csv").code == 0
    for name, columns in TABLES.items():
        text = (tmp_path / f"class-{name}.csv").read_text()
        assert text.startswith(",".join(columns) + ("\n" if name == "gains" else "\nOur machine on"))
        assert f"`{','.join(columns)}`" in page, name
    ended = shadowtime("train", "monday", "--verify", "kim.json")
    assert (ended.code, len(ended.complaints)) == (2, 1) and "has not passed" in ended.err
    monkeypatch.setattr("sys.stdin", io.StringIO("show\n" * 6))
    ended = shadowtime("train", "monday", "--text")
    assert "Count the nodes at each end" in ended.out and "not because it is small" in ended.out


def test_the_page_has_a_shift_that_is_sound(
    shadowtime: Shadowtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its check is what the page shows, and it can be played in lines."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    page = (ROOT / "docs" / "training.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"```toml\n(# night.toml\n.*?)```", page, re.DOTALL)
    (shown,) = re.findall(r"```console\n\$ shadowtime check night.toml\n(.*?)```", page, re.DOTALL)
    (tmp_path / "night.toml").write_text(text)
    ended = shadowtime("check", "night.toml")
    assert (ended.out, ended.err, ended.code) == (shown, "", 0)
    (tmp_path / "night.toml").write_text(text.replace("budget = 2", "budget = 1").replace("40m", "42m", 1))
    ended = shadowtime("check", "night.toml")
    assert ended.code == 1 and "night.toml:" in ended.out and "when nothing happens" in ended.out


def test_a_shift_is_no_course(shadowtime: Shadowtime) -> None:
    path = ROOT / "scenarios" / "shifts" / "flapping-node.toml"
    ended = shadowtime("train", path, "--answers")
    assert (ended.code, len(ended.complaints)) == (2, 1) and "is a shift, and no course" in ended.err
    ended = shadowtime("train", ROOT / "scenarios" / "small" / "06-scan-order.toml", "--text")
    assert len(ended.complaints) == 1 and "is no shift; expected a file with [shift]" in ended.err
