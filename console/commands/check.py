"""`shadowtime check [FILE...]`: what the papers say must come out, beside what does."""

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
    """Check every expectation of the given scenarios, or of all that are shipped.

    A failure is told as file:line, what was looked at, what was expected, what was found; the exit code is
    then 1.
    A shipped scenario whose log is not on this machine is passed over, and said so.
    """
    paths = [Path(file) for file in files] or scenario_files()
    code = DONE
    with progress_bar("Checking") as told:
        for done, path in enumerate(paths, 1):
            code = max(code, _check(path, traces, shipped=not files))
            told(done, len(paths))
    context.exit(code)


def _check(path: Path, traces: str | None, shipped: bool) -> int:
    """Check one scenario and tell how it went; return the exit code that it deserves."""
    try:
        case = load(path, traces=traces)
    except (ScenarioError, SessionError) as error:
        if shipped and isinstance(error, LogMissing):
            say(f"{_name(path)}: passed over: {error.faults[0].message}")
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
        return "expects nothing"
    if not failures:
        return f"{len(outcomes)} of {len(outcomes)} expectations hold"
    return f"{len(failures)} of {len(outcomes)} expectations FAILED"


def _name(path: Path) -> str:
    return f"{path.parent.name}/{path.name}".removeprefix("/")
