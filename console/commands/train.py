"""`shadowtime train`: the courses on the screen, a course's answer sheet, the operators' answers as CSV."""

import sys
from collections.abc import Sequence
from pathlib import Path
from random import randrange

import click

from console.commands.looks import Looks, settings_of, takes_looks
from console.commands.options import debug_option
from console.commands.output import say
from console.commands.terminal import on_terminal
from console.session import parse_duration
from console.session.training import (
    Course,
    Progress,
    courses,
    lessons_of,
    letter_of,
    operator_name,
    own_courses,
    progress_file,
    read_course,
    sheet,
)


@click.command("train")
@click.argument("folders", metavar="[FOLDER]", nargs=-1)
@click.option("--answers", is_flag=True, help="Print every question with its computed answer.")
@click.option("--seed", type=click.IntRange(min=0), help="Settles the order of choices, and drawn questions.")
@click.option("--text", "in_lines", is_flag=True, help="Ask the questions of FOLDER in lines.")
@click.option("--exam", is_flag=True, help="An exam of FOLDER, in lines; needs --seed, --time and -o.")
@click.option("--time", "limit", metavar="LENGTH", help="With --exam: the time limit, as in 20m.")
@click.option("-o", "output", type=click.Path(path_type=Path), help="With --exam: the result file.")
@click.option("--collect", is_flag=True, help="Count the result files of exams that are named; needs --csv.")
@click.option(
    "--csv",
    "table",
    is_flag=False,
    flag_value="-",
    metavar="[FILE]",
    help="Print the answers of all operators as CSV; with --collect: write the tables to FILE.",
)
@click.option("--operator", metavar="NAME", help="With --csv: only the answers of this operator.")
@takes_looks
@debug_option
@click.pass_context
def command(
    context: click.Context,
    folders: tuple[str, ...],
    answers: bool,
    seed: int | None,
    in_lines: bool,
    exam: bool,
    limit: str | None,
    output: Path | None,
    collect: bool,
    table: str | None,
    operator: str | None,
    looks: Looks,
) -> None:
    """Train at the console: a tour, and drills whose answers the simulation computes.

    FOLDER is a course of your own, a folder with a course.toml; without FOLDER the shipped courses are
    offered. Without a terminal the courses are listed.
    """
    _refuse_mistakes(folders, answers, in_lines, exam, limit, output, collect, table, operator)
    if collect:
        _collect(folders, str(table))
        return
    if table is not None:
        say(Progress(progress_file()).csv(operator).rstrip("\n"))
        return
    chosen = read_course(folders[0]) if folders else None
    if exam and chosen is not None:
        _examine(chosen, seed or 0, _seconds(str(limit)), output or Path())
    elif in_lines and chosen is not None:
        _practise(chosen, seed)
    elif answers:
        for course in courses().courses if chosen is None else (chosen,):
            _print_sheet(course, seed or 0)
    elif on_terminal():
        from console.app import train

        context.exit(train(chosen, settings_of(looks), seed))
    else:
        _list(courses().courses if chosen is None else (chosen,))


def _refuse_mistakes(
    folders: tuple[str, ...],
    answers: bool,
    in_lines: bool,
    exam: bool,
    limit: str | None,
    output: Path | None,
    collect: bool,
    table: str | None,
    operator: str | None,
) -> None:
    """Refuse options that do not go together. Raises UsageError."""
    modes = {"--answers": answers, "--text": in_lines, "--exam": exam, "--collect": collect}
    modes["--csv"] = table is not None and not collect
    chosen = [name for name, given in modes.items() if given]
    if len(chosen) > 1:
        raise click.UsageError(f"{' and '.join(chosen)} cannot both be given; expected one of them")
    if operator is not None and (table is None or collect):
        raise click.UsageError("--operator goes with --csv")
    if not exam and (limit is not None or output is not None):
        raise click.UsageError("--time and -o go with --exam")
    if exam and (limit is None or output is None):
        raise click.UsageError("--exam needs a time limit and a result file; expected --time 20m -o FILE")
    if (exam or in_lines) and not folders:
        raise click.UsageError(f"{chosen[0]} needs the folder of a course")
    if collect and (not folders or table in (None, "-")):
        raise click.UsageError("--collect needs result files and a table; expected FILE... --csv OUT")
    if len(folders) > 1 and not collect:
        raise click.UsageError(f"{len(folders)} folders are given; expected one")


def _seconds(text: str) -> int:
    """The seconds of a time limit. Raises UsageError."""
    try:
        seconds = parse_duration(text)
    except ValueError as error:
        raise click.UsageError(f"--time: {error}") from None
    if seconds < 1:
        raise click.UsageError("--time is 0; expected a length such as 20m")
    return seconds


def _practise(course: Course, seed: int | None) -> None:
    """Ask a course in lines."""
    from console.drills.asking import Practice

    chosen = randrange(1 << 31) if seed is None else seed
    Practice(course, chosen, Progress(progress_file()), sys.stdin, say).run()


def _examine(course: Course, seed: int, limit: int, output: Path) -> None:
    """Take an exam, or go on with one. Raises PaperError, ScenarioError, SessionError."""
    from console.drills.asking import Exam
    from console.session.exam import Sitting

    Exam(Sitting(course, seed, limit, operator_name(), output), sys.stdin, say).run()


def _collect(files: Sequence[str], table: str) -> None:
    """Write the tables of result files. Raises PaperError."""
    from console.session.exam import gather, tables

    papers = gather(map(Path, files))
    Path(table).write_text(tables(papers), encoding="utf-8")
    say(f"{table}: {len(papers):,} of {len(files):,} files are exams of their own")


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
