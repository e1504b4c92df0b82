"""`shadowtime check [FILE...]`: the expected results of scenarios beside the simulated ones."""

from collections.abc import Sequence
from datetime import UTC
from pathlib import Path

import click

from shadowtime.console.commands.endings import DONE, FAILED_EXPECTATION, ending
from shadowtime.console.commands.options import debug_option, refuse_place, shipped_or, traces_option
from shadowtime.console.commands.output import progress_bar, say
from shadowtime.console.session import (
    Case,
    Checked,
    LogMissing,
    ScenarioError,
    SessionError,
    check,
    cluster_folders,
    load,
    scenario_files,
)
from shadowtime.console.session.slurm import Beside, check_plan, is_folder
from shadowtime.console.session.training import COURSE_FILE, course_folders, open_course


@click.command("check")
@click.argument("files", metavar="[FILE]...", nargs=-1)
@traces_option
@debug_option
@click.pass_context
def command(context: click.Context, files: tuple[str, ...], traces: str | None) -> None:
    """Check every expectation of the given scenarios, or of all shipped scenarios, clusters and courses.

    A FILE can be a captured cluster: each row of its plan.csv is expected. It can be the folder of a
    course: it is sound if no text or explanation gives an answer away, every question has one right choice
    that can be known, and guessers do no better than chance. A shift is sound if a response earns all points
    by hand, and doing nothing or following a simple rule does not.

    The jobs of a captured cluster for which the plan and Slurm's own last cycle differ are listed. That is
    no failure: Slurm's cycle is the older one.

    A failure is reported as file:line, the subject, the expected value and the found value; the exit code
    is then 1.
    A shipped scenario whose log is not on this machine is reported and skipped.
    """
    paths = [Path(shipped_or(file)) for file in files]
    paths = paths or [*scenario_files(), *cluster_folders(), *course_folders()]
    code = DONE
    with progress_bar("Checking") as on_progress:
        for done, path in enumerate(paths, 1):
            if (path / COURSE_FILE).is_file() or path.name == COURSE_FILE:
                found = _check_course(path)
            elif is_folder(path):
                found = _check_cluster(path)
            else:
                found = _check(path, traces, shipped=not files)
            code = max(code, found)
            on_progress(done, len(paths))
    context.exit(code)


def _check_cluster(path: Path) -> int:
    try:
        outcomes, beside = check_plan(path)
    except ScenarioError as error:
        return ending(error)
    failures = [outcome for outcome in outcomes if not outcome.passed]
    for failure in failures:
        say(str(failure))
    say(f"{_name(path)}: {_summary(outcomes, failures)}{_beside(path, beside)}")
    return FAILED_EXPECTATION if failures else DONE


def _beside(path: Path, beside: Beside) -> str:
    """Print each job for which the plan and Slurm's own last cycle differ; return how many in words."""
    # Imported late: a check of scenarios needs neither.
    from shadowtime.console.widgets.slurm.dates import Dates
    from shadowtime.console.words import plan

    dates = Dates(UTC)
    for apart in beside.apart:
        say(f"{_name(path)}: {plan.apart_words(apart, dates.whole)}")
    return f"; {plan.beside_words(beside, dates.whole)}" if beside.compared else ""


def _check(path: Path, traces: str | None, shipped: bool) -> int:
    try:
        case = load(path, traces=traces)
        refuse_place(path, case)
    except (ScenarioError, SessionError, click.UsageError) as error:
        if shipped and isinstance(error, LogMissing):
            say(f"{_name(path)}: skipped: {error.faults[0].message}")
            return DONE
        return ending(error)
    outcomes = check(case)
    failures = [outcome for outcome in outcomes if not outcome.passed]
    for failure in failures:
        say(str(failure))
    flaws, shift = _check_shift(path, case) if case.scenario.shift is not None else (0, "")
    say(f"{_name(path)}: {_summary(outcomes, failures)}{shift}")
    return FAILED_EXPECTATION if failures or flaws else DONE


def _check_shift(path: Path, case: Case) -> tuple[int, str]:
    """Check whether a shift is sound, and print what is wrong; return how much, and the summary."""
    # Imported late: a check of other scenarios needs neither.
    from shadowtime.console.commands.training.soundness import say_shift
    from shadowtime.console.session.shift.soundness import examine_shift

    report = examine_shift(case)
    return len(report.flaws), f"; {say_shift(_name(path), report)}"


def _check_course(path: Path) -> int:
    """Check whether a course is sound, and print what is wrong and what guessers score."""
    # Imported late: a check of scenarios needs neither.
    from shadowtime.console.commands.training.soundness import say_course, spoken
    from shadowtime.console.session.training.soundness import examine

    try:
        course = open_course(path)
    except ScenarioError as error:
        return ending(error)
    report = examine(course, spoken)
    say_course(course.name, report)
    return FAILED_EXPECTATION if report.flaws else DONE


def _summary(outcomes: Sequence[Checked], failures: Sequence[Checked]) -> str:
    if not outcomes:
        return "no expectations"
    if not failures:
        return f"{len(outcomes)} of {len(outcomes)} expectations hold"
    return f"{len(failures)} of {len(outcomes)} expectations FAILED"


def _name(path: Path) -> str:
    return f"{path.parent.name}/{path.name}".removeprefix("/")
