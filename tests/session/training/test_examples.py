"""Worked examples that fade, and the difficulty of what is drawn, which follows the trainee."""

from io import StringIO
from pathlib import Path

import pytest

from shadowtime.console.drills.asking import Practice
from shadowtime.console.session.curriculum.trainee import Trainee
from shadowtime.console.session.training import (
    Drill,
    Example,
    Examples,
    Lesson,
    Progress,
    Step,
    lessons_of,
    letter_of,
    open_lesson,
    read_course,
)
from shadowtime.console.session.training.drawing import questions_of
from tests.commandline import ROOT

COURSES = ROOT / "scenarios" / "courses"


def lesson_of(course: str, place: int) -> Lesson:
    return lessons_of(read_course(COURSES / course))[place]


def examples_of(lesson: Lesson, drill: Drill, *known: str) -> list[Example]:
    """All examples before the question at which a drill stands."""
    examples = Examples(lesson, known, 7)
    return [*iter(lambda: examples.before(drill), None)]


@pytest.mark.parametrize(
    ("course", "place", "ask"),
    [("backfilling", 0, "why"), ("slack", 0, "start_time"), ("gpus", 2, "sooner")],
)
def test_an_example_fades(course: str, place: int, ask: str) -> None:
    """Two of the kind, under the policy of the lesson; the second leaves its answer open."""
    lesson = lesson_of(course, place)
    drill = open_lesson(lesson, 3)
    at = next(at for at, it in enumerate(drill.questions) if it.ask == ask)
    drill.begin(at)
    solved, faded = examples_of(lesson, drill)
    assert (solved.solved, faded.solved) == (True, False)
    for each in (solved, faded):
        (asked,) = each.drill.questions
        assert asked.ask == ask and each.drill.session.case.policy == drill.session.case.policy
    made = solved.drill.answer
    assert solved.steps == (*made.because, *made.mistakes.values())
    open_answer = faded.drill.answer
    steps = [it for it in faded.steps if isinstance(it, Step)]
    assert not any(it.time in open_answer.right for it in steps) and len(faded.steps) < len(
        open_answer.because
    )
    ended = faded.drill.give(letter_of(open_answer.offered.index(open_answer.shown)))
    assert ended.verdict == "right"
    assert not examples_of(lesson, drill, ask)


def test_examples_in_lines_are_not_kept(tmp_path: Path) -> None:
    """With a seed there are none; without, two come first, and progress has the question alone."""
    for seed, worked in ((3, 0), (None, 1)):
        trainee, said = Trainee(Progress(tmp_path / f"{seed}.sqlite3"), "kim"), list[str]()
        Practice(trainee, StringIO("a\na\n"), said.append).course(read_course(COURSES / "backfilling"), seed)
        assert sum(line.startswith("WORKED EXAMPLE") for line in said) == worked
        assert len(trainee.progress.records("kim")) == 2 - worked


def test_the_difficulty_follows_the_trainee(tmp_path: Path) -> None:
    """After right answers more jobs wait where the next ones are drawn, after wrong ones fewer."""
    trainee, lesson = Trainee(Progress(tmp_path / "a.sqlite3"), "kim"), lesson_of("easy", 4)

    def waiting(drill: Drill) -> list[int]:
        found = []
        for at in (it.at for it in drill.questions if it.ask == "why"):
            drill.session.gate = None
            drill.session.go_time(at)
            found.append(len(drill.session.snapshot().waiting))
        return found

    def answer(right: bool) -> None:
        drill = open_lesson(lesson, 1)
        for place, it in enumerate(drill.questions):
            if it.ask == "why":
                drill.begin(place)
                drill.go_on()
                made = drill.answer
                value = next(value for value in made.offered if made.holds(value) == right)
                trainee.keep_verdict(lesson, drill.give(letter_of(made.offered.index(value))))

    answer(right=True)
    assert min(waiting(trainee.open(lesson))) > 10
    answer(right=False)
    assert max(waiting(trainee.open(lesson))) <= 4
    case = open_lesson(lesson, 1).session.case
    assert questions_of(case, 1, levels={"row": "high"}) == questions_of(case, 1)
