"""Drills and exams, asked in lines: a line is read, a line or more is written; no screen is needed."""

from collections.abc import Callable, Iterable, Mapping
from typing import TextIO

from shadowtime.console import words
from shadowtime.console.session import ScenarioError, SessionError
from shadowtime.console.session.curriculum.trainee import Trainee
from shadowtime.console.session.exam.sitting import Sitting
from shadowtime.console.session.training import (
    RIGHT,
    Course,
    Drill,
    Example,
    Lesson,
    LessonStanding,
    QuestionResult,
    lessons_of,
)
from shadowtime.console.widgets.asked import text
from shadowtime.console.words import training

Say = Callable[[str], None]

WORDS = (
    "Answer with a letter, a job or a time. hint, skip, show: as in a drill; jobs lists all jobs;"
    " quit leaves; answers are kept."
)
EXAM_WORDS = (
    "Answer with a letter, a job or a time. skip leaves a question out; jobs lists all jobs;"
    " quit leaves, and time runs on."
    " To hand in early, skip all that is left."
)


class Gone(Exception):
    """The trainee left, or the input has ended."""


class InLines:
    """What reads and writes the lines of questions."""

    def __init__(self, source: TextIO, say: Say) -> None:
        self._source = source
        self._say = say

    def _put(self, *lines: str) -> None:
        for line in lines:
            self._say(line)

    def _ask(
        self, drill: Drill, title: str, own: Mapping[str, Callable[[], QuestionResult | None]]
    ) -> QuestionResult:
        """Put a question, then read lines until one of them ends it; `own` are words that are no answers."""
        unit = _unit(drill)
        self._put(title, *text.machine_lines(drill, unit), *text.question_lines(drill, unit))
        while True:
            if (line := _line(self._source)) == "jobs":
                self._put(*text.machine_lines(drill, unit, most=None))
                continue
            try:
                ended = own[line]() if line in own else drill.give(training.named(drill.answer, line, unit))
            except SessionError as error:
                self._say(str(error))
            else:
                if ended is not None:
                    return ended


class Practice(InLines):
    """Drills in lines: the same questions, hints and points as on the screen, kept in the same progress."""

    def __init__(self, trainee: Trainee, source: TextIO, say: Say) -> None:
        super().__init__(source, say)
        self._trainee = trainee

    def course(self, course: Course, seed: int | None) -> None:
        """Ask the lessons that are not finished, or all if every question was answered before.

        Without a seed worked examples come first, and what is drawn follows the trainee.
        """
        self._put(course.title, WORDS)
        drills = [(lesson, self._trainee.open(lesson, seed)) for lesson in lessons_of(course)]
        standings = self._trainee.standings(course)
        if self._trainee.fault:
            self._say(self._trainee.fault)
        open_ones = [it for it in drills if not _finished(it[1], standings.get(it[0].name))]
        try:
            for lesson, drill in open_ones or drills:
                self._put("", lesson.title, *_paragraphs(lesson.about))
                points = answered = 0
                examples = self._trainee.examples(lesson) if seed is None else None
                while drill.question is not None:
                    while examples is not None and (example := examples.before(drill)) is not None:
                        self._show(example)
                    points, answered = points + self._practise(lesson, drill).points, answered + 1
                self._put(*text.end_lines(drill, points, answered, _unit(drill)))
        except Gone:
            self._say("left; answers are kept")

    def review(self, seed: int | None = None) -> None:
        """Ask again what was missed and is due."""
        asked = self._trainee.due()
        self._say(f"Review: {words.count(len(asked), 'question')} due")
        if asked:
            self._say(WORDS)
        try:
            for it in asked:
                try:
                    drill = self._trainee.open_due(it, seed)
                except (SessionError, ScenarioError) as error:
                    self._say(str(error))
                    continue
                lesson = it.lesson
                self._put("", f"{lesson.course.title}, {lesson.title}", *_paragraphs(lesson.about))
                self._practise(lesson, drill)
        except Gone:
            self._say("left; answers are kept")

    def _show(self, example: Example) -> None:
        """Show a worked example, or ask one that leaves its answer to the trainee; nothing of it is kept."""
        drill, unit = example.drill, _unit(example.drill)
        steps = [f"- {sentence}" for sentence in training.stepped(example, unit)]
        if example.solved:
            shown = (*text.machine_lines(drill, unit), *text.question_lines(drill, unit))
            self._put("", training.SOLVED, *shown, *steps)
            return
        self._put("", training.FADED, *steps)
        ended = self._ask(drill, "", {"skip": drill.skip, "show": drill.give_up})
        verdict, *why = training.judged(ended, unit)
        self._put(verdict, *(f"- {sentence}" for sentence in why))

    def _practise(self, lesson: Lesson, drill: Drill) -> QuestionResult:
        """Ask the next question of a drill, and keep how it ended."""
        unit = _unit(drill)

        def hint() -> None:
            drill.hint()
            self._say_fault(self._trainee.keep_hint(lesson, drill))
            self._put(*text.question_lines(drill, unit))

        drill.go_on()
        ended = self._ask(drill, "", {"hint": hint, "skip": drill.skip, "show": drill.give_up})
        self._say_fault(self._trainee.keep_verdict(lesson, ended))
        self._put(*text.verdict_lines(ended, unit))
        return ended

    def _say_fault(self, fault: str) -> None:
        if fault:
            self._say(fault)


class Exam(InLines):
    """An exam in lines: one question after the other, without hints and verdicts, until the time is up."""

    def __init__(self, sitting: Sitting, source: TextIO, say: Say) -> None:
        super().__init__(source, say)
        self._sitting = sitting

    def run(self) -> None:
        """Ask until all is answered, the time is up, or the trainee leaves: then the exam can go on."""
        sitting = self._sitting
        self._put(f"{sitting.paper.course}: {words.count(sitting.paper.questions, 'question')}", EXAM_WORDS)
        try:
            while (drill := sitting.ask()) is not None:
                title = f"{drill.session.case.scenario.title}; {words.duration(sitting.left)} left"
                self._say("")
                if not sitting.close(self._ask(drill, title, {"skip": drill.skip})):
                    break
        except Gone:
            self._say(f"left; {words.duration(sitting.left)} remain: the same command goes on")
            return
        paper = sitting.hand_in()
        right = sum(it.verdict == RIGHT for it in paper.answers)
        self._put(
            "the time is up" if sitting.left == 0 else "every question was asked",
            f"{paper.operator}: {right} of {paper.questions} right, {words.count(paper.points, 'point')}",
            f"{sitting.path} has the result",
        )


def _unit(drill: Drill) -> words.Unit:
    return words.unit_of(drill.session.case.scenario.machine)


def _finished(drill: Drill, standing: LessonStanding | None) -> bool:
    return standing is not None and len(standing.best) >= len(drill.questions)


def _line(source: TextIO) -> str:
    """The next line that is not empty. Gone at the end of the input, and at quit."""
    for line in iter(source.readline, ""):
        word = line.strip()
        if word == "quit":
            break
        if word:
            return word
    raise Gone


def _paragraphs(about: str) -> Iterable[str]:
    return (" ".join(part.split()) for part in about.split("\n\n"))
