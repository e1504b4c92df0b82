"""Jumps: moving in time far, to an event, a time, a share, a job's start, a mark."""

from contextlib import suppress
from functools import partial

from shadowtime.console.clock import Clock
from shadowtime.console.screens.travel.breakpoints import SearchJourney
from shadowtime.console.screens.travel.journey import CourseJourney, Journeys
from shadowtime.console.screens.travel.play import Play
from shadowtime.console.screens.travel.view import Traveller, TravelView
from shadowtime.console.session import Session, SessionError
from shadowtime.console.session.course.course import Course
from shadowtime.console.session.course.places import (
    BEGINNING,
    LAST,
    AtEvent,
    AtJob,
    AtShare,
    AtTime,
    parse_place,
)
from shadowtime.console.session.course.seeking import Search
from shadowtime.console.words.moving import Ends

MOST = 16
"""Events of a journey that is played."""


class Jumps:
    """Goes to places and to marks, and back. `play` pauses before each jump."""

    play: Play

    def __init__(self, view: TravelView, desk: Traveller) -> None:
        self.awaited = ""
        """The key that waits for a letter: `m` or `'`."""
        self._view = view
        self._desk = desk
        self.travel = Journeys[CourseJourney](view, self._ended, "stops here", lambda: desk.course.swift)

    def first(self) -> None:
        self.set_out(CourseJourney.to(self._desk.course, "to the beginning", BEGINNING))

    def last(self) -> None:
        self.set_out(CourseJourney.to(self._desk.course, "to the end", LAST))

    def go(self, text: str, said: str = "") -> None:
        """To a place as it is typed; a text that is no place gives a message, `said` is one at the end."""
        course = self._desk.course
        try:
            place = parse_place(text, self._desk.clock, course.time)
            way = course.way(place)
        except SessionError as error:
            self._view.say(str(error), "warn")
            return

        def arrive() -> None:
            course.go_place(place)
            match place:
                case AtEvent(number) if course.number < number:
                    journey.report = f"there is no event {number:,}: event {course.number:,} is the last"

        journey = CourseJourney(course, f"to {text}", way, arrive)
        journey.report = said
        if text.strip().isdecimal() and isinstance(course, Session):
            journey.read_as = reading(course, text, self._desk.clock)
        if isinstance(place, AtJob):
            journey.selects = partial(self._desk.select, place)
        self.set_out(journey)

    def step(self, events: int) -> None:
        """So many events forward, or back if fewer than 0, however far that is."""
        self.go(f"#{self._desk.course.stepped(events)}")

    def mark(self) -> None:
        self.awaited = "m"
        self._view.say(f"mark event {self._desk.course.number:,} with which letter?", "key")

    def to_mark(self) -> None:
        """To the mark of the letter that follows, or with ' to where the last jump began."""
        if self.awaited == "'":
            # The key twice, if the operator chose one that is no letter.
            self.answer("", "'")
            return
        self.awaited = "'"
        known = " ".join(sorted(self._desk.marks))
        back = f"{self._view.key('to_mark')} goes back to where you were"
        self._view.say(f"to which mark? {known + '  ' if known else ''}{back}", "key")

    def end(self) -> None:
        self.awaited = ""
        self._view.say("")

    def answer(self, _: str, letter: str) -> bool:
        """The letter that a mark waited for; whether the key is one."""
        if not letter:
            return False
        asked, self.awaited = self.awaited, ""
        marks, key = self._desk.marks, self._view.key
        if asked == "m":
            self.set_mark(letter)
        elif letter in ("'", key("to_mark")):
            self._back_to(marks.before, "no jump has been made yet")
        else:
            self._back_to(marks.get(letter), f"no mark {letter}; set one with {key('mark')} {letter}")
        return True

    def set_mark(self, letter: str) -> None:
        if len(letter) == 1 and letter.isalpha():
            number = self._desk.course.number
            self._desk.marks[letter] = number
            back = f"{self._view.key('to_mark')} {letter}"
            self._view.say(f"mark {letter} is event {number:,}; {back} comes back here")
            self._view.show_state()
        else:
            self._view.say("a mark is one letter", "warn")

    def _back_to(self, number: int | None, otherwise: str) -> None:
        if number is None:
            self._view.say(otherwise, "warn")
        else:
            self.go(f"#{number}")

    def set_out(self, journey: CourseJourney) -> None:
        self.play.pause()
        self.go_on(journey)

    def go_on(self, journey: CourseJourney) -> None:
        """Go on a journey, also while it plays."""
        journey.then = self._desk.look
        self.travel.set_out(journey)

    def _ended(self, journey: CourseJourney) -> None:
        course, say = self._desk.course, self._view.say
        moved = course.number != journey.origin
        if journey.selects is not None and journey.fault is None and not journey.stopped:
            journey.selects()
        if moved:
            if not journey.quiet:
                self._desk.marks.before = journey.origin
            self._view.arrive()
        elif journey.selects is not None:
            self._view.look()
        back = f"{2 * self._view.key('to_mark')} goes back to event {journey.origin:,}"
        if journey.fault is not None:
            say(" ".join(str(journey.fault).split()), "warn")
        elif journey.stopped:
            say(f"stopped at event {course.number:,}" + (f"; {back}" if moved else ""))
        elif journey.report:
            say(journey.report)
        elif journey.quiet:
            pass
        elif not moved:
            say(f"{journey.read_as or journey.words}: already here")
        elif journey.read_as:
            say(f"{journey.read_as}; {back}")
        else:
            say(f"came {journey.words}; {back}")


def check_place(session: Session, text: str) -> None:
    """Check a place as it is typed. SessionError if the text is no place."""
    session.way(parse_place(text, session.clock, session.time))


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
        case AtTime(time) if text.isdecimal():
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


class StartSearch(SearchJourney):
    """A search for the next event that starts a job, or for the one before."""

    def __init__(self, course: Course, search: Search, otherwise: str) -> None:
        """`otherwise` is what is said if no job starts."""
        super().__init__(course, search, "to a start")
        self.quiet, self._otherwise = True, otherwise

    def describe(self) -> str:
        return self._otherwise if self.search.found is None else ""


class FarSteps:
    """Moves by single steps and by decisions; `start` is the breakpoint of a decision."""

    def __init__(self, desk: Traveller, jumps: Jumps, ends: Ends, start: str) -> None:
        self._desk, self._jumps, self._ends, self._start = desk, jumps, ends, start

    def forward(self, count: int) -> None:
        self._jumps.set_out(self._journey(count))

    def back(self, count: int) -> None:
        self._jumps.set_out(self._journey(-count))

    def next_decision(self) -> None:
        self._decision(True, self._ends.next_decision)

    def previous_decision(self) -> None:
        """To the event before that started a job."""
        self._decision(False, self._ends.previous_decision)

    def _decision(self, forward: bool, otherwise: str) -> None:
        course = self._desk.course
        self._jumps.set_out(StartSearch(course, course.stops.near(self._start, forward), otherwise))

    def _journey(self, events: int) -> CourseJourney:
        course = self._desk.course
        number = course.number + events

        def arrive() -> None:
            course.go_event(number)
            if course.number != number:
                journey.report = self._ends.forward if events > 0 else self._ends.back

        journey = CourseJourney(course, f"to event {number:,}", course.way(AtEvent(number)), arrive)
        journey.quiet = True
        return journey

    # What plays.

    def at_end(self, backwards: bool) -> bool:
        return self._desk.course.number == 0 if backwards else self._desk.course.over

    def play(self, count: int, backwards: bool) -> int:
        """Set out, and return 0: what is shown changes on arrival."""
        if not self.at_end(backwards):
            count = min(count, MOST)
            self._jumps.go_on(self._journey(-count if backwards else count))
        return 0
