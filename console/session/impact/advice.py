"""Advice: what would get a waiting job started by an instant, confirmed by simulation, the cheapest first.

The search tries what an operator or the job's user may do, and keeps what an expected run confirms. What is
taken from other jobs is given back one second after the job has started: a held job is released, a suspended
job resumed. The cost is the delay of all other jobs together.
"""

from collections.abc import Iterable, Iterator, Sequence

import attrs

from shadowtime.console.session.course.instants import parse_deadline
from shadowtime.console.session.errors import SessionError, failure
from shadowtime.console.session.impact.expected import Broken, Doing, on_machine, run_out
from shadowtime.console.session.impact.impact import Change, Totals, changes, totals
from shadowtime.console.session.progress import Progress
from shadowtime.console.session.run import Run
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.policies import PolicyError
from shadowtime.scenarios import Action, format_action, format_duration
from shadowtime.scenarios.nodes import NodeRanges, joined

SIZES = 64
"""Smaller sizes that are tried, evenly spaced if there are more."""
PER_KIND = 3
"""Pieces of advice of one kind that are given, the cheapest."""
DOWN = -2
"""What owns a node that is down, in the kernel's list of owners."""
SINGLES = 400
"""Other jobs that are tried one by one; the widest running ones, the first to start of the waiting ones."""
BACK = {"hold": "release", "suspend": "resume"}
"""What gives back what an action takes from another job."""


@attrs.frozen
class Advice:
    """What gets the job started by the instant, what it costs others, and who pays."""

    do: tuple[str, ...]
    """The actions, as they are typed; `size J N` and `estimate J T` are for the job's user."""
    then: tuple[str, ...]
    """What is to be done one second after the job has started, to give back what was taken."""
    start: int
    """When the job starts then."""
    payers: tuple[Change, ...]
    """Every other job whose expected start or end moves, the largest delay first."""

    @property
    def totals(self) -> Totals:
        """Return what it costs and gives the other jobs."""
        return totals(self.payers)

    def as_dict(self) -> dict[str, object]:
        """Return the row of `advise --json`."""
        cost = self.totals
        return {
            "do": "; ".join(self.do),
            "then": "; ".join(self.then),
            "start": self.start,
            "delayed_jobs": cost.delayed_jobs,
            "delay_total": cost.delay_total,
            "never_jobs": cost.never_jobs,
            "earlier_jobs": cost.earlier_jobs,
            "gain_total": cost.gain_total,
        }


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
    tried: int
    """The expected runs that were tried."""

    @property
    def needed(self) -> bool:
        """Whether anything has to be done for it."""
        return self.start is None or self.start > self.by


@attrs.frozen
class Trial:
    """One thing to try: actions, or another request of the job."""

    actions: tuple[Action, ...] = ()
    size: int | None = None
    estimate: int | None = None


class AdviceWork:
    """Finds advice for a waiting job at the instant of its making. `run` may be called in any thread.

    `cancel` may be called in any thread, too: then `run` returns None.
    """

    def __init__(self, run: Run, job: int, by: int | str) -> None:
        """`by` is an instant, or a deadline as it is typed.

        SessionError: the job (an id) does not wait, or the text is no deadline.
        """
        self.event = run.number
        self._clock = run.clock
        self._columns = run.case.columns
        self._doing = Doing(run.case, run.names)
        self._here = run.simulation.fork()
        self.job, self._deadline = job, by
        self._by = 0 if isinstance(by, str) else by
        self._index = run.case.index_of(job)
        state = self._here.state(self._index)
        if state not in "NO" or not state:
            raise SessionError(f"job {job} does not wait in the queue; expected a waiting job")
        if isinstance(by, str):
            # A text that is no deadline is refused before the work begins.
            parse_deadline(by, self._here.now, self._here.now, self._clock)
        self._cancelled = False
        self._tried = 0
        self._total = 1
        self._progress: Progress | None = None

    def cancel(self) -> None:
        """Break the work off."""
        self._cancelled = True

    def run(self, progress: Progress | None = None) -> Advised | None:
        """Return what would help. SessionError: what a policy failed at."""
        self._progress = progress
        try:
            return self._found()
        except Broken:
            return None
        except PolicyError as error:
            raise SessionError(failure(error)) from None

    def _found(self) -> Advised:
        self._jobs = on_machine(self._here)
        self._expected = self._here.expected()
        self._before = run_out(self._here.expected(), self._jobs, self._halt)
        start = self._before.starts.get(self._index)
        if isinstance(self._deadline, str):
            self._by = parse_deadline(self._deadline, self._here.now, start, self._clock)
        found: list[Advice] = []
        if start is None or start > self._by:
            singles = self._singles()
            self._total = sum(map(len, singles)) + SIZES + 16
            kinds = (self._directly(), self._smaller(), self._shorter(), *map(self._others, singles))
            for kind in kinds:
                found += sorted(kind, key=cheapest_first)[:PER_KIND]
        found.sort(key=cheapest_first)
        here = self._here
        return Advised(here.event, here.now, self.job, self._by, start, tuple(found), self._tried)

    # What is tried.

    def _directly(self) -> Iterator[Advice]:
        """Start it, put it first, put nodes back in service."""
        yield from self._each(self._direct_actions())

    def _direct_actions(self) -> Iterator[tuple[Action, ...]]:
        yield (Action("start", job=self.job),)
        yield (Action("priority", job=self.job, to=self._first_priority()),)
        out = self._out_of_service()
        if out:
            yield (Action("up", nodes=out),)

    def _smaller(self) -> Iterator[Advice]:
        """The largest smaller size that helps."""
        size = self._columns.size[self._index]
        steps = min(SIZES, size - 1)
        sizes = sorted({(size - 1) * step // steps for step in range(1, steps + 1)}) if steps else []
        for smaller in reversed(sizes):
            advice = self._try(Trial(size=smaller)) if smaller else None
            if advice is not None:
                yield advice
                return

    def _shorter(self) -> Iterator[Advice]:
        """The longest shorter estimate that helps, to the minute, if a shorter one helps no less."""
        estimate = self._columns.estimate[self._index]
        unit = 60 if estimate > 60 else 1
        low, high, best = 0, (estimate - 1) // unit, None
        while low < high:
            middle = (low + high + 1) // 2
            advice = self._try(Trial(estimate=middle * unit))
            if advice is None:
                high = middle - 1
            else:
                low, best = middle, advice
        if best is not None:
            yield best

    def _singles(self) -> tuple[list[Action], list[Action]]:
        """Return who may be held, first to start first, and who may be suspended, widest first."""
        ids, starts = self._columns.id, self._before.starts
        others = [job for job in self._here.waiting() if job != self._index and job in starts]
        others.sort(key=lambda job: (starts[job], job))
        running = sorted(self._here.running(), key=lambda job: (-self._columns.size[job], job))
        held = [Action("hold", job=ids[job]) for job in others[:SINGLES]]
        return held, [Action("suspend", job=ids[job]) for job in running[:SINGLES]]

    def _others(self, actions: Sequence[Action]) -> Iterator[Advice]:
        """Hold or suspend one other job; if no one is enough, as few as a greedy search finds."""
        single = list(self._each((action,) for action in actions))
        yield from single
        if not single:
            several = self._several(actions)
            if several is not None:
                yield several

    def _several(self, actions: Sequence[Action]) -> Advice | None:
        """Return the shortest beginning of a list that helps, without those that it does not need."""
        low, high = 2, len(actions)
        if high < low or self._try(Trial(tuple(actions))) is None:
            return None
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if self._try(Trial(tuple(actions[:middle]))) else (middle + 1, high)
        needed = list(actions[:high])
        best = self._try(Trial(tuple(needed)))
        for action in list(needed):
            fewer = [each for each in needed if each is not action]
            advice = self._try(Trial(tuple(fewer))) if len(fewer) > 1 else None
            if advice is not None:
                needed, best = fewer, advice
        return best

    def _each(self, trials: Iterable[tuple[Action, ...]]) -> Iterator[Advice]:
        for actions in trials:
            advice = self._try(Trial(actions))
            if advice is not None:
                yield advice

    # How it is tried.

    def _try(self, trial: Trial) -> Advice | None:
        """Return the advice if an expected run confirms it; None if it comes too late, or is refused."""
        self._tried += 1
        if self._progress is not None:
            self._progress(min(self._tried, self._total), self._total)
        if self._halt():
            raise Broken
        try:
            done = self._done(trial)
        except SessionError:
            return None
        done.run(until=self._by)
        start = done.start_of(self._index)
        if start is None or start > self._by:
            return None
        return self._costed(trial, start)

    def _done(self, trial: Trial) -> Simulation:
        if trial.size is None and trial.estimate is None:
            return self._doing.after(self._expected, trial.actions)
        size, estimate = self._columns.size[self._index], self._columns.estimate[self._index]
        jobs = self._expected.jobs.asking(
            self._index, size=trial.size or size, estimate=trial.estimate or estimate
        )
        return self._doing.asking(self._expected, jobs, self.job)

    def _costed(self, trial: Trial, start: int) -> Advice:
        """Return the advice with its cost, if what it takes is given back after the job's start."""
        done = self._done(trial)
        back = tuple(Action(BACK[each.do], job=each.job) for each in trial.actions if each.do in BACK)
        if back:
            done.run(until=start)
            done = self._doing.later(done, back, start + 1)
        after = run_out(done, self._jobs, self._halt)
        rows = changes(self._columns, self._jobs, self._before, after)
        payers = tuple(row for row in rows if row.index != self._index)
        return Advice(self._typed(trial), tuple(map(format_action, back)), start, payers)

    def _typed(self, trial: Trial) -> tuple[str, ...]:
        if trial.size is not None:
            return (f"size {self.job} {trial.size}",)
        if trial.estimate is not None:
            return (f"estimate {self.job} {format_duration(trial.estimate)}",)
        return tuple(map(format_action, trial.actions))

    def _first_priority(self) -> int:
        """Return a priority above every one that an operator gave."""
        given = [action.to for action in self._doing.case.scenario.actions if action.do == "priority"]
        return 1 + max((to for to in given if isinstance(to, int)), default=0)

    def _out_of_service(self) -> NodeRanges:
        """Return the nodes that are down or leave service."""
        down = (node for node, owner in enumerate(self._here.owners()) if owner == DOWN)
        per = self._doing.per_node
        return joined((node // per, node // per + 1) for node in (*down, *self._here.draining()))

    def _halt(self) -> bool:
        return self._cancelled


def cheapest_first(advice: Advice) -> tuple[int, int, int, tuple[str, ...]]:
    """The place of a piece of advice: what costs the others least stands first."""
    cost = advice.totals
    return cost.never_jobs, cost.delay_total, cost.delayed_jobs, advice.do
