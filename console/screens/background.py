"""What runs behind the screen: forecasts, first predictions, and the survey of the whole course.

All of it works on copies in threads and is taken over on the screen's own thread, so no key ever waits for
it. Of the forecasts asked for while one runs, only the newest is made.
"""

from collections.abc import Callable, Sequence

from textual.screen import Screen

from console.session import Session

SURVEY_CHUNK = 20_000


class Background:
    """The workers of one screen. `free` tells whether the session may be touched now; `arrived` repaints."""

    def __init__(
        self,
        screen: Screen[None],
        session: Session,
        free: Callable[[], bool],
        predicted: Callable[[], None],
        surveyed: Callable[[], None],
    ) -> None:
        self._screen = screen
        self._session = session
        self._free = free
        self._predicted = predicted
        self._surveyed = surveyed
        self._forecasting = False
        self._finding = False
        self._survey = session.survey()

    def survey(self) -> None:
        """Run ahead to the end, in pieces, taking over what is found between them."""
        self._screen.run_worker(self._survey_on, thread=True, group="survey", exit_on_error=True)

    def stop(self) -> None:
        """Stop the survey."""
        self._survey.cancel()

    def forecast(self, in_sight: Callable[[], Sequence[int]]) -> None:
        """See to it that predictions of this event arrive; `in_sight` are the jobs whose slip is wanted."""
        if self._forecasting or not self._free():
            return
        if self._session.predicted:
            self._first_predictions(in_sight)
            return
        self._forecasting = True
        work = self._session.start_prediction()

        def run() -> None:
            work.run()
            self._screen.app.call_from_thread(taken)

        def taken() -> None:
            self._forecasting = False
            if self._free():
                self._session.take_prediction(work)
                self._predicted()
            self.forecast(in_sight)

        self._screen.run_worker(run, thread=True, group="forecast")

    def _first_predictions(self, in_sight: Callable[[], Sequence[int]]) -> None:
        if self._finding:
            return
        work = self._session.start_first_predictions(in_sight())
        if work is None:
            return
        self._finding = True

        def run() -> None:
            work.run()
            self._screen.app.call_from_thread(taken)

        def taken() -> None:
            self._finding = False
            if self._free():
                self._session.take_first_predictions(work)
                self._predicted()

        self._screen.run_worker(run, thread=True, group="first")

    def _survey_on(self) -> None:
        going = True
        while going:
            going = self._survey.run(SURVEY_CHUNK)
            self._screen.app.call_from_thread(self._take_survey)

    def _take_survey(self) -> None:
        if self._free():
            self._session.take_survey(self._survey)
            self._surveyed()
