"""Exams on the command line: taking one, on the screen or in lines, and the tables of a class."""

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from shadowtime.console import words
from shadowtime.console.commands.looks import Looks, settings_of
from shadowtime.console.commands.output import say
from shadowtime.console.commands.terminal import on_terminal
from shadowtime.console.commands.training.wanted import Wanted
from shadowtime.console.session.exam.collecting import TABLES, gather, sat_before, tables
from shadowtime.console.session.exam.paper import read as read_paper
from shadowtime.console.session.exam.sitting import Sitting
from shadowtime.console.session.exam.verifying import certificate, read_certificate, save_certificate, verify
from shadowtime.console.session.files.writers import refuse_inputs, refuse_overwriting, written_whole
from shadowtime.console.session.training import COURSE_FILE, Course, operator_name


def examine(course: Course, wanted: Wanted, looks: Looks) -> int:
    """Take an exam, or go on with one; return the exit code.

    Raises PaperError, ScenarioError, SessionError, UsageError.
    """
    out = wanted.output or Path()
    sitting = Sitting(course, wanted.seed or 0, wanted.seconds, operator_name(), out, form=wanted.form or "")
    if wanted.in_lines or not on_terminal():
        from shadowtime.console.drills.asking import Exam

        Exam(sitting, sys.stdin, say).run()
        return 0
    from shadowtime.console.app import examine as on_screen

    code = on_screen(sitting, settings_of(looks))
    say_ended(sitting)
    return code


def say_ended(sitting: Sitting) -> None:
    """Print what the screen is gone with: where the result is, or that the exam goes on."""
    if sitting.paper.ended:
        say(f"{sitting.path} has the result")
    else:
        say("left; the time runs on, and the same command goes on (to hand in early, leave out what is left)")


def verify_file(course: Course | None, path: Path, out: Path | None, force: bool) -> None:
    """Verify a result with its course, or a certificate; with `out` write the certificate of a result.

    A file that is there is written over only with `force`.

    Raises PaperError, ScenarioError, SessionError, UsageError, OSError.
    """
    stated = read_certificate(path)
    if stated is None:
        paper = read_paper(path)
        if course is None:
            raise click.UsageError("a result needs its course; expected train FOLDER --verify FILE")
        refuse_inputs((out,), (path, course.folder / COURSE_FILE, *course.lessons))
        refuse_overwriting((out,), force)
        verify(course, paper, path)
        stated = certificate(paper)
        if out is not None:
            save_certificate(out, stated)
    elif out is not None:
        raise click.UsageError(f"{path} is a certificate; expected --verify without -o")
    earned = f"{stated['points']} of {stated['most']} points, {stated['mark']} needed"
    sat = f"seed {stated['seed']}, begun {stated['begun']}"
    say(f"{stated['operator']} has passed {stated['course']!r}: {earned}; {sat}")
    say(f"course {stated['digest']}")
    say(f"result {stated['result']}")


def collect(files: Sequence[str], table: str, force: bool) -> None:
    """Write the tables of result files; files that are there only with `force`.

    Raises PaperError, SessionError, UsageError, OSError.
    """
    out = Path(table)
    # A Path drops the slash and the dot of a folder.
    stem = table.rpartition("/")[2].removesuffix(".csv")
    if stem in ("", ".", "..") or out.is_dir():
        raise click.UsageError(f"--csv {table} has no name of a file; expected --csv class.csv")
    outputs = {name: out.with_name(f"{stem}-{name}.csv") for name in TABLES}
    refuse_inputs(outputs.values(), files)
    refuse_overwriting(outputs.values(), force)
    found = gather(map(Path, files))
    again = sat_before(found)
    papers = [paper for path, paper in found.items() if path not in again]
    for name, text in tables(papers).items():
        with written_whole(outputs[name]) as stream:
            stream.write(text)
    for path, paper in found.items():
        if path in again:
            say(f"{path}: not counted: {paper.operator} had sat this exam before, in {again[path]}")
        elif not paper.ended:
            asked = f"{len(paper.answers)} of {words.count(paper.questions, 'question')} asked"
            say(f"{path}: {paper.operator} has not handed it in yet; {asked}")
    names = ", ".join(TABLES)
    say(f"{stem}-*.csv ({names}): {len(papers):,} of {len(files):,} files are exams of their own")
