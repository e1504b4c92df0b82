"""`shadowtime train`: the courses on the screen, a course's answer sheet, the operators' answers as CSV."""

import click

from console.commands.looks import Looks, settings_of, takes_looks
from console.commands.options import debug_option
from console.commands.output import say
from console.commands.terminal import on_terminal
from console.session.training import (
    Course,
    Progress,
    courses,
    lessons_of,
    letter_of,
    own_courses,
    progress_file,
    read_course,
    sheet,
)


@click.command("train")
@click.argument("folder", required=False)
@click.option("--answers", is_flag=True, help="Print every question with its computed answer.")
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    help="Settles the order of the choices, and which questions are drawn.",
)
@click.option("--csv", "as_csv", is_flag=True, help="Print the answers of all operators as CSV.")
@click.option("--operator", metavar="NAME", help="With --csv: only the answers of this operator.")
@takes_looks
@debug_option
@click.pass_context
def command(
    context: click.Context,
    folder: str | None,
    answers: bool,
    seed: int | None,
    as_csv: bool,
    operator: str | None,
    looks: Looks,
) -> None:
    """Train at the console: a tour, and drills whose answers the simulation computes.

    FOLDER is a course of your own, a folder with a course.toml; without FOLDER the shipped courses are
    offered. Without a terminal the courses are listed.
    """
    if operator is not None and not as_csv:
        raise click.UsageError("--operator goes with --csv")
    if answers and as_csv:
        raise click.UsageError("--answers and --csv cannot both be given; expected one of them")
    if as_csv:
        say(Progress(progress_file()).csv(operator).rstrip("\n"))
        return
    chosen = None if folder is None else read_course(folder)
    if answers:
        for course in courses().courses if chosen is None else (chosen,):
            _print_sheet(course, seed or 0)
    elif on_terminal():
        from console.app import train

        context.exit(train(chosen, settings_of(looks), seed))
    else:
        _list(courses().courses if chosen is None else (chosen,))


def _list(taught: tuple[Course, ...]) -> None:
    """List the courses, without a screen."""
    for course in taught:
        say(course.title)
        for lesson in lessons_of(course):
            say(f"  {lesson.title}")
        say(f"  {course.folder}")
    say()
    say("Answer sheet of a course:       shadowtime train FOLDER --answers")
    say("What operators answered so far: shadowtime train --csv")
    say(f"Courses of your own:            {own_courses()}")


def _print_sheet(course: Course, seed: int) -> None:
    """Print the questions of a course with their choices, right answers and reasons. Raises ScenarioError."""
    # Imported late: a listing does not need the words.
    from console import words
    from console.words import training

    say(course.title)
    for lesson, case, answers in sheet(course, seed):
        unit = words.unit_of(case.scenario.machine)
        say(f"\n{lesson.title}")
        for place, made in enumerate(answers, 1):
            ask = made.question.ask
            say(f"\n{place:>3}. {unit.instant(made.question.at)}  {made.question.text}".rstrip())
            say(f"     {training.asked(made)}")
            for number, value in enumerate(made.offered):
                mark = "*" if value in made.right else " "
                say(f"   {mark} {letter_of(number)}  {training.choice(ask, value, unit)}")
            others = [training.choice(ask, value, unit) for value in made.right if value not in made.offered]
            if others:
                say(f"     right too: {', '.join(others)}")
            for part in made.because:
                say(f"     - {training.because(part, unit)}")
            if made.turns_out is not None:
                say(f"     afterwards: {training.turned_out(made.turns_out, unit)}")
