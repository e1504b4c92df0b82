"""Makes the report of a captured cluster: what it says, and what has to be simulated for it."""

from pathlib import Path

from shadowtime.console.session.case import load
from shadowtime.console.session.comparison.runs import cases_of, compare
from shadowtime.console.session.comparison.verdict import LaneVerdict
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.progress import Progress
from shadowtime.console.session.report.cluster import SAMPLES, ClusterReport, cluster_report
from shadowtime.console.session.report.earlier import Earlier, from_ledger
from shadowtime.console.session.slurm.board.facts import Board
from shadowtime.console.session.slurm.lanes.whole_run import spoken_lane
from shadowtime.console.session.slurm.ledger.odds import known_of
from shadowtime.console.session.slurm.likely.odds import likely
from shadowtime.console.session.slurm.parameters import NAME
from shadowtime.scenarios.slurm import read_capture
from shadowtime.scenarios.slurm.scenario import is_capture, now_of


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
