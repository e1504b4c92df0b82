"""What the captures before one of a cluster forecast, and what came of it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import attrs

from shadowtime.console.session.progress import Progress
from shadowtime.console.session.slurm.board.facts import Board
from shadowtime.console.session.slurm.board.making import board
from shadowtime.console.session.slurm.capturing import ClusterSource, Folder
from shadowtime.console.session.slurm.lanes.courses import captured_in
from shadowtime.console.session.slurm.ledger.odds import likely_of
from shadowtime.console.session.slurm.ledger.store import Ledger, LedgerEntry, ledger_path
from shadowtime.scenarios.slurm.scenario import is_capture

SNAPSHOTS, SAMPLES = 20, 25
"""Captures from which likely starts are sampled, and samples of each."""


@attrs.frozen
class Earlier:
    """Forecasts that were made of a cluster, and Slurm's reasons at the captures."""

    entries: Sequence[LedgerEntry] = ()
    reasons: Sequence[tuple[int, Mapping[int, str]]] = ()
    """The instants of the captures, each with Slurm's reasons of its waiting jobs by id."""


def from_ledger(cluster: str, now: int) -> Earlier:
    """Return what the user's ledger, if there is one, has of a cluster up to an instant. SessionError."""
    if not ledger_path().exists():
        return Earlier()
    ledger = Ledger(ledger_path())
    try:
        return Earlier([each for each in ledger.entries(now, cluster) if each.made <= now])
    finally:
        ledger.close()


def captures_of(source: ClusterSource) -> list[ClusterSource]:
    """Return the captures in a folder of captures, by their names; of another source the source itself."""
    if not isinstance(source, Folder) or is_capture(source.path):
        return [source]
    return [Folder(path, source.zone) for path in captured_in(source.path)] or [source]


def from_captures(sources: Sequence[ClusterSource], last: Board, progress: Progress) -> Earlier:
    """Return what captures, in the order of their instants, forecast up to a last one.

    The likely starts of `SNAPSHOTS` of them at even distances are sampled. CaptureError, SessionError.
    """
    count = len(sources)
    sampled = {place * count // SNAPSHOTS for place in range(SNAPSHOTS)}
    reasons = []
    with TemporaryDirectory(prefix="shadowtime-") as kept:
        ledger = Ledger(Path(kept) / "ledger.sqlite")
        try:
            for place, source in enumerate(sources):
                progress(place, count)
                found = board(source.take())
                waiting = {job.id: job.reason for job in found.capture.jobs if job.waiting}
                reasons.append((found.now, waiting))
                if ledger.add(found, last.now).kept and place in sampled:
                    likely_of(found, SAMPLES, keeps=True, ledger=ledger)
            ledger.add(last, last.now)
            # Those of the last one itself are still to come.
            entries = [each for each in ledger.entries(last.now, last.cluster) if each.made < last.now]
        finally:
            ledger.close()
    return Earlier(entries, reasons)
