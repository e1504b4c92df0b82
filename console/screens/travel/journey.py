"""A journey: going to a place that may be far, a piece at a time, so that it can be shown and stopped."""

from collections.abc import Callable, Iterator
from threading import Event as Flag
from time import perf_counter
from typing import Generic, Protocol, TypeVar

from textual.timer import Timer

from shadowtime.console.screens.travel.pace import Pace
from shadowtime.console.screens.travel.view import View
from shadowtime.console.session import Session

PATIENCE = 0.012
"""Seconds that a journey may take on the screen's own thread: less than a frame."""
TELLING = 0.2
"""Seconds between two reports of where a long journey has come to."""


class Runs(Protocol):
    """What runs on, event by event."""

    @property
    def number(self) -> int:
        """The event at which it stands."""

    @property
    def over(self) -> bool:
        """Whether nothing is left to happen."""

    def step(self, n: int = ...) -> int:
        """Go some events forward; return how many there were."""


Leg = tuple[Runs, Callable[[], bool]]
"""A session that has to run on, and whether it is far enough."""


class Journey:
    """Runs sessions ahead, one after another; then `arrive` goes to the place itself, which is near.

    `advance` belongs to one thread at a time; `stop` may be called in any.
    """

    def __init__(
        self, words: str, legs: Iterator[Leg], arrive: Callable[[], object], number: int = 0
    ) -> None:
        self.words = words
        self.number = number
        """The event that it has come to; another thread may read it while `advance` runs."""
        self.fault: Exception | None = None
        """What `arrive` raised, or the policy on the way."""
        self._legs = legs
        self._leg: Leg | None = None
        self._pace = Pace()
        self._arrive = arrive
        self._stopped = Flag()

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
            while leg := self._leg or next(self._legs, None):
                session, known = self._leg = leg
                if known() or session.over:
                    self._leg = None
                    continue
                if self.stopped:
                    return True
                session.step(self._pace.begin())
                self._pace.end()
                self.number = session.number
                if deadline is not None and perf_counter() > deadline:
                    return False
            self._arrive()
        except Exception as error:
            self.fault = error
        return True


class SessionJourney(Journey):
    """Runs one session ahead until `known` holds, then arrives."""

    def __init__(
        self, session: Session, words: str, known: Callable[[], bool], arrive: Callable[[], object]
    ) -> None:
        super().__init__(words, iter(((session, known),)), arrive, session.number)
        self.origin = session.number
        self.report = ""
        """What to say at its end; nothing for the usual."""
        self.read_as = ""
        """What a place was read as that could be meant in another way."""
        self.selects: int | None = None
        """Index of the job that is selected at its end."""


AnyJourney = TypeVar("AnyJourney", bound=Journey)


class Travel(Generic[AnyJourney]):
    """Goes on journeys, one at a time: at once, or, if that takes long, in a thread with reports on the way.

    `ended` gets each journey at its end; `stops` says what Esc does.
    """

    def __init__(self, view: View, ended: Callable[[AnyJourney], None], stops: str) -> None:
        self._view = view
        self._ended = ended
        self._stops = stops
        self._going: AnyJourney | None = None
        self._reporter: Timer | None = None

    @property
    def busy(self) -> bool:
        """Whether a journey is under way in a thread."""
        return self._going is not None

    def set_out(self, going: AnyJourney) -> None:
        """Go on a journey."""
        if going.advance(PATIENCE):
            self._end(going)
            return
        self._going = going
        self._reporter = self._view.set_interval(TELLING, self._report)

        def run() -> None:
            going.advance()
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
