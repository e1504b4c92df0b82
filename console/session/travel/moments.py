"""When things happen to a job: its submission, its first start, its end, also those still to come.

The survey finds these: a fork of the session's simulation that runs the course ahead of the operator, to its
end. It lays copies, records the trend, and learns how many events there are. A worker runs it; the session
adopts what it found, on its own thread.
"""

from array import array
from collections.abc import Callable, Mapping
from threading import Lock

from shadowtime.console.session.travel.copies import LIMIT_BYTES, Tape
from shadowtime.console.session.travel.trajectory import Trajectory
from shadowtime.console.session.work import Cancellable
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.policies import PolicyError

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
        time, event = self._time(course, index, moment), EVENTS[moment]
        return time is not None and course.walk(time, lambda here: event(here, index) is not None)

    def _time(self, course: Trajectory, index: int, moment: str) -> int | None:
        column = self._columns.get(moment)
        if column is not None:
            return None if column[index] == NONE else column[index]
        instant = TIMES[moment]
        while instant(course.simulation, index) is None and course.run(events=SLICE):
            pass
        return instant(course.simulation, index)


class Survey(Cancellable):
    """Runs the course from its beginning, in any thread; cancelled, `run` does nothing."""

    def __init__(self, simulation: Simulation, known: Trajectory) -> None:
        """The simulation becomes the survey's own; it begins where the trend of the course ends."""
        start = known.tape.before_event(known.trend.end)
        simulation.restore(start)
        self.known = known
        """The course that it is the survey of."""
        self._lock = Lock()
        self._trajectory = Trajectory(simulation, 0, Tape(start, LIMIT_BYTES // 2))
        self._trajectory.trend = known.trend.parted(known.trend.end)
        self._results: Mapping[str, array[int]] = {}
        self._given = start.event

    @property
    def number(self) -> int:
        return self._trajectory.number

    @property
    def over(self) -> bool:
        return bool(self._results)

    def run(self, chunk: int = 20_000) -> bool:
        """Run at most `chunk` events further, without the interpreter's lock; is there more to do?"""
        with self._lock:
            if not self._cancelled and not self.over:
                try:
                    self._trajectory.run(events=chunk)
                except PolicyError:
                    # The course is known as far as the policy decides; going there reports the failure.
                    self._cancelled = True
                if self._trajectory.total is not None:
                    self._results = self._trajectory.simulation.results("start", "finish")
            return not self._cancelled and not self.over

    def results(self) -> Mapping[str, "array[int]"]:
        """Return the first start and the end of each job, by `start` and `finish`, once it is over."""
        return self._results

    def hand_over(self) -> Mapping[str, "array[int]"]:
        """Let the course know what is new since the last time; return the results once it is over.

        Waits for the present chunk.
        """
        with self._lock:
            course, known = self._trajectory, self.known
            known.tape.adopt(course.tape.laid(self._given))
            known.tape.thin(known.number)
            known.trend.add(course.trend.after(self._given))
            if course.total is not None:
                known.total = course.total
            # The copies are the session's now: it alone decides which to drop.
            course.tape = Tape(course.simulation.copy(), LIMIT_BYTES // 2)
            self._given = course.number
            return self._results
