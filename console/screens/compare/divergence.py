"""What workers find out about lanes: where they part, and when the job looked at likely starts in each."""

from collections.abc import Callable
from time import monotonic

from textual.timer import Timer

from shadowtime.console.keys import keyboard_of
from shadowtime.console.screens.compare.keys import COMPARING
from shadowtime.console.screens.travel.play import Play
from shadowtime.console.screens.travel.steps import Steps
from shadowtime.console.screens.travel.view import View
from shadowtime.console.session import PolicyError, SessionError
from shadowtime.console.session.comparison.divergence import Partings
from shadowtime.console.session.comparison.lane_odds import LaneOdds, LaneOddsWork, odds_work
from shadowtime.console.session.comparison.lockstep import Courses, Lockstep

CHUNK = 8192
"""Events of a piece of a course: milliseconds, mostly. Nobody waits for its end, not even to stop."""
HANDING = 0.2
"""Seconds between two looks at how far the courses are."""
REST = 0.3
"""Seconds for which lanes stand and a job is looked at before it is sampled."""


class Divergence:
    """Runs every lane to its end, and goes to where the lanes part; while `busy`, a trip has the lanes."""

    def __init__(
        self, view: View, lockstep: Lockstep, play: Play, steps: Steps, busy: Callable[[], bool]
    ) -> None:
        self._view = view
        self._lockstep = lockstep
        self._play = play
        self._steps = steps
        self._busy = busy
        self._courses: Courses | None = None
        """What is being found out."""
        self._wanted: Callable[[], object] | None = None
        """What waits for the courses."""
        self._owed: Courses | None = None
        """The courses that are complete and wait for the lanes."""

    def diverge(self, direction: int) -> None:
        """To the next or the previous instant at which the lanes part."""
        lockstep = self._lockstep
        if direction > 0:
            self._when_known(lockstep.next_divergence, "they do not part after this", "previous_divergence")
        else:
            self._when_known(lockstep.previous_divergence, "they did not part before this", "next_divergence")

    def differ(self, direction: int) -> None:
        """To the next or the previous start or end that is not the same in all lanes."""
        lockstep = self._lockstep
        if direction > 0:
            text = "every job starts and ends alike after this"
            self._when_known(lockstep.next_difference, text, "previous_difference")
        else:
            text = "every job started and ended alike before this"
            self._when_known(lockstep.previous_difference, text, "next_difference")

    def _when_known(self, move: Callable[[], bool], otherwise: str, back: str) -> None:
        """Move; where that leads nowhere give the key of the other direction, too."""
        key = next(it.keys[0] for it in keyboard_of(self._view.app).of(COMPARING) if it.id == back)
        self.when_known(lambda: self._steps.move(move, f"{otherwise}; {key} looks the other way"))

    def when_known(self, go: Callable[[], object]) -> None:
        """Call something once it is known how every lane goes on to its end."""
        if self._lockstep.partings is not None:
            go()
            return
        self._play.pause()
        self._wanted = go
        self.explore()
        self._report()

    def explore(self) -> None:
        """Find out in a worker how every lane goes on to its end, unless that is known or under way."""
        if self._courses is not None or self._lockstep.partings is not None:
            return
        courses = self._courses = self._lockstep.courses()

        def run() -> None:
            reported = monotonic()
            while courses.run(CHUNK):
                if monotonic() - reported > HANDING:
                    reported = monotonic()
                    self._hand(self._report)
            self._hand(self._explored, courses)

        self._view.run_worker(run, thread=True, group="courses")

    def _hand(self, take: Callable[..., None], *given: object) -> None:
        """Call something on the screen's thread, unless the screen has gone."""
        try:
            if self._view.is_attached:
                self._view.app.call_from_thread(take, *given)
        except RuntimeError:
            # The application ended between the question and the call: nobody is left to tell.
            if self._view.is_attached:
                raise

    def _report(self) -> None:
        if self._courses is not None and self._wanted is not None:
            name = self._lockstep.names[min(self._courses.lane, len(self._lockstep.names) - 1)]
            self._view.say(f"running {name} ahead: event {self._courses.number:,} ...  Esc stops", "key")

    def _explored(self, courses: Courses) -> None:
        """All the lanes have been run, or one of them cannot be."""
        if courses is not self._courses:
            return
        if self._busy():
            # A trip has the lanes; it takes the courses when it has ended.
            self._owed = courses
            return
        self._owed = None
        courses.take()

        def run() -> None:
            self._hand(self._parted, courses, courses.partings())

        self._view.run_worker(run, thread=True, group="courses")

    def take(self) -> None:
        """Take the courses that were complete while a trip had the lanes."""
        if self._owed is not None:
            self._explored(self._owed)

    def _parted(self, courses: Courses, partings: Partings | None) -> None:
        if courses is not self._courses:
            return
        self._courses, wanted = None, self._wanted
        self._wanted = None
        if partings is None:
            if wanted is not None:
                self._view.say(self._unknown(), "warn")
            return
        self._lockstep.learn(partings)
        if not self._busy():
            self._view.arrive()
            if wanted is not None:
                wanted()

    def _unknown(self) -> str:
        """Why it cannot be said where the lanes part."""
        for name, lane in zip(self._lockstep.names, self._lockstep.lanes, strict=True):
            if lane.total is None:
                return f"{name} does not come to an end, so nobody knows where the lanes part"
        return "nobody knows where the lanes part"

    def stop(self) -> bool:
        """Stop the search that the operator waits for; whether there was one."""
        if self._wanted is None:
            return False
        self.forget()
        self._view.say("stopped; it begins anew when you ask again")
        return True

    def forget(self) -> None:
        """Let what is being found out be: nobody wants it any more."""
        if self._courses is not None:
            self._courses.cancel()
        self._courses = self._wanted = self._owed = None


class LikelyLanes:
    """Samples the job that is looked at; `found` is called on the screen's thread."""

    def __init__(self, view: View, lockstep: Lockstep, found: Callable[[], None]) -> None:
        self._view, self._lockstep, self._found = view, lockstep, found
        self._asked: tuple[int, int] | None = None
        self._timer: Timer | None = None
        self._work: LaneOddsWork | None = None
        self._odds: LaneOdds | None = None

    def of(self, index: int | None) -> LaneOdds | None:
        """Return the odds of a job where the lanes stand, if they are known; they are found soon."""
        if index is None or not self._lockstep.begun:
            return None
        asked = index, self._lockstep.time
        if asked != self._asked:
            self.stop()
            self._asked = asked
            self._timer = self._view.set_timer(REST, self._begin)
        return self._odds

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.stop()
        if self._work is not None:
            self._work.cancel()
        self._timer = self._work = self._odds = self._asked = None

    def _begin(self) -> None:
        if self._asked is None:
            return
        index, time = self._asked
        lanes = self._lockstep.lanes
        work = self._work = odds_work(lanes[0].id_of(index), time, [lane.samples_of(index) for lane in lanes])
        if work is None:
            return

        def run() -> None:
            try:
                odds = work.run()
            except (PolicyError, SessionError):
                odds = None
            if odds is not None and self._view.is_attached:
                self._view.app.call_from_thread(self._take, work, odds)

        self._view.run_worker(run, thread=True, group="odds")

    def _take(self, work: LaneOddsWork, odds: LaneOdds) -> None:
        if work is self._work:
            self._odds = odds
            self._found()
