"""`shadowtime check [FILE...]`: the expected results of scenarios beside the simulated ones."""

from collections.abc import Sequence
from pathlib import Path

import click

from console.commands.endings import DONE, FAILED_EXPECTATION, ending
from console.commands.options import debug_option, traces_option
from console.commands.output import progress_bar, say
from console.session import LogMissing, Outcome, ScenarioError, SessionError, check, load, scenario_files


@click.command("check")
@click.argument("files", metavar="[FILE]...", nargs=-1)
@traces_option
@debug_option
@click.pass_context
def command(context: click.Context, files: tuple[str, ...], traces: str | None) -> None:
    """Check every expectation of the given scenarios, or of all shipped scenarios.

    A failure is reported as file:line, the subject, the expected value and the found value; the exit code
    is then 1.
    A shipped scenario whose log is not on this machine is reported and skipped.
    """
    paths = [Path(file) for file in files] or scenario_files()
    code = DONE
    with progress_bar("Checking") as on_progress:
        for done, path in enumerate(paths, 1):
            code = max(code, _check(path, traces, shipped=not files))
            on_progress(done, len(paths))
    context.exit(code)


def _check(path: Path, traces: str | None, shipped: bool) -> int:
    """Check one scenario and print the result; return the exit code."""
    try:
        case = load(path, traces=traces)
    except (ScenarioError, SessionError) as error:
        if shipped and isinstance(error, LogMissing):
            say(f"{_name(path)}: skipped: {error.faults[0].message}")
            return DONE
        return ending(error)
    outcomes = check(case)
    failures = [outcome for outcome in outcomes if not outcome.passed]
    for failure in failures:
        say(str(failure))
    say(f"{_name(path)}: {_summary(outcomes, failures)}")
    return FAILED_EXPECTATION if failures else DONE


def _summary(outcomes: Sequence[Outcome], failures: Sequence[Outcome]) -> str:
    if not outcomes:
        return "no expectations"
    if not failures:
        return f"{len(outcomes)} of {len(outcomes)} expectations hold"
    return f"{len(failures)} of {len(outcomes)} expectations FAILED"


def _name(path: Path) -> str:
    return f"{path.parent.name}/{path.name}".removeprefix("/")
