"""Which waiting jobs were put off in a stretch of a run: how often, how far, and at which event most."""

from collections.abc import Iterable, Sequence

import attrs

from shadowtime.console.session.jobs.names import FOREVER
from shadowtime.console.session.jobs.predictions import forecast_now, promised_starts
from shadowtime.console.session.progress import Progress
from shadowtime.console.session.travel.scout import Places, Scout
from shadowtime.console.session.work import Work, check
from shadowtime.kernels.core.simulation import Simulation

PIECE = 64
"""Instants between two reports of progress."""
ORDERS = ("most", "times", "slip")
"""What jobs are ordered by, the largest first."""


@attrs.define
class PutOff:
    """What became of the predicted start of one job, by index; instants and changes in seconds."""

    job: int
    first: int
    """The first predicted start of the stretch."""
    last: int
    """The last one, or its start."""
    times: int = 0
    """The instants at which it became later."""
    most: int = 0
    """By how much at the worst of them."""
    at: int = 0
    event: int = 0
    """The last event of that one."""

    @property
    def slip(self) -> int:
        return self.last - self.first


class PutOffWork(Work[Sequence[PutOff]]):
    """Follows the predicted start of every job that waits, after the pass of each instant.

    It is what the policy promises; under one that does not promise every job its start, that of a forecast.
    """

    def __init__(self, simulation: Simulation, places: Places, first: int, until: int | None) -> None:
        """The simulation becomes its own. From event `first` to `until`; None is the end of the run."""
        self._scout, self._places = Scout(simulation), places
        self._first, self._until = first, until

    def _found(self, progress: Progress) -> Sequence[PutOff]:
        """Return the jobs that were put off, in the order in which they were first predicted."""
        simulation, known = self._scout.at_event(self._places, self._first), dict[int, PutOff]()
        until = FOREVER if self._until is None else self._until
        starts = promised_starts if simulation.policy.promises else forecast_now
        at, instants = simulation.now, 0
        while True:
            simulation.run(until=at, events=until - simulation.event)
            _look(simulation, starts(simulation).items(), known)
            upcoming, instants = simulation.peek(), instants + 1
            if upcoming is None or simulation.event >= until:
                return [_started(simulation, job) for job in known.values() if job.times]
            at = upcoming[0]
            check(self._halt)
            if instants % PIECE == 0 and self._until is None:
                progress(simulation.finished, len(simulation.jobs))
            elif instants % PIECE == 0:
                progress(simulation.event - self._first, until - self._first)


def _look(simulation: Simulation, starts: Iterable[tuple[int, int]], known: dict[int, PutOff]) -> None:
    for index, start in starts:
        job = known.get(index)
        if job is None:
            known[index] = PutOff(index, start, start)
        elif start != job.last and simulation.start_of(index) is None:
            by, job.last = start - job.last, start
            if by > 0:
                job.times += 1
                if by > job.most:
                    job.most, job.at, job.event = by, simulation.now, simulation.event


def _started(simulation: Simulation, job: PutOff) -> PutOff:
    start = simulation.start_of(job.job)
    return job if start is None else attrs.evolve(job, last=start)
