"""An exam: each answer is kept at once, time counts, nothing is asked twice, changed files are refused."""

import json
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import attrs
import pytest

from shadowtime.console.session.exam.collecting import TABLES, gather, sat_before, tables
from shadowtime.console.session.exam.paper import Given, Paper, PaperError, checksum, read, save
from shadowtime.console.session.exam.sitting import Sitting
from shadowtime.console.session.training import (
    Answer,
    Course,
    Drill,
    Value,
    digest_of,
    exam_seed,
    lessons_of,
    open_lesson,
    read_course,
)
from shadowtime.scenarios import Question
from tests.commandline import ROOT
from tests.killing import killed

COURSE = read_course(ROOT / "scenarios" / "courses" / "backfilling")
BEGIN = datetime(2026, 1, 5, 8, tzinfo=UTC)
ANSWER = Given("01", 1, "why", 600, 2, "a", "right", 3, 7, "5")
PAPER = Paper("C", "d" * 64, 5, "kim", 1200, "2026-01-05T08:00:00+00:00", 2, (ANSWER,))


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A data folder of the test's own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


class Clock:
    """A wall clock that the test moves."""

    def __init__(self) -> None:
        self.now = BEGIN

    def __call__(self) -> datetime:
        return self.now

    def wait(self, seconds: int) -> None:
        self.now += timedelta(seconds=seconds)


def sit(path: Path, clock: Clock, course: Course = COURSE, seed: int = 5, limit: int = 1200) -> Sitting:
    return Sitting(course, seed, limit, "kim", path, clock)


def test_every_answer_is_in_the_file_before_the_next_question(tmp_path: Path) -> None:
    clock, path = Clock(), tmp_path / "kim.json"
    sitting = sit(path, clock)
    assert read(path).answers == () and sitting.paper.questions == 43
    for number in range(1, 8):
        drill = sitting.ask()
        assert drill is not None
        clock.wait(10)
        assert sitting.close(drill.give("a") if number % 2 else drill.skip())
        kept = read(path)
        assert kept == sitting.paper and len(kept.answers) == number
        assert kept.answers[-1].seconds == 10 and (kept.answers[-1].given == "a") is bool(number % 2)
    assert [(it.lesson[:2], it.question) for it in kept.answers] == [
        *(("01", place) for place in range(1, 6)), ("02", 1), ("02", 2),
    ]  # fmt: skip


def test_it_goes_on_where_it_ended_and_time_runs_on(tmp_path: Path) -> None:
    """After a crash the next question is asked; nothing is asked twice; the limit is by the wall clock."""
    clock, path = Clock(), tmp_path / "kim.json"
    first = sit(path, clock)
    drill = first.ask()
    assert drill is not None and first.close(drill.give("b"))
    clock.wait(1000)
    again = sit(path, clock)
    assert again.left == 200 and len(again.paper.answers) == 1
    drill = again.ask()
    assert drill is not None and drill.place == 1
    clock.wait(200)
    assert not again.close(drill.give("a")) and again.ask() is None
    assert again.hand_in().ended and len(read(path).answers) == 1
    with pytest.raises(PaperError, match="this exam has ended"):
        sit(path, clock)


@pytest.mark.proof
def test_another_exam_in_the_file(tmp_path: Path) -> None:
    """Another seed, limit or course: refused, and the file stays as it is."""
    clock, path = Clock(), tmp_path / "kim.json"
    sit(path, clock)
    before = path.read_bytes()
    other = read_course(ROOT / "scenarios" / "courses" / "gang")
    for course, seed in ((COURSE, 6), (other, 5)):
        with pytest.raises(PaperError, match="belongs to another exam"):
            sit(path, clock, course, seed)
    with pytest.raises(PaperError, match="begun with --time 20m; expected that, or a new file"):
        sit(path, clock, limit=60)
    assert path.read_bytes() == before


def test_the_digest_is_that_of_every_lesson(tmp_path: Path) -> None:
    for path in (*COURSE.lessons, COURSE.folder / "course.toml"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    copied = read_course(tmp_path)
    assert digest_of(copied) == digest_of(COURSE)
    copied.lessons[3].write_text(copied.lessons[3].read_text() + "\n# another\n")
    assert digest_of(copied) != digest_of(COURSE)


@pytest.mark.proof
def test_an_exam_has_another_sheet_than_a_drill_of_its_seed(tmp_path: Path) -> None:
    """The choices and what is drawn: no number gives them, and two exams of one seed have the same."""
    clock = Clock()

    def sheet_of(drills: Iterable[Drill]) -> list[tuple[Question, tuple[Value, ...]]]:
        made = [made for drill in drills for made in drill.answers]
        return [(it.question, it.offered) for it in made if isinstance(it, Answer)]

    folder = tmp_path / "drawn"
    folder.mkdir()
    scenario = (ROOT / "scenarios" / "generated" / "modal-128.toml").read_text()
    (folder / "a.toml").write_text(f'{scenario}\n[[question]]\nask = "state"\npick = 4\n')
    head = 'title = "T"\nabout = "A"\naudience = "B"\nlessons = ["a.toml"]\n'
    (folder / "course.toml").write_text(head)
    for place, course in enumerate((COURSE, read_course(folder))):
        exam = sheet_of(sit(tmp_path / f"{place}.json", clock, course, seed=7).drills)
        lessons = lessons_of(course)
        assert exam == sheet_of(open_lesson(it, exam_seed(7)) for it in lessons)
        drill = sheet_of(open_lesson(it, 7) for it in lessons)
        assert exam != drill and len(exam) == len(drill)
        assert place == 0 or [it[0] for it in exam] != [it[0] for it in drill]


def test_the_same_questions_sat_twice(tmp_path: Path) -> None:
    """The first time counts; two at once under one account are two trainees; an empty exam is no first."""
    second = attrs.evolve(PAPER, sign="2", begun="2026-01-05T08:00:07+00:00")
    at_once = attrs.evolve(PAPER, sign="3", begun="2026-01-05T08:00:06+00:00")
    empty = attrs.evolve(PAPER, sign="4", begun="2026-01-04T08:00:00+00:00", answers=())
    other = [
        attrs.evolve(second, **changed)
        for changed in ({"seed": 6}, {"form": "pre", "sign": "5"}, {"operator": "ada"})
    ]
    files = [tmp_path / f"{it}.json" for it in "fsaexyz"]
    for path, paper in zip(files, (PAPER, second, at_once, empty, *other), strict=True):
        save(path, paper)
    assert sat_before(gather(reversed(files))) == {files[1]: files[0]}


@pytest.mark.parametrize("name", [it.name for it in attrs.fields(Paper)])
@pytest.mark.parametrize("value", [None, 10**20, 1.5, "x", [5], True])
def test_fields_of_another_kind_are_refused_in_one_line(tmp_path: Path, name: str, value: object) -> None:
    """Although the checksum agrees; what fits its field is read."""
    path = tmp_path / "kim.json"
    save(path, attrs.evolve(PAPER, answers=()))
    fields = {**json.loads(path.read_text()), name: value}
    fields["checksum"] = checksum(fields)
    path.write_text(json.dumps(fields))
    try:
        paper = read(path)
    except PaperError as error:
        assert str(error).startswith(f"{path}: ") and "\n" not in str(error)
    else:
        assert type(getattr(paper, name)) is type(value)
        assert datetime.fromisoformat(paper.begun) + timedelta(seconds=paper.limit) > BEGIN


@pytest.mark.parametrize(
    "paper",
    [
        attrs.evolve(PAPER, form="x"),
        attrs.evolve(PAPER, questions=-1),
        attrs.evolve(PAPER, answers=(attrs.evolve(ANSWER, seconds=-1),)),
        attrs.evolve(PAPER, answers=(attrs.evolve(ANSWER, seconds=10**12),)),
    ],
)
def test_values_that_no_exam_has_are_refused(tmp_path: Path, paper: Paper) -> None:
    """Another form, fewer than no questions, an answer before the begin, or after all instants."""
    save(tmp_path / "kim.json", paper)
    with pytest.raises(PaperError, match="of another kind"):
        read(tmp_path / "kim.json")


def test_an_exam_of_the_version_before_goes_on(tmp_path: Path) -> None:
    """Its mark is settled then."""
    clock, path = Clock(), tmp_path / "kim.json"
    mark = sit(path, clock).paper.mark
    fields = {**json.loads(path.read_text()), "format": "shadowtime exam 3"}
    del fields["mark"], fields["form"]
    path.write_text(json.dumps({**fields, "checksum": checksum(fields)}))
    assert read(path).mark == 0 < mark == sit(path, clock).paper.mark == read(path).mark


def test_a_result_is_for_its_owner_alone(tmp_path: Path) -> None:
    """The answers of one trainee are no help for another; a mode that was given to the file stays."""
    path = tmp_path / "kim.json"
    save(path, PAPER)
    assert path.stat().st_mode & 0o077 == 0
    path.chmod(0o640)
    save(path, PAPER)
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_file_that_was_changed_or_damaged_is_refused_in_one_line(tmp_path: Path) -> None:
    """Every field counts; and every byte that is cut off."""
    path = tmp_path / "kim.json"
    save(path, PAPER)
    assert read(path) == PAPER
    fields = json.loads(path.read_text())
    text = path.read_text()
    for name, value in fields.items():
        other = {**fields, name: value + 1 if isinstance(value, int) else f"{value}x"}
        path.write_text(json.dumps(other))
        with pytest.raises(PaperError) as caught:
            read(path)
        assert str(caught.value).startswith(f"{path}: ") and "\n" not in str(caught.value), name
    for length in range(0, len(text) - 2, 7):
        path.write_text(text[:length])
        with pytest.raises(PaperError, match="damaged"):
            read(path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(PaperError, match="it is no text"):
        read(path)
    with pytest.raises(PaperError, match="no such file"):
        read(tmp_path / "none.json")


WRITER = """
import sys
from pathlib import Path
import attrs
from shadowtime.console.session.exam.paper import Given, Paper, save

answer = Given("01", 1, "why", 600, 2, "a", "right", 3, 7)
paper = Paper("C", "d", 5, "kim", 1200, "2026-01-05T08:00:00+00:00", 10**6)
for number in range(1, 10**6):
    paper = attrs.evolve(paper, answers=(*paper.answers, attrs.evolve(answer, question=number)))
    save(Path(sys.argv[1]), paper)
    print(number, flush=True)
"""


@pytest.mark.proof
@pytest.mark.parametrize("after", [0.05, 0.2, 0.4])
def test_whenever_it_is_killed_the_file_is_whole(tmp_path: Path, after: float) -> None:
    """What was reported as kept is there, and the checksum agrees."""
    path = tmp_path / "kim.json"
    number = killed(WRITER, path, after=after)
    kept = read(path)
    assert len(kept.answers) in (number, number + 1)
    assert [it.question for it in kept.answers] == list(range(1, len(kept.answers) + 1))


def test_the_tables_of_a_class(tmp_path: Path) -> None:
    """By trainee, topic and question, counted by hand; an exam that is there twice counts once."""
    wrong = attrs.evolve(ANSWER, question=2, ask="state", verdict="wrong", points=0, seconds=3)
    ada = attrs.evolve(PAPER, operator="ada", answers=(ANSWER, wrong), ended=True)
    files = [tmp_path / name for name in ("kim.json", "kim-again.json", "ada.json", "ada-early.json")]
    early = attrs.evolve(ada, answers=(ANSWER,), ended=False)
    for path, paper in zip(files, (PAPER, PAPER, ada, early), strict=True):
        save(path, paper)
    papers = [*gather(files).values()]
    assert papers == [ada, PAPER] == [*gather(reversed(files)).values()]
    begun, found = PAPER.begun, tables(papers)
    assert found.keys() == TABLES.keys()
    assert found["trainees"].splitlines() == [
        ",".join(TABLES["trainees"]),
        f"C,5,,ada,{begun},,2,2,1,3,6,5.0,0,0",
        f"C,5,,kim,{begun},,2,1,1,3,6,7.0,0,0",
    ]
    assert found["topics"].splitlines()[1:] == ["C,state,1,1,0,0,3,3.0", "C,why,2,2,2,6,6,7.0"]
    assert found["questions"].splitlines()[1:] == [
        "C,5,,01,1,why,2,2,2,6,6,7.0,", "C,5,,01,2,state,1,1,0,0,3,3.0,",
    ]  # fmt: skip
    assert found["choices"].splitlines()[1:] == ["C,5,,01,1,5,1,2,1.000", "C,5,,01,2,5,0,1,1.000"]
    assert found["answers"].splitlines()[1] == f"C,5,,ada,{begun},,01,1,why,5,right,3,7"
    twin = attrs.evolve(PAPER, sign="another")
    other = attrs.evolve(PAPER, digest="e" * 64)
    for path, paper in zip(files, (PAPER, twin, other, PAPER), strict=True):
        save(path, paper)
    three = tables([*gather(files).values()])["trainees"].splitlines()
    assert f"C dddddddd,5,,kim,{begun},another,2,1,1,3,6,7.0,0,0" in three
    assert len([row for row in three if row.startswith("C dddddddd,5,,kim")]) == 2
    assert len([row for row in three if row.startswith("C eeeeeeee,5,,kim")]) == 1
    files[0].write_text("{}")
    files[1].write_text("")
    with pytest.raises(PaperError) as caught:
        gather(files)
    assert len(str(caught.value).splitlines()) == 2


def test_a_question_that_tells_the_good_from_the_others(tmp_path: Path) -> None:
    """Who knows the rest knows question 1: 1. Question 2 is answered right by those who know nothing: -1."""
    papers = []
    for name, verdicts in (("ada", "rwrr"), ("ben", "rwrr"), ("cho", "wrww"), ("dee", "wrww")):
        given = (
            attrs.evolve(
                ANSWER, question=place, verdict="right" if it == "r" else "wrong", points=3 * (it == "r"),
                value='"R"' if it == "r" else '"N"',
            )
            for place, it in enumerate(verdicts, 1)
        )  # fmt: skip
        papers.append(attrs.evolve(PAPER, operator=name, questions=4, answers=tuple(given), ended=True))
    found = tables(papers)
    discrimination = [row.rpartition(",")[2] for row in found["questions"].splitlines()[1:]]
    assert discrimination == ["1.000", "-1.000", "1.000", "1.000"]
    assert found["choices"].splitlines()[1:3] == [
        'C,5,,01,1,"""R""",1,2,0.500',
        'C,5,,01,1,"""N""",0,2,0.500',
    ]


def test_a_file_of_the_version_before_is_read(tmp_path: Path) -> None:
    """It has no values: its answers count, except among the values that were answered."""
    path = tmp_path / "kim.json"
    save(path, PAPER)
    fields = json.loads(path.read_text())
    fields["format"] = "shadowtime exam 2"
    for answer in fields["answers"]:
        del answer["value"]
    fields["checksum"] = checksum(fields)
    path.write_text(json.dumps(fields))
    before = attrs.evolve(PAPER, answers=(attrs.evolve(ANSWER, value=""),))
    assert read(path) == before
    found = tables((attrs.evolve(PAPER, operator="ada"), before))
    assert found["choices"].splitlines()[1:] == ["C,5,,01,1,5,1,1,1.000"]
    assert found["questions"].splitlines()[1:] == ["C,5,,01,1,why,2,2,2,6,6,7.0,"]
