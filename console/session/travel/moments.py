"""When things happen to a job: its submission, its first start, its end, also those still to come."""

from array import array
from collections.abc import Callable, Mapping
from functools import partial

from shadowtime.console.session.travel.trajectory import Trajectory
from shadowtime.kernels.core.simulation import Simulation

NONE = -1
"""In a column of the kernel's instants: it never happened."""
SLICE = 4096
"""Events between two looks when a moment to come is searched for."""

Instant = Callable[[Simulation, int], int | None]
TIMES: Mapping[str, Instant] = {"start": Simulation.start_of, "end": Simulation.finish_of}
EVENTS: Mapping[str, Instant] = {
    "submit": Simulation.submit_event,
    "start": Simulation.start_event,
    "end": Simulation.finish_event,
}


class Moments:
    """Finds the events of jobs on a course; knows those to come once a survey has been adopted."""

    def __init__(self, submits: "array[int]") -> None:
        self._columns = {"submit": submits}

    def learn(self, starts: "array[int]", finishes: "array[int]") -> None:
        """Take the whole run's columns of first starts and of ends."""
        self._columns |= {"start": starts, "end": finishes}

    def forget(self) -> None:
        """The run is another one from here on: what is to come is not known any more."""
        self._columns = {"submit": self._columns["submit"]}

    def visit(self, course: Trajectory, index: int, moment: str) -> bool:
        """Go to the event with which the job, by index, was submitted, first started or ended.

        False if that never happens: the course then stands anywhere.
        """
        time = self._time(course, index, moment)
        return time is not None and course.walk(time, partial(_happened, EVENTS[moment], index))

    def _time(self, course: Trajectory, index: int, moment: str) -> int | None:
        column = self._columns.get(moment)
        if column is not None:
            return None if column[index] == NONE else column[index]
        instant = TIMES[moment]
        while instant(course.simulation, index) is None and course.run(events=SLICE):
            pass
        return instant(course.simulation, index)


def _happened(event: Instant, index: int, simulation: Simulation) -> bool:
    return event(simulation, index) is not None
