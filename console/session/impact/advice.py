"""Advice: what would get a waiting job started by an instant, confirmed by expected runs, the cheapest first.

The search tries what an operator or the job's user may do, and keeps what an expected run confirms. What is
taken from other jobs is given back in the second after the job has started: a held job is released, a
suspended job resumed. The cost is the delay of all other jobs together.
"""

from collections.abc import Iterator, Sequence

import attrs

from shadowtime.console.session.course.places import counts_from_a_start, parse_deadline
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.impact.outlook import (
    PER_KIND,
    ExpectedRun,
    Kind,
    Largest,
    LikelyMoves,
    Outlook,
)
from shadowtime.console.session.impact.rows import (
    JobChange,
    LikelyChange,
    Times,
    Totals,
    changes,
    likely_totals,
    totals,
)
from shadowtime.console.session.likely.quantiles import NEVER
from shadowtime.console.session.progress import Progress, no_progress
from shadowtime.console.session.work import Work, check
from shadowtime.scenarios import parse_duration

BACK = {"hold": "release", "suspend": "resume"}
"""What gives back what a change takes from another job."""
HALVINGS = 12
"""Trials of a search by halving, as far as the progress knows."""
REQUESTS = ("size", "estimate", "nodes", "limit")
"""What the user of a job asks for, and no operator does."""


@attrs.frozen
class Advice:
    """What gets the job started by the instant, what it costs others, and who pays."""

    do: tuple[str, ...]
    """The changes, as they are typed."""
    then: tuple[str, ...]
    """What is to be done in the second after the job has started, to give back what was taken."""
    start: int
    """When the job starts then."""
    payers: tuple[JobChange, ...]
    """Every other job whose expected start or end moves, the largest delay first."""
    likely: LikelyChange | None = None
    """How far the job itself moves in samples; None without samples."""

    @property
    def asks(self) -> bool:
        """Whether the user of the job would have to ask for it: no operator can do it."""
        return self.do[0].split()[0] in REQUESTS

    @property
    def totals(self) -> Totals:
        """Return what it costs and gives the other jobs at the limits."""
        return totals(self.payers)

    @property
    def likely_totals(self) -> Totals:
        """Return what it likely costs and gives them."""
        return likely_totals(self.payers)

    def as_dict(self) -> dict[str, object]:
        """Return the row of `advise --json`."""
        cost = self.totals
        return {
            "who": "user" if self.asks else "operator",
            "do": "; ".join(self.do),
            "then": "; ".join(self.then),
            "start": self.start,
            "delayed_jobs": cost.delayed_jobs,
            "delay_total": cost.delay_total,
            "never_jobs": cost.never_jobs,
            "earlier_jobs": cost.earlier_jobs,
            "gain_total": cost.gain_total,
        } | self._likely()

    def _likely(self) -> dict[str, object]:
        if self.likely is None:
            return {}
        return self.likely.as_dict() | {"likely_delay_total": self.likely_totals.delay_total}


@attrs.frozen
class Counted:
    """The start of the job that a deadline such as `-1h` counts from."""

    start: int
    likely: bool
    """Whether it is the likely start; otherwise that at the limits."""
    earlier: int
    """Seconds before it."""


@attrs.frozen
class Advised:
    """The result of a search: when the job starts if nothing is done, and what would be better."""

    event: int
    time: int
    job: int
    by: int
    start: int | None
    """The expected start if nothing is done; None for never."""
    advice: tuple[Advice, ...]
    """What an operator can do, the cheapest first; then what the user of the job could ask for."""
    tried: int
    """The expected runs that were tried."""
    likely: LikelyChange | None = None
    """The samples of the job if nothing is done; None without samples, or if nothing needs to be done."""
    assumed: bool = False
    """Whether no deadline was given, and `by` is the instant itself."""
    counted: Counted | None = None
    """What `by` counts from; None for a deadline that counts from no start."""

    @property
    def needed(self) -> bool:
        """Whether anything has to be done for it."""
        return self.start is None or self.start > self.by


Lines = tuple[str, ...]


class AdviceWork(Work[Advised]):
    """Finds advice for a waiting job at the instant of an outlook."""

    def __init__(self, outlook: Outlook, job: int, by: int | str = "") -> None:
        """`by` is an instant, or a deadline as it is typed; an empty one is now.

        SessionError: the text is no deadline, or the job (an id) does not wait, where that shows at once.
        """
        self.job = job
        self._outlook, self._deadline = outlook, by
        self._applicant = outlook.applicant(job)
        self._assumed = by == ""
        self._by = by if isinstance(by, int) else self._instant(by or "now", outlook.time)
        self._counted: Counted | None = None
        self._tried, self._total = 0, 1
        self._progress: Progress = no_progress

    def _instant(self, text: str, start: int | None) -> int:
        return parse_deadline(text, self._outlook.time, start, self._outlook.clock)

    def _found(self, progress: Progress) -> Advised:
        outlook, applicant = self._outlook, self._applicant
        self._here = here = outlook.here(self._halt)
        applicant.find(self._halt)
        waiting = max(1, here.waiting)
        self._before = outlook.before(self._halt, lambda left: progress(waiting - left, 4 * waiting))
        start = applicant.start(self._before)
        found: list[Advice] = []
        likely = None
        if isinstance(self._deadline, str) and self._deadline:
            if counts_from_a_start(self._deadline):
                likely = self._likely(here.fork(), self._before)
            self._count(self._deadline, start, likely)
        if start is None or start > self._by:
            likely = likely or self._likely(here.fork(), self._before)
            kinds = applicant.kinds(self._before)
            self._total = sum(HALVINGS if isinstance(kind, Largest) else len(kind.lines) for kind in kinds)
            self._progress = progress
            for kind in kinds:
                found += sorted(self._of(kind), key=cheapest_first)[:PER_KIND]
        found.sort(key=lambda advice: (advice.asks, cheapest_first(advice)))
        return Advised(
            outlook.event,
            outlook.time,
            self.job,
            self._by,
            start,
            tuple(found),
            self._tried,
            likely,
            self._assumed,
            self._counted,
        )

    def _count(self, deadline: str, start: int | None, likely: LikelyChange | None) -> None:
        """Find the deadline: it counts from the likely start, as that is what screens show.

        It counts from the start at the limits where no start is likely, or if the job starts by then at them:
        what is tried has to start it earlier there.
        """
        shown = None if likely is None or likely.before == NEVER else round(likely.before)
        self._by = self._instant(deadline, start if shown is None else shown)
        if start is not None and start <= self._by:
            shown, self._by = None, self._instant(deadline, start)
        since = start if shown is None else shown
        if since is not None and counts_from_a_start(deadline):
            self._counted = Counted(since, shown is not None, parse_duration(deadline.strip()[1:].strip()))

    # What is tried.

    def _of(self, kind: Kind) -> Iterator[Advice]:
        if isinstance(kind, Largest):
            best = self._largest(kind)
            if best is not None:
                yield self._costed(*best)
            return
        helped = 0
        for line in kind.lines:
            start = self._helps((line,))
            if start is not None:
                yield self._costed((line,), start)
                helped += 1
                if helped == kind.enough:
                    return
        if kind.together and not helped:
            few = self._fewest(tuple(kind.lines))
            if few is not None:
                yield self._costed(*few)

    def _largest(self, kind: Largest) -> tuple[Lines, int] | None:
        """The largest number that helps, with the start."""
        low, high, best = 0, kind.most, None
        while low < high:
            middle = (low + high + 1) // 2
            lines = (kind.line(middle),)
            start = self._helps(lines)
            if start is None:
                high = middle - 1
            else:
                low, best = middle, (lines, start)
        return best

    def _fewest(self, lines: Lines) -> tuple[Lines, int] | None:
        """The shortest beginning of a list that helps, without what it does not need, with the start."""
        low, high = 2, len(lines)
        start = self._helps(lines) if high >= low else None
        if start is None:
            return None
        best = lines, start
        while low < high:
            middle = (low + high) // 2
            start = self._helps(lines[:middle])
            if start is None:
                low = middle + 1
            else:
                high, best = middle, (lines[:middle], start)
        for line in best[0]:
            fewer = tuple(each for each in best[0] if each is not line)
            start = self._helps(fewer) if len(fewer) > 1 else None
            if start is not None:
                best = fewer, start
        return best

    # How it is tried.

    def _helps(self, lines: Lines) -> int | None:
        """When the job starts after changes, if that is in time; None also if they cannot be made."""
        check(self._halt)
        self._tried += 1
        self._progress(self._total + 3 * min(self._tried, self._total), 4 * self._total)
        run = self._here.fork()
        try:
            for line in lines:
                run.do(line)
        except SessionError:
            return None
        return run.start_by(self._applicant.name, self._by, self._halt)

    def _costed(self, lines: Lines, start: int) -> Advice:
        """The advice with its cost, if what it takes is given back after the job's start."""
        run, back = self._here.fork(), tuple(_back(lines))
        for line in lines:
            run.do(line)
        for line in back:
            run.do(line, start + 1)
        after = run.times(self._halt, lambda left: None)
        odds = self._odds(run, after).changes
        rows = changes(self._outlook.jobs, self._outlook.seen, self._before, after, odds)
        payers = tuple(row for row in rows if not self._applicant.is_own(row))
        own = next((row.likely for row in rows if self._applicant.is_own(row)), None)
        return Advice(lines, back, start, payers, own)

    def _odds(self, run: ExpectedRun, after: Times) -> LikelyMoves:
        """How far jobs move in samples by what has been done in a run."""
        name = self._applicant.name
        return self._outlook.odds(run, self._before, after, self._halt, lambda left: None, name)

    def _likely(self, run: ExpectedRun, after: Times) -> LikelyChange | None:
        found = self._odds(run, after).changes
        return next((found[job] for job in found if self._outlook.jobs.id[job] == self.job), None)


def _back(lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        word, _, rest = line.partition(" ")
        if word in BACK:
            yield f"{BACK[word]} {rest}"


def cheapest_first(advice: Advice) -> tuple[int, int, int, int, int, tuple[str, ...]]:
    """The place of a piece of advice: what costs the others least is first, likely, then at the limits."""
    cost, likely = advice.totals, advice.likely_totals
    odds = likely.never_jobs, likely.delay_total
    return *odds, cost.never_jobs, cost.delay_total, cost.delayed_jobs, advice.do
