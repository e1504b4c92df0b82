"""The session: the one door between those who show or steer a simulation and the kernel that runs it.

A session stands at one event of one case. Everything here is for one thread, but for the objects whose `run`
is said to go to a worker. Going anywhere never changes what is found there: the same event, the same bytes.
What only some sessions are asked for is imported when it is.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from heapq import nsmallest
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Self, TypeVar

import attrs

from shadowtime.console.session.case import Case
from shadowtime.console.session.clock import Clock
from shadowtime.console.session.course.pace import ahead
from shadowtime.console.session.course.places import Place, parse_place
from shadowtime.console.session.course.stops import Stops
from shadowtime.console.session.facts import (
    Decision,
    Event,
    Reason,
    Row,
    Sample,
    Snapshot,
    everybody,
)
from shadowtime.console.session.files.replay import Replay
from shadowtime.console.session.files.report import Outcomes, save_events
from shadowtime.console.session.jobs.fields import QUEUE, PresentJobs
from shadowtime.console.session.jobs.forecasts import Forecasts
from shadowtime.console.session.jobs.names import matrix_of
from shadowtime.console.session.jobs.rows import holding
from shadowtime.console.session.operator.acting import Operator
from shadowtime.console.session.operator.journal import JournalEntry
from shadowtime.console.session.operator.refusals import Refusal
from shadowtime.console.session.progress import Progress
from shadowtime.console.session.run import Run
from shadowtime.console.session.table.filtering import asked
from shadowtime.console.session.table.ordering import Order, ordered
from shadowtime.console.session.travel.lookahead import Ahead
from shadowtime.console.session.travel.moments import Survey
from shadowtime.console.session.travel.moving import Travel
from shadowtime.console.session.travel.trend import metrics_of, sample_of
from shadowtime.kernels.core.clock import EVENT_NAMES
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.scenarios import Action, Note, format_action

if TYPE_CHECKING:
    from shadowtime.console.session.comparison.lane_odds import JobSamples
    from shadowtime.console.session.impact.impact import Impact, ImpactWork
    from shadowtime.console.session.impact.machine import MachineOutlook

Moved = TypeVar("Moved")


class Session:
    """One case, somewhere on its course. Each part has a subject, and the session speaks for all of them."""

    swift: ClassVar[bool] = True
    """A step fits in a frame."""

    def __init__(self, case: Case, travel: Callable[[Run], Travel] = Travel) -> None:
        self.run = Run(case)
        self.travel = travel(self.run)
        self.operator = Operator(self.run, self.travel)
        self.forecasts = Forecasts(self.run)
        self.ahead = Ahead(self.run)

    # Where it stands.

    @property
    def case(self) -> Case:
        """What is simulated: also the operator's actions so far."""
        return self.run.case

    @property
    def clock(self) -> Clock:
        """How instants are written as elapsed time, and read by the calendar, too, if that is known."""
        return self.run.clock

    @property
    def number(self) -> int:
        """Events done; 0 at the beginning."""
        return self.run.number

    @property
    def time(self) -> int:
        """The instant of the last event; before the first, of the first submission."""
        return self.run.time

    @property
    def over(self) -> bool:
        return self.run.simulation.over

    @property
    def total(self) -> int | None:
        """The number of all events, once the end has been seen, by a survey or by going there."""
        return self.run.total

    def digest(self) -> bytes:
        """Return the whole moving state as bytes: equal states, equal bytes."""
        return self.run.simulation.digest()

    def fork_simulation(self) -> Simulation:
        """Return another simulation of the same run, in the same state; it moves on its own."""
        return self.run.simulation.fork()

    def snapshot(self) -> Snapshot:
        """Return what every panel paints itself from."""
        simulation, names = self.run.simulation, self.run.names
        self.run.rows.failure = self.run.reasons.failure = self.run.predictions.failure = ""
        upcoming, status = simulation.peek(), simulation.status()
        return Snapshot(
            number=simulation.event,
            total=self.total,
            time=simulation.now,
            last=names.last_event(simulation, self.run.trajectory.decisions),
            upcoming=None
            if upcoming is None
            else (upcoming[0], EVENT_NAMES[upcoming[1]], names.id(upcoming[2])),
            nodes=self.case.nodes,
            free=simulation.free,
            waiting=tuple(simulation.waiting()),
            running=tuple(simulation.running()),
            submitted=simulation.submitted,
            finished=simulation.finished,
            jobs=len(self.case.jobs),
            metrics=metrics_of(simulation),
            changed=self._changed(),
            owners=simulation.owners().tobytes(),
            holding=holding(simulation),
            status=names.frozen(status),
            matrix=matrix_of(status),
            draining=frozenset(simulation.draining()),
            policy=simulation.policy_name,
            parameters=simulation.parameters,
        )

    def _changed(self) -> frozenset[int]:
        simulation = self.run.simulation
        if simulation.last is None:
            return frozenset()
        job = simulation.last[2]
        return self.run.trajectory.decisions.jobs() | ({job} if job >= 0 else frozenset())

    @property
    def failure(self) -> str:
        """What the policy did when it failed to foresee, explain or promise at this event, in one line."""
        return self.run.rows.failure or self.run.reasons.failure or self.run.predictions.failure

    # Jobs.

    def row(self, index: int) -> Row:
        """Return one job, by index, as it is now."""
        return self.run.rows.row(self.run.simulation, index)

    def rows(self, order: Sequence[int], first: int, count: int) -> tuple[Row, ...]:
        """Return `count` rows of an order, from place `first` on, as far as they exist."""
        simulation = self.run.simulation
        first = max(first, 0)
        return tuple(self.run.rows.row(simulation, index) for index in order[first : first + count])

    def columns(self, index: int) -> Sequence[tuple[int, int]]:
        """Return the nodes that a job holds, by index: the first of each stretch, and how many."""
        return self.run.simulation.nodes_of(index)

    def order(self, key: str = "order", reverse: bool = False, text: str = "") -> Sequence[int]:
        """Return the indexes of all jobs on the machine, sorted by a column and filtered.

        Unsorted: those that wait, those that hold nodes and do not run, those that run, and at the end those
        that are held or suspended. `key` is one of `QUEUE.orders`. SessionError for another key, and for a
        wrong filter.
        """
        simulation = self.run.simulation
        jobs = everybody(simulation.waiting(), holding(simulation), simulation.running())
        return self._ordered(jobs, key, reverse, text)

    def passing(self, jobs: Sequence[int], text: str) -> Sequence[int]:
        """Return the jobs that a filter lets through, in their order. SessionError for a wrong filter.

        What it asks for is found first, which may take a second.
        """
        if jobs:
            self.forecasts.find(asked(text, QUEUE))
        return self._ordered(jobs, "order", False, text)

    def _ordered(self, jobs: Sequence[int], key: str, reverse: bool, text: str) -> Sequence[int]:
        return ordered(jobs, QUEUE, PresentJobs(self.run.rows, self.run.simulation), key, reverse, text)

    def differs(self) -> Callable[[str], bool]:
        """Return whether jobs on the machine differ in the field of an order, as far as it is known."""
        return Order(QUEUE).differs(self.order(), PresentJobs(self.run.rows, self.run.simulation))

    def next_up(self, count: int) -> Sequence[int]:
        """Return the indexes of the jobs that start next; those without a prediction come last."""
        return self.run.rows.next_up(self.run.simulation, count)

    def ends_next(self, count: int) -> Sequence[int]:
        """Return the indexes of the running jobs that end first, as far as is known."""
        run, simulation = self.run, self.run.simulation
        ends = run.rows.ends(simulation)
        known = ((end, job) for job in simulation.running() if (end := ends(job)) is not None)
        return [job for _, job in nsmallest(count, known)]

    def index_of(self, job: int) -> int:
        """Return the index of the job with this id. SessionError if there is no such job."""
        return self.case.index_of(job)

    def id_of(self, index: int) -> int:
        """Return the id of the job at this index."""
        return self.case.columns.ids[index]

    def why(self, job: int) -> Reason | None:
        """Return why a waiting job (by id) waits; None if it does not wait."""
        return self.run.reasons.of(self.run.simulation, self.case.index_of(job))

    def turned(self, job: int) -> Decision | None:
        """Return the decision that last started, resumed or preempted a job (by id); None before."""
        run = self.run
        return run.last_moves.of(run.trajectory.tape, run.simulation, run.case.index_of(job))

    # Predictions.

    @property
    def predicted(self) -> bool:
        """Whether every job that can have a prediction has one of this very event."""
        return self.forecasts.predicted

    def predicted_starts(self) -> Mapping[int, int]:
        """Return the predicted start of every job that has one, by index, with nodes or without."""
        return self.run.rows.predicted_starts(self.run.simulation)

    def predict(self) -> None:
        """Predict every waiting job's start, now and here."""
        self.forecasts.predict()

    # Events, trends, notes.

    def events(self, first: int, count: int) -> tuple[Event, ...]:
        """Return events by number, past and to come, as far as they exist; the first of all is 1."""
        return self.run.events.read(self.run.trajectory, first, count)

    def trend(self) -> tuple[Sample, ...]:
        """Return the metrics at regular events up to here, and here."""
        past = self.run.trajectory.trend.until(self.number)
        if self.number and (not past or past[-1].number != self.number):
            past += (sample_of(self.run.simulation),)
        return past

    @property
    def preempts(self) -> bool:
        """Whether a job is ever preempted, as far as the course is known."""
        latest = self.run.trajectory.trend.latest
        here = self.run.simulation.metrics()["preempt_ratio"]
        return bool(here) or (latest is not None and bool(latest.preempt_ratio))

    def notes(self, after: int, until: int) -> tuple[Note, ...]:
        """Return the notes of the scenario for the instants later than `after`, up to and with `until`.

        Only those that are true of this course: of its policy, of what was done to it, of the jobs they name.
        """
        run = self.run
        notes = [note for note in self.case.scenario.notes if after < note.at <= until]
        return tuple(run.story.shown(notes, run.case, run.trajectory, run.scout))

    # The course ahead.

    def survey(self) -> Survey:
        """Return a run of the whole course: a worker calls its `run` until false, then `take_survey`."""
        return self.ahead.survey()

    def take_survey(self, survey: Survey) -> bool:
        """Adopt what a survey has found so far; return whether the whole course is known."""
        return self.ahead.take_survey(survey)

    # What lanes in lockstep ask.

    def samples_of(self, index: int) -> "JobSamples":
        """Return the samples of a job where the session stands, for any thread."""
        from shadowtime.console.session.comparison.lane_odds import JobSamples

        return JobSamples(self.run.likely, self.fork_simulation(), index, self.forecasts.when())

    def sums(self) -> Mapping[str, float]:
        """Return what the metrics are made of."""
        return self.run.simulation.tally()[0]

    def started_at(self, index: int) -> int | None:
        """Return when a job first started, by index; None if it has not."""
        return self.run.simulation.start_of(index)

    def finished_at(self, index: int) -> int | None:
        """Return when a job ended, by index; None if it has not."""
        return self.run.simulation.finish_of(index)

    @property
    def next_stop(self) -> int | None:
        """The next instant at which steps stop; None at the end."""
        upcoming = self.run.simulation.peek()
        if upcoming is None or not self.skipped:
            return None if upcoming is None else upcoming[0]
        return self.events(self.stepped(1), 1)[0].time

    @property
    def last_stop(self) -> int | None:
        """The last instant, as far as it has come, at which steps stop; None without one."""
        number = self.travel.last_stop()
        return self.events(number, 1)[0].time if number else None

    @property
    def decided(self) -> bool:
        """Whether the last event started, backfilled, preempted or resumed a job."""
        return self.travel.decided

    # Moving in time. Each move returns whether, or how far, it moved.

    def _moved(self, moved: Moved) -> Moved:
        """Every move ends here, with what it returns."""
        return moved

    def step(self, n: int = 1) -> int:
        """Go `n` events forward, or to the end, those not counted that steps pass over; return how far."""
        return self._moved(self.travel.step(n))

    def back(self, n: int = 1) -> int:
        """Go `n` events back, or to the beginning, in the same way; return how far."""
        return self._moved(self.travel.back(n))

    def stepped(self, n: int) -> int:
        """Return the number of the event that `n` steps lead to; negative ones go back."""
        return self.travel.stepped(n)

    @property
    def skipped(self) -> frozenset[str]:
        """The kinds of events that steps pass over, and with them the passes that belong to nothing else."""
        return self.travel.skipped

    def skip(self, kinds: Iterable[str]) -> None:
        """Let steps pass over these kinds of events. SessionError for an unknown kind."""
        self.travel.skip(kinds)

    def next_decision(self) -> bool:
        """Go to the next event that starts, backfills, preempts or resumes; stay if no event does."""
        return self._moved(self.travel.next_decision())

    def previous_decision(self) -> bool:
        """Go to the last such event before this one; stay if there is no such event."""
        return self._moved(self.travel.previous_decision())

    def go_event(self, number: int) -> int:
        """Go to the state after `number` events, or the nearest there is; return how far it moved."""
        return self._moved(self.travel.go_event(number))

    def go_time(self, time: int, progress: Progress | None = None) -> bool:
        """Go to the state after the last event not later than `time`, with the pass of that instant."""
        return self._moved(self.travel.go_time(time, progress))

    def go_start(self) -> bool:
        return self._moved(self.travel.go_start())

    def go_end(self, progress: Progress | None = None) -> bool:
        """Run to the end; `progress` is called now and then with the jobs done and all jobs."""
        return self._moved(self.travel.go_end(progress))

    def go(self, text: str, clock: Clock | None = None) -> bool:
        """Go to a place as typed: `#1284`, `0 06:12:44`, `50%`, `31 start`. SessionError in one line.

        `clock`: how instants are read, by default as elapsed time.
        """
        return self.go_place(parse_place(text, clock or self.clock, self.time))

    def way(self, place: Place) -> Iterator[int]:
        """Run on until all is known that a place needs, a piece at a time. SessionError: no such job."""
        return ahead(self, self.travel.knows(place))

    def go_place(self, place: Place) -> bool:
        """Go to a place. SessionError if there is no such job."""
        return self._moved(self.travel.go_place(place))

    @property
    def stops(self) -> Stops[Simulation]:
        """Where going on stops: breakpoints, and the searches for any thread."""
        return self.travel.stops

    # What the operator does.

    @property
    def journal(self) -> tuple[Action, ...]:
        """The operator's actions, in order; also those that lie ahead."""
        return self.operator.journal

    def refusal(self, action: Action | str) -> str | None:
        """Return why an action cannot be done here and now, in one line; None if it can."""
        return self.operator.refusal(action)

    @property
    def refused(self) -> tuple[Refusal, ...]:
        """The actions up to here that could not be done when it came to them."""
        return self.operator.refused

    def act(self, action: Action | str) -> Action:
        """Do something here and now, and stand after it. SessionError: why it cannot be; nothing changed."""
        return self.operator.act(action)

    def undo(self) -> JournalEntry | None:
        """Take the last action back, and stand right before it; None if there is no action. SessionError."""
        return self.operator.undo()

    def redo(self) -> JournalEntry | None:
        """Do the action again that was taken back last; None if there is no such action. SessionError."""
        return self.operator.redo()

    def outlook(self, clock: Clock | None = None) -> "MachineOutlook":
        """Return what is expected from here on: what is asked of it is answered in any thread.

        Instants are typed by `clock`; by default as elapsed time.
        """
        from shadowtime.console.session.impact.machine import MachineOutlook

        return MachineOutlook(self.run, clock)

    def start_impact(self, actions: Sequence[Action | str]) -> "ImpactWork":
        """Return the work of finding what actions done here would change, for any thread. SessionError."""
        from shadowtime.console.session.impact.impact import ImpactWork

        lines = [each if isinstance(each, str) else format_action(each) for each in actions]
        return ImpactWork(self.outlook(), lines)

    def impact(self, *actions: Action | str) -> "Impact":
        """Return what actions done here would change. SessionError: why one cannot be done."""
        found = self.start_impact(actions).run()
        assert found is not None
        return found

    def fork(self, name: str, action: Action | str | None = None) -> Self:
        """Return another session with the same past, at the same event, in which something else may be done.

        SessionError if `action` cannot be done.
        """
        other = type(self)(attrs.evolve(self.case, name=name))
        other.skip(self.skipped)
        other.operator.repeat(self.operator)
        if action is not None:
            other.act(action)
        return other

    def save(self, path: str | Path, force: bool = False) -> None:
        """Write the session as a scenario file. SessionError if another file would be lost; OSError."""
        self.operator.save(path, force)

    def keep(self) -> None:
        """Write the session again where it was saved last, if it was. Raises as `save`."""
        self.operator.keep()

    # Files.

    def report(self, predictions: bool = False, progress: Progress | None = None) -> dict[str, object]:
        """Return the object that `run --json` prints, of the run so far."""
        return self.outcomes(predictions, progress).report()

    def outcomes(self, predictions: bool = False, progress: Progress | None = None) -> Outcomes:
        """Return the results so far; `predictions` adds a forecast for each submission, which takes long."""
        outcomes = Outcomes(self.case, self.run.simulation, Replay.of(self.run))
        if predictions:
            outcomes.predict(progress)
        return outcomes

    def save_schedule(self, path: str | Path, predictions: bool = False) -> None:
        """Write the schedule so far as CSV. Raises OSError; nothing is left half-written."""
        self.outcomes(predictions).save_schedule(path)

    def events_jsonl(self, path: str | Path, progress: Progress | None = None) -> None:
        """Write every event so far as JSON lines. Raises OSError; nothing is left half-written."""
        save_events(Replay.of(self.run), path, progress)


def open_session(case: Case) -> Session:
    """Return a session of a case, before its first event."""
    return Session(case)
