"""What runs behind the screen: forecasts, first predictions, and the survey of the whole course.

All of it works on copies in threads and is taken over on the screen's own thread, so no key ever waits for
it. Of the forecasts asked for while one runs, only the newest is made.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from time import monotonic

from textual.screen import Screen
from textual.timer import Timer

from shadowtime.console.session import Session, SessionError
from shadowtime.console.session.course.pace import Pace
from shadowtime.console.session.jobs.chain import Chain, ChainWork
from shadowtime.console.session.jobs.predictions import FirstPredictions
from shadowtime.console.session.likely.starts import LikelyWork
from shadowtime.console.session.travel.lookahead import LookAhead

HANDING = 0.2
"""Seconds between two times that the survey's findings are taken over."""
SOON = 500
"""Waiting jobs up to which a forecast costs less than a millisecond: it is made before the picture."""
SOON_TURNING = 64
"""The same for jobs that take turns, each of which stands for many events."""
DELAY = 0.02
"""Seconds to leave to the picture before a long queue's forecast is begun: that takes milliseconds itself."""
PLAYING_DELAY = 0.25
STILL = 0.3
"""Seconds for which the clock has to stand before likely starts are sampled."""
PIECE = 0.05
"""Seconds of looking ahead between two times that what has been found is taken over."""


class Workers:
    """Works in threads for a screen, until `stop`."""

    def __init__(self, screen: Screen[None]) -> None:
        self._screen = screen
        self._stopped = False

    def stop(self) -> None:
        """Take nothing over any more; what runs ends by itself."""
        self._stopped = True

    def _hand_over(self, take: Callable[[], None]) -> None:
        """Take something over on the screen's thread, unless the screen has gone."""

        def taken() -> None:
            if not self._stopped:
                take()

        if not self._stopped:
            try:
                self._screen.app.call_from_thread(taken)
            except RuntimeError:
                # The application ended between the question and the call: nobody is left to hear of it.
                if not self._stopped:
                    raise


class Background(Workers):
    """What runs behind one screen.

    `free` returns whether the session may be touched now; `predicted` and `surveyed` paint what has arrived;
    `in_sight` are the jobs whose slip is wanted, `chosen` the one whose chain is.
    """

    def __init__(
        self,
        screen: Screen[None],
        session: Session,
        *,
        free: Callable[[], bool],
        predicted: Callable[[], None],
        surveyed: Callable[[], None],
        in_sight: Callable[[], Sequence[int]],
        chosen: Callable[[], int | None],
    ) -> None:
        super().__init__(screen)
        self._session = session
        self._free = free
        self._predicted = predicted
        self._surveyed = surveyed
        self._in_sight = in_sight
        self._chosen = chosen
        self._asked = False
        self._owed = False
        """Whether the survey has found something while the session was held."""
        self._forecasting = False
        self._first: FirstPredictions | None = None
        """The first predictions that are being worked out."""
        self._ahead: LookAhead | None = None
        self._likely: LikelyWork | None = None
        self._chain: ChainWork | None = None
        self._still: Timer | None = None
        self._playing = False
        self._survey = session.survey()

    def stop(self) -> None:
        super().stop()
        self._survey.cancel()
        self._cancel()

    def _cancel(self) -> None:
        """What looks around from here is of no use any more."""
        for work in (self._first, self._ahead, self._likely, self._chain):
            if work is not None:
                work.cancel()

    def restart(self) -> None:
        """The course is another one from here on: what was known of the old one ahead is of no use."""
        self._survey.cancel()
        self._cancel()
        self._survey, self._owed = self._session.survey(), False
        self.survey()

    def survey(self) -> None:
        """Run ahead to the end, in pieces, taking over what is found between them."""
        survey = self._survey

        def run() -> None:
            pace, going, handed = Pace(), True, 0.0
            while going:
                going = survey.run(pace.begin())
                pace.end()
                if not going or monotonic() - handed > HANDING:
                    self._hand_over(taken)
                    handed = monotonic()

        def taken() -> None:
            self._owed = True
            self._take_survey()

        self._screen.run_worker(run, thread=True, group="survey")

    def _take_survey(self) -> None:
        if self._owed and self._free():
            self._owed = False
            self._session.take_survey(self._survey)
            self._surveyed()

    def forecast(self, waiting: int, turning: int = 0, playing: bool = False) -> None:
        """See to it that the predictions of this event are there or will arrive.

        They are those of so many waiting jobs, and of so many that take turns on the machine.

        A short queue's are there on return; a long one's are begun after the picture that is painted now, and
        while playing not for each picture.
        """
        if waiting <= SOON and turning <= SOON_TURNING:
            self._session.predict()
        self._playing = playing
        for work in (self._ahead, self._likely, self._chain):
            if work is not None:
                work.cancel()
        if self._still is not None:
            self._still.stop()
        self._still = self._screen.set_timer(STILL, self._sample)
        self._look_ahead()
        if not self._asked:
            self._asked = True
            self._screen.set_timer(PLAYING_DELAY if playing else DELAY, self._begin)

    def _begin(self) -> None:
        self._asked = False
        if self._forecasting or self._stopped or not self._free():
            return
        self._take_survey()
        if self._session.predicted:
            self._first_predictions()
            return
        self._forecasting = True
        work = self._session.forecasts.start()

        def run() -> None:
            try:
                work.run()
            finally:
                self._forecasting = False
            self._hand_over(taken)

        def taken() -> None:
            if self._free():
                self._session.forecasts.take(work)
                self._predicted()
                self._begin()

        self._screen.run_worker(run, thread=True, group="forecast")

    def _look_ahead(self) -> None:
        """Step around the cursor in advance where steps cost much.

        It begins with the picture, not after it: the kernel's steps need no interpreter, and a key that is
        held down leaves no other time. What is found helps even if the cursor has moved on.
        """
        work = None if self._ahead is not None or self._playing else self._session.ahead.start_look()
        if work is None:
            return
        self._ahead = work

        def run() -> None:
            going = True
            while going:
                going = work.run(PIECE)
                self._hand_over(taken if going else over)

        def taken() -> None:
            if self._free():
                self._session.ahead.take_look(work)

        def over() -> None:
            taken()
            self._ahead = None
            if work.cancelled and self._free():
                self._look_ahead()

        self._screen.run_worker(run, thread=True, group="ahead")

    def _sample(self) -> None:
        """Find the likely starts of an event at which the clock stands still."""
        forecasts = self._session.forecasts
        if self._stopped or self._playing or not self._free():
            return
        self.explain()
        if forecasts.likely is not None and forecasts.likely.final:
            return
        if self._likely is not None:
            # One is being broken off: it ends within a few samples.
            self._still = self._screen.set_timer(STILL, self._sample)
            return
        work = self._likely = forecasts.start_likely()

        def run() -> None:
            try:
                work.run(lambda: self._hand_over(taken))
            finally:
                self._likely = None
            self._hand_over(taken)

        def taken() -> None:
            if self._free() and forecasts.take_likely(work):
                self._predicted()

        self._screen.run_worker(run, thread=True, group="likely")

    def explain(self) -> None:
        """Find the chain of the job that is looked at, if it is not known."""
        index = self._chosen()
        if index is None or self._chain is not None or self._stopped or self._playing or not self._free():
            return
        work = self._chain = self._session.forecasts.start_chain(index)
        if work is None:
            return

        def run() -> None:
            found = None
            try:
                with suppress(SessionError):
                    found = work.run()
            finally:
                self._chain = None
            self._hand_over(lambda: taken(found))

        def taken(found: Chain | None) -> None:
            if self._free() and not work.cancelled:
                self._session.forecasts.take_chain(work, found)
                self._predicted()
                # Another job may be looked at by now.
                self.explain()

        self._screen.run_worker(run, thread=True, group="chain")

    def see(self) -> None:
        """Other jobs are in sight: find what is wanted of them."""
        if not self._stopped and not self._forecasting and self._free() and self._session.predicted:
            self._first_predictions()

    def _first_predictions(self) -> None:
        work = None if self._first else self._session.forecasts.start_first(self._in_sight())
        if work is None:
            return
        self._first = work

        def run() -> None:
            try:
                work.run()
            finally:
                self._first = None
            self._hand_over(taken)

        def taken() -> None:
            if self._free():
                self._session.forecasts.take_first(work)
                self._predicted()
                if not work.cancelled:
                    # There may be more of them, or others are wanted by now.
                    self._first_predictions()

        self._screen.run_worker(run, thread=True, group="first")
