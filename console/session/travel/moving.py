"""Moving a run in time: steps, decisions, places near and far, breakpoints, and what is worst in it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from shadowtime.console.session.course import places
from shadowtime.console.session.course.breakpoints import Test, Value
from shadowtime.console.session.course.places import job_id
from shadowtime.console.session.course.seeking import PIECE
from shadowtime.console.session.course.stops import Scouting, Stops
from shadowtime.console.session.course.worst import (
    LARGEST_QUEUE,
    LONGEST_WAIT,
    LOST,
    PREEMPTION,
    Worst,
    WorstSeeking,
)
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.facts import Sample
from shadowtime.console.session.progress import Progress
from shadowtime.console.session.run import Run
from shadowtime.console.session.travel.landings import ACTS
from shadowtime.console.session.travel.moments import EVENTS, NONE
from shadowtime.console.session.travel.scout import Scout
from shadowtime.console.session.travel.trajectory import finishing
from shadowtime.kernels.core.clock import EVENT_NAMES
from shadowtime.kernels.core.decisions import DECISION_NAMES
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.scenarios.values import METRICS

MOMENTS = (LONGEST_WAIT, LARGEST_QUEUE, LOST, PREEMPTION)
KINDS = (*EVENT_NAMES, *(kind for kind in DECISION_NAMES if kind not in EVENT_NAMES))
TALLIED = ("queue_length", "running")
"""Metrics that the kernel keeps as they are: asked a million times, the others take three times as long."""

Index = Callable[[int], int]
"""The row of a job, by id. SessionError if there is no such job."""


class ScenarioWorst(WorstSeeking[Simulation]):
    """One search; `submits` are the instants at which jobs come."""

    def __init__(self, begin: Callable[[], Simulation], moment: str, submits: Sequence[int] = ()) -> None:
        self._submits = submits
        super().__init__(begin, moment, PIECE)

    def looks(self) -> Mapping[str, Callable[[], Iterator[int]]]:
        return {
            LONGEST_WAIT: self._longest_wait,
            LARGEST_QUEUE: lambda: self._largest(lambda at: int(at.tally()[0]["queue_length"])),
            LOST: self._lost,
            PREEMPTION: lambda: self._first(lambda at: at.decisions().of_kinds(("preempt",))),
        }

    def _lost(self) -> Iterator[int]:
        """Seek the stretch between two events in which most capacity is lost (`lost_capacity`)."""
        simulation, most = self._begin(), 0.0
        number, now, lost = simulation.event, simulation.now, simulation.tally()[0]["lost"]
        while simulation.step():
            later, total = simulation.now, simulation.tally()[0]["lost"]
            if total - lost > most:
                most = total - lost
                self.worst = Worst(number, round(most), lasts=later - now)
            number, now, lost = number + 1, later, total
            if number % PIECE == 0:
                yield number

    def _longest_wait(self) -> Iterator[int]:
        """Run to the end, which shows when each job started; then find the event of the start."""
        simulation = self._begin()
        while simulation.run(events=16 * PIECE):
            yield simulation.event
        starts = simulation.results("start")["start"]
        waits = ((start - self._submits[job], -job) for job, start in enumerate(starts) if start != NONE)
        most, first = max(waits, default=(0, 0))
        event = simulation.start_event(-first) if most > 0 else None
        if event is not None:
            self.worst = Worst(event, most, -first)


class Travel:
    """Takes a run anywhere on its course. Each move returns whether, or how far, it moved."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self.stops: Stops[Simulation] = Stops(
            ScenarioTerms(run.case.index_of), lambda: run.number, self._scouting, MOMENTS, self._worst
        )

    def step(self, n: int = 1) -> int:
        """Go `n` events forward, or to the end, those not counted that steps pass over; return how far."""
        return self.go_event(self.stepped(n))

    def back(self, n: int = 1) -> int:
        return -self.go_event(self.stepped(-n))

    def stepped(self, n: int) -> int:
        return self._run.skipping.stepped(self._run.trajectory.tape, self._run.number, n)

    def last_stop(self) -> int:
        """Return the last event up to here at which steps stop; 0 before the first of them."""
        return self._run.skipping.stepped(self._run.trajectory.tape, self._run.number + 1, -1)

    @property
    def skipped(self) -> frozenset[str]:
        """The kinds of events that steps pass over, and with them the passes that belong to nothing else."""
        return self._run.skipping.kinds

    def skip(self, kinds: Iterable[str]) -> None:
        self._run.skipping.choose(kinds)

    def next_decision(self) -> bool:
        """Go to the next event that starts, backfills, preempts or resumes; stay if no event does."""
        here = self._run.number
        self._run.trajectory.next_decision()
        return self.landed(here) != 0

    def previous_decision(self) -> bool:
        return self._run.trajectory.previous_decision() is not None

    @property
    def decided(self) -> bool:
        """Whether the last event started, backfilled, preempted or resumed a job."""
        return self._run.simulation.last is not None and self._run.trajectory.decisions.of_kinds(ACTS)

    def step_over(self) -> None:
        """Go one event on, whatever steps pass over."""
        self.go_event(self._run.number + 1)

    def go_event(self, number: int) -> int:
        here = self._run.number
        self._run.trajectory.go(max(number, 0))
        return self.landed(here)

    def landed(self, here: int) -> int:
        """Return how far a move from `here` led; every move on ends here."""
        return self._run.number - here

    def go_time(self, time: int, progress: Progress | None = None) -> bool:
        """Go to the state after the last event not later than `time`, with the pass of that instant."""
        here = self._run.number
        self._run.trajectory.go_time(time, finishing(self._run.simulation, progress))
        return self.landed(here) != 0

    def go_start(self) -> bool:
        return self.go_event(0) != 0

    def go_end(self, progress: Progress | None = None) -> bool:
        """Run to the end; `progress` is called now and then with the jobs done and all jobs."""
        here = self._run.number
        if self._run.total is None:
            self._run.trajectory.run(watch=finishing(self._run.simulation, progress))
        else:
            self._run.trajectory.go(self._run.total)
        return self.landed(here) != 0

    def go_fraction(self, share: float) -> bool:
        """Go to this share, 0 to 1, of all events; an unknown total is found out first."""
        here = self._run.number
        if self._run.total is None:
            self.go_end()
        total = self._run.total
        assert total is not None
        self._run.trajectory.go(round(total * min(max(share, 0.0), 1.0)))
        return self.landed(here) != 0

    def go_job(self, job: int, moment: str) -> bool:
        """Go to the event that submitted, first started or ended a job; stay if there is no such event.

        `SOMEWHERE` is its first start, or if it never starts its submission. SessionError for an unknown
        moment or job.
        """
        if moment not in (*places.MOMENTS, places.SOMEWHERE):
            raise SessionError(f"a job has no moment {moment!r}; expected one of {', '.join(places.MOMENTS)}")
        here, index = self._run.number, self._run.case.index_of(job)
        course, visit = self._run.trajectory, self._run.moments.visit
        moments = (moment,) if moment != places.SOMEWHERE else ("start", "submit")
        if not any(visit(course, index, each) for each in moments):
            course.go(here)
        return self.landed(here) != 0

    def go_place(self, place: places.Place) -> bool:
        match place:
            case places.AtEvent(number):
                return self.go_event(number) != 0
            case places.AtTime(time):
                return self.go_time(time)
            case places.AtShare(share):
                return self.go_fraction(share)
            case places.AtJob():
                return self.go_job(self._run.case.id_called(place.job), place.moment)

    def _scouting(self) -> Scouting[Simulation]:
        """Return what visits any event in any thread."""
        course = self._run.trajectory
        return partial(Scout(course.simulation.fork()).at_event, course.tape.marks())

    def _worst(self, scouting: Scouting[Simulation], moment: str) -> ScenarioWorst:
        return ScenarioWorst(partial(scouting, 0), moment, self._run.case.columns.submit)

    def knows(self, place: places.Place) -> Callable[[], bool]:
        """Return whether all is known that a place needs. SessionError if there is no such job."""
        run = self._run
        match place:
            case places.AtEvent(number):
                return lambda: run.number >= number or run.total is not None
            case places.AtTime(time):
                return lambda: run.time > time or run.total is not None
            case places.AtJob(_, moment):
                row = run.case.index_of(run.case.id_called(place.job))
                event = EVENTS[moment or places.START]
                return lambda: run.total is not None or event(run.simulation, row) is not None
        return lambda: run.total is not None

    def timeline(self) -> tuple[Sample, ...]:
        """Return the metrics at regular events as far as the course is known."""
        return self._run.trajectory.trend.all()


class ScenarioTerms:
    """What a breakpoint of a scenario can name."""

    kinds = KINDS
    named = ()
    metrics = METRICS

    def __init__(self, index_of: Index) -> None:
        self._index_of = index_of

    def kind(self, word: str, name: str) -> Test[Simulation]:
        number = EVENT_NAMES.index(word) if word in EVENT_NAMES else -1

        def of_event(simulation: Simulation) -> bool:
            last = simulation.last
            return last is not None and last[1] == number

        def of_decision(simulation: Simulation) -> bool:
            return simulation.decisions().of_kinds((word,))

        return lambda simulation: of_decision if number < 0 else of_event

    def job(self, name: str, what: str) -> Test[Simulation]:
        """Stop at what touches a job, or at its submission, first start or end."""
        row = self._index_of(job_id(name))
        if not what:
            return _touching(row)
        moment = EVENTS[what]
        return lambda simulation: lambda now: moment(now, row) == now.event

    def value(self, metric: str) -> Value[Simulation]:
        if metric == "free_nodes":
            return lambda simulation: simulation.free
        if metric in TALLIED:
            return lambda simulation: simulation.tally()[0][metric]
        return lambda simulation: simulation.metrics()[metric]

    def wait(self, job: int) -> Value[Simulation]:
        row = self._index_of(job)
        return lambda simulation: simulation.waited(row)


def _touching(row: int) -> Test[Simulation]:
    def probe(simulation: Simulation) -> bool:
        last = simulation.last
        if last is not None and last[2] == row:
            return True
        return bool(simulation.decisions().about(row))

    return lambda simulation: probe
