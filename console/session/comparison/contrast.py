"""A contrast: one instant of a session under several policies, for whoever asks without a screen."""

from shadowtime.console.session.comparison.lane_figures import LaneFigures, standings
from shadowtime.console.session.comparison.lane_odds import LaneOdds, odds_work
from shadowtime.console.session.comparison.lanes import by_clock, typed_lanes
from shadowtime.console.session.comparison.lockstep import Lockstep
from shadowtime.console.session.session import Session, open_session

LISTED = 10
"""The most jobs that differ which are listed."""


class Contrast:
    """The lanes that were asked for last: asked for again at another instant, they are not run anew."""

    def __init__(self) -> None:
        self._asked: tuple[object, str] | None = None
        self._lockstep: Lockstep | None = None
        self._shown: Lockstep | None = None
        """What was asked about last."""

    def standings(self, session: Session, line: str) -> LaneFigures:
        """Return how the lanes that a typed line names stand where the session does.

        Runs each of them to its end, to find where they part. SessionError in one line.
        """
        if self._lockstep is None or self._asked != (session.case, line):
            lanes = [open_session(case) for case in typed_lanes(by_clock(session), line)]
            self._lockstep = known_through(Lockstep(lanes))
            self._asked = (session.case, line)
        if session.number:
            self._lockstep.go_time(session.time)
        else:
            self._lockstep.go_start()
        self._shown = self._lockstep
        return standings(self._lockstep, LISTED)

    def whatif(self, session: Session, line: str) -> LaneFigures:
        """Return how the session stands beside a fork of it in which a typed action is done here and now.

        Runs both to their ends. SessionError: why it cannot be done.
        """
        lanes = (session.fork(session.case.name), session.fork(session.case.name, line))
        self._shown = known_through(Lockstep(lanes))
        return standings(self._shown, LISTED)

    def odds(self, found: LaneFigures) -> LaneOdds | None:
        """Return when the job that waits and differs most likely starts in each lane; None for none."""
        waiting = [each.rows[0] for each in found.differing.jobs if any(row.waits for row in each.rows)]
        if self._shown is None or not waiting:
            return None
        samples = [lane.samples_of(waiting[0].index) for lane in self._shown.lanes]
        work = odds_work(waiting[0].id, found.time, samples)
        return None if work is None else work.run()


def known_through(lockstep: Lockstep) -> Lockstep:
    """Return lanes with all that there is to know of how they go on."""
    courses = lockstep.courses()
    while courses.run():
        pass
    courses.take()
    found = courses.partings()
    if found is not None:
        lockstep.learn(found)
    return lockstep
