"""When each waiting job is likely to start, at the moment at which a run stands.

Samples of a moment take longer than a frame, so they are made as forecasts are: a fork on the session's
thread, the samples in any thread, and the answer taken over on the session's thread. Calibration needs
forecasts of earlier moments. They are those of every `step`-th submission, whatever moment is asked about, so
each is made once a run.
"""

from array import array
from bisect import bisect_left
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate
from threading import Lock
from time import sleep
from typing import Any

import attrs

from shadowtime.console.session.facts import LikelyStart, TrackRecord
from shadowtime.console.session.likely.calibration import Calibration, PastMoment, calibration, snapshot
from shadowtime.console.session.likely.quantiles import NEVER, quantile
from shadowtime.console.session.travel.scout import Places, Scout
from shadowtime.console.session.work import Cancellable, Halt, check
from shadowtime.kernels.charts.chances import Chances
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.likely.odds import Odds
from shadowtime.kernels.policies import PolicyError

EARLY, MIDDLE, LATE = 0.1, 0.5, 0.9
SHOWN = (EARLY, MIDDLE, LATE)
FIRST, WHOLE = 25, 100
"""Samples after which there is an answer, and after which it is final."""
ENDED = 20
"""Jobs that have to be over before there are odds."""
YIELD = 0.0005
"""Seconds between two moments in which the interpreter is free for a key."""
LOT = 5
"""Samples between two looks at whether the work is cancelled."""
MOMENTS = 64
"""Earlier moments that calibrate."""
FORECASTS = 50
"""Jobs of an earlier moment that are forecast: every second, third ... of a longer queue."""
REMEMBERED = 4 * MOMENTS
"""Earlier moments that are kept."""
LOG = 2000
"""Earlier moments of a whole run."""
KEPT = 32
"""Moments whose answers are kept."""
HELD = 1 << 19
"""Stretches of their charts that are kept in all: 20 MB."""
SEED = 1


@attrs.frozen
class LikelyStarts:
    """The likely starts of one moment, by index of the job, and how earlier ones have held."""

    event: int
    starts: Mapping[int, LikelyStart]
    record: TrackRecord
    final: bool = True
    """Whether more samples would change nothing: all have been drawn, and calibrated."""
    absent: str = ""
    """Why nobody has a likely start.

    `few`: the run has too few jobs. `history`: too few have ended so far. `failed`: the policy failed.
    """
    levels: Sequence[float] = SHOWN
    """The levels of the samples that are shown: early, likely, late."""
    chances: Chances | None = attrs.field(default=None, eq=False)
    """Who has which nodes in the first samples; None if that was too much to record."""
    ends: Mapping[int, int] = attrs.field(factory=dict)
    """By when each job has likely ended (docs/forecast.md); without jobs that are stopped or take turns."""


class LikelyWork(Cancellable):
    """The likely starts of one moment.

    `run` may be called in any thread, `cancel` too: the answer so far stays. Then the session takes it.
    """

    def __init__(self, likely: "Likely", simulation: Simulation, places: Places) -> None:
        self.known = simulation
        """Whose moment it is."""
        self.event = simulation.event
        self.answer: LikelyStarts | None = None
        self.halt: Halt = bool
        """Says whether to stop, beside `cancel`."""
        self._likely, self._places = likely, places
        self._here = simulation.fork()
        self._scout = Scout(simulation.fork())

    def _stopped(self) -> bool:
        """Whether to stop; a key that waits for the interpreter gets it here."""
        sleep(YIELD)
        return self._cancelled or self.halt()

    def run(self, found_first: Callable[[], None] = lambda: None) -> None:
        """Sample the moment, the earlier ones that calibrate it, and the moment again until it is final.

        `found_first` is called once there is a first answer.
        """
        with self._likely.lock:
            try:
                self._sample(found_first)
            except PolicyError:
                # It may fail in what has not come alone: then there are no odds here.
                self.answer = self._none("failed")

    def _none(self, absent: str) -> LikelyStarts:
        return LikelyStarts(self.event, {}, TrackRecord(0, 0), absent=absent)

    def _sample(self, found_first: Callable[[], None]) -> None:
        here, jobs, found = self._here, self._here.waiting(), array("q")
        self._chances = Chances(FIRST)
        if not jobs or here.finished < ENDED:
            self.answer = self._none("few" if len(here.jobs) <= ENDED else "history" if jobs else "")
            return
        past: list[PastMoment] = []
        known, record = self._likely.believed(self.event)
        for first in range(0, WHOLE, LOT):
            if self._stopped():
                return
            found += self._likely.sampled(here, jobs, samples=LOT, first=first, chances=self._chances)
            drawn = first + LOT
            if drawn == FIRST:
                self._answer(snapshot(0, here.now, jobs, found), known, record, final=False)
                found_first()
                past = self._likely.past(self._scout, self._places, here, self._stopped)
                known = calibration(past, len(past), here.now, here.start_of)
                record = self._likely.record(past, here, self._stopped)
                if not self._stopped():
                    self._likely.believe(self.event, known, record)
            if drawn % FIRST == 0 and not self._stopped():
                made = snapshot(len(past), here.now, jobs, found)
                self._answer(made, known, record, final=drawn == WHOLE)

    def _answer(self, made: PastMoment, known: Calibration | None, record: TrackRecord, final: bool) -> None:
        starts = odds_of(made, known, record, self.event)
        chances = self._chances if self._chances.whole else None
        ends = {} if chances is None or self._here.policy.turns else _likely_ends(chances, self._here, starts)
        self.answer = LikelyStarts(
            self.event, starts, record, final, levels=shown_levels(known), chances=chances, ends=ends
        )


def shown_levels(known: Calibration | None) -> Sequence[float]:
    """Return the levels of the samples that are shown as the early start, the likely one and the late one."""
    return SHOWN if known is None else known.levels(SHOWN)


def _likely_ends(chances: Chances, here: Simulation, starts: Mapping[int, LikelyStart]) -> Mapping[int, int]:
    """Return the likely end of each job, by index; without those that are stopped."""
    found: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for job, _, count, since, until, _ in chances.made.rows():
        if job >= 0:
            found[job].append((until - since if job in starts else until, count))
    ends = {}
    for job, stays in found.items():
        # Each sample has all nodes of the job, in one stretch or in several.
        whole = here.jobs.row(job)[3] * chances.samples
        ordered = sorted(stays)
        passed = list(accumulate(count for _, count in ordered))
        start = starts[job].likely if job in starts else 0
        if start is not None and whole <= 2 * passed[-1] <= 2 * whole:
            ends[job] = start + ordered[bisect_left(passed, (whole + 1) // 2)][0]
    return ends


def odds_of(
    made: PastMoment, known: Calibration | None, record: TrackRecord, event: int
) -> Mapping[int, LikelyStart]:
    """Return the likely starts of the samples of a moment, by index of the job."""
    levels = shown_levels(known)
    starts = {}
    for job, ordered in zip(made.jobs, made.samples, strict=True):
        early, likely, late = (_instant(quantile(ordered, level)) for level in levels)
        starts[job] = LikelyStart(early, likely, late, len(ordered), known is not None, event, record)
    return starts


def _instant(at: float) -> int | None:
    return None if at == NEVER else round(at)


class When:
    """The likely starts of one moment for work beside the console's own: found once, in any thread."""

    def __init__(self, known: LikelyStarts | None, work: LikelyWork) -> None:
        """`known` are those at hand; they are final, or `work` finds them."""
        self._known, self._work = known, work

    def starts(self, halt: Halt) -> LikelyStarts:
        """Return them. Broken."""
        if self._known is None or not self._known.final:
            self._work.halt = halt
            self._work.run()
            check(halt)
            self._known = self._work.answer
        assert self._known is not None
        return self._known


@attrs.frozen
class Came:
    """What was forecast for a job at an earlier moment, and the start that came; instants in seconds."""

    job: int
    instant: int
    early: float
    likely: float
    late: float
    start: int


Levels = dict[tuple[int, ...], Sequence[float]]
"""The instants of a moment and, before it, of those that calibrated it -> the levels that it showed."""


def came(
    past: Sequence[PastMoment],
    here: Simulation,
    cancelled: Callable[[], bool] = bool,
    found: Levels | None = None,
) -> Iterator[Came]:
    """Yield how each earlier forecast came out by now, with the calibration of its moment.

    `found` keeps the calibrations for the next time: what a moment knew does not change.
    """
    found = {} if found is None else found
    for number, made in enumerate(past):
        if cancelled():
            break
        moments = tuple(each.instant for each in past[: number + 1])
        if moments not in found:
            known = calibration(past[:number], number, made.instant, here.start_of)
            found[moments] = shown_levels(known)
        levels = found[moments]
        for job, ordered in zip(made.jobs, made.samples, strict=True):
            start = here.start_of(job)
            if start is not None:
                early, likely, late = (quantile(ordered, level) for level in levels)
                yield Came(job, made.instant, early, likely, late, start)


class Likely:
    """The likely starts of one run: answers at hand, and forecasts of earlier moments."""

    def __init__(self, simulation: Simulation) -> None:
        self.lock = Lock()
        self._sampling = Lock()
        self._simulation = simulation
        self._odds: Odds | None = None
        self._step = max(1, len(simulation.jobs) // LOG)
        self._made: dict[int, PastMoment | None] = {}
        """By instant of the submission; None if nobody waited."""
        self._levels: Levels = {}
        self._answers: OrderedDict[int, LikelyStarts] = OrderedDict()
        self._believed: tuple[int, Calibration | None, TrackRecord] = (0, None, TrackRecord(0, 0))

    def record(
        self, past: Sequence[PastMoment], here: Simulation, cancelled: Callable[[], bool]
    ) -> TrackRecord:
        """Return how many earlier forecasts are settled, how many of them held, and how far off they were."""
        if len(self._levels) > REMEMBERED:
            self._levels.clear()
        settled = list(came(past, here, cancelled, self._levels))
        held = sum(it.early <= it.start <= it.late for it in settled)
        # A start that did not come in the samples is infinitely far off.
        off = sorted(abs(it.start - it.likely) for it in settled)
        middle = off[len(off) // 2] if off else NEVER
        return TrackRecord(len(settled), held, None if middle == NEVER else round(middle))

    def believe(self, event: int, known: Calibration | None, record: TrackRecord) -> None:
        """Keep the calibration of a moment for the first answers of the moments that follow."""
        self._believed = (event, known, record)

    def believed(self, event: int) -> tuple[Calibration | None, TrackRecord]:
        """Return the calibration that was found last, if it knew nothing of what comes after an event."""
        of, known, record = self._believed
        return (known, record) if of <= event else (None, TrackRecord(0, 0))

    def sampled(self, here: Simulation, jobs: Sequence[int], **how: Any) -> "array[int]":
        """Return what `Odds.starts` gives for a moment of the run; in any thread, one after the other.

        The sampler is made when it is first asked for: it takes as much memory as the run's table.
        """
        with self._sampling:
            if self._odds is None:
                self._odds = Odds(self._simulation)
            return self._odds.starts(here, jobs, seed=SEED, **how)

    def past(
        self, scout: Scout, places: Places, here: Simulation, cancelled: Callable[[], bool]
    ) -> list[PastMoment]:
        """Return the forecasts of the last earlier moments, the oldest first, as far as nobody cancels."""
        last = (here.submitted - 1) // self._step * self._step
        rows = range(last, max(-1, last - MOMENTS * self._step), -self._step)
        instants = sorted({here.jobs.row(row)[0] for row in rows})
        found: list[PastMoment] = []
        for instant in instants:
            if cancelled() or instant >= here.now:
                break
            if instant not in self._made:
                self._made[instant] = self._forecast(scout, places, instant)
            made = self._made[instant]
            if made is not None:
                found.append(attrs.evolve(made, number=len(found)))
        while len(self._made) > REMEMBERED:
            self._made.pop(next(iter(self._made)))
        return found

    def _forecast(self, scout: Scout, places: Places, instant: int) -> PastMoment | None:
        there = scout.at_time(places, instant)
        jobs = there.waiting()
        jobs = jobs[:: -(-len(jobs) // FORECASTS) or 1]
        if not jobs or there.finished < ENDED:
            return None
        return snapshot(0, instant, jobs, self.sampled(there, jobs, samples=FIRST))

    def start(self, simulation: Simulation, places: Places) -> LikelyWork:
        """Return the work of a moment, for any thread."""
        return LikelyWork(self, simulation, places)

    def take(self, work: LikelyWork) -> None:
        """Keep what has been found, and forget the oldest answers that are too many."""
        if work.answer is not None:
            self._answers[work.event] = work.answer
            self._answers.move_to_end(work.event)
            while len(self._answers) > KEPT or (len(self._answers) > 1 and self._stretches() > HELD):
                self._answers.popitem(last=False)

    def _stretches(self) -> int:
        charts = (answer.chances for answer in self._answers.values())
        return sum(chances.made.count for chances in charts if chances is not None)

    def at(self, event: int) -> LikelyStarts | None:
        """Return the answer at an event, None if there is none yet."""
        return self._answers.get(event)

    def latest(self, event: int) -> LikelyStarts | None:
        """Return the answer at an event, or the last one before it that there is."""
        found = self.at(event)
        if found is None:
            earlier = max((known for known in self._answers if known < event), default=-1)
            found = self.at(earlier)
        return found
