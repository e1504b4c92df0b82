"""What is expected from an instant on: every job runs to its estimate or limit, and no other job comes.

A machine and a cluster answer the same questions. What a change does is the difference of two runs from the
instant; in one of them it is done. So a run has two verbs: `fork` and `do`. The two runs of a sample have the
same runtimes and arrivals (docs/forecast.md, A sample in which something is done).
"""

from array import array
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, Self

import attrs

from shadowtime.console.session.clock import Clock
from shadowtime.console.session.impact.rows import JobChange, JobColumns, LikelyChange, Times, likely_change
from shadowtime.console.session.likely.quantiles import NEVER
from shadowtime.console.session.likely.starts import ENDED, FIRST, LOT, Likely, LikelyStarts, When
from shadowtime.console.session.progress import Step
from shadowtime.console.session.slurm.guard.caveat import Caveat
from shadowtime.console.session.work import Halt, check
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.operator.steering import Intervention
from shadowtime.kernels.policies import PolicyError

PER_KIND = 3
"""Pieces of advice of one kind that are given, the cheapest."""
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


@attrs.frozen
class Each:
    """Changes, each tried by itself, in order."""

    lines: Sequence[str]
    enough: int = PER_KIND
    """No more is tried once so many help."""
    together: bool = False
    """Whether as few as possible of them are tried together if no single one helps."""


@attrs.frozen
class Largest:
    """The largest number from 1 to `most` that helps, sought by halving: a smaller one helps no less."""

    most: int
    line: Callable[[int], str]


Kind = Each | Largest


def largest_first(most: int, count: int) -> Sequence[int]:
    """Return numbers below `most`, the largest first, evenly spaced if there are more than `count`."""
    steps = min(count, most - 1)
    return sorted({(most - 1) * step // steps for step in range(1, steps + 1)} - {0}, reverse=True)


@attrs.frozen
class Stay:
    """A job that holds nodes which go out of service: which of them, and until when at the latest."""

    job: str
    user: str
    nodes: str
    until: int


@attrs.frozen
class Vacated:
    """Nodes of a cluster that an action takes out of service: instants are seconds since 1970."""

    nodes: str
    begin: int
    """When they are drained, or when their reservation begins."""
    stays: tuple[Stay, ...]
    """The jobs that hold some of them then, the last to end first."""
    reservation: str = ""
    """Its name; empty for nodes that are drained."""
    end: int | None = None
    """Of a reservation."""

    @property
    def empty(self) -> int:
        """When no job is there any more."""
        return max((stay.until for stay in self.stays), default=self.begin)


class ExpectedRun(Protocol):
    """A run from the instant on. It is forked before it goes on; then it is followed once."""

    @property
    def waiting(self) -> int:
        """How many jobs wait, each task of an array counted."""

    def fork(self) -> Self:
        """Return another run in the same state."""

    def do(self, text: str, at: int | None = None) -> None:
        """Do what a line says here, or when the second `at` begins. SessionError: why it cannot be done."""

    def start_by(self, name: str, by: int, halt: Halt) -> int | None:
        """Follow the run; return when a waiting job starts, None if not until `by`. Broken."""

    def times(self, halt: Halt, step: Step) -> Times:
        """Follow the run to its end; return when jobs start and end. Broken.

        `step` is called on the way with how many jobs wait.
        """

    @property
    def vacated(self) -> tuple[Vacated, ...]:
        """The nodes that were drained or reserved so far, instant by instant."""


@attrs.frozen
class Typed:
    """A change as it is typed, and the job that it is about, if it is about one."""

    text: str
    job: int | None = None


@attrs.frozen
class Doubts:
    """What the starts of a cluster leave out: of each row, by the name of its job, and of all rows."""

    marks: Callable[[str], tuple[Caveat, ...]]
    of_all: tuple[Caveat, ...]


class Outlook(Protocol):
    """What is expected from an instant on; its runs are made one at a time, in any thread."""

    @property
    def event(self) -> int:
        """The number of the event at which it is asked."""

    @property
    def time(self) -> int:
        """The instant."""

    @property
    def clock(self) -> Clock:
        """How instants are typed."""

    @property
    def jobs(self) -> JobColumns:
        """The jobs of all its runs, by index."""

    @property
    def seen(self) -> Sequence[int]:
        """The indexes of the jobs of which rows are made."""

    @property
    def doubts(self) -> Doubts | None:
        """What the starts leave out; None where they leave out nothing."""

    def typed(self, text: str) -> Typed:
        """Return a change as it is typed. SessionError for anything else."""

    def here(self, halt: Halt) -> ExpectedRun:
        """Return the run at the instant, to be forked. Broken."""

    def before(self, halt: Halt, step: Step) -> Times:
        """Return when jobs start and end if nothing is done. Broken."""

    @property
    def samples(self) -> int:
        """How many samples of what may come are drawn, 0 for none."""

    @property
    def effort(self) -> int:
        """About as many expected runs take as long as the samples with and without a change; 0 for none."""

    def odds(
        self, run: Any, before: Times, after: Times, halt: Halt, step: Step, awaited: str = ""
    ) -> LikelyMoves:
        """Return how far jobs move in samples by what has been done in a run of it. Broken.

        `before` and `after` are the two expected runs; what is to be done later is done in the second after
        the job with the name `awaited` has started. `step` is called with how many samples are left.
        """

    def number_called(self, name: str) -> int:
        """Return the number of the job that a text names. SessionError if there is none."""

    def applicant(self, job: int) -> "Applicant":
        """Return a job that is to start. SessionError: it does not wait, where that shows at once."""


class Applicant(Protocol):
    """A waiting job that is to start, and what may be done for it."""

    @property
    def name(self) -> str:
        """Its name in a run; known once it has been found."""

    def find(self, halt: Halt) -> None:
        """Find it among the waiting jobs. SessionError: it does not wait; Broken."""

    def start(self, times: Times) -> int | None:
        """Return when it starts in a run."""

    def is_own(self, row: JobChange) -> bool:
        """Whether a row is its own."""

    def kinds(self, before: Times) -> Sequence[Kind]:
        """Return what may be done, kind by kind."""
