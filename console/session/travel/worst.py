"""The worst moments of the course of a scenario."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from shadowtime.console.session.course.seeking import PIECE
from shadowtime.console.session.course.worst import (
    LARGEST_QUEUE,
    LONGEST_WAIT,
    LOST,
    PREEMPTION,
    Worst,
    WorstSeeking,
)
from shadowtime.console.session.travel.moments import NONE
from shadowtime.kernels.core.simulation import Simulation

MOMENTS = (LONGEST_WAIT, LARGEST_QUEUE, LOST, PREEMPTION)


class ScenarioWorst(WorstSeeking[Simulation]):
    """One search; `submits` are the instants at which jobs come."""

    def __init__(self, begin: Callable[[], Simulation], moment: str, submits: Sequence[int] = ()) -> None:
        self._submits = submits
        super().__init__(begin, moment, PIECE)

    def looks(self) -> Mapping[str, Callable[[], Iterator[int]]]:
        return {
            LONGEST_WAIT: self._longest_wait,
            LARGEST_QUEUE: lambda: self._largest(lambda at: int(at.tally()[0]["queue_length"])),
            LOST: self._lost,
            PREEMPTION: lambda: self._first(lambda at: at.decisions().of_kinds(("preempt",))),
        }

    def _lost(self) -> Iterator[int]:
        """Seek the stretch between two events in which most capacity is lost (`lost_capacity`)."""
        simulation, most = self._begin(), 0.0
        number, now, lost = simulation.event, simulation.now, simulation.tally()[0]["lost"]
        while simulation.step():
            later, total = simulation.now, simulation.tally()[0]["lost"]
            if total - lost > most:
                most = total - lost
                self.worst = Worst(number, round(most), lasts=later - now)
            number, now, lost = number + 1, later, total
            if number % PIECE == 0:
                yield number

    def _longest_wait(self) -> Iterator[int]:
        """Run to the end, which tells when each job started; then find the event of the start."""
        simulation = self._begin()
        while simulation.run(events=16 * PIECE):
            yield simulation.event
        starts = simulation.results("start")["start"]
        waits = ((start - self._submits[job], -job) for job, start in enumerate(starts) if start != NONE)
        most, first = max(waits, default=(0, 0))
        event = simulation.start_event(-first) if most > 0 else None
        if event is not None:
            self.worst = Worst(event, most, -first)
