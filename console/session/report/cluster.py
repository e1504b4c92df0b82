"""The report of a captured cluster: what its accounting says of the last weeks, and who waits now."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import attrs

from shadowtime.console.session.case import load
from shadowtime.console.session.comparison.runs import cases_of, compare
from shadowtime.console.session.comparison.verdict import LaneVerdict
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.progress import Progress
from shadowtime.console.session.report.accounted import AccountedWait, longest_waits
from shadowtime.console.session.report.earlier import Earlier, from_ledger
from shadowtime.console.session.report.stretches import Stretch, edges_of
from shadowtime.console.session.report.waits import Gathering, WaitsBy
from shadowtime.console.session.slurm.board.facts import Board, PlanRow
from shadowtime.console.session.slurm.board.standing import PARTITIONS, USERS
from shadowtime.console.session.slurm.lanes.whole_run import spoken_lane
from shadowtime.console.session.slurm.ledger.errors import ForecastClass, groups
from shadowtime.console.session.slurm.ledger.odds import known_of
from shadowtime.console.session.slurm.likely.odds import Likely, likely
from shadowtime.console.session.slurm.parameters import NAME
from shadowtime.console.session.slurm.queue import tasks_of
from shadowtime.scenarios.slurm import Capture, read_capture
from shadowtime.scenarios.slurm.accounted.records import KEPT, Past
from shadowtime.scenarios.slurm.scenario import is_capture, now_of
from shadowtime.scenarios.text.gate import printable

SAMPLES = 25
"""Samples of what may come."""
LONGEST = 10
"""Waiting jobs that are listed."""
SHORTEST = 10
"""Seconds that a runtime counts as at least in the bounded slowdown."""


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
        slowdown = max(1.0, (wait + each.elapsed) / max(each.elapsed, SHORTEST))
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
