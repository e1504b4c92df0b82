"""When each waiting job will start: what its policy promises, else what a forecast expects.

A forecast gives every job its estimate as runtime, cuts the arrivals, and runs. It belongs to one event. It
may take longer than a frame, so it is made in three steps: a copy of the moment on the session's thread, the
run in any thread, and the answer taken over on the session's thread.
"""

from array import array
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import groupby

from shadowtime.console.session.case import Case
from shadowtime.console.session.errors import failure
from shadowtime.console.session.facts import Prediction
from shadowtime.console.session.progress import Progress
from shadowtime.console.session.travel.moments import NONE
from shadowtime.console.session.travel.scout import Places, Scout
from shadowtime.console.session.work import Cancellable
from shadowtime.kernels.core.simulation import Forecast, Simulation
from shadowtime.kernels.policies import PlainPolicy, PolicyError

GUARANTEED, PLANNED, EXPECTED, SETTLED = "guaranteed", "planned", "expected", "settled"
NOT_STARTED = frozenset("NWH")
"""The states of a job that has been submitted and has not started yet."""
KEPT_FORECASTS = 32
KEPT_STARTS = 400_000
"""Expected starts kept in all, over all the forecasts."""


class PredictionWork:
    """The forecast of one event. `run` may be called in any thread; then the session takes it.

    If the policy promises starts and some jobs have just come, there is no need to look further than their
    pass: what it is going to promise them is what they can expect.
    """

    def __init__(self, simulation: Simulation) -> None:
        self.known = simulation
        """Whose moment it is."""
        self.event = simulation.event
        self.starts: Mapping[int, int] = {}
        self.ends: Mapping[int, int] = {}
        """If jobs take turns: the end of every job that is on the machine, too."""
        self.done = False
        self.failure = ""
        """What the policy did when it failed: then nothing is predicted."""
        self._unpromised = unpromised(simulation)
        self._forecast: Forecast | None = simulation.forecast()
        promising = simulation.pending and len(self._unpromised) < len(simulation.waiting())
        self._ahead = simulation.fork() if promising else None

    def run(self) -> None:
        """Run the forecast; the interpreter is free for other threads meanwhile."""
        if self._forecast is not None:
            try:
                self._look(self._forecast)
            except PolicyError as error:
                self.failure = failure(error)
            self.done = True
            self._forecast = self._ahead = None

    def _look(self, forecast: Forecast) -> None:
        starts = None if self._ahead is None else self._promised(self._ahead)
        if starts is None:
            forecast.run()
            starts, self.ends = forecast.starts(), forecast.ends()
        self.starts = starts

    def _promised(self, ahead: Simulation) -> Mapping[int, int] | None:
        """Return what the pass of this instant gives those without a promise; None if not to all."""
        ahead.run(until=ahead.now)
        starts = ((job, start_or_promise(ahead, job)) for job in self._unpromised)
        known = {job: start for job, start in starts if start is not None}
        return known if len(known) == len(self._unpromised) else None


class Predictions:
    """The forecasts at hand, and where each job's prediction began."""

    def __init__(self) -> None:
        self._forecasts: OrderedDict[int, Mapping[int, int]] = OrderedDict()
        self._ends: dict[int, Mapping[int, int]] = {}
        """The expected ends of the same events."""
        self._failed: set[int] = set()
        """The events in whose forecast the policy failed."""
        self._size = 0
        self._latest: tuple[int, Mapping[int, int]] | None = None
        self._wanted: tuple[int, bool] | None = None
        """The event that was asked about last, and whether it needs a forecast."""
        self.failure = ""
        """What the policy did when the last forecast failed."""
        self.first: dict[int, int | None] = {}
        """The first prediction of jobs without a promise, by index, as far as it has been worked out.

        None: there was none.
        """

    def part(self, simulation: Simulation, submits: Sequence[int]) -> None:
        """Go on with another run that has this one's past up to where it stands; the rest is forgotten.

        The first prediction of a job is that of the end of its instant: one that came now may get another.
        """
        for event in [event for event in self._forecasts if event > simulation.event]:
            self._forget(event)
        if self._latest is not None and self._latest[0] > simulation.event:
            self._latest = None
        self._wanted = None
        self.first = {job: at for job, at in self.first.items() if submits[job] < simulation.now}

    def fresh(self, event: int) -> bool:
        """Whether there is a forecast of this very event."""
        return event in self._forecasts

    def complete(self, event: int) -> bool:
        """Whether there is a forecast of this very event, and the policy did not fail in it."""
        return self.fresh(event) and event not in self._failed

    def take(self, work: PredictionWork) -> None:
        """Keep a forecast that has been run, and forget the oldest ones that are too many."""
        self.failure = work.failure
        (self._failed.add if work.failure else self._failed.discard)(work.event)
        if not self.fresh(work.event):
            self._forecasts[work.event] = work.starts
            self._ends[work.event] = work.ends
            self._size += len(work.starts) + len(work.ends)
        self._latest = (work.event, self._forecasts[work.event])
        while len(self._forecasts) > 1 and (
            len(self._forecasts) > KEPT_FORECASTS or self._size > KEPT_STARTS
        ):
            self._forget(next(iter(self._forecasts)))

    def _forget(self, event: int) -> None:
        self._size -= len(self._forecasts.pop(event)) + len(self._ends.pop(event))
        self._failed.discard(event)

    def of(self, simulation: Simulation, job: int) -> Prediction | None:
        """Return when a waiting job (by index) starts: the policy's promise, else the best forecast."""
        promise = promise_of(simulation, job)
        if promise is not None:
            return Prediction(promise[0], promise[1], simulation.event)
        event, starts = self._best(simulation)
        start = starts.get(job)
        return None if start is None else Prediction(start, EXPECTED, event)

    def end_of(self, simulation: Simulation, job: int) -> Prediction | None:
        """Return when a job (by index) ends by the best forecast; None if jobs take no turns."""
        event = self._best(simulation)[0]
        end = self._ends.get(event, {}).get(job)
        return None if end is None else Prediction(end, EXPECTED, event)

    def expected(self, simulation: Simulation) -> Mapping[int, int]:
        """Return the expected starts, by index, of the best forecast there is."""
        return self._best(simulation)[1]

    def _best(self, simulation: Simulation) -> tuple[int, Mapping[int, int]]:
        """Return the forecast of this event, else the one taken last, with the event to which it belongs.

        The one taken last counts only if this event can have one: what is expected elsewhere is wrong here.
        """
        event = simulation.event
        starts = self._forecasts.get(event)
        if starts is not None:
            return event, starts
        if self._wanted is None or self._wanted[0] != event:
            self._wanted = (event, needs_forecast(simulation))
        return self._latest if self._latest is not None and self._wanted[1] else (event, {})


def unpromised(simulation: Simulation) -> list[int]:
    """Return the youngest waiting jobs, by index, that have no promise, back to one that has.

    A policy that promises does so to all that a pass has seen, one that does not leaves the youngest without:
    so a queue of ten thousand need not be asked one by one.
    """
    if not simulation.policy.promises:
        return list(simulation.waiting())
    found = []
    for job in reversed(simulation.waiting()):
        if promise_of(simulation, job) is not None:
            break
        found.append(job)
    return found


def needs_forecast(simulation: Simulation) -> bool:
    """Whether only a forecast gives the start of a waiting job, or of one that is about to run.

    See `unpromised`. If jobs take turns, all that are on the machine have an end to be expected.
    """
    waiting, held = simulation.waiting(), simulation.held()
    if waiting and promise_of(simulation, waiting[-1]) is None:
        return True
    if simulation.policy.turns:
        return simulation.free < simulation.nodes or len(held) > 0
    return any(_starts_next(simulation, job) for job in held)


def _starts_next(simulation: Simulation, job: int) -> bool:
    """Whether a job beside the queue has its next start to come: it has never run, or it is being saved."""
    state = simulation.state(job)
    return state == "o" or (state not in "HS" and simulation.start_of(job) is None)


def promise_of(simulation: Simulation, job: int) -> tuple[int, str] | None:
    """Return when the policy promises to start a job; None if it does not, or fails."""
    try:
        return simulation.promise(job)
    except PolicyError:
        return None


def promised_starts(simulation: Simulation) -> dict[int, int]:
    """Return when the policy promises to start waiting jobs, those that it does promise, by index."""
    if not isinstance(simulation.policy, PlainPolicy):
        return simulation.promises()
    asked = ((job, promise_of(simulation, job)) for job in simulation.waiting())
    return {job: promise[0] for job, promise in asked if promise is not None}


def start_or_promise(simulation: Simulation, job: int) -> int | None:
    """Return when a job started, or when its policy promises that it will; None for neither."""
    start = simulation.start_of(job)
    promise = None if start is not None else promise_of(simulation, job)
    return start if promise is None else promise[0]


def start_or_first_promise(simulation: Simulation, job: int) -> int | None:
    """The same with what the policy promised first: Flex may push a job back in the very pass of its plan."""
    start = simulation.start_of(job)
    return simulation.first_promise(job) if start is None else start


class FirstPredictions(Cancellable):
    """Works out the first prediction of some jobs: that of the instant they came, after its pass.

    `run` may be called in any thread; then the session takes what has been found so far.
    """

    def __init__(self, simulation: Simulation, places: Places, jobs: Sequence[tuple[int, int]]) -> None:
        """`jobs` holds the index and the instant of submission of each."""
        self.known = simulation
        """Whose jobs they are."""
        self._scout = Scout(simulation.fork())
        self._places = places
        self._jobs = sorted(jobs, key=lambda job: job[1])
        self.first: dict[int, int | None] = {}
        """What has been found, by index; None for a job that had no prediction."""

    def run(self) -> None:
        """Look at each instant of submission once."""
        for submit, group in groupby(self._jobs, key=lambda job: job[1]):
            if self._cancelled:
                return
            jobs = [job for job, _ in group]
            found: Mapping[int, int] = {}
            # What a policy fails at here, the forecast of this event reports.
            with suppress(PolicyError):
                found = first_starts(self._scout.at_time(self._places, submit), jobs)
            self.first |= {job: found.get(job) for job in jobs}


def first_starts(simulation: Simulation, jobs: Sequence[int]) -> Mapping[int, int]:
    """Return when jobs start, seen right after their submission's pass: first promised, or by a forecast."""
    starts = {job: start_or_first_promise(simulation, job) for job in jobs}
    expected = forecast_now(simulation) if None in starts.values() else {}
    known = {job: expected.get(job) if start is None else start for job, start in starts.items()}
    return {job: start for job, start in known.items() if start is not None}


def forecast_now(simulation: Simulation) -> Mapping[int, int]:
    """Return the expected start of every waiting job, by index."""
    forecast = simulation.forecast()
    forecast.run()
    return forecast.starts()


def first_forecasts(case: Case, jobs: int, progress: Progress | None = None) -> "array[int]":
    """Return each job's forecast at its submission, after the pass; NONE beyond the first `jobs`.

    Costs a forecast for each instant of submission at which somebody is left waiting.
    """
    submits = case.columns.submit
    first = array("q", [NONE]) * len(submits)
    simulation = case.simulation()
    job = 0
    while job < jobs:
        simulation.run(until=submits[job])
        _fill(simulation, first, job)
        job = simulation.submitted
        if progress is not None:
            progress(min(job, jobs), jobs)
    return first


def _fill(simulation: Simulation, first: "array[int]", since: int) -> None:
    """Note the first prediction of the jobs from row `since` on, which have just come."""
    for job, start in first_starts(simulation, range(since, simulation.submitted)).items():
        first[job] = start


def mean_error(start: "array[int]", first: "array[int]") -> float | None:
    """Return the mean distance, in seconds, of the first predicted start from the actual one."""
    total = count = 0
    for began, predicted in zip(start, first, strict=True):
        if began != NONE and predicted != NONE:
            total += abs(began - predicted)
            count += 1
    return total / count if count else None
