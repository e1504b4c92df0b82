"""The survey: a fork of the session's simulation that runs the course ahead of the operator, to its end.

It lays copies, records the trend, learns how many events there are and when every job starts and ends. A
worker runs it; the session adopts what it found, on its own thread.
"""

from array import array
from collections.abc import Mapping, Sequence
from threading import Lock

import attrs

from shadowtime.console.session.facts import Sample
from shadowtime.console.session.travel.copies import LIMIT_BYTES, Tape
from shadowtime.console.session.travel.trajectory import Trajectory
from shadowtime.kernels.core.simulation import Copy, Simulation
from shadowtime.kernels.policies import PolicyError


@attrs.frozen(eq=False)
class Findings:
    """What a survey has found since it was last asked; `total` and `results` once it is over."""

    copies: Sequence[tuple[Copy, float]]
    samples: Sequence[Sample]
    total: int | None
    results: Mapping[str, "array[int]"]


class Survey:
    """Runs the course from its beginning. `run` may be called in any thread, `cancel` too."""

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
        self._cancelled = False

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

    def cancel(self) -> None:
        """Stop at the end of the present chunk; `run` then does nothing."""
        self._cancelled = True

    def results(self) -> Mapping[str, "array[int]"]:
        """Return the first start and the end of each job, by `start` and `finish`, once it is over."""
        return self._results

    def findings(self) -> Findings:
        """Return what is new since the last time. Waits for the present chunk."""
        with self._lock:
            course = self._trajectory
            copies, samples = course.tape.laid(self._given), course.trend.after(self._given)
            # The copies are the session's now: it alone decides which to drop.
            course.tape = Tape(course.simulation.copy(), LIMIT_BYTES // 2)
            self._given = course.number
            return Findings(copies, samples, course.total, self._results)
