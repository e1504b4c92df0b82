"""The answer sheet of a course: every question with its choices, the right ones marked, and why."""

from shadowtime.console import words
from shadowtime.console.commands.output import say
from shadowtime.console.commands.training.wanted import Wanted
from shadowtime.console.session.exam.forms import left_out
from shadowtime.console.session.training import Answer, Course, letter_of, sheet
from shadowtime.console.words import training


def print_sheet(course: Course, wanted: Wanted) -> None:
    """Print the sheet of a course, or of the form of an exam. Raises ScenarioError."""
    say(course.title)
    lessons = sheet(course, wanted.sheet_seed, bool(wanted.form))
    answered = [answers for _, _, answers in lessons]
    omitted = left_out(answered, wanted.seed or 0, wanted.form or "")
    for (lesson, case, answers), gone in zip(lessons, omitted, strict=True):
        unit = words.unit_of(case.scenario.machine)
        say()
        say(lesson.title)
        for place, made in enumerate(answers, 1):
            if place - 1 not in gone:
                _print_question(place, made, unit)


def _print_question(place: int, made: Answer, unit: words.Unit) -> None:
    question = made.question
    moment = training.moment(question, unit)
    say()
    say(f"{place:>3}. {moment and f'{moment}  '}{' '.join(question.text.split())}".rstrip())
    say(f"     {training.asked(made)}")
    for number, value in enumerate(made.offered):
        mark = "*" if value in made.right else " "
        say(f"   {mark} {letter_of(number)}  {training.choice(question.ask, value, unit)}")
    others = [training.choice(question.ask, it, unit) for it in made.right if it not in made.offered]
    if others:
        say(f"     right too: {', '.join(others)}")
    for part in made.because:
        say(f"     - {training.because(part, unit)}")
    if made.turns_out is not None:
        say(f"     afterwards: {training.turned_out(made.turns_out, unit)}")
