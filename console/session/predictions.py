"""When each waiting job will start: what its policy promises, else what a forecast expects.

A forecast gives every job its estimate as runtime, cuts the arrivals, and runs. It belongs to one event. It
may take longer than a frame, so it is made in three steps: a copy of the moment on the session's thread, the
run in any thread, and the answer taken over on the session's thread.
"""

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence

from console.session.facts import Prediction
from console.session.scout import Places, Scout
from kernels.simulation import Forecast, Simulation

GUARANTEED, EXPECTED = "guaranteed", "expected"
NOT_STARTED = frozenset("NWH")
"""The states of a job that has been submitted and has not started yet."""
KEPT_FORECASTS = 32
KEPT_STARTS = 400_000
"""Expected starts kept in all, over all the forecasts."""


class PredictionWork:
    """The forecast of one event. `run` may be called in any thread; then the session takes it."""

    def __init__(self, forecast: Forecast) -> None:
        self._forecast: Forecast | None = forecast
        self.event = forecast.event
        self.starts: Mapping[int, int] = {}
        self.done = False

    def run(self) -> None:
        """Run the forecast; the interpreter is free for other threads meanwhile."""
        if self._forecast is not None:
            self._forecast.run()
            self.starts = self._forecast.starts()
            self._forecast = None
            self.done = True


class Predictions:
    """The forecasts at hand, and where each job's prediction began."""

    def __init__(self) -> None:
        self._forecasts: OrderedDict[int, Mapping[int, int]] = OrderedDict()
        self._size = 0
        self._latest: tuple[int, Mapping[int, int]] | None = None
        self.first: dict[int, int] = {}
        """The first prediction of jobs without a promise, by index, as far as it has been worked out."""

    def fresh(self, event: int) -> bool:
        """Whether there is a forecast of this very event."""
        return event in self._forecasts

    def take(self, work: PredictionWork) -> None:
        """Keep a forecast that has been run, and forget the oldest ones that are too many."""
        if not self.fresh(work.event):
            self._forecasts[work.event] = work.starts
            self._size += len(work.starts)
        self._latest = (work.event, self._forecasts[work.event])
        while len(self._forecasts) > 1 and (
            len(self._forecasts) > KEPT_FORECASTS or self._size > KEPT_STARTS
        ):
            self._size -= len(self._forecasts.popitem(last=False)[1])

    def of(self, simulation: Simulation, job: int) -> Prediction | None:
        """Return when a waiting job (by index) starts: the policy's promise, else the best forecast."""
        promise = simulation.promise(job)
        if promise is not None:
            return Prediction(promise[0], promise[1], simulation.event)
        event, starts = self._best(simulation.event)
        start = starts.get(job)
        return None if start is None else Prediction(start, EXPECTED, event)

    def expected(self, event: int) -> Mapping[int, int]:
        """Return the expected starts, by index, of the best forecast for an event."""
        return self._best(event)[1]

    def _best(self, event: int) -> tuple[int, Mapping[int, int]]:
        """Return the forecast of this event, else the one taken last: it tells to which event it belongs."""
        starts = self._forecasts.get(event)
        if starts is not None:
            return event, starts
        return self._latest if self._latest is not None else (event, {})


def needs_forecast(simulation: Simulation) -> bool:
    """Whether some waiting job has no promise. The youngest is asked first: it is the likeliest."""
    waiting = simulation.waiting()
    return any(simulation.promise(job) is None for job in reversed(waiting))


class FirstPredictions:
    """Works out the first prediction of some jobs: the forecast of the instant they came, after its pass.

    `run` may be called in any thread, `cancel` too; then the session takes it.
    """

    def __init__(
        self, make: Callable[[], Simulation], places: Places, jobs: Sequence[tuple[int, int]]
    ) -> None:
        """`jobs` holds the index and the instant of submission of each."""
        self._scout = Scout(make)
        self._places = places
        self._jobs = sorted(jobs, key=lambda job: job[1])
        self._cancelled = False
        self.first: dict[int, int] = {}

    def cancel(self) -> None:
        """Stop at the next job; what has been found so far stays."""
        self._cancelled = True

    def run(self) -> None:
        """Forecast each instant of submission once."""
        expected: Mapping[int, int] = {}
        visited = None
        for job, submit in self._jobs:
            if self._cancelled:
                return
            if submit != visited:
                simulation = self._scout.at_time(self._places, submit)
                expected = forecast_now(simulation)
                visited = submit
            self.first[job] = expected.get(job, submit)


def forecast_now(simulation: Simulation) -> Mapping[int, int]:
    """Return the expected start of every waiting job, by index."""
    forecast = simulation.forecast()
    forecast.run()
    return forecast.starts()
