"""Moving lanes together far, and finding out where they part: in a worker, told on the way, to be stopped."""

from collections.abc import Callable, Iterator
from time import monotonic

from textual.timer import Timer

from console.screens.compare.steps import Together
from console.screens.console.journey import Going, Leg
from console.screens.console.jumps import PATIENCE, TELLING, known_at
from console.session import Session, SessionError
from console.session.comparison.divergence import Partings
from console.session.comparison.lockstep import Courses, Lockstep
from console.session.travel.places import AtTime, Place, parse_place

CHUNK = 8192
"""Events of a piece of a course: milliseconds, mostly. Nobody waits for its end, not even to stop."""
HANDING = 0.2
"""Seconds between two looks at how far the courses are."""


class Trip(Going):
    """Runs the lanes ahead, one after another, until all is known that a place needs; then goes there."""

    def __init__(
        self, lockstep: Lockstep, words: str, legs: Iterator[Leg], arrive: Callable[[], object]
    ) -> None:
        super().__init__(words, legs, arrive)
        self.origin = lockstep.time if lockstep.begun else None


class Travelling(Together):
    """What the keys of jumps and of differences do."""

    _trip: Trip | None = None
    _teller: Timer | None = None
    _courses: Courses | None = None
    """What is being found out."""
    _wanted: Callable[[], None] | None = None
    """What waits for the courses."""
    lane = 0
    """The place of the lane in use."""

    # Far.

    def action_first(self) -> None:
        """To the beginning."""
        self.travel("to the beginning", iter(()), self.lockstep.go_start)

    def action_last(self) -> None:
        """To the end of every lane."""
        legs = ((lane, _total_known(lane)) for lane in self.lockstep.lanes)
        self.travel("to the end", legs, self.lockstep.go_end)

    def go(self, text: str) -> None:
        """To a place as it is typed; what is none is told in one line."""
        lockstep, lane = self.lockstep, self.lane
        try:
            place = parse_place(text)
            known_at(lockstep.lanes[lane], place)
        except SessionError as error:
            self.say(str(error), "warn")
            return
        self.travel(f"to {text}", _legs(lockstep, lane, place, text), lambda: lockstep.go(text, lane))

    def travel(self, told: str, legs: Iterator[Leg], arrive: Callable[[], object]) -> None:
        """Go somewhere: at once where it is near, else in a worker."""
        self.pause()
        trip = Trip(self.lockstep, told, legs, arrive)
        if trip.advance(PATIENCE):
            self._ended(trip)
            return
        self.busy, self._trip = True, trip
        self._teller = self.set_interval(TELLING, self._tell)

        def run() -> None:
            trip.advance()
            self.app.call_from_thread(self._ended, trip)

        self.run_worker(run, thread=True, group="trip")

    def _tell(self) -> None:
        if self._trip is not None:
            self.say(f"going {self._trip.words}: event {self._trip.number:,} ...  Esc stops", "key")

    def _ended(self, trip: Trip) -> None:
        if self._teller is not None:
            self._teller.stop()
        self.busy, self._trip, self._teller = False, None, None
        if trip.stopped or trip.fault is not None:
            # The lanes stand anywhere.
            if trip.origin is None:
                self.lockstep.go_start()
            else:
                self.lockstep.go_time(trip.origin)
        now = self.lockstep.time if self.lockstep.begun else None
        if now != trip.origin or trip.stopped:
            self.arrive()
        if trip.fault is not None:
            self.say(" ".join(str(trip.fault).split()), "warn")
        elif trip.stopped:
            self.say("stopped, and back where you were")
        elif now == trip.origin:
            self.say(f"{trip.words}: already here")
        else:
            self.say(f"came {trip.words}")
        self._take_courses()

    # Where the lanes part.

    def action_diverge(self, direction: int) -> None:
        """To the next or the previous instant at which the lanes part."""
        lockstep = self.lockstep
        if direction > 0:
            self._when_known(lockstep.next_divergence, "they do not part after this")
        else:
            self._when_known(lockstep.previous_divergence, "they did not part before this")

    def action_differ(self, direction: int) -> None:
        """To the next or the previous start or end that is not the same in all lanes."""
        lockstep = self.lockstep
        if direction > 0:
            self._when_known(lockstep.next_difference, "every job starts and ends alike after this")
        else:
            self._when_known(lockstep.previous_difference, "every job started and ended alike before this")

    def _when_known(self, move: Callable[[], bool], otherwise: str) -> None:
        def go() -> None:
            self._go(move, otherwise)

        if self.lockstep.partings is not None:
            go()
            return
        self.pause()
        self._wanted = go
        self.explore()
        self._tell_courses()

    def explore(self) -> None:
        """Find out in a worker how every lane goes on to its end, unless that is known or under way."""
        if self._courses is not None or self.lockstep.partings is not None:
            return
        courses = self._courses = self.lockstep.courses()

        def run() -> None:
            told = monotonic()
            while courses.run(CHUNK):
                if monotonic() - told > HANDING:
                    told = monotonic()
                    self._hand(self._tell_courses)
            self._hand(self._explored, courses)

        self.run_worker(run, thread=True, group="courses")

    def _hand(self, take: Callable[..., None], *given: object) -> None:
        """Call something on the screen's thread, unless the screen has gone."""
        try:
            if self.is_attached:
                self.app.call_from_thread(take, *given)
        except RuntimeError:
            # The application ended between the question and the call: nobody is left to tell.
            if self.is_attached:
                raise

    def _tell_courses(self) -> None:
        if self._courses is not None and self._wanted is not None:
            name = self.lockstep.names[min(self._courses.lane, len(self.lockstep.names) - 1)]
            self.say(f"running {name} ahead: event {self._courses.number:,} ...  Esc stops", "key")

    def _explored(self, courses: Courses) -> None:
        """All the lanes have been run, or one of them cannot be."""
        if courses is not self._courses:
            return
        if self.busy:
            # A trip has the lanes; it takes the courses when it has ended.
            self._owed = courses
            return
        self._owed = None
        courses.take()

        def run() -> None:
            self._hand(self._parted, courses, courses.partings())

        self.run_worker(run, thread=True, group="courses")

    _owed: Courses | None = None

    def _take_courses(self) -> None:
        if self._owed is not None:
            self._explored(self._owed)

    def _parted(self, courses: Courses, partings: Partings | None) -> None:
        if courses is not self._courses:
            return
        self._courses, wanted = None, self._wanted
        self._wanted = None
        if partings is None:
            if wanted is not None:
                self.say(self._unknown(), "warn")
            return
        self.lockstep.learn(partings)
        if not self.busy:
            self.arrive()
            if wanted is not None:
                wanted()

    def _unknown(self) -> str:
        """Why it cannot be said where the lanes part."""
        for name, lane in zip(self.lockstep.names, self.lockstep.lanes, strict=True):
            if lane.total is None:
                return f"{name} does not come to an end, so nobody knows where the lanes part"
        return "nobody knows where the lanes part"

    def stop_waiting(self) -> bool:
        """Stop a trip, or the search for where the lanes part; whether there was one."""
        if self._trip is not None:
            self._trip.stop()
            return True
        if self._wanted is None:
            return False
        self.forget_courses()
        self.say("stopped; it begins anew when you ask again")
        return True

    def forget_courses(self) -> None:
        """Let what is being found out be: nobody wants it any more."""
        if self._courses is not None:
            self._courses.cancel()
        self._courses = self._wanted = self._owed = None


def _legs(lockstep: Lockstep, lane: int, place: Place, text: str) -> Iterator[Leg]:
    """The lanes that have to run on to a place: first the one whose place it is, then all others."""
    session = lockstep.lanes[lane]
    if isinstance(place, AtTime):
        time = place.time
    else:
        yield session, known_at(session, place)
        session.go(text)
        time = session.time
    for other in lockstep.lanes:
        yield other, known_at(other, AtTime(time))


def _total_known(lane: Session) -> Callable[[], bool]:
    return lambda: lane.total is not None
