"""Jumps: moving in time far, to an event, a time, a share, a job's start, a mark."""

from collections.abc import Callable
from contextlib import suppress

from shadowtime.console.clock import Clock
from shadowtime.console.screens.console.desk import Desk
from shadowtime.console.screens.console.view import ConsoleView
from shadowtime.console.screens.travel.journey import SessionJourney, Travel
from shadowtime.console.screens.travel.play import Play
from shadowtime.console.session import Session, SessionError
from shadowtime.console.session.comparison.lane import Lane
from shadowtime.console.session.course.places import AtEvent, AtJob, AtShare, AtTime, Place, parse_place


class Jumps:
    """Goes to places and to marks, and back."""

    def __init__(self, view: ConsoleView, desk: Desk, play: Play) -> None:
        self._view = view
        self._desk = desk
        self._session = desk.session
        self._play = play
        self.travel = Travel[SessionJourney](view, self._ended, "stops here")

    def first(self) -> None:
        """To the beginning."""
        self.set_out(SessionJourney(self._session, "to the beginning", _always, self._session.go_start))

    def last(self) -> None:
        """To the end."""
        session = self._session
        self.set_out(SessionJourney(session, "to the end", total_known(session), session.go_end))

    def go(self, text: str) -> None:
        """To a place as it is typed; a text that is no place gives a message."""
        session = self._session
        try:
            place = parse_place(text, self._desk.clock, session.time)
            known = known_at(session, place)
        except SessionError as error:
            self._view.say(str(error), "warn")
            return

        def arrive() -> None:
            session.go_place(place)
            match place:
                case AtEvent(number) if session.number < number:
                    journey.report = f"there is no event {number:,}: event {session.number:,} is the last"

        journey = SessionJourney(session, f"to {text}", known, arrive)
        journey.read_as = reading(session, text, self._desk.clock) if text.strip().isdigit() else ""
        if isinstance(place, AtJob):
            journey.selects = session.index_of(place.id)
        self.set_out(journey)

    def step(self, events: int) -> None:
        """So many events forward, or back if fewer than 0, however far that is."""
        self.go(f"#{self._session.stepped(events)}")

    def set_out(self, journey: SessionJourney) -> None:
        """Pause, and go on a journey."""
        self._play.pause()
        self.travel.set_out(journey)

    def _ended(self, journey: SessionJourney) -> None:
        session, say = self._session, self._view.say
        if journey.selects is not None and journey.fault is None and not journey.stopped:
            self._desk.selected = journey.selects
        if session.number != journey.origin:
            self._desk.marks.jumped(journey.origin)
            self._view.arrive()
        elif journey.selects is not None:
            self._view.look()
        back = f"{2 * self._view.key('to_mark')} goes back to event {journey.origin:,}"
        if journey.fault is not None:
            say(" ".join(str(journey.fault).split()), "warn")
        elif journey.report and not journey.stopped:
            say(journey.report)
        elif journey.stopped:
            say(f"stopped at event {session.number:,}; {back}")
        elif session.number == journey.origin:
            say(f"{journey.read_as or journey.words}: already here")
        elif journey.read_as:
            say(f"{journey.read_as}; {back}")
        else:
            say(f"came {journey.words}; {back}")


def check_place(session: Session, text: str) -> None:
    """Check a place as it is typed. SessionError if the text is no place."""
    known_at(session, parse_place(text, session.clock, session.time))


def reading(session: Session, text: str, clock: Clock) -> str:
    """Return what a place is read as while it is typed; empty if it is no place, or speaks for itself.

    A number alone is seconds: the event and the job of that number are offered.
    """
    text = text.strip()
    try:
        place = parse_place(text, clock, session.time)
    except SessionError:
        return ""
    match place:
        case AtTime(time) if text.isdigit():
            offers = [f"#{time} is the event"] if session.total is None or time <= session.total else []
            with suppress(SessionError):
                session.index_of(time)
                offers.append(f"job {time} the job" if offers else f"job {time} is the job")
            return "; ".join((f"second {time:,}, {clock.format(time)}", ", ".join(offers))).rstrip("; ")
        case AtTime(time):
            return clock.format(time)
        case AtShare(share) if session.total is not None:
            return f"event {round(share * session.total):,} of {session.total:,}"
        case AtJob(job, moment):
            try:
                index = session.index_of(place.id)
            except SessionError:
                return f"there is no job {job}"
            return (
                f"its submission, {clock.format(session.case.columns.submit[index])}"
                if moment == "submit"
                else ""
            )
    return ""


def known_at(session: Lane, place: Place) -> Callable[[], bool]:
    """Whether the session can go to a place without running on far. SessionError if there is no such job."""
    known = total_known(session)
    match place:
        case AtEvent(number):
            return lambda: session.number >= number or known()
        case AtTime(time):
            return lambda: session.time > time or known()
        case AtShare():
            return known
        case AtJob():
            index, moment = session.index_of(place.id), place.moment
            return lambda: known() or _happened(session, index, moment)


def _happened(session: Lane, index: int, moment: str) -> bool:
    row = session.row(index)
    if moment == "submit":
        return row.state != ""
    return row.state == "F" if moment == "end" else row.start is not None


def total_known(session: Lane) -> Callable[[], bool]:
    """Whether it is known how long the course of a session is."""
    return lambda: session.total is not None


def _always() -> bool:
    return True
