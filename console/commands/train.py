"""`shadowtime train`: the courses on the screen, drills and exams in lines, answer sheets, tables."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from shadowtime.console.commands.looks import Looks, settings_of, takes_looks
from shadowtime.console.commands.options import debug_option, shipped_or
from shadowtime.console.commands.output import say, say_lines
from shadowtime.console.commands.terminal import on_terminal
from shadowtime.console.commands.training.answer_sheet import print_sheet
from shadowtime.console.commands.training.listing import list_courses
from shadowtime.console.commands.training.wanted import Wanted, refuse_mistakes, takes_wanted
from shadowtime.console.session.curriculum.lecture import Lecture
from shadowtime.console.session.curriculum.trainee import Trainee
from shadowtime.console.session.training import (
    COURSE_FILE,
    Course,
    Progress,
    courses,
    open_course,
    operator_name,
    progress_file,
)

if TYPE_CHECKING:
    from shadowtime.console.drills.asking import Practice


@click.command("train")
@takes_looks
@takes_wanted
@debug_option
def command(looks: Looks, wanted: Wanted) -> None:
    """Train at the console: a tour, and drills whose answers the simulation computes.

    FOLDER is a course: a folder with a course.toml, or its name if the menu has it; without FOLDER all
    courses are offered. FILE is a shift: a scenario with [shift]. Without a terminal the courses are listed.

    new FOLDER --from LOG, or --from CAPTURE, makes a course and a shift out of real moments. export writes
    questions or results for other programs.
    """
    refuse_mistakes(wanted)
    if wanted.station and not (wanted.names and _is_shift(wanted.names[0])):
        raise click.UsageError("--station needs the file of a shift; expected FILE --station")
    if wanted.collect:
        from shadowtime.console.commands.training.exams import collect

        collect(wanted.names, str(wanted.table), wanted.force)
    elif wanted.verified is not None:
        from shadowtime.console.commands.training.exams import verify_file

        course = open_course(shipped_or(wanted.names[0])) if wanted.names else None
        verify_file(course, wanted.verified, wanted.output, wanted.force)
    elif wanted.writes:
        _write(wanted)
    elif wanted.names and _is_shift(wanted.names[0]):
        _take_shift(wanted, looks)
    elif wanted.table is not None:
        say_lines(Progress(progress_file()).csv(wanted.operator).rstrip("\n"))
    else:
        _teach(wanted, looks)


def _write(wanted: Wanted) -> None:
    """Write a new course, or an export. Raises ScenarioError, SessionError, OSError."""
    if wanted.source is not None:
        from shadowtime.console.commands.training.making import make_course

        make_course(Path(wanted.subjects[0]), wanted.source, wanted.anonymous)
        return
    from shadowtime.console.commands.training import exporting

    if wanted.gift is not None:
        exporting.export_course(shipped_or(wanted.subjects[0]), wanted.gift, wanted.seed or 0, wanted.force)
    elif wanted.statements is not None:
        exporting.export_results(wanted.subjects, wanted.statements, wanted.force)


def _is_shift(name: str) -> bool:
    """Whether a file is named, and not the list of a course."""
    return Path(name).is_file() and Path(name).name != COURSE_FILE


def _take_shift(wanted: Wanted, looks: Looks) -> None:
    """See a shift through, on the screen or in lines; ends with its exit code.

    ScenarioError, SessionError: what is wrong with it. Raises UsageError.
    """
    name = wanted.names[0]
    if wanted.modes not in ((), ("--text",), ("--station",)):
        raise click.UsageError(f"{name} is a shift, and no course; expected --text, --station or no option")
    if wanted.station:
        from shadowtime.console.drills.station import Station

        code = Station(Path(name), wanted.operator or operator_name(), sys.stdout).run(sys.stdin)
    elif wanted.in_lines or not on_terminal():
        from shadowtime.console.drills.shift import play_shift

        code = play_shift(Path(name), sys.stdin, sys.stdout)
    else:
        from shadowtime.console.app import take_shift

        code = take_shift(Path(name), settings_of(looks))
    click.get_current_context().exit(code)


def _teach(wanted: Wanted, looks: Looks) -> None:
    """Open what needs courses. Ends with the exit code of the screen."""
    course = open_course(shipped_or(wanted.names[0])) if wanted.names else None
    taught = courses().courses if course is None else (course,)
    screen = on_terminal() and not wanted.in_lines
    if wanted.exam and course is not None and not wanted.answers:
        from shadowtime.console.commands.training.exams import examine

        click.get_current_context().exit(examine(course, wanted, looks))
    elif wanted.lecture and course is not None:
        _lecture(course, wanted.seed or 0, looks)
    elif wanted.listed:
        list_courses(taught, Trainee())
    elif wanted.answers:
        for each in taught:
            print_sheet(each, wanted)
    elif screen:
        from shadowtime.console.app import train

        click.get_current_context().exit(train(course, settings_of(looks), wanted.seed, wanted.review))
    elif wanted.review:
        _practice().review(wanted.seed)
    elif wanted.in_lines and course is not None:
        _practice().course(course, wanted.seed)
    else:
        list_courses(taught, Trainee())


def _lecture(course: Course, seed: int, looks: Looks) -> None:
    """Hold a lecture on the screen, in the light theme unless another is asked for. Raises UsageError."""
    if not on_terminal():
        raise click.UsageError("--lecture needs a terminal")
    from shadowtime.console.app import lecture

    light = looks._replace(theme=looks.theme or "light")
    click.get_current_context().exit(lecture(Lecture(course, seed), settings_of(light)))


def _practice() -> "Practice":
    from shadowtime.console.drills.asking import Practice

    return Practice(Trainee(), sys.stdin, say)
