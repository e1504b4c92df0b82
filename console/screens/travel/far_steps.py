"""Steps on a course whose steps take long: each is a journey, beside the keys if it is not short."""

from shadowtime.console.screens.travel.breakpoints import SearchJourney
from shadowtime.console.screens.travel.journey import CourseJourney
from shadowtime.console.screens.travel.jumps import Jumps
from shadowtime.console.screens.travel.view import Traveller
from shadowtime.console.session.course.course import Course
from shadowtime.console.session.course.places import AtEvent
from shadowtime.console.session.course.seeking import Search
from shadowtime.console.words.moving import Ends

MOST = 16
"""Events of a journey that is played."""


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
