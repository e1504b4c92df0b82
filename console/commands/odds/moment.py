"""What `shadowtime forecast LOG --at WHEN` does: the expected and the likely start of each waiting job."""

from typing import NamedTuple

import click

from shadowtime.console.commands.options import clock_of, open_at
from shadowtime.console.commands.output import progress_bar, say, say_json, say_table
from shadowtime.console.session import Row, Session, load
from shadowtime.console.session.clock import Clock
from shadowtime.console.session.files.writers import refuse_overwriting
from shadowtime.console.session.likely.writing import records_of, write_starts
from shadowtime.console.words import likely as words
from shadowtime.console.words.phrases import count


class Form(NamedTuple):
    """How a forecast is shown."""

    clock: str | None
    output: str | None
    force: bool
    as_json: bool


def forecast_at(file: str, policy: str | None, where: str | None, form: Form) -> None:
    """Print when each waiting job of a log or a scenario starts, as far as it is known at a moment.

    Raises ScenarioError, SessionError, UsageError, OSError.
    """
    if where is None:
        raise click.UsageError(f"{file} is no cluster; expected --at WHEN with it, such as --at 50%")
    refuse_overwriting([form.output], form.force)
    with progress_bar(f"Reading {file}") as on_progress:
        case = load(file, policy=policy, progress=on_progress)
    written = clock_of(case, form.clock)
    session = open_at(case, where, written)
    session.forecasts.predict()
    session.forecasts.find_likely()
    rows = [session.row(index) for index in session.snapshot().waiting]
    if form.output is not None:
        write_starts(rows, form.output, form.force)
    if form.as_json:
        answer = session.forecasts.likely
        held = {} if answer is None else {"settled": answer.record.settled, "held": answer.record.held}
        say_json({"event": session.number, "now": session.time, "jobs": records_of(rows), **held})
    else:
        _say(session, rows, written)


def _say(session: Session, rows: list[Row], clock: Clock) -> None:
    if rows:
        right = [place for place, title in enumerate(words.HEADINGS) if title in words.NUMBERS]
        say_table(words.HEADINGS, (words.cells(row, clock) for row in rows), right=right)
    waiting = count(len(rows), "waiting job")
    say(f"{waiting} at event {session.number:,}, {clock.format(session.time)}")
    for line in words.record_words(session.forecasts.likely):
        say(line)
