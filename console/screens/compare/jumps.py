"""Jumps of lanes in lockstep: to an event, a time, a share, a job."""

from collections.abc import Callable, Iterator
from itertools import chain

from shadowtime.console.screens.travel.journey import Journey, Journeys
from shadowtime.console.screens.travel.play import Play
from shadowtime.console.screens.travel.view import View
from shadowtime.console.session import SessionError
from shadowtime.console.session.comparison.lockstep import Lockstep
from shadowtime.console.session.course.places import LAST, AtJob, AtTime, Place, parse_place


class LaneJourney(Journey):
    """Runs the lanes ahead, one after another, until all is known that a place needs; then goes there."""

    def __init__(
        self, lockstep: Lockstep, words: str, way: Iterator[int], arrive: Callable[[], object]
    ) -> None:
        super().__init__(words, way, arrive)
        self.origin = lockstep.time if lockstep.begun else None


class LaneJumps:
    """Goes to places; `lane` is the place of the lane in use, `ended` is called after each jump."""

    def __init__(
        self,
        view: View,
        lockstep: Lockstep,
        play: Play,
        *,
        lane: Callable[[], int],
        select: Callable[[int], None],
        ended: Callable[[], None],
    ) -> None:
        self._view = view
        self._lockstep = lockstep
        self._play = play
        self._lane, self._select = lane, select
        self._then = ended
        self.travel = Journeys[LaneJourney](view, self._ended, "stops")

    def first(self) -> None:
        self._set_out("to the beginning", iter(()), self._lockstep.go_start)

    def last(self) -> None:
        ways = (lane.way(LAST) for lane in self._lockstep.lanes)
        self._set_out("to the end", chain.from_iterable(ways), self._lockstep.go_end)

    def go(self, text: str) -> None:
        """To a place as it is typed; a text that is no place gives a message."""
        lockstep, lane = self._lockstep, self._lane()
        try:
            place = parse_place(text, lockstep.lanes[lane].clock, lockstep.time)
            lockstep.lanes[lane].way(place)
            case = lockstep.lanes[lane].case
            job = case.index_of(case.id_called(place.job)) if isinstance(place, AtJob) else None
        except SessionError as error:
            self._view.say(str(error), "warn")
            return
        way = _way(lockstep, lane, place)
        bare = isinstance(place, AtTime) and text.strip().isdecimal()
        where = lockstep.lanes[lane].clock.format(place.time) if isinstance(place, AtTime) and bare else text

        def arrive() -> None:
            lockstep.go_place(place, lane)
            if job is not None:
                self._select(job)

        self._set_out(f"to {where}", way, arrive)

    def _set_out(self, words: str, way: Iterator[int], arrive: Callable[[], object]) -> None:
        self._play.pause()
        self.travel.set_out(LaneJourney(self._lockstep, words, way, arrive))

    def _ended(self, trip: LaneJourney) -> None:
        lockstep, say = self._lockstep, self._view.say
        if trip.stopped or trip.fault is not None:
            # The lanes stand anywhere.
            if trip.origin is None:
                lockstep.go_start()
            else:
                lockstep.go_time(trip.origin)
        now = lockstep.time if lockstep.begun else None
        if now != trip.origin or trip.stopped:
            self._view.arrive()
        if trip.fault is not None:
            say(" ".join(str(trip.fault).split()), "warn")
        elif trip.stopped:
            say("stopped, and back where you were")
        elif now == trip.origin:
            say(f"{trip.words}: already here")
        else:
            say(f"came {trip.words}")
        self._then()


def _way(lockstep: Lockstep, lane: int, place: Place) -> Iterator[int]:
    """The lanes that have to run on to a place: first the one whose place it is, then all others."""
    session = lockstep.lanes[lane]
    if isinstance(place, AtTime):
        time = place.time
    else:
        yield from session.way(place)
        session.go_place(place)
        time = session.time
    for other in lockstep.lanes:
        yield from other.way(AtTime(time))
