"""The survey: a second simulation that runs the whole course ahead of the operator.

It lays copies, records the trend, learns how many events there are and when every job starts and ends. A
worker runs it; the session adopts what it found, on its own thread.
"""

from array import array
from collections.abc import Callable, Sequence
from threading import Lock

import attrs

from console.session.copies import LIMIT_BYTES, Tape
from console.session.course import Course
from console.session.facts import Sample
from kernels.simulation import Copy, Simulation


@attrs.frozen(eq=False)
class Findings:
    """What a survey has found since it was last asked; `total`, `starts` and `finishes` once it is over."""

    copies: Sequence[tuple[Copy, float]]
    samples: Sequence[Sample]
    total: int | None
    starts: "array[int] | None"
    finishes: "array[int] | None"


class Survey:
    """Runs the course from its beginning. `run` may be called in any thread, `cancel` too."""

    def __init__(self, make: Callable[[], Simulation], jobs: int) -> None:
        self._make = make
        self._jobs = jobs
        self._lock = Lock()
        self._course: Course | None = None
        self._results: dict[str, array[int]] = {}
        self._total: int | None = None
        self._told = 0
        self._cancelled = False

    @property
    def number(self) -> int:
        """The event that it has come to."""
        if self._total is not None:
            return self._total
        return 0 if self._course is None else self._course.number

    @property
    def over(self) -> bool:
        """Whether the whole course is known."""
        return self._total is not None

    def run(self, chunk: int = 20_000) -> bool:
        """Run at most `chunk` events further, without the interpreter's lock; is there more to do?"""
        with self._lock:
            if self._cancelled or self.over:
                return False
            if self._course is None:
                simulation = self._make()
                self._course = Course(simulation, self._jobs, Tape(simulation.copy(), LIMIT_BYTES // 2))
            self._course.run(events=chunk)
            if self._course.simulation.over:
                self._results = self._course.simulation.results()
                self._total = self._course.number
            return not self.over

    def cancel(self) -> None:
        """Stop at the end of the present chunk; `run` then does nothing."""
        self._cancelled = True

    def findings(self) -> Findings:
        """Return what is new since the last time. Waits for the present chunk."""
        with self._lock:
            if self._course is None:
                return Findings((), (), None, None, None)
            course = self._course
            found = Findings(
                course.tape.laid(self._told),
                course.trend.after(self._told),
                self._total,
                self._results.get("start"),
                self._results.get("finish"),
            )
            self._told = self.number
            if not self.over:
                # The copies are the session's now: it alone decides which to drop.
                course.tape = Tape(course.simulation.copy(), LIMIT_BYTES // 2)
            return found

    def simulation(self) -> Simulation:
        """Return a simulation whose results hold up to `number`: its own once it is over, a fork before.

        It is the caller's from then on. To be asked for its own once.
        """
        with self._lock:
            assert self._course is not None
            return self._course.simulation if self.over else self._course.simulation.fork()
