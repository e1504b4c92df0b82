"""A course is sound, or the check says what is not: leaks, what nobody can know, what guessers gain."""

import re
from pathlib import Path

import attrs
import pytest

from shadowtime.console.session import Case
from shadowtime.console.session.training import Answer, QuestionResult, lessons_of, read_course, soundness
from shadowtime.console.session.training.sentences import sentences
from shadowtime.console.session.training.soundness import MARGIN, examine, report, taken
from shadowtime.console.words import training, unit_of
from shadowtime.scenarios import course_folders
from tests.session.training.test_answers import scenario


def spoken(ended: QuestionResult, case: Case) -> list[str]:
    return training.explained(ended, unit_of(case.scenario.machine))


def course(folder: Path, *asks: str, replace: tuple[str, str] = ("", ""), policy: str = "easy") -> Path:
    """A course of one lesson."""
    path = scenario(folder, *asks, policy=policy)
    if replace[0]:
        text = path.read_text()
        assert replace[0] in text
        path.write_text(text.replace(*replace))
    head = 'title = "T"\nabout = "A"\naudience = "B"\nlessons = ["drill.toml"]\n'
    (folder / "course.toml").write_text(head)
    return folder


def codes(folder: Path) -> list[str]:
    """What is wrong with a course, but for what guessers score: it has too few questions for that."""
    return [it.code for it in examine(read_course(folder), spoken).flaws if it.code != "reader"]


@pytest.mark.proof
def test_the_shipped_courses_are_sound() -> None:
    """Each by itself; over all of them letters and a reader of the notes score no more than chance."""
    courses = [taken(read_course(folder), spoken) for folder in course_folders()]
    for one in courses:
        alone = report((one,))
        assert not alone.flaws, [str(flaw) for flaw in alone.flaws]
        assert alone.questions >= 3 * len(lessons_of(one.course))
    whole = report(courses)
    assert whole.questions > 100 and not whole.flaws
    assert max(whole.letter, whole.by_kind, whole.reader, whole.value) < whole.chance + MARGIN
    assert whole.letter > whole.chance - MARGIN


def test_a_lesson_without_texts_is_sound(tmp_path: Path) -> None:
    assert codes(course(tmp_path, "10 why 2", "30 start_time 4", "30 why 4")) == []


@pytest.mark.parametrize(
    ("asks", "text", "code"),
    [
        (("30 start_time 4",), "Job 4 starts at 0:02:30.", "leak"),
        (("30 start_time 4",), "Job 4 starts at 0:01:40, or at 0:02:00.", None),
        (("20 next_start",), "Job 3 passes the head now.", "leak"),
        (("20 next_start",), "Job 3 does not pass the head.", None),
        (("20 next_start",), "Jobs 2 and 3 may start.", None),
        (("20 state 3",), "Job 3 runs from here.", "leak"),
        (("20 state 3",), "Jobs 1 and 3 look alike.", None),
        (("20 why 3",), "Job 3 ends before the shadow time.", "leak"),
        (("20 why 3",), "Job 3 ends before the shadow time, or takes extra nodes.", None),
    ],
)
def test_a_text_that_gives_the_answer(
    tmp_path: Path, asks: tuple[str, ...], text: str, code: str | None
) -> None:
    kind = asks[0].split()[1]
    found = codes(
        course(tmp_path, *asks, replace=(f'ask = "{kind}"\n', f'ask = "{kind}"\ntext = "{text}"\n'))
    )
    assert found == ([code] if code else [])


@pytest.mark.proof
def test_a_note_counts_from_its_instant_on(tmp_path: Path) -> None:
    note = '[[note]]\nat = {}\ntext = "Job 4 starts at 0:02:30."\n[[question]]'
    for at, found in ((29, ["leak"]), (30, ["leak"]), (31, [])):
        folder = tmp_path / str(at)
        folder.mkdir()
        assert codes(course(folder, "30 start_time 4", replace=("[[question]]", note.format(at)))) == found


@pytest.mark.proof
def test_an_explanation_that_can_only_give_a_later_answer(tmp_path: Path) -> None:
    """Why job 3 runs is all that explains its state; asked the other way round nothing is lost."""
    assert codes(course(tmp_path, "20 state 3", "20 why 3")) == ["unexplained"]
    other = tmp_path / "other"
    other.mkdir()
    assert "unexplained" not in codes(course(other, "30 why 4", "30 start_time 4"))


def test_two_choices_are_too_few(tmp_path: Path) -> None:
    """Whoever guesses between two actions is right half of the time."""
    remedy = 'ask = "remedy"\njob = 2\nby = 80\namong = ["{}"]'
    for others, found in (("hold 3", ["choices"]), ('hold 3", "hold 2', [])):
        among = remedy.format(f'suspend 1", "{others}')
        assert codes(course(tmp_path, "20 why 3", replace=('ask = "why"\njob = 3', among))) == found


@pytest.mark.parametrize(("other", "found"), [("hold 4", True), ("priority 3 1", False)])
def test_the_longest_choice_is_right(tmp_path: Path, other: str, found: bool) -> None:
    """Eight times of three choices; not if a wrong one is longer."""
    remedy = 'ask = "remedy"\njob = 2\nby = {}\namong = ["suspend 1", "hold 3", "{}"]'
    tables = "\n[[question]]\nat = 20\n".join(remedy.format(80 + it, other) for it in range(8))
    folder = course(tmp_path, "20 why 3", replace=('ask = "why"\njob = 3', tables))
    assert ("value" in codes(folder)) is found


def test_a_note_that_gives_the_reason_of_a_job(tmp_path: Path) -> None:
    """Long before the question, if it names the job; that of another job gives nothing away."""
    for job, found in ((3, ["leak"]), (1, [])):
        note = f'[[note]]\nat = 0\ntext = "Job {job} ends before the shadow time."\n[[question]]'
        assert codes(course(tmp_path, "20 why 3", replace=("[[question]]", note))) == found


def test_what_nobody_can_know(tmp_path: Path) -> None:
    (flaw,) = examine(read_course(course(tmp_path, "5 next_start", policy="maui")), spoken).flaws
    assert flaw.code == "unanswerable" and flaw.line and "no start is predicted" in str(flaw)


def test_letters_that_betray_the_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the right choice always stood first, one letter would be worth every point."""

    def first(made: Answer, *_: object) -> Answer:
        wrong = [value for value in made.offered if value != made.shown]
        return attrs.evolve(made, offered=(made.shown, *wrong))

    monkeypatch.setattr(soundness, "shuffled", first)
    seen = examine(read_course(course(tmp_path, "10 why 2", "30 start_time 4")), spoken)
    assert seen.letter == seen.by_kind == 1.0
    assert [flaw.code for flaw in seen.flaws if flaw.code != "reader"] == ["letter", "letter"]


def test_how_a_text_is_read() -> None:
    one, two = sentences(["Jobs 1, 2 and 3 wait. Job 4\nstarts at 1d 02:00:05, not at 3:00:00"])
    assert one.jobs == {1, 2, 3} and not one.instants
    assert two.jobs == {4} and two.instants == {86400 + 7205, 10800}


@pytest.mark.proof
def test_what_a_course_needs(tmp_path: Path) -> None:
    """Courses beside it and shipped ones, and their lessons; on no higher level; in no circle."""
    one, two = tmp_path / "one", tmp_path / "two"
    for folder in (one, two):
        folder.mkdir()
        course(folder, "10 why 2")

    def found(needs: str, back: str = "") -> list[str]:
        for folder, text in ((one, f"level = 2\n{needs}"), (two, f"level = 1\n{back}")):
            head = (folder / "course.toml").read_text().partition("level")[0]
            (folder / "course.toml").write_text(head + text)
        flaws = examine(read_course(one), spoken).flaws
        return [it.text for it in flaws if it.code == "needs"]

    assert found('needs = ["two", "backfilling/01-first-come"]\n') == []
    assert found('needs = ["two/nothing", "three"]\n') == [
        "it needs two/nothing; there is no such course or lesson",
        "it needs three; there is no such course or lesson",
    ]
    assert found('needs = ["gang"]\n') == ["it needs gang of level 5; expected level 2 or lower"]
    assert found('needs = ["two"]\n', 'needs = ["one"]\n') == [
        "it needs itself, by way of its needs; expected no circle"
    ]


def test_the_flaw_of_the_reader_names_what_it_reads(tmp_path: Path) -> None:
    """Figures with a decimal, the bound, and the place and number of each question that it read."""
    text = ('ask = "start_time"\n', 'ask = "start_time"\ntext = "Think of 0:02:30."\n')
    seen = examine(read_course(course(tmp_path, "10 why 2", "30 start_time 4", replace=text)), spoken)
    (flaw,) = (it for it in seen.flaws if it.code == "reader")
    found = re.search(r"scores (\d+\.\d)%, chance (\d+\.\d)%; expected (\d+\.\d)% at most", flaw.text)
    assert found is not None and abs(float(found[3]) - float(found[2]) - 100 * MARGIN) < 0.11
    named = re.findall(r"drill\.toml:(\d+) \(question (\d)\)", flaw.text)
    assert [place for _, place in named] == ["2"]
