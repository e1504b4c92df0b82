"""What is expected of the jobs of a run: starts predicted now, first of all, and over the whole wait."""

from collections.abc import Collection, Iterator, Sequence
from itertools import islice

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.jobs.chain import Chain, ChainWork, with_likely
from shadowtime.console.session.jobs.fields import FORECAST, LIKELY
from shadowtime.console.session.jobs.history import LifeWork
from shadowtime.console.session.jobs.predictions import (
    NOT_STARTED,
    FirstPredictions,
    PredictionWork,
    needs_forecast,
)
from shadowtime.console.session.jobs.put_off import PutOffWork
from shadowtime.console.session.likely.starts import LikelyStarts, LikelyWork, When
from shadowtime.console.session.run import Run
from shadowtime.kernels.core.simulation import Simulation

FEW, SHORT = 32, 1 << 16
"""Waiting jobs, and jobs of the table, up to which a chain is found in a millisecond or two without turns."""
LOT = 500
"""Jobs whose first predictions are worked out at once."""


class Forecasts:
    """Makes the work of predicting jobs, for any thread, and adopts what it found."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._chains: tuple[Simulation, int, dict[int, Chain | None]] | None = None
        """The chains that are known of one event."""

    def _chains_here(self) -> dict[int, Chain | None]:
        run, known = self._run, self._chains
        if known is None or known[0] is not run.simulation or known[1] != run.number:
            known = self._chains = run.simulation, run.number, {}
        return known[2]

    def chain(self, index: int, find: bool = False) -> Chain | None:
        """Return the chain of a job, by index, with the likely instants that are known.

        None for one that does not wait, and for one that is not known yet: a short one is found now, with
        `find` any. A policy that fails in what has not come has none.
        """
        simulation, chains = self._run.simulation, self._chains_here()
        soon = len(simulation.waiting()) <= FEW and len(simulation.jobs) <= SHORT
        if index not in chains and (find or (soon and not simulation.policy.turns)):
            try:
                self.take_chain(work := ChainWork(self._run, index), work.run())
            except SessionError:
                chains[index] = None
        chain, likely = chains.get(index), self.likely
        return chain if chain is None or likely is None else with_likely(chain, likely, self._run.case)

    def start_chain(self, index: int) -> ChainWork | None:
        """Return the work of finding the chain of a job, for any thread; None if it is known."""
        return None if index in self._chains_here() else ChainWork(self._run, index)

    def take_chain(self, work: ChainWork, found: Chain | None) -> None:
        if work.known is self._run.simulation and work.event == self._run.number:
            self._chains_here()[work.index] = found

    @property
    def predicted(self) -> bool:
        """Whether every job that can have a prediction has one of this very event."""
        return self._run.predictions.fresh(self._run.number) or not needs_forecast(self._run.simulation)

    def predict(self) -> None:
        if not self.predicted:
            work = self.start()
            work.run()
            self.take(work)

    def start(self) -> PredictionWork:
        """Return the forecast of this event, to be run in any thread and then given to `take`."""
        return PredictionWork(self._run.simulation)

    def take(self, work: PredictionWork) -> bool:
        """Adopt a forecast that has been run; return whether it belongs to this very event."""
        if work.known is not self._run.simulation:
            return False
        if work.done:
            self._run.predictions.take(work)
        return work.done and work.event == self._run.number

    @property
    def likely(self) -> LikelyStarts | None:
        """The likely starts of this very event, None until they have been found."""
        return self._run.likely.at(self._run.number)

    @property
    def latest_likely(self) -> LikelyStarts | None:
        """Those of this event, or the last ones that were found before it."""
        return self._run.likely.latest(self._run.number)

    def start_likely(self) -> LikelyWork:
        """Return the work of finding them, to be run in any thread and then given to `take_likely`."""
        return self._run.likely.start(self._run.simulation, self._run.trajectory.tape.marks())

    def when(self) -> When:
        """Return the likely starts of this event, to be found in any thread unless they are known."""
        return When(self.likely, self.start_likely())

    def find_likely(self) -> None:
        """Find the likely starts of this event, now and here, unless they are known."""
        if self.likely is None or not self.likely.final:
            work = self.start_likely()
            work.run()
            self.take_likely(work)

    def take_likely(self, work: LikelyWork) -> bool:
        """Adopt likely starts as far as they have been found; return whether they are of this very event."""
        if work.known is not self._run.simulation:
            return False
        self._run.likely.take(work)
        return work.event == self._run.number

    def start_first(self, indexes: Sequence[int]) -> FirstPredictions | None:
        """Return the work of finding the first predictions of some jobs, for any thread.

        None if all are known. Of many unknown ones it finds those of the first `LOT`.
        """
        run, submits = self._run, self._run.case.columns.submit
        asked = [(index, submits[index]) for index in islice(self._without_first(indexes), LOT)]
        return FirstPredictions(run.simulation, run.trajectory.tape.marks(), asked) if asked else None

    def _without_first(self, indexes: Sequence[int]) -> Iterator[int]:
        """Yield the jobs that have not started and whose first prediction has not been looked for."""
        run = self._run
        for index in indexes:
            if (
                index not in run.predictions.first
                and run.simulation.state(index) in NOT_STARTED
                and run.rows.first_predicted(run.simulation, index) is None
            ):
                yield index

    def find(self, fields: Collection[str]) -> None:
        """Find what some fields of the queue, by name, are read from, now and here."""
        self.predict()
        if not LIKELY.isdisjoint(fields):
            self.find_likely()
        while "slip" in fields and (work := self.start_first(self._run.simulation.waiting())) is not None:
            work.run()
            self.take_first(work)

    def unknown(self, fields: Collection[str]) -> int:
        """Return of how many jobs some fields of the queue, by name, are still being found."""
        waiting, likely = self._run.simulation.waiting(), self.likely
        sampled = likely is not None and likely.final
        if not (self.predicted or FORECAST.isdisjoint(fields)) or not (sampled or LIKELY.isdisjoint(fields)):
            return len(waiting)
        return sum(1 for _ in self._without_first(waiting)) if "slip" in fields else 0

    def take_first(self, work: FirstPredictions) -> None:
        """Adopt the first predictions found so far: rows then show their slip."""
        if work.known is self._run.simulation:
            self._run.predictions.first.update(work.first)

    def put_off(self, events: int | None = None) -> PutOffWork:
        """Return the work of finding who is put off in the whole run, or was in the last `events`."""
        run, here = self._run, self._run.number
        span = (0, None) if events is None else (max(0, here - events), here)
        return PutOffWork(run.simulation.fork(), run.trajectory.tape.marks(), *span)

    def life_of(self, job: int) -> LifeWork:
        """Return the work of following a job's forecast up to here, for any thread."""
        run, index = self._run, self._run.case.index_of(job)
        submit, started = run.case.columns.submit[index], run.simulation.start_event(index)
        until = run.number if started is None else started
        places = run.trajectory.tape.marks()
        return LifeWork(run.simulation.fork(), places, run.likely, index, submit, until)
