"""When a job likely starts in several lanes: the same samples, each drawn from what its lane knows."""

from array import array
from collections.abc import Sequence

import attrs

from shadowtime.console.session.impact.rows import LikelyChange, likely_change
from shadowtime.console.session.likely.quantiles import NEVER
from shadowtime.console.session.likely.starts import ENDED, FIRST, LOT, Likely, When
from shadowtime.console.session.progress import Progress
from shadowtime.console.session.work import Halt, Work, check
from shadowtime.kernels.core.simulation import Simulation


class JobSamples:
    """The starts of one job in samples of what may come in one lane; for any thread."""

    def __init__(self, likely: Likely, here: Simulation, job: int, when: When) -> None:
        """`here` is where the lane stands, for this alone; `job` is an index; `when` finds likely starts."""
        self._likely, self._here, self._job, self._when = likely, here, job, when

    @property
    def known(self) -> bool:
        """Whether there are odds: enough jobs have ended, or the job has started."""
        return self._here.finished >= ENDED or self.started

    @property
    def started(self) -> bool:
        return self._here.start_of(self._job) is not None

    def shown(self, halt: Halt) -> tuple[float, float]:
        """Return the likely start, and by when 9 in 10 start, as WHEN shows them. Broken."""
        start = self._here.start_of(self._job)
        if start is not None:
            return float(start), float(start)
        found = self._when.starts(halt).starts.get(self._job)
        at = (None, None) if found is None else (found.likely, found.late)
        likely, late = (NEVER if each is None else float(each) for each in at)
        return likely, late

    def starts(self, halt: Halt) -> Sequence[float]:
        """Return the start in each sample; of a job that has started always the same. Broken, PolicyError."""
        start = self._here.start_of(self._job)
        if start is not None:
            return [float(start)] * FIRST
        expected = self._here.expected()
        expected.run()
        if expected.start_of(self._job) is None:
            # It may wait for as long as jobs come.
            return [NEVER] * FIRST
        found = array("q")
        for first in range(0, FIRST, LOT):
            check(halt)
            found += self._likely.sampled(self._here, [self._job], samples=LOT, first=first)
        return [NEVER if at < 0 else float(at) for at in found]


@attrs.frozen
class LaneOdds:
    """When a job likely starts in the first lane, and how much later in each of the others."""

    job: int
    time: int
    """The instant at which the lanes stood."""
    shown: tuple[tuple[float, float], ...]
    """The likely start in each lane, and by when 9 in 10 start; `inf` for never."""
    others: tuple[LikelyChange, ...]


class LaneOddsWork(Work[LaneOdds]):
    """Samples one job in every lane."""

    def __init__(self, job: int, time: int, lanes: Sequence[JobSamples]) -> None:
        """`job` is an id."""
        self.job, self.time, self._lanes = job, time, lanes

    def _found(self, progress: Progress) -> LaneOdds:
        found, shown = [], []
        for place, lane in enumerate(self._lanes):
            found.append(lane.starts(self._halt))
            shown.append(lane.shown(self._halt))
            progress(place + 1, len(self._lanes))
        changes = tuple(likely_change(found[0], other, waits=True) for other in found[1:])
        return LaneOdds(self.job, self.time, tuple(shown), changes)


def odds_work(job: int, time: int, samples: Sequence[JobSamples | None]) -> LaneOddsWork | None:
    """Return the work for a job (an id) in lanes; None unless all have odds and it still waits in one."""
    known = [each for each in samples if each is not None and each.known]
    if len(known) < len(samples) or all(each.started for each in known):
        return None
    return LaneOddsWork(job, time, known)
