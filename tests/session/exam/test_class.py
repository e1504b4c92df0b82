"""A class of 200 that guesses, learns or knows: the pass mark, the gain, and the figures of questions."""

import csv
import json
from collections import defaultdict
from functools import cache
from io import StringIO
from pathlib import Path
from random import Random
from statistics import mean

import attrs
import pytest

from shadowtime.console.session import load
from shadowtime.console.session.exam.collecting import gather, tables
from shadowtime.console.session.exam.forms import BY_CHANCE, FORMS, left_out, mark_of, seed_of
from shadowtime.console.session.exam.paper import Given, Paper, PaperError, checksum, read, save
from shadowtime.console.session.exam.sitting import Sitting
from shadowtime.console.session.exam.statements import statements
from shadowtime.console.session.exam.verifying import (
    certificate,
    read_certificate,
    save_certificate,
    verify,
)
from shadowtime.console.session.training import (
    Answer,
    Course,
    digest_of,
    lessons_of,
    letter_of,
    open_lesson,
    read_course,
)
from shadowtime.console.session.training.drawing import questions_of
from tests.commandline import ROOT

COURSE = read_course(ROOT / "scenarios" / "courses" / "backfilling")
GUESSERS, LEARNERS, EXPERTS = range(80), range(80, 160), range(160, 200)
SEED = 5
Form = list[tuple[str, int, Answer]]


@cache
def form_of(form: str, course: Course = COURSE, seed: int = SEED) -> Form:
    """The questions of a form, each with its lesson and its place."""
    lessons = lessons_of(course)
    drills = [open_lesson(lesson, seed_of(seed, form), for_two=True) for lesson in lessons]
    omitted = left_out([it.answers for it in drills], seed, form)
    return [
        (lesson.name, place, made)
        for lesson, drill, gone in zip(lessons, drills, omitted, strict=True)
        for place, made in enumerate(drill.answers)
        if place not in gone and isinstance(made, Answer)
    ]


def knows(trainee: int, form: str) -> float:
    """The probability that a trainee knows an answer; else it guesses."""
    if trainee in GUESSERS:
        return 0.0
    return 0.95 if trainee in EXPERTS else {"pre": 0.2, "post": 0.85}[form]


def paper(trainee: int, form: str, digest: str) -> Paper:
    random, given, asked = Random(f"{trainee} {form}"), [], form_of(form)
    for lesson, place, made in asked:
        value = made.shown if random.random() < knows(trainee, form) else random.choice(made.offered)
        right, at = made.holds(value), made.question
        points = 3 if right else 0
        verdict = "right" if right else "wrong"
        given.append(
            Given(lesson, place + 1, at.ask, at.at, at.job, "a", verdict, points, 9, json.dumps(value))
        )
    begun = f"2026-01-0{1 if form == 'pre' else 2}T08:00:00+00:00"
    mark = mark_of(1 / len(made.offered) for _, _, made in asked)
    exam = Paper(COURSE.title, digest, SEED, f"t{trainee:03}", 1200, begun, len(asked), (*given,))
    return attrs.evolve(exam, ended=True, sign=str(trainee), mark=mark, form=form)


@cache
def everybody() -> list[Paper]:
    """The papers of the class."""
    digest = digest_of(COURSE)
    return [paper(it, form, digest) for it in range(200) for form in ("pre", "post")]


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(text)))


def test_the_forms_have_no_question_in_common() -> None:
    """As many questions of each kind, with as many choices; the seed says which half comes first."""
    forms = form_of("pre"), form_of("post")
    kinds = [sorted((made.question.ask, len(made.offered)) for *_, made in form) for form in forms]
    assert kinds[0] == kinds[1] and len(forms[0]) >= 12
    places = [{(lesson, place) for lesson, place, _ in form} for form in forms]
    assert not places[0] & places[1]


def course_of(folder: Path, questions: str) -> Course:
    """A course of one lesson."""
    scenario = (ROOT / "scenarios" / "generated" / "modal-128.toml").read_text()
    (folder / "a.toml").write_text(f"{scenario}\n{questions}")
    head = 'title = "T"\nabout = "A"\naudience = "B"\nlessons = ["a.toml"]\n'
    (folder / "course.toml").write_text(head)
    return read_course(folder)


def test_no_question_is_drawn_for_both_forms(tmp_path: Path) -> None:
    """As many of each kind, whatever the seed; of the written questions each has one."""
    fixed = '[[question]]\nat = "1h"\nask = "next_event"\n[[question]]\nat = "2h"\nask = "next_event"\n'
    course = course_of(tmp_path, f'{fixed}[[question]]\nask = "state"\npick = 4\n')
    for seed in range(6):
        pre, post = ([made.question for *_, made in form_of(form, course, seed)] for form in FORMS)
        assert [sorted(it.ask for it in form) for form in (pre, post)] == [["next_event", *["state"] * 4]] * 2
        assert not {(it.ask, it.job) for it in pre if it.job} & {(it.ask, it.job) for it in post if it.job}


@pytest.mark.parametrize(("pick", "drawn"), [(2, 4), (20, 20)])
def test_few_questions_are_shared_out(tmp_path: Path, pick: int, drawn: int) -> None:
    """Where no 40 can be drawn the two forms share the 20; none comes twice."""
    path = tmp_path / "a.toml"
    lesson = f'cluster = "two-tiers"\n[[question]]\nask = "put_off"\npick = {pick}\n'
    path.write_text(f'title = "A"\nabout = "B"\n{lesson}')
    assert len({it.do for it in questions_of(load(path), "exam 1 forms", for_two=True)}) == drawn


def test_a_malformed_value_is_not_nobody(tmp_path: Path) -> None:
    """Where nobody is right."""
    course, path = course_of(tmp_path, '[[question]]\nat = "1h"\nask = "preempted"\n'), tmp_path / "kim.json"
    sitting = Sitting(course, SEED, 60, "kim", path)
    drill = sitting.ask()
    assert drill is not None and drill.answer.right == (None,)
    sitting.close(drill.give("nobody"))
    verify(course, sitting.paper, path)
    malformed = attrs.evolve(sitting.paper.answers[0], value="{")
    with pytest.raises(PaperError, match="does not agree"):
        verify(course, attrs.evolve(sitting.paper, answers=(malformed,)), path)


def test_a_form_without_a_question_is_refused(tmp_path: Path) -> None:
    course = course_of(tmp_path, '[[question]]\nat = "1h"\nask = "next_event"\n')
    with pytest.raises(PaperError, match="expected an exam without --form"):
        Sitting(course, SEED, 60, "kim", tmp_path / "kim.json", form="pre")
    assert not (tmp_path / "kim.json").exists()
    empty = [attrs.evolve(it, questions=0, answers=()) for it in everybody()[:2]]
    assert rows(tables(empty)["gains"]) == []


def test_the_forms_are_activities_of_their_own() -> None:
    """In statements: no question of one form has the id of one of the other, nor has the exam."""
    pre, post = ({json.loads(it)["object"]["id"] for it in statements([paper])} for paper in everybody()[:2])
    assert not pre & post and len(pre) == len(form_of("pre")) + 1


@pytest.mark.parametrize("count", [1, 3, 5, 8, 12, 18, 36])
def test_a_guesser_passes_with_less_than_one_in_a_hundred(count: int) -> None:
    """Over all ways to guess; a mark is two thirds at least, and few questions have none."""
    mark = mark_of([0.25] * count)
    exactly = [1.0]
    for _ in range(count):
        exactly = [a * 0.75 + b * 0.25 for a, b in zip([*exactly, 0.0], [0.0, *exactly], strict=True)]
    if not mark:
        assert exactly[-1] >= BY_CHANCE
        return
    assert mark >= 2 * count and sum(exactly[mark // 3 :]) < BY_CHANCE


def test_a_class_is_told_apart() -> None:
    """Of guessers fewer than one in a hundred passes; experts do; learners gain; questions part them."""
    found = {name: rows(text) for name, text in tables(everybody()).items()}
    passed = {(row["name"], row["form"]): row["passed"] == "1" for row in found["trainees"]}
    assert mean(passed[f"t{it:03}", form] for it in GUESSERS for form in FORMS) < BY_CHANCE
    assert all(passed[f"t{it:03}", "post"] for it in EXPERTS)
    assert mean(passed[f"t{it:03}", "post"] for it in LEARNERS) > 0.9
    gains = {row["name"]: float(row["gain"]) for row in found["gains"] if row["gain"]}
    assert (
        mean(gains[f"t{it:03}"] for it in LEARNERS) > 0.6 > 0.1 > mean(gains[f"t{it:03}"] for it in GUESSERS)
    )
    stated = [float(row["discrimination"]) for row in found["questions"]]
    assert min(stated) > 0.3
    guessing = rows(tables([it for it in everybody() if int(it.sign) in GUESSERS])["questions"])
    assert abs(mean(float(row["discrimination"]) for row in guessing)) < 0.1
    shares: dict[tuple[str, str], list[float]] = defaultdict(list)
    for row in found["choices"]:
        shares[row["lesson"], row["question"]].append(float(row["share"]))
    assert all(abs(sum(each) - 1) < 0.01 and max(each) > 0.35 for each in shares.values())


def test_a_result_is_judged_anew(tmp_path: Path) -> None:
    """What was taken agrees with its course, as does its certificate; what was edited does not."""
    path = tmp_path / "kim.json"
    sitting = Sitting(COURSE, SEED, 1200, "kim", path, form="post")
    while (drill := sitting.ask()) is not None:
        made = drill.answer
        sitting.close(drill.give(letter_of(made.offered.index(made.shown))))
    done, asked = sitting.hand_in(), len(form_of("post"))
    assert (done.points, done.questions, done.form) == (3 * asked, asked, "post") and done.passed
    verify(COURSE, read(path), path)
    save_certificate(tmp_path / "c.json", certificate(done))
    stated = read_certificate(tmp_path / "c.json")
    with pytest.raises(PaperError, match="it is a certificate"):
        gather([path, tmp_path / "c.json"])
    assert stated is not None and (stated["points"], stated["mark"]) == (done.points, done.mark)
    text = (tmp_path / "c.json").read_text()
    (tmp_path / "c.json").write_text(text.replace('"kim"', '"ada"'))
    with pytest.raises(PaperError, match="its checksum does not agree"):
        read_certificate(tmp_path / "c.json")
    assert read_certificate(path) is None
    fields = {name: value for name, value in stated.items() if name != "points"}
    save_certificate(tmp_path / "c.json", {**fields, "checksum": checksum(fields)})
    with pytest.raises(PaperError, match="it has no points"):
        read_certificate(tmp_path / "c.json")
    wrong = attrs.evolve(done.answers[0], value='"no_such_reason"')
    deep = attrs.evolve(wrong, value="[" * 100_000)
    dear = attrs.evolve(done.answers[0], points=done.answers[0].points + 1)
    for other in (
        attrs.evolve(done, answers=(dear, *done.answers[1:])),
        attrs.evolve(done, answers=(deep, *done.answers[1:])),
        attrs.evolve(done, answers=(wrong, *done.answers[1:])),
        attrs.evolve(done, answers=(*done.answers, done.answers[0])),
        attrs.evolve(done, mark=3),
        attrs.evolve(done, digest="0" * 64),
    ):
        save(path, other)
        with pytest.raises(PaperError):
            verify(COURSE, read(path), path)
    with pytest.raises(PaperError, match="has not passed"):
        certificate(attrs.evolve(done, answers=()))
    with pytest.raises(PaperError, match="has not handed in"):
        certificate(attrs.evolve(done, ended=False))
