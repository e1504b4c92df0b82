"""The worst moments of a course: found by running it once from its beginning to its end. For any thread."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from time import perf_counter

import attrs

from shadowtime.console.session.travel.moments import NONE
from shadowtime.console.session.travel.scout import Places, Scout
from shadowtime.kernels.core.simulation import Simulation

LONGEST_WAIT, LARGEST_QUEUE, LOST, PREEMPTION = (
    "longest-wait",
    "largest-queue",
    "lost-capacity",
    "first-preemption",
)
MOMENTS = (LONGEST_WAIT, LARGEST_QUEUE, LOST, PREEMPTION)
"""What can be sought in a whole course."""
PIECE = 1024
"""Events between two looks at whether to stop."""


@attrs.frozen
class Worst:
    """A worst moment: after which event it is, how bad it is, and whom it is about."""

    event: int
    value: int
    """Seconds of wait, jobs, or node-seconds."""
    job: int | None = None
    """Index."""
    lasts: int = 0
    """Seconds that it lasts."""


class WorstSeeking:
    """One search. `run` may be called in any thread, `cancel` too."""

    def __init__(
        self, simulation: Simulation, places: Places, moment: str, submits: Sequence[int] = ()
    ) -> None:
        """The simulation becomes its own; `submits` are the instants at which jobs come."""
        self._scout = Scout(simulation)
        self._places = places
        self._submits = submits
        self._cancelled = False
        self.number = 0
        """How far it has looked."""
        self.worst: Worst | None = None
        """What has been found; only once the search is over it is the worst."""
        looks: Mapping[str, Callable[[], Iterator[int]]] = {
            LONGEST_WAIT: self._longest_wait,
            LARGEST_QUEUE: self._largest_queue,
            LOST: self._lost,
            PREEMPTION: self._preemption,
        }
        self._looking = looks[moment]()

    @property
    def found(self) -> int | None:
        """The event of the worst moment."""
        return None if self.worst is None else self.worst.event

    def cancel(self) -> None:
        """Stop soon; nothing is found then."""
        self._cancelled = True

    def run(self, seconds: float | None = None) -> bool:
        """Search on for so many seconds, or to the end; return whether it is over."""
        deadline = None if seconds is None else perf_counter() + seconds
        for number in self._looking:
            self.number = number
            if self._cancelled:
                break
            if deadline is not None and perf_counter() > deadline:
                return False
        if self._cancelled:
            self.worst = None
        return True

    def _begin(self) -> Simulation:
        return self._scout.at_event(self._places, 0)

    def _largest_queue(self) -> Iterator[int]:
        simulation, most = self._begin(), 0
        number = simulation.event
        while simulation.step():
            number += 1
            queue = int(simulation.tally()[0]["queue_length"])
            if queue > most:
                most = queue
                self.worst = Worst(number, queue)
            if number % PIECE == 0:
                yield number

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

    def _preemption(self) -> Iterator[int]:
        simulation = self._begin()
        number = simulation.event
        while simulation.step():
            number += 1
            decided = simulation.decisions()
            if decided.of_kinds(("preempt",)):
                self.worst = Worst(number, 1)
                return
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
