"""Leitner's boxes: agreement with a plain program on random histories, and the days by hand."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from random import Random

import pytest

from shadowtime.console.session import SessionError
from shadowtime.console.session.curriculum.review import BOXES, missed, of_question
from shadowtime.console.session.curriculum.trainee import Trainee
from shadowtime.console.session.training import Progress, Record, lessons_of, letter_of, read_course
from tests.commandline import ROOT

BEGIN = datetime(2026, 1, 5, 12, tzinfo=UTC)
COURSE = ROOT / "scenarios" / "courses" / "backfilling"


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A data folder of the test's own; days are those of UTC."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("TZ", "UTC")


def record(day: int, verdict: str, question: int = 1, hints: int = 0, course: str = "backfilling") -> Record:
    moment = (BEGIN + timedelta(days=day)).isoformat(timespec="seconds")
    return Record("kim", moment, course, "01-first-come", question, "why", verdict, "", hints, 0, 3)


def day(number: int) -> date:
    return (BEGIN + timedelta(days=number)).date()


def boxes(*records: Record) -> list[tuple[int, int, date]]:
    found = missed(records, lambda it: of_question(it, False))
    return [(it.question, it.box, it.due) for it in found]


def test_the_days_of_a_question_by_hand() -> None:
    """Missed on day 0; right on days 1, 3, 7, 15 and 31: learnt."""
    story, days = [record(0, "wrong")], (1, 3, 7, 15, 31)
    for box, number in enumerate(days, 1):
        assert boxes(*story) == [(1, box, day(number))]
        assert boxes(*story, record(number - 1, "right")) == [(1, box, day(number))], "too early"
        story.append(record(number, "right"))
    assert boxes(*story) == []
    assert boxes(*story, record(40, "given up")) == [(1, 1, day(41))]
    assert boxes(record(0, "right"), record(0, "skipped", 2), record(0, "hint", 3)) == []
    assert boxes(*story[:3], record(7, "right", hints=1)) == [(1, 3, day(11))]


def plain(history: list[Record]) -> dict[int, tuple[int, int]]:
    """The rule of docs/training.md once more: per question its box and the day it is due, as numbers."""
    found: dict[int, tuple[int, int]] = {}
    for it in history:
        today = (datetime.fromisoformat(it.moment).date() - BEGIN.date()).days
        if it.verdict in ("wrong", "given up"):
            found[it.question] = (1, today + 1)
        if it.verdict == "right" and it.question in found and today >= found[it.question][1]:
            box = found[it.question][0] + (0 if it.hints else 1)
            found[it.question] = (box, today + 2 ** (box - 1))
            if box == 6:
                del found[it.question]
    return found


@pytest.mark.proof
def test_random_histories() -> None:
    """3,000 histories of up to 60 answers: the same boxes and days as the plain program, none differs."""
    random, learnt = Random(7), 0
    for _ in range(3000):
        now, history = 0, list[Record]()
        for _ in range(random.randrange(60)):
            now += random.choice((0, 0, 1, 1, 2, 5, 17))
            verdict = random.choice(("right", "right", "right", "wrong", "skipped", "given up", "hint"))
            history.append(record(now, verdict, random.randrange(1, 4), random.choice((0, 0, 0, 1))))
        expected = sorted((day(when), place, box) for place, (box, when) in plain(history).items())
        found = sorted((when, place, box) for place, box, when in boxes(*history))
        assert found == expected
        learnt += len({it.question for it in history if it.verdict == "wrong"}) > len(found)
        today = random.randrange(100)
        asked = [it for it in missed(history, lambda it: of_question(it, False)) if it.due <= day(today)]
        assert {it.question for it in asked} == {place for when, place, _ in expected if when <= day(today)}
    assert learnt > 10 and BOXES == (1, 2, 4, 8, 16)


@pytest.mark.proof
def test_what_is_due_opens_as_one_question() -> None:
    """The drill asks that question alone; a question of another kind there is not asked."""
    progress = Progress(Path("unused"))
    progress.records = lambda operator=None: (record(0, "wrong", 2), record(0, "wrong", 99))  # type: ignore
    trainee = Trainee(progress, "kim")
    (found,) = trainee.due(day(1))
    assert (found.lesson.course.folder, found.missed.question) == (COURSE, 2) and trainee.due(day(0)) == ()
    drill = trainee.open_due(found)
    drill.go_on()
    assert drill.place == 1 and drill.question is not None and drill.question.ask == "why"
    drill.give_up()
    assert drill.question is None
    progress.records = lambda operator=None: (record(0, "wrong", 4),)
    with pytest.raises(SessionError, match="another one now"):
        trainee.open_due(trainee.due(day(1))[0])


def test_a_copy_of_a_course_is_the_same_course(tmp_path: Path) -> None:
    """Answers under the path of an identical copy are of the same question, of a changed copy not."""
    copy = tmp_path / "copy"
    copy.mkdir()
    for path in COURSE.glob("*.toml"):
        (copy / path.name).write_bytes(path.read_bytes())
    progress = Progress(Path("unused"))
    both = (record(0, "wrong"), record(1, "wrong", course=str(copy)))
    progress.records = lambda operator=None: both  # type: ignore[method-assign]
    assert len(Trainee(progress, "kim").missed()) == 1
    (copy / "course.toml").write_text((copy / "course.toml").read_text() + "# another\n")
    assert read_course(copy).title == read_course(COURSE).title
    assert len(Trainee(progress, "kim").missed()) == 2


def test_what_was_shown_earns_nothing_before_its_review() -> None:
    """All shown, then all copied: no points, so nothing is passed. On the day of the review they count."""
    course = read_course(COURSE)
    trainee = Trainee(name="kim")
    (lesson, *_) = lessons_of(course)

    def points(how: str) -> list[int]:
        drill, found = trainee.open(lesson, 3), []
        while drill.question is not None:
            drill.go_on()
            letter = letter_of(drill.answer.offered.index(drill.answer.shown))
            ended = drill.give_up() if how == "show" else drill.give(letter)
            trainee.keep_verdict(lesson, ended)
            found.append(ended.points)
        return found

    assert set(points("show")) == {0} == set(points("copy"))
    assert trainee.standings(course)[lesson.name].points == 0
    (asked, *_) = trainee.due(date.today() + timedelta(days=1))
    drill = trainee.open_due(asked, 3)
    drill.go_on()
    assert drill.give(letter_of(drill.answer.offered.index(drill.answer.shown))).points == 3


def test_a_question_of_another_seed_is_another_question() -> None:
    """Of drawn questions those that were shown earn nothing under their own seed alone."""
    course = read_course(COURSE.parent / "easy")
    trainee = Trainee(name="kim")
    lesson = lessons_of(course)[-1]
    assert lesson.drawn
    drill = trainee.open(lesson, 3)
    while drill.question is not None:
        drill.go_on()
        trainee.keep_verdict(lesson, drill.give_up())
    assert len(trainee.open(lesson, 3).known) == len(drill.questions)
    assert not trainee.open(lesson, 8).known
