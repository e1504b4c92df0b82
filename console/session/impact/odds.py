"""What may come with and without something done: the same samples, and how far each job moves in them.

The two runs of a sample have the same runtimes and arrivals (docs/forecast.md, A sample in which something is
done): what differs is what was done.
"""

from array import array
from collections.abc import Mapping, Sequence

import attrs

from shadowtime.console.session.impact.rows import LikelyChange, Times, likely_change
from shadowtime.console.session.likely.quantiles import NEVER
from shadowtime.console.session.likely.starts import ENDED, FIRST, LOT, Likely, LikelyStarts, When
from shadowtime.console.session.progress import Step
from shadowtime.console.session.work import Halt, check
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.operator.steering import Intervention
from shadowtime.kernels.policies import PolicyError

Deed = Intervention | tuple[int, int, int]
"""An action, or the row of a job with the size and the estimate that its user asks for."""


@attrs.frozen
class LikelyMoves:
    """How far jobs move in samples, by index; or why there are none, by a code of `LikelyStarts.absent`."""

    changes: Mapping[int, LikelyChange] = attrs.field(factory=dict)
    samples: int = 0
    absent: str = ""


NO_ODDS = LikelyMoves()
"""Where no samples are drawn."""


class Sampler:
    """Samples of what may come from one moment on; made one at a time, in any thread."""

    def __init__(self, likely: Likely, here: Simulation, jobs: Sequence[int], when: When) -> None:
        """`jobs` are those that are followed, by index; `when` finds their likely starts."""
        self._likely, self._here, self._jobs, self._when = likely, here, jobs, when
        self._before: Mapping[int, Sequence[float]] | None = None

    @property
    def absent(self) -> str:
        """Why there are no odds; empty if there are some."""
        if self._here.finished >= ENDED:
            return ""
        return "few" if len(self._here.jobs) <= ENDED else "history"

    def odds(
        self,
        done: Sequence[Deed],
        before: Times,
        after: Times,
        halt: Halt,
        step: Step,
        *,
        back: Sequence[Intervention] = (),
        awaited: int = -1,
    ) -> LikelyMoves:
        """Return how far jobs move if something is done; `before`, `after` are the two expected runs. Broken.

        `back` is done in the second after the job `awaited` (an index) has started. `step` is called on the
        way with how many samples are left.
        """
        if self.absent:
            return LikelyMoves(absent=self.absent)
        try:
            if self._before is None:
                self._before = self._sampled((), before, halt, lambda left: step(FIRST + left))
            found = self._sampled(done, after, halt, step, back, awaited) if done else self._before
            shown = self._when.starts(halt)
        except PolicyError:
            # It may fail in what has not come alone.
            return LikelyMoves(absent="failed")
        return LikelyMoves({job: self._change(job, found[job], shown) for job in self._jobs}, FIRST)

    def _change(self, job: int, found: Sequence[float], shown: LikelyStarts) -> LikelyChange:
        assert self._before is not None
        if self._here.start_of(job) is not None:
            return likely_change(self._before[job], found, waits=False)
        _, level, _ = shown.levels
        known = shown.starts.get(job)
        likely = None if known is None else NEVER if known.likely is None else float(known.likely)
        return likely_change(self._before[job], found, True, level, likely)

    def _sampled(
        self,
        done: Sequence[Deed],
        limits: Times,
        halt: Halt,
        step: Step,
        back: Sequence[Intervention] = (),
        awaited: int = -1,
    ) -> Mapping[int, Sequence[float]]:
        """The start of each job in each sample, or its end if it has started before."""
        here = self._here
        never = [NEVER] * FIRST
        jobs = [
            job for job in self._jobs if job in (limits.starts if here.start_of(job) is None else limits.ends)
        ]
        found = array("q")
        for first in range(0, FIRST, LOT):
            check(halt)
            found += self._likely.sampled(
                here, jobs, samples=LOT, first=first, done=done, back=back, after=awaited, ends=True
            )
            step(FIRST - first - LOT)
        times = {
            job: [NEVER if at < 0 else at for at in found[place :: len(jobs)]]
            for place, job in enumerate(jobs)
        }
        return {job: times.get(job, never) for job in self._jobs}
