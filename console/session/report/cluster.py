"""The report of a captured cluster: what its accounting says of the last weeks, and who waits now."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import attrs

from shadowtime.console.session.case import load
from shadowtime.console.session.comparison.runs import cases_of, compare
from shadowtime.console.session.comparison.verdict import LaneVerdict
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.jobs.users import bounded_slowdown
from shadowtime.console.session.progress import Progress
from shadowtime.console.session.report.accounted import AccountedWait, longest_jobs, longest_waits
from shadowtime.console.session.report.stretches import Stretch, edges_of
from shadowtime.console.session.report.waits import Gathering, WaitsBy
from shadowtime.console.session.slurm.board.facts import Board, PlanRow
from shadowtime.console.session.slurm.board.making import board
from shadowtime.console.session.slurm.board.standing import PARTITIONS, USERS
from shadowtime.console.session.slurm.capturing import ClusterSource, Folder
from shadowtime.console.session.slurm.lanes.making import captured_in
from shadowtime.console.session.slurm.lanes.whole_run import spoken_lane
from shadowtime.console.session.slurm.ledger.errors import ForecastClass, groups
from shadowtime.console.session.slurm.ledger.odds import known_of, likely_of, own_ledger
from shadowtime.console.session.slurm.ledger.store import Ledger, LedgerEntry
from shadowtime.console.session.slurm.likely.odds import Likely, likely
from shadowtime.console.session.slurm.parameters import NAME
from shadowtime.console.session.slurm.queue import tasks_of
from shadowtime.scenarios.slurm import Capture, read_capture
from shadowtime.scenarios.slurm.accounted.records import KEPT, Past
from shadowtime.scenarios.slurm.errors import CaptureError
from shadowtime.scenarios.slurm.scenario import is_capture, now_of
from shadowtime.scenarios.text.gate import printable

SAMPLES = 25
"""Samples of what may come."""
LONGEST = 10
"""Waiting jobs that are listed."""
SNAPSHOTS = 20
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


@attrs.frozen
class Accounted:
    """A job on its way, in seconds since 1970; without a start it waits, without an end it runs."""

    cpus: int
    eligible: int
    start: int | None
    end: int | None


@attrs.frozen
class ClusterReport:
    """What a report of a captured cluster says."""

    board: Board
    cpus: int
    """CPUs of all nodes."""
    window: range | None
    """The seconds since 1970 of which the accounting says something; None without accounting."""
    stretches: Sequence[Stretch]
    """`busy` are CPUs."""
    waits: Mapping[str, WaitsBy]
    """Of the jobs of the accounting that are over, by `USERS` and `PARTITIONS`."""
    longest: Sequence[PlanRow]
    """The waiting jobs of the queue that have waited longest."""
    over: Sequence[AccountedWait]
    """The longest waits of the accounting."""
    likely: Likely
    forecasts: Sequence[ForecastClass]
    """What came of earlier forecasts, by horizon, all of them last; empty if no forecast is known."""
    rival: LaneVerdict | None
    """What another policy, or other parameters, do to the waits of the jobs of the capture."""


def cluster_report(
    board: Board, likely: Likely, rival: LaneVerdict | None, earlier: Earlier
) -> ClusterReport:
    """Return the report of a captured cluster; `likely` has its likely starts."""
    capture = board.capture
    rows = list(_rows(board))
    window = range(_known_since(capture.past, board.now), board.now + 1) if rows and capture.past else None
    queued = {row.job: row for row in board.rows if row.could_start and row.outcome != "started"}
    longest = sorted(queued.values(), key=lambda row: (row.submit, row.order or len(board.rows)))[:LONGEST]
    cpus = sum(node.cpus for node in capture.nodes)
    return ClusterReport(
        board,
        cpus,
        window,
        () if window is None else tuple(course(rows, edges_of(window))),
        {USERS: _waits(capture, USERS), PARTITIONS: _waits(capture, PARTITIONS)},
        longest,
        longest_waits(capture, cpus, earlier.reasons),
        likely,
        groups(earlier.entries, "horizon") if earlier.entries else (),
        rival,
    )


def _known_since(past: Past, now: int) -> int:
    """Return the first instant of which the accounting has every job: what ended before may be missing."""
    ends = [each.end for each in past.jobs if each.end is not None and each.end <= now]
    return max(now - KEPT, min(ends or (each.start for each in past.jobs if each.start <= now), default=now))


def _rows(board: Board) -> Iterator[Accounted]:
    """Yield the jobs of the accounting, and those of the queue."""
    capture = board.capture
    past = () if capture.past is None else capture.past.jobs
    for each in past:
        if each.start <= capture.taken:
            yield Accounted(each.given, each.eligible, each.start, each.end)
    for name in {row.job: None for row in board.rows if row.could_start}:
        job = board.jobs[name]
        for _ in range(tasks_of(capture, job)):
            yield Accounted(0, min(capture.taken, max(job.submit, job.eligible)), None, None)


def course(rows: Iterable[Accounted], edges: Sequence[int]) -> Iterator[Stretch]:
    """Yield the CPUs held and the jobs that waited between each two edges. O(jobs log jobs)."""
    changes: dict[int, list[int]] = {}
    first = edges[0]
    for row in rows:
        _add(changes, max(first, row.eligible), 0, 1)
        if row.start is not None:
            _add(changes, max(first, row.start), row.cpus, -1)
            if row.end is not None:
                _add(changes, max(first, row.end), -row.cpus, 0)
    instants = sorted(changes)
    busy = queue = place = 0
    for begin, end in pairwise(edges):
        held = waited = 0
        longest, at = queue, begin
        while place < len(instants) and instants[place] < end:
            instant = instants[place]
            held, waited = held + busy * (instant - at), waited + queue * (instant - at)
            at = instant
            busy, queue = busy + changes[instant][0], queue + changes[instant][1]
            longest = max(longest, queue)
            place += 1
        held, waited = held + busy * (end - at), waited + queue * (end - at)
        yield Stretch(begin, end, held / (end - begin), waited / (end - begin), longest)


def _add(changes: dict[int, list[int]], at: int, cpus: int, jobs: int) -> None:
    found = changes.setdefault(at, [0, 0])
    found[0] += cpus
    found[1] += jobs


def _waits(capture: Capture, by: str) -> WaitsBy:
    """Return the waits of the accounted jobs that are over, from when each could start."""
    gathering = Gathering()
    for each in () if capture.past is None else capture.past.jobs:
        if each.end is None or each.end > capture.taken:
            continue
        wait = each.start - each.eligible
        slowdown = bounded_slowdown(wait + each.elapsed, each.elapsed)
        of = each.nodes, each.elapsed
        gathering.add(printable(getattr(each, by)), of, wait, each.given * each.elapsed, slowdown)
    return gathering.found()


def captured_report(
    board: Board, against: str | None, progress: Progress, earlier: Earlier | None = None
) -> ClusterReport:
    """Return the report of a captured cluster; `progress` is called as it is made.

    `against` is the policy, or Slurm with other parameters, that it is compared with; by default the first
    policy of its scenario. `earlier` is by default what the user's ledger has. SessionError, ScenarioError.
    """
    rival = _rival(board, against, progress)
    odds = likely(board.capture, board.now, SAMPLES, progress, known_of(board.cluster, board.now))
    known = from_ledger(board.cluster, board.now) if earlier is None else earlier
    return cluster_report(board, odds, rival, known)


def _rival(board: Board, against: str | None, progress: Progress) -> LaneVerdict | None:
    """Return what another policy does to the waits of a captured folder.

    None for a live cluster, and at an instant that is not the folder's own: the lanes begin at that.
    """
    folder = board.capture.folder
    path = Path(folder)
    if not is_capture(path):
        if against is not None:
            raise SessionError("--against is for a captured folder; shadowtime capture slurm -o keeps one")
        return None
    if against is not None and against.strip() == NAME:
        raise SessionError(f"--against is {NAME}; expected a policy beside it, or {NAME}:KEY=VALUE")
    if now_of(read_capture(path)) != board.now:
        if against is not None:
            raise SessionError("--against is at the instant of the folder; expected no --now beside it")
        return None
    case = load(folder)
    other = cases_of(case)[0] if against is None else spoken_lane(path, case, against)
    return compare([spoken_lane(path, case, NAME), other], progress, of=case).verdict
