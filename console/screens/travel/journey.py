"""A journey: going to a place that may be far, a piece at a time, so that it can be shown and stopped."""

from collections.abc import Callable, Iterator
from threading import Event as Flag
from threading import Thread
from time import perf_counter
from typing import Generic, Self, TypeVar

from textual.timer import Timer

from shadowtime.console.screens.travel.view import View
from shadowtime.console.session.course.course import Course
from shadowtime.console.session.course.places import Place

PATIENCE = 0.012
"""Seconds that a journey may take on the screen's own thread: less than a frame."""
SLICE = 0.03
"""Seconds that the screen waits for a journey on a course whose steps take long."""
REPORT_EVERY = 0.2
"""Seconds between two reports of how far a long journey, a sweep or a file has come."""


class Journey:
    """Goes a way piece by piece; then `arrive` goes to the place itself, which is near.

    `advance` belongs to one thread at a time; `stop` may be called in any.
    """

    def __init__(self, words: str, way: Iterator[int], arrive: Callable[[], object], number: int = 0) -> None:
        """`way` yields the event that it has come to after each piece."""
        self.words = words
        self.number = number
        """The event that it has come to; another thread may read it while `advance` runs."""
        self.fault: Exception | None = None
        """What `arrive` raised, or the policy on the way."""
        self._way = way
        self._arrive = arrive
        self._stopped = Flag()

    def arrive(self) -> None:
        self._arrive()

    @property
    def stopped(self) -> bool:
        """Whether the operator stopped it."""
        return self._stopped.is_set()

    def stop(self) -> None:
        """Stop after the present piece, and stay there."""
        self._stopped.set()

    def advance(self, budget: float | None = None) -> bool:
        """Go on for so many seconds, or until it ends; return whether it has ended."""
        deadline = None if budget is None else perf_counter() + budget
        try:
            while not self.stopped:
                number = next(self._way, None)
                if number is None:
                    self.arrive()
                    return True
                self.number = number
                if deadline is not None and perf_counter() > deadline:
                    return False
        except Exception as error:
            self.fault = error
        return True


class CourseJourney(Journey):
    """A journey on one course."""

    def __init__(self, course: Course, words: str, way: Iterator[int], arrive: Callable[[], object]) -> None:
        super().__init__(words, way, arrive, course.number)
        self.origin = course.number
        self.report = ""
        """What to say at its end; nothing for the usual."""
        self.read_as = ""
        """What a place was read as that could be meant in another way."""
        self.quiet = False
        """Whether nothing is said at its end, if there is no report: a step."""
        self.selects: Callable[[], object] | None = None
        self.then: Callable[[], None] | None = None
        """What is done on arrival in the same thread."""

    def arrive(self) -> None:
        """Go to the place at the end of the way, and compute what is shown there."""
        super().arrive()
        if self.then is not None:
            self.then()

    @classmethod
    def to(cls, course: Course, words: str, place: Place) -> Self:
        """Return the journey to a place. SessionError if there is no such job."""
        return cls(course, words, course.way(place), lambda: course.go_place(place))


AnyJourney = TypeVar("AnyJourney", bound=Journey)


class Journeys(Generic[AnyJourney]):
    """Goes on journeys, one at a time: at once, or, if that takes long, in a thread with reports on the way.

    `ended` gets each journey at its end; `stops` says what Esc does. Unless it is `swift`, the screen's own
    thread makes no step.
    """

    def __init__(
        self,
        view: View,
        ended: Callable[[AnyJourney], None],
        stops: str,
        swift: Callable[[], bool] = lambda: True,
    ) -> None:
        self._view = view
        self._swift = swift
        self._ended = ended
        self._stops = stops
        self._going: AnyJourney | None = None
        self._reporter: Timer | None = None

    @property
    def busy(self) -> bool:
        """Whether a journey is under way in a thread."""
        return self._going is not None

    def set_out(self, going: AnyJourney) -> None:
        swift, rest = self._swift(), Thread(target=going.advance, daemon=True)
        if swift:
            over = going.advance(PATIENCE)
        else:
            rest.start()
            rest.join(SLICE)
            over = not rest.is_alive()
        if over:
            self._end(going)
            return
        self._going = going
        self._reporter = self._view.set_interval(REPORT_EVERY, self._report)

        def run() -> None:
            if swift:
                rest.start()
            rest.join()
            self._view.app.call_from_thread(self._end, going)

        self._view.run_worker(run, thread=True, group="journey")

    def stop(self) -> bool:
        """Stop the journey; whether there was one."""
        if self._going is not None:
            self._going.stop()
        return self._going is not None

    def _report(self) -> None:
        if self._going is not None:
            where = f"going {self._going.words}: event {self._going.number:,}"
            self._view.say(f"{where} ...  Esc {self._stops}", "key")

    def _end(self, going: AnyJourney) -> None:
        if self._reporter is not None:
            self._reporter.stop()
        self._going, self._reporter = None, None
        self._ended(going)
