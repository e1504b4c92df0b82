"""When each waiting job of a cluster is likely to start: quantiles of samples of what may come."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence

import attrs

from shadowtime.console.session.facts import TrackRecord
from shadowtime.console.session.likely.calibration import snapshot
from shadowtime.console.session.likely.quantiles import NEVER, quantile
from shadowtime.console.session.likely.score import QUANTILES
from shadowtime.console.session.likely.starts import SHOWN
from shadowtime.console.session.progress import Progress, no_progress
from shadowtime.console.session.slurm.likely.comes import Again
from shadowtime.console.session.slurm.likely.rows import LikelyRows
from shadowtime.console.session.slurm.over_time import Arrival, OverTime, followed
from shadowtime.console.session.slurm.queue import waiting_tasks
from shadowtime.console.session.slurm.sampling import Future, Sampler
from shadowtime.scenarios.slurm import Capture
from shadowtime.scenarios.slurm.accounted.records import Past

SEED = 1
SAMPLES = 100
ENDED = 10
"""Jobs that have to have ended: before there is no history to draw from."""
MOST_WAITING = 100_000
"""Jobs and tasks of arrays: each is drawn, so that more take too long, and too much memory."""


NO_RECORD = TrackRecord(0, 0)


@attrs.frozen
class Known:
    """What a ledger knows of a cluster."""

    levels: tuple[float, ...] = SHOWN
    """Of the samples: what is shown as the early start, the likely one and the late one."""
    record: TrackRecord = NO_RECORD
    """How they have held."""
    seen: Past | None = None
    """The jobs that it has seen, if there is no accounting."""


NOTHING = Known()


@attrs.frozen
class JobOdds:
    """When a waiting job starts, with the odds: seconds since 1970, None for never."""

    quantiles: tuple[int | None, ...]
    """At `QUANTILES`, as sampled."""
    samples: int
    levels: tuple[float, ...] = SHOWN
    """Those that are shown."""

    @property
    def early(self) -> int | None:
        """1 in 10 such jobs start before."""
        return self._shown(0)

    @property
    def likely(self) -> int | None:
        """Half of them start before."""
        return self._shown(1)

    @property
    def late(self) -> int | None:
        """9 in 10 start by then."""
        return self._shown(2)

    def _shown(self, place: int) -> int | None:
        ends = [NEVER if at is None else at for at in self.quantiles]
        return _instant(quantile_among(ends, self.levels[place]))


@attrs.frozen
class Likely:
    """The likely starts of a cluster at an instant."""

    starts: Mapping[str, JobOdds]
    """By job, as the queue shows it: of those that start at all, and of none without a history."""
    history: int
    """How many jobs have ended of which the runtimes are known."""
    past: Past | None
    """The accounting, without which the history is that of the jobs that the queue still shows."""
    seen: bool = False
    """Whether `past` is what the ledger has seen, for want of an accounting."""
    record: TrackRecord = NO_RECORD
    """How earlier forecasts of the cluster have held."""
    absent: str = ""
    """Why no job has one, by a code; empty if that is not so."""


def likely(
    capture: Capture,
    now: int,
    samples: int = SAMPLES,
    progress: Progress = no_progress,
    known: Known = NOTHING,
    pause: Callable[[], None] | None = None,
) -> Likely:
    """Return the likely start of each waiting job that starts at all.

    `progress` is called before each sample, `pause` before each of its steps.
    """
    seen = capture.past is None and known.seen is not None
    if seen:
        capture = attrs.evolve(capture, past=known.seen)
    odds = ClusterOdds(capture, now, pause)
    if odds.absent:
        return Likely({}, odds.history, capture.past, seen, known.record, odds.absent)
    found = array("q")
    for number in range(samples):
        progress(number, samples)
        found.extend(odds.starts(samples=1, first=number))
    starts = {job: attrs.evolve(of, levels=known.levels) for job, of in odds.quantiles(found).items()}
    return Likely(starts, odds.history, capture.past, seen, known.record)


class ClusterOdds:
    """The samples of one captured cluster from one instant on."""

    def __init__(self, capture: Capture, now: int, pause: Callable[[], None] | None = None) -> None:
        self._many = waiting_tasks(capture) > MOST_WAITING
        if self._many:
            capture = attrs.evolve(capture, jobs=tuple(job for job in capture.jobs if not job.waiting))
        self._sampler = Sampler(capture, now, pause)
        self.units = units = self._sampler.units
        """What runs on its own at the instant."""
        self._rows, self._again = LikelyRows(capture, now, units), Again(capture)
        self.history = self._rows.ended
        """How many jobs have ended of which the runtimes are known."""
        starts, _ = followed(capture, now, no_progress if pause is None else lambda *_: pause())
        expected = {each.job_id: each.start for each in starts if each.start}
        first: dict[int, int] = {}
        for place, unit in enumerate(units):
            if unit.job.waiting and (unit.name in expected or unit.job.shown in expected):
                first.setdefault(unit.job.id, place)
        self.asked = tuple(first.values())
        """The jobs that start sooner or later if nobody comes, and of an array the first task."""
        self.jobs = tuple(units[place].job.shown for place in self.asked)
        """Their names, as the queue shows them."""
        last, back = max(expected.values(), default=now), self._rows.of[0].came if self._rows.of else now
        self._until = min(last, now + (now - back))
        """When the last one comes: no farther ahead than what is known reaches back."""
        self._now = now

    @property
    def absent(self) -> str:
        """Why there are no odds: `many` jobs wait, or too few have ended (`accounting`); empty if not."""
        return "many" if self._many else "accounting" if self.history < ENDED else ""

    def starts(self, *, samples: int, first: int = 0) -> "array[int]":
        """Return the starts of `jobs`, sample by sample; -1 for one that does not come."""
        return self._sampler.starts(self.asked, self._futures(range(first, first + samples)))

    def quantiles(self, starts: Sequence[int]) -> dict[str, JobOdds]:
        """Return the odds of each of `jobs` by the starts of samples, as `starts` gives them."""
        made = snapshot(0, self._now, range(len(self.jobs)), starts)
        return {
            job: JobOdds(tuple(_instant(quantile(ordered, level)) for level in QUANTILES), len(ordered))
            for job, ordered in zip(self.jobs, made.samples, strict=True)
        }

    def begun(self, cluster: OverTime, number: int) -> OverTime:
        """Return a cluster at the instant, which may have been changed, as it begins a sample."""
        return self._sampler.begun(cluster, next(self._futures((number,))))

    def _futures(self, numbers: Sequence[int]) -> Iterator[Future]:
        for number in numbers:
            yield Future(self._rows.runtimes(SEED, number), self._arrivals())

    def _arrivals(self) -> Iterator[Arrival]:
        for at, row, runtime in self._rows.arrivals():
            if at > self._until:
                return
            job = self._again.of(row)
            if job is not None:
                yield Arrival(at, job, runtime)


def _instant(at: float) -> int | None:
    return None if at == NEVER else round(at)


def level_among(quantiles: Sequence[float], value: float) -> float:
    """Return the level of a value: interpolated, the middle one where several quantiles are equal to it.

    Below the first quantile it is half of its level; above the last one it is the middle of what is left.
    """
    below, until = bisect_left(quantiles, value), bisect_right(quantiles, value)
    if until > below:
        return (QUANTILES[below] + QUANTILES[until - 1]) / 2
    if below == 0:
        return QUANTILES[0] / 2
    if below == len(QUANTILES):
        return (1 + QUANTILES[-1]) / 2
    low, high = quantiles[below - 1], quantiles[below]
    share = 0.5 if high == NEVER else (value - low) / (high - low)
    return QUANTILES[below - 1] + share * (QUANTILES[below] - QUANTILES[below - 1])


def quantile_among(quantiles: Sequence[float], level: float) -> float:
    """Return the quantile at a level, interpolated; beyond the outermost ones it is theirs."""
    place = bisect_left(QUANTILES, level)
    if place == 0:
        return quantiles[0]
    if place == len(QUANTILES):
        return quantiles[-1]
    low, high = quantiles[place - 1], quantiles[place]
    share = (level - QUANTILES[place - 1]) / (QUANTILES[place] - QUANTILES[place - 1])
    return high if low == high or share == 1 else NEVER if high == NEVER else low + share * (high - low)
