"""`train --text`, `--exam` and `--collect`: questions in lines, a result file, the tables of a class."""

import io
from pathlib import Path

import pytest

from shadowtime.console.session.exam.paper import read
from shadowtime.console.session.training import (
    Drill,
    Progress,
    Seed,
    exam_seed,
    lessons_of,
    letter_of,
    open_lesson,
    progress_file,
    read_course,
)
from tests.commandline import ROOT, Shadowtime

FOLDER = ROOT / "scenarios" / "courses" / "gang"


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A data folder of the test's own, and an operator."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("SHADOWTIME_OPERATOR", "kim")


def typing(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def right_letters(seed: Seed, folder: Path = FOLDER) -> list[str]:
    """The letters of the right choices of the whole course."""
    found = []
    for lesson in lessons_of(read_course(folder)):
        drill: Drill = open_lesson(lesson, seed)
        while drill.question is not None:
            found.append(letter_of(drill.answer.offered.index(drill.answer.shown)))
            drill.skip()
    return found


def test_a_course_in_lines(shadowtime: Shadowtime, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every lesson can be answered by letters; hints and answers are kept as on the screen."""
    letters = right_letters(9)
    typing(monkeypatch, "nonsense", "hint", *letters)
    ended = shadowtime("train", FOLDER, "--text", "--seed", "9")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.count("RIGHT, 3 points of 3") == len(letters) - 1 and "RIGHT, 2 points" in ended.out
    assert (
        "'nonsense' is no answer; expected a to" in ended.out and "row 0: job 1  has the machine" in ended.out
    )
    records = Progress(progress_file()).records("kim")
    assert [it.verdict for it in records] == ["hint", *["right"] * len(letters)]
    assert sum(it.points for it in records) == 3 * len(letters) - 1


@pytest.mark.parametrize("name", ["adaptive", "operating", "matrix", "t3d"])
def test_the_upper_courses_in_lines(
    name: str, shadowtime: Shadowtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All points, with what the questions need: the order in force, bases of blocks, classes and users."""
    letters = right_letters(3, folder := ROOT / "scenarios" / "courses" / name)
    typing(monkeypatch, *letters)
    ended = shadowtime("train", folder, "--text", "--seed", "3")
    assert (ended.code, ended.err) == (0, "") and ended.out.count("RIGHT, 3 points of 3") == len(letters)
    shown = {
        "adaptive": "in force: ljf",
        "t3d": "large jobs 192 of 192",
        "matrix": "row 2: job",
        "operating": "NODES",
    }
    assert shown[name] in ended.out
    assert ("BASE" in ended.out and "eve" in ended.out) == (name == "t3d")


def test_the_input_ends(shadowtime: Shadowtime, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then the trainee has left, and comes back to the question that was open."""
    typing(monkeypatch, *right_letters(1)[:2])
    assert "left; answers are kept" in shadowtime("train", FOLDER, "--text", "--seed", "1").out
    typing(monkeypatch, "quit")
    assert "QUESTION 3 of 6" in shadowtime("train", FOLDER, "--text", "--seed", "1").out


@pytest.mark.proof
def test_an_exam(shadowtime: Shadowtime, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No verdict is shown; left half-way it goes on; the tables count it once."""
    path, letters = tmp_path / "kim.json", right_letters(exam_seed(4))
    command = ("train", "--exam", FOLDER, "--seed", "4", "--time", "20m", "-o", path)
    typing(monkeypatch, *letters[:5], "quit")
    table = tmp_path / "class.csv"
    ended = shadowtime(*command)
    assert ended.code == 0 and "the same command goes on" in ended.out
    collected = shadowtime("train", "--collect", path, "--csv", table)
    assert f"{path}: kim has not handed it in yet; 5 of 42 questions asked\n" in collected.out
    assert not any(word in ended.out for word in ("RIGHT", "WRONG", "HINT"))
    typing(monkeypatch, *letters[5:])
    ended = shadowtime(*command)
    assert f"kim: {len(letters)} of {len(letters)} right" in ended.out
    paper = read(path)
    assert paper.ended and paper.points == 3 * len(letters)
    again = shadowtime(*command)
    assert (again.code, len(again.complaints)) == (2, 1) and "this exam has ended" in again.err
    collected = shadowtime("train", "--collect", path, path, "--csv", table, "--force")
    assert collected.code == 0 and "handed" not in collected.out
    (_, trainee) = (tmp_path / "class-trainees.csv").read_text().splitlines()
    assert ",kim," in trainee
    path.write_text(path.read_text().replace('"seconds": 0', '"seconds": 1', 1))
    refused = shadowtime("train", "--collect", path, "--csv", table, "--force")
    assert (refused.code, len(refused.complaints)) == (2, 1)
    assert f"{path}: it was changed after the exam" in refused.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--exam", FOLDER], "--exam needs a time limit and a result file"),
        (["--exam", "--time", "5m", "-o", "x"], "--exam needs the folder of a course"),
        (["--exam", FOLDER, "--seed", "1", "--time", "soon", "-o", "x"], "--time: "),
        (["--text"], "--text needs the folder of a course"),
        (["--review", FOLDER], "--review takes no folder"),
        (
            ["--exam", FOLDER, "--time", "5m", "-o", "x"],
            "--exam needs the seed of the exam",
        ),
        (["--exam", "--answers", FOLDER], "--answers of an exam needs the seed of the exam"),
        (["--answers", "-o", "x", FOLDER], "it prints; expected > sheet.txt"),
        (["--exam", "--lecture", "--time", "5m", "-o", "x", FOLDER], "cannot both be given"),
        (["--time", "5m", FOLDER], "--time and -o go with --exam"),
        (["--force", FOLDER], "--force goes with --collect"),
        (["--collect", "x.json"], "--collect needs result files and a table"),
        (["--text", "--answers", FOLDER], "cannot both be given"),
        ([FOLDER, FOLDER], "2 folders are given; expected one"),
    ],
)
def test_mistakes(arguments: list[object], words: str, shadowtime: Shadowtime) -> None:
    ended = shadowtime("train", *arguments)
    assert (ended.code, len(ended.complaints)) == (2, 1) and words in ended.err


def test_a_long_queue(shadowtime: Shadowtime, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The machine has what runs and the job that is asked about, behind 40 that wait; `jobs` lists all."""
    jobs = [f'[[job]]\nid = {job}\nsize = 4\nsubmit = {job}\nruntime = "1h"\n' for job in range(1, 61)]
    asked = '[[question]]\nat = 60\nask = "start_time"\njob = 60\n'
    head = 'title = "L"\n[machine]\nnodes = 8\n[policy]\nname = "fcfs"'
    (tmp_path / "long.toml").write_text("\n".join([head, *jobs, asked]))
    about = 'title = "C"\nabout = "A"\naudience = "B"\nlessons = ["long.toml"]\n'
    (tmp_path / "course.toml").write_text(about)
    typing(monkeypatch, "jobs", "quit")
    machines = shadowtime("train", tmp_path, "--text", "--seed", "1").out.split("policy ")[1:]
    brief, whole = (
        [int(it.split()[0]) for it in one.splitlines() if it[:3].strip().isdigit()] for one in machines
    )
    assert brief == [*range(3, 43), 60, 1, 2] and sorted(whole) == list(range(1, 61))
    gift = tmp_path / "long.gift"
    assert shadowtime("train", "export", tmp_path, "--gift", gift).code == 0
    assert "and 17 more that wait" in gift.read_text() and "\\n  2      R" in gift.read_text()
