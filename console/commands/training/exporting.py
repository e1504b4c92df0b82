"""`shadowtime train export`: questions as Moodle GIFT, results of exams as xAPI statements."""

import html
import re
from collections.abc import Sequence
from pathlib import Path

from shadowtime.console import words
from shadowtime.console.commands.output import say
from shadowtime.console.session import load
from shadowtime.console.session.exam.collecting import gather
from shadowtime.console.session.exam.statements import statements
from shadowtime.console.session.files.writers import refuse_inputs, refuse_overwriting, written_whole
from shadowtime.console.session.training import (
    Answer,
    Course,
    Drill,
    Seed,
    Value,
    files_of,
    lessons_of,
    open_course,
)
from shadowtime.console.widgets.asked.text import machine_lines
from shadowtime.console.words import training

_SPECIAL = re.compile(r"[\\~=#{}:]")
"""The marks of Moodle's GIFT format (docs.moodle.org, "GIFT format")."""


def export_course(folder: str, path: Path, seed: int, force: bool) -> None:
    """Write the questions of a course. Raises ScenarioError, SessionError, OSError."""
    course = open_course(folder)
    _refuse(path, files_of(course), force)
    _write(path, gift(course, seed), "question")


def export_results(files: Sequence[str], path: Path, force: bool) -> None:
    """Write the results of exams. Raises PaperError, SessionError, OSError."""
    _refuse(path, files, force)
    _write(path, [f"{line}\n" for line in statements([*gather(map(Path, files)).values()])], "statement")


def _refuse(path: Path, inputs: Sequence[str | Path], force: bool) -> None:
    refuse_inputs([path], inputs)
    refuse_overwriting([path], force)


def _write(path: Path, texts: Sequence[str], what: str) -> None:
    with written_whole(path) as stream:
        stream.writelines(texts)
    say(f"{path}: {words.count(len(texts), what)}")


def gift(course: Course, seed: Seed) -> list[str]:
    """Return the questions of a course under a seed; the first of a lesson has the category before it.

    A question shows the machine as the drills in lines do, since no Moodle has the console beside it.
    Raises ScenarioError, SessionError.
    """
    found = list[str]()
    for lesson in lessons_of(course):
        drill = Drill(load(lesson.path), seed)
        category = "/".join(
            " ".join(name.split()).replace("/", "//") for name in (course.title, lesson.title)
        )
        head = f"$CATEGORY: {category}\n\n"
        for place in range(len(drill.questions)):
            drill.go_on()
            found.append(f"{head}::{escaped(f'{lesson.title} - {place + 1}')}::{_question(drill)}\n\n")
            head = ""
            drill.skip()
    return found


def _question(drill: Drill) -> str:
    """The open question: the machine, the choices, each with what it is, and the explanation."""
    unit, made = words.unit_of(drill.session.case.scenario.machine), drill.answer
    question = made.question
    asked = " ".join(f"{training.moment(question, unit)} {question.text} {training.asked(made)}".split())
    machine = _html("\n".join(machine_lines(drill, unit)))
    answers = "".join(_choice(made, value, unit) for value in made.offered)
    whole = "; ".join(dict.fromkeys(training.because(part, unit) for part in made.because))
    return f"[html]<p>{_html(asked)}</p><pre>{machine}</pre>{{\n{answers}####{_html(whole)}\n}}"


def _choice(made: Answer, value: Value, unit: words.Unit) -> str:
    mark = "=" if made.holds(value) else "~"
    mistake = made.mistakes.get(value)
    why = "" if mistake is None else f"#{_html(training.because(mistake, unit))}"
    return f"{mark}{_html(training.choice(made.question.ask, value, unit))}{why}\n"


def _html(text: str) -> str:
    return escaped(html.escape(text, quote=False))


def escaped(text: str) -> str:
    """Return a text as GIFT has it within a question: one line, with its own marks escaped."""
    return _SPECIAL.sub(lambda found: f"\\{found[0]}", text).replace("\n", "\\n")
