"""The report of a Slurm cluster for `shadowtime report`."""

from pathlib import Path

from shadowtime.console.commands.output import progress_bar
from shadowtime.console.commands.slurm.lanes import lanes_of
from shadowtime.console.commands.slurm.reaching import Reached
from shadowtime.console.session import SessionError, compare, load
from shadowtime.console.session.comparison.verdict import LaneVerdict
from shadowtime.console.session.report.cluster import SAMPLES, cluster_report
from shadowtime.console.session.slurm import is_folder
from shadowtime.console.session.slurm.board.making import board
from shadowtime.console.session.slurm.ledger.odds import known_of
from shadowtime.console.session.slurm.likely.odds import likely
from shadowtime.console.session.slurm.parameters import NAME
from shadowtime.console.widgets.report.cluster import cluster_page


def cluster_html(reached: Reached, against: str | None) -> str:
    """Return the page of a cluster. ScenarioError, SessionError."""
    try:
        capture = reached.source.take()
    finally:
        reached.source.close()
    found = board(capture)
    with progress_bar("Sampling") as on_progress:
        known = known_of(found.cluster, found.now)
        odds = likely(capture, found.now, SAMPLES, on_progress, known)
    rival = _rival(capture.folder, against)
    return cluster_page(cluster_report(found, odds, rival), reached.dates)


def _rival(folder: str, against: str | None) -> LaneVerdict | None:
    """Return what another policy does to the waits of a captured folder; None for a live cluster."""
    if not is_folder(Path(folder)):
        if against is not None:
            raise SessionError("--against is for a captured folder; shadowtime capture slurm -o keeps one")
        return None
    case = load(folder)
    lanes = lanes_of(folder, case, () if against is None else (NAME, against))
    if against is not None and (against == NAME or len(lanes) != 2):
        raise SessionError(f"--against is {against}; expected one policy beside {NAME}")
    with progress_bar("Comparing") as on_progress:
        return compare(lanes[:2], on_progress, of=case).verdict
