"""Drills and exams, asked in lines: a line is read, a line or more is written; no screen is needed."""

from collections.abc import Callable, Iterable
from typing import TextIO

from shadowtime.console import words
from shadowtime.console.drills import text
from shadowtime.console.session import ScenarioError, SessionError
from shadowtime.console.session.curriculum import Trainee
from shadowtime.console.session.exam import Sitting
from shadowtime.console.session.training import RIGHT, Course, Drill, Lesson, Standing, Verdict, lessons_of

Say = Callable[[str], None]

WORDS = (
    "Answer with a letter, a job or a time. hint, skip, show: as in a drill; quit leaves; answers are kept."
)
EXAM_WORDS = (
    "Answer with a letter, a job or a time. skip leaves a question out; quit leaves, and time runs on."
    " To hand in early, skip all that is left."
)


class Gone(Exception):
    """The trainee left, or the input has ended."""


class Practice:
    """Drills in lines: the same questions, hints and points as on the screen, kept in the same progress."""

    def __init__(self, trainee: Trainee, source: TextIO, say: Say) -> None:
        self._trainee = trainee
        self._source = source
        self._say = say

    def course(self, course: Course, seed: int) -> None:
        """Ask the lessons that are not finished, or all if every question was answered before."""
        self._say(course.title)
        self._say(WORDS)
        drills = [(lesson, self._trainee.open(lesson, seed)) for lesson in lessons_of(course)]
        standings = self._trainee.standings(course)
        if self._trainee.fault:
            self._say(self._trainee.fault)
        open_ones = [it for it in drills if not _finished(it[1], standings.get(it[0].name))]
        try:
            for lesson, drill in open_ones or drills:
                _say_all(self._say, ("", lesson.title, *_paragraphs(lesson.about)))
                unit, points, answered = _unit(drill), 0, 0
                while drill.question is not None:
                    points, answered = points + self._ask(lesson, drill).points, answered + 1
                _say_all(self._say, text.end_lines(drill, points, answered, unit))
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
                _say_all(
                    self._say, ("", f"{lesson.course.title}, {lesson.title}", *_paragraphs(lesson.about))
                )
                self._ask(lesson, drill)
        except Gone:
            self._say("left; answers are kept")

    def _ask(self, lesson: Lesson, drill: Drill) -> Verdict:
        """Ask the next question of a drill, and keep how it ended."""
        unit = _unit(drill)
        drill.go_on()
        _say_all(self._say, ("", *text.machine_lines(drill, unit), *text.question_lines(drill, unit)))
        ended = self._answered(lesson, drill, unit)
        self._say_fault(self._trainee.keep_verdict(lesson, ended))
        _say_all(self._say, text.verdict_lines(ended, unit))
        return ended

    def _answered(self, lesson: Lesson, drill: Drill, unit: words.Unit) -> Verdict:
        """Read lines until one of them ends the question."""
        while True:
            line = _line(self._source)
            try:
                if line == "hint":
                    drill.hint()
                    self._say_fault(self._trainee.keep_hint(lesson, drill))
                    _say_all(self._say, text.question_lines(drill, unit))
                elif line in ("skip", "show"):
                    return drill.skip() if line == "skip" else drill.give_up()
                else:
                    return drill.give(line)
            except SessionError as error:
                self._say(str(error))

    def _say_fault(self, fault: str) -> None:
        if fault:
            self._say(fault)


class Exam:
    """An exam in lines: one question after the other, without hints and verdicts, until the time is up."""

    def __init__(self, sitting: Sitting, source: TextIO, say: Say) -> None:
        self._sitting = sitting
        self._source = source
        self._say = say

    def run(self) -> None:
        """Ask until all is answered, the time is up, or the trainee leaves: then the exam can go on."""
        sitting = self._sitting
        self._say(f"{sitting.paper.course}: {words.count(sitting.paper.questions, 'question')}")
        self._say(EXAM_WORDS)
        try:
            while (drill := sitting.ask()) is not None:
                if not self._question(drill):
                    break
        except Gone:
            self._say(f"left; {words.duration(sitting.left)} remain: the same command goes on")
            return
        paper = sitting.hand_in()
        self._say("the time is up" if sitting.left == 0 else "every question was asked")
        right = sum(it.verdict == RIGHT for it in paper.answers)
        self._say(
            f"{paper.operator}: {right} of {paper.questions} right, {words.count(paper.points, 'point')}"
        )
        self._say(f"{sitting.path} has the result")

    def _question(self, drill: Drill) -> bool:
        """Ask one question; return whether it was answered in time."""
        unit = _unit(drill)
        left = words.duration(self._sitting.left)
        title = drill.session.case.scenario.title
        lines = (*text.machine_lines(drill, unit), *text.question_lines(drill, unit))
        _say_all(self._say, ("", f"{title}; {left} left", *lines))
        while True:
            line = _line(self._source)
            try:
                ended = drill.skip() if line == "skip" else drill.give(line)
            except SessionError as error:
                self._say(str(error))
                continue
            return self._sitting.close(ended)


def _unit(drill: Drill) -> words.Unit:
    return words.unit_of(drill.session.case.scenario.machine)


def _finished(drill: Drill, standing: Standing | None) -> bool:
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


def _say_all(say: Say, lines: Iterable[str]) -> None:
    for line in lines:
        say(line)
