"""The shipped courses: read, answered by what the kernel computes, and by a wrong answer."""

import re
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

from shadowtime.console import words
from shadowtime.console.session import Case, check, load
from shadowtime.console.session.training import (
    KINDS,
    POINTS,
    RIGHT,
    WRONG,
    Drill,
    Lesson,
    answers_of,
    lessons_of,
    letter_of,
    read_course,
)
from shadowtime.console.words import NODES, deciding, training, waiting
from shadowtime.console.words.mistakes import mistaken
from shadowtime.console.words.t3d import reasons as torus
from shadowtime.scenarios import course_folders
from shadowtime.scenarios.values import QUESTION_FIELDS

COURSES = [read_course(folder) for folder in course_folders()]
LESSONS = [lesson for course in COURSES for lesson in lessons_of(course)]
every_lesson = pytest.mark.parametrize("lesson", LESSONS, ids=lambda it: f"{it.course.name}/{it.name}")


def drills(lesson: Lesson) -> Iterator[Drill]:
    """The drill of a lesson, at each of its questions in turn."""
    drill = Drill(load(lesson.path))
    while drill.question is not None:
        drill.go_on()
        assert drill.due
        yield drill


@pytest.mark.parametrize("course", COURSES, ids=lambda it: it.name)
def test_courses(course: object) -> None:
    """Four to eight lessons, each with three questions or more, a title and a story; notes if time passes."""
    lessons = [lesson for lesson in LESSONS if lesson.course is course]
    assert 4 <= len(lessons) <= 8
    for place, lesson in enumerate(lessons, 1):
        scenario = load(lesson.path).scenario
        assert lesson.title.startswith(f"{place}. ") and lesson.about and lesson.questions >= 3
        assert scenario.notes or scenario.cluster is not None
        assert all(question.hint for question in scenario.questions), lesson.path


@every_lesson
def test_the_computed_answer_is_right_and_explained(lesson: Lesson) -> None:
    """Given by the letter of its choice; the explanation is in the words of the panels, with numbers."""
    for drill in drills(lesson):
        letter = letter_of(drill.answer.offered.index(drill.answer.shown))
        verdict = drill.give(letter)
        assert (verdict.verdict, verdict.points) == (RIGHT, POINTS)
        parts = verdict.because or drill.held[-1][1]
        text = " ".join(training.because(part, NODES) for part in parts)
        assert re.search(r"\d", text), (lesson.path, training.asked(verdict.answer))
        assert training.verdict(verdict, NODES).startswith("RIGHT, 3 points of 3: ")


@every_lesson
def test_every_wrong_answer_is_wrong_and_explained(lesson: Lesson) -> None:
    """The mistake behind each has a sentence."""
    wrong = [0]
    for drill in drills(lesson):
        offered, mistakes = drill.answer.offered, drill.answer.mistakes
        assert len(offered) >= 3
        assert set(mistakes) == set(offered) - set(drill.answer.right), drill.answer
        assert all(mistaken(mistake, NODES) for mistake in mistakes.values()), drill.answer
        value = next(value for value in offered if value not in drill.answer.right)
        verdict = drill.give(letter_of(offered.index(value)))
        wrong.append(verdict.points)
        assert verdict.verdict == WRONG
        assert training.choice(verdict.answer.question.ask, value, NODES) in training.verdict(verdict, NODES)
    assert sum(wrong) == 0


@pytest.mark.proof
@every_lesson
def test_an_answer_follows_the_scenario(lesson: Lesson) -> None:
    """All times twice as long: instants double, and what is not an instant stays. Nothing is stored."""
    case = load(lesson.path)
    if "[workload]" in case.scenario.text:
        pytest.skip("the jobs are a model's")
    if case.scenario.cluster is not None:
        pytest.skip("the instants are those of the cluster")
    columns = case.columns
    if case.scenario.machine.torus is not None:
        pytest.skip("loads, saves and do-not-disturb times are those of the machine")
    times = (
        "submit|runtime|estimate|at|from|until|by|quantum|overhead|lower|upper|slack|interactive|frame|shift"
        "|short|long|limit|delay|checkpoint_interval"
    )
    doubled = re.sub(
        # A threshold of dynP is a number of jobs, without quotes.
        rf'^({times}|threshold(?= = ")) = (\d+|"[^"]*")$',
        lambda found: f"{found[1]} = {2 * seconds(found[2])}",
        lesson.path.read_text(),
        flags=re.MULTILINE,
    )
    for answer, later in zip(answers_of(case), answers_of(rewritten(case, doubled)), strict=True):
        if answer.question.ask in ("start_time", "end_time", "waited"):
            assert later.right == tuple(None if time is None else 2 * int(str(time)) for time in answer.right)
        elif str(answer.shown).startswith("length:"):
            assert later.right == (f"length:{2 * int(str(answer.shown).removeprefix('length:'))}",)
        else:
            assert later.right == answer.right, (lesson.path, answer.question)
    assert len(columns.id)


def seconds(text: str) -> int:
    from shadowtime.scenarios import parse_time

    return parse_time(text.strip('"'))


def rewritten(case: Case, text: str) -> Case:
    """The case of a changed file."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / case.scenario.path.name
        path.write_text(re.sub(r"\[\[expect\]\].*?(?=\n\[\[|\Z)", "", text, flags=re.DOTALL))
        return load(path)


@every_lesson
def test_expectations_of_lessons_hold(lesson: Lesson) -> None:
    assert all(outcome.passed for outcome in check(load(lesson.path)))


@pytest.mark.proof
def test_no_choice_is_without_words() -> None:
    """Every reason that is offered anywhere has a phrase of its own, without the numbers."""
    for lesson in LESSONS:
        for answer in answers_of(load(lesson.path)):
            if answer.question.ask == "why":
                assert set(answer.offered) <= set(training.REASONS), lesson.path


def test_every_reason_of_a_flat_machine_has_a_phrase() -> None:
    """Also those that no shipped lesson asks for."""
    known = set(waiting.WAITING) - set(torus.WAITING) | set(deciding.CLAUSES) - set(torus.CLAUSES)
    assert known <= set(training.REASONS)


def test_a_hint_says_what_the_lecturer_wrote_else_what_the_console_knows() -> None:
    question = next(question for question in load(LESSONS[0].path).scenario.questions)
    assert training.hinted(question, 1, NODES) == question.hint
    bare = attrs.evolve(question, hint="")
    hint = NODES.fill(training.WORDINGS[question.ask].hint)
    assert training.hinted(bare, 1, NODES) == hint and training.hinted(bare, 2, NODES).startswith(hint)
    assert words.clock(0) == "0d 00:00:00"


def test_every_kind_of_question_has_its_fields_and_its_words() -> None:
    """Whoever adds a kind is reminded of what readers and sentences need of it."""
    assert KINDS.keys() == QUESTION_FIELDS.keys() == training.WORDINGS.keys()
