"""The predicted starts of everybody who waits, worked out once for an event and the forecast at hand."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from shadowtime.console.session.facts import ASIDE, Prediction
from shadowtime.console.session.jobs.predictions import Predictions, promised_starts
from shadowtime.kernels.core.order import least
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.policies import PolicyError

One = Callable[[Simulation, int, str], Prediction | None]


class Starts:
    """Knows when each job starts, by index; ten thousand of them cost some milliseconds an event."""

    def __init__(self, predictions: Predictions, one: One) -> None:
        self._predictions = predictions
        self._one = one
        self._known: tuple[Simulation, int, Mapping[int, int]] | None = None
        self._starts: Mapping[int, int] = {}

    def part(self) -> None:
        self._known = None

    def of(self, simulation: Simulation) -> Mapping[int, int]:
        """Return the predicted start of each job that has one: what is promised, else what is expected.

        It gives for all jobs what `JobRows.predicted` gives for one.
        """
        expected = self._predictions.expected(simulation)
        known = self._known
        if (
            known is None
            or known[0] is not simulation
            or known[1] != simulation.event
            or not (known[2] is expected or not (known[2] or expected))
        ):
            self._starts = self._worked_out(simulation, expected)
            self._known = (simulation, simulation.event, expected)
        return self._starts

    def _worked_out(self, simulation: Simulation, expected: Mapping[int, int]) -> Mapping[int, int]:
        waiting, promised = simulation.waiting(), promised_starts(simulation)
        starts = zip(waiting, map(expected.get, waiting), strict=True)
        found = {job: start for job, start in starts if start is not None} | promised
        for job in simulation.held():
            with suppress(PolicyError):
                made = self._one(simulation, job, simulation.state(job))
                if made is not None:
                    found[job] = made.time
        return found

    def first(self, simulation: Simulation, count: int, likely: Mapping[int, float]) -> Sequence[int]:
        """Return the jobs that start next, the first one first; then those of which that is not known.

        A likely start stands for the predicted one.

        Jobs of one instant, and those without a prediction, keep the order of the queue. A job that the
        operator has put aside is not among them.
        """
        starts: Mapping[int, float] = {**self.of(simulation), **likely}
        held = [job for job in simulation.held() if simulation.state(job) not in ASIDE]
        jobs = [*simulation.waiting(), *held]
        known = [jobs[place] for place in least(list(map(starts.get, jobs)), count)]
        others = (job for job in jobs if job not in starts)
        return [*known, *(job for job, _ in zip(others, range(count - len(known)), strict=False))]
