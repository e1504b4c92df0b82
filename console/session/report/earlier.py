"""What the captures before one of a cluster forecast, and what came of it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import attrs

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.progress import Progress
from shadowtime.console.session.report.accounted import longest_jobs
from shadowtime.console.session.slurm.board.facts import Board
from shadowtime.console.session.slurm.board.making import board
from shadowtime.console.session.slurm.capturing import ClusterSource, Folder
from shadowtime.console.session.slurm.lanes.making import captured_in
from shadowtime.console.session.slurm.ledger.odds import likely_of, own_ledger
from shadowtime.console.session.slurm.ledger.store import Ledger, LedgerEntry
from shadowtime.scenarios.slurm.accounted.records import KEPT
from shadowtime.scenarios.slurm.errors import CaptureError
from shadowtime.scenarios.slurm.scenario import is_capture

SNAPSHOTS, SAMPLES = 20, 25
"""Captures from which likely starts are sampled, and samples of each."""


@attrs.frozen
class Earlier:
    """Forecasts that were made of a cluster, and Slurm's reasons at the captures."""

    entries: Sequence[LedgerEntry] = ()
    reasons: Sequence[tuple[int, Mapping[int, str]]] = ()
    """The instants of the captures, each with Slurm's reasons of waiting jobs by id."""


def from_ledger(cluster: str, now: int) -> Earlier:
    """Return what the user's ledger, if there is one, has of a cluster up to an instant. SessionError."""
    with own_ledger() as ledger:
        made = () if ledger is None else ledger.entries(now, cluster, now - KEPT)
        return Earlier([each for each in made if each.made <= now])


def captures_of(source: ClusterSource) -> tuple[Sequence[ClusterSource], Sequence[str]]:
    """Return the captures in a folder of captures, in the order of their instants; another source by itself.

    Those that cannot be read are passed over: beside stands what is wrong with each, in a line. CaptureError
    if none can be read. SessionError.
    """
    if not isinstance(source, Folder) or is_capture(source.path):
        return [source], ()
    found, faults = [], []
    for path in captured_in(source.path):
        if source.now is not None:
            raise SessionError(f"{source.path} holds captures; expected one of them with --now")
        each = Folder(path, source.zone)
        try:
            found.append((each.take().taken, each))
        except (CaptureError, OSError) as error:
            faults.append(error)
    if faults and not found:
        raise faults[0]
    ordered = [each for _, each in sorted(found, key=lambda pair: pair[0])]
    return ordered or [source], [str(error).splitlines()[0] for error in faults]


def from_captures(sources: Sequence[ClusterSource], last: Board, progress: Progress) -> Earlier:
    """Return what captures, in the order of their instants, forecast up to a last one of the same cluster.

    Reasons are kept of the longest waits of the last one. The likely starts of `SNAPSHOTS` of them
    at even distances are sampled. CaptureError, SessionError.
    """
    count = len(sources)
    sampled = {place * count // SNAPSHOTS for place in range(SNAPSHOTS)}
    asked, reasons = {job.id for job in longest_jobs(last.capture)}, []
    with TemporaryDirectory(prefix="shadowtime-") as kept:
        ledger = Ledger(Path(kept) / "ledger.sqlite")
        try:
            for place, source in enumerate(sources):
                progress(place, count)
                found = board(source.take())
                if found.cluster != last.cluster:
                    continue
                jobs = (job for job in found.capture.jobs if job.waiting and job.id in asked)
                waiting = {job.id: job.reason for job in jobs}
                reasons.append((found.now, waiting))
                if ledger.add(found, last.now).kept and place in sampled:
                    likely_of(found, SAMPLES, keeps=True, ledger=ledger)
            ledger.add(last, last.now)
            # Those of the last one itself are still to come.
            made = ledger.entries(last.now, last.cluster, last.now - KEPT)
            entries = [each for each in made if each.made < last.now]
        finally:
            ledger.close()
    return Earlier(entries, reasons)
