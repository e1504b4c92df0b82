"""The report of a Slurm cluster for `shadowtime report`."""

from shadowtime.console.commands.endings import say_error
from shadowtime.console.commands.output import progress_bar
from shadowtime.console.commands.slurm.reaching import Reached
from shadowtime.console.session.report.cluster import captured_report, captures_of, from_captures
from shadowtime.console.session.slurm.board.making import board
from shadowtime.console.widgets.report.cluster import cluster_page


def cluster_html(reached: Reached, against: str | None) -> str:
    """Return the page of a cluster; of a folder of captures that of the last. ScenarioError, SessionError."""
    (*before, last), faults = captures_of(reached.source)
    for fault in faults:
        say_error(f"passed over: {fault}")
    try:
        found = board(last.take())
    finally:
        last.close()
    with progress_bar("Reporting") as on_progress:
        earlier = from_captures(before, found, on_progress) if before else None
        return cluster_page(captured_report(found, against, on_progress, earlier), reached.dates)
