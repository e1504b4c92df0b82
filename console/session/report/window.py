"""The window of a report: the seconds in which jobs are submitted and the machine is watched."""

from shadowtime.console.session.case import Case
from shadowtime.console.session.comparison.window import typed_window
from shadowtime.console.session.errors import SessionError


def window_of(case: Case, since: str | None = None, until: str | None = None) -> range:
    """Return the seconds from one typed place to another, both included; by default the whole run.

    SessionError in one line: a text that is no place, and a window in which no job comes.
    """
    typed, submits = typed_window(case, since, until), case.columns.submit
    if not submits:
        raise SessionError("no job comes: there is nothing to report")
    simulation = case.simulation()
    simulation.run()
    first = submits[0] if typed.since is None else typed.since
    last = max(simulation.now, submits[-1]) if typed.until is None else typed.until
    window = range(first, last + 1)
    if not any(submit in window for submit in submits):
        raise SessionError(
            f"no job is submitted {f'from {since}' if since else ''}{' ' if since and until else ''}"
            f"{f'until {until}' if until else ''}; expected a window in which jobs come"
        )
    return window
