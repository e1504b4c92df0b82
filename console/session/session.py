"""The session: the one door between those who show or steer a simulation and the kernel that runs it.

A session stands at one event of one case. Everything here is for one thread, but for the objects whose `run`
is said to go to a worker. Going anywhere never changes what is found there: the same event, the same bytes.
"""

from collections.abc import Sequence
from pathlib import Path

from console.session.case import Case
from console.session.facts import Decision, Event, Prediction, Reason, Row, Sample, Snapshot, everybody
from console.session.files.report import Outcomes, save_events
from console.session.jobs.history import HistoryWork
from console.session.jobs.names import matrix_of
from console.session.jobs.order import ordered
from console.session.jobs.predictions import (
    NOT_STARTED,
    FirstPredictions,
    PredictionWork,
    needs_forecast,
)
from console.session.jobs.rows import holding
from console.session.operator.steered import Steered
from console.session.progress import Progress
from console.session.travel.lookahead import LookAhead
from console.session.travel.survey import Survey
from console.session.travel.trend import metrics_of, sample_of
from kernels.core.clock import EVENT_NAMES
from kernels.policies import PlainPolicy
from scenarios import Note


class Session(Steered):
    """One case, somewhere on its course."""

    def snapshot(self) -> Snapshot:
        """Return what every panel paints itself from."""
        simulation, names = self._trajectory.simulation, self._names
        self._rows.failure = self._predictions.failure = ""
        upcoming, told = simulation.peek(), simulation.status()
        return Snapshot(
            number=simulation.event,
            total=self.total,
            time=simulation.now,
            last=names.last_event(simulation, self._trajectory.decisions),
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
            status=names.frozen(told),
            matrix=matrix_of(told),
            draining=frozenset(simulation.draining()),
            policy=simulation.policy_name,
            parameters=simulation.parameters,
        )

    def _changed(self) -> frozenset[int]:
        simulation = self._trajectory.simulation
        if simulation.last is None:
            return frozenset()
        job = simulation.last[2]
        return self._trajectory.decisions.jobs() | ({job} if job >= 0 else frozenset())

    @property
    def failure(self) -> str:
        """What the policy did, where it failed to foresee, explain or promise at this event, in one line."""
        return self._rows.failure or self._predictions.failure

    # Jobs.

    def row(self, index: int) -> Row:
        """Return one job, by index, as it is now."""
        return self._rows.row(self._trajectory.simulation, index)

    def rows(self, order: Sequence[int], first: int, count: int) -> tuple[Row, ...]:
        """Return `count` rows of an order, from place `first` on, as far as they exist."""
        simulation = self._trajectory.simulation
        first = max(first, 0)
        return tuple(self._rows.row(simulation, index) for index in order[first : first + count])

    def columns(self, index: int) -> Sequence[tuple[int, int]]:
        """Return the nodes that a job holds, by index: the first of each stretch, and how many."""
        return self._trajectory.simulation.nodes_of(index)

    def order(self, key: str = "queue", reverse: bool = False, text: str = "") -> Sequence[int]:
        """Return the indexes of all jobs on the machine, sorted by a column and filtered.

        Unsorted: those that wait, those that hold nodes and do not run, those that run, and at the end those
        that are held or suspended. `key` is queue, id,
        user, class, state, size, submit, wait, estimate, predicted or slip. SessionError otherwise, and for
        a filter that is none.
        """
        simulation = self._trajectory.simulation
        jobs = everybody(simulation.waiting(), holding(simulation), simulation.running())
        keys, fields = self._rows.keys(simulation), self._rows.fields(simulation)
        return ordered(jobs, key, keys, reverse, text, fields)

    def index_of(self, job: int) -> int:
        """Return the index of the job with this id. SessionError where there is none."""
        return self.case.index_of(job)

    def id_of(self, index: int) -> int:
        """Return the id of the job at this index."""
        return self.case.columns.id[index]

    def why(self, job: int) -> Reason | None:
        """Return why a waiting job (by id) waits; None where it does not wait."""
        return self._rows.reason(self._trajectory.simulation, self.case.index_of(job))

    def turned(self, job: int) -> Decision | None:
        """Return the decision that last started, resumed or preempted a job (by id); None before."""
        course = self._trajectory
        return self._turns.of(course.tape, course.simulation, self.case.index_of(job))

    # Predictions.

    @property
    def predicted(self) -> bool:
        """Whether every job that can have a prediction has one of this very event."""
        simulation = self._trajectory.simulation
        return self._predictions.fresh(simulation.event) or not needs_forecast(simulation)

    def predict(self) -> None:
        """Predict every waiting job's start, now and here."""
        if not self.predicted:
            work = self.start_prediction()
            work.run()
            self.take_prediction(work)

    def start_prediction(self) -> PredictionWork:
        """Return the forecast of this event, to be run in any thread and then given to `take_prediction`."""
        return PredictionWork(self._trajectory.simulation)

    def take_prediction(self, work: PredictionWork) -> bool:
        """Adopt a forecast that has been run; return whether it belongs to this very event."""
        if work.known is not self._trajectory.simulation:
            return False
        if work.done:
            self._predictions.take(work)
        return work.done and work.event == self.number

    def start_first_predictions(self, indexes: Sequence[int]) -> FirstPredictions | None:
        """Return the work of finding jobs' first predictions, for any thread; None where all are known."""
        simulation, submits = self._trajectory.simulation, self.case.columns.submit
        asked = [
            (index, submits[index])
            for index in indexes
            if self._rows.first_predicted(simulation, index) is None
            and simulation.state(index) in NOT_STARTED
        ]
        return FirstPredictions(simulation, self._trajectory.tape.marks(), asked) if asked else None

    def take_first_predictions(self, work: FirstPredictions) -> None:
        """Adopt the first predictions found so far: rows then show their slip."""
        if work.known is self._trajectory.simulation:
            self._predictions.first.update(work.first)

    def history_job(self, job: int) -> HistoryWork:
        """Return the work of following a job's prediction up to here, to be run in any thread."""
        simulation, index = self._trajectory.simulation, self.case.index_of(job)
        submit, started = self.case.columns.submit[index], simulation.start_event(index)
        until = self.number if started is None else started
        return HistoryWork(simulation.fork(), self._trajectory.tape.marks(), index, submit, until)

    def history(self, job: int) -> tuple[Prediction, ...]:
        """Return how a job's predicted start moved while it waited, up to here."""
        return self.history_job(job).run()

    # Events, trends, notes.

    def events(self, first: int, count: int) -> tuple[Event, ...]:
        """Return events by number, past and to come, as far as they exist; the first of all is 1."""
        return self._events.read(self._trajectory, first, count)

    def trend(self) -> tuple[Sample, ...]:
        """Return the metrics at regular events up to here, and here."""
        past = self._trajectory.trend.until(self.number)
        if self.number and (not past or past[-1].number != self.number):
            past += (sample_of(self._trajectory.simulation),)
        return past

    @property
    def preempts(self) -> bool:
        """Whether a job is ever preempted, as far as the course is known."""
        latest = self._trajectory.trend.latest
        here = self._trajectory.simulation.metrics()["preempt_ratio"]
        return bool(here) or (latest is not None and bool(latest.preempt_ratio))

    def timeline(self) -> tuple[Sample, ...]:
        """Return the metrics at regular events as far as the course is known."""
        return self._trajectory.trend.all()

    def notes(self, after: int, until: int) -> tuple[Note, ...]:
        """Return the notes of the scenario for the instants later than `after`, up to and with `until`."""
        return tuple(note for note in self.case.scenario.notes if after < note.at <= until)

    # The course ahead.

    def survey(self) -> Survey:
        """Return a run of the whole course: a worker calls its `run` until false, then `take_survey`."""
        course = self._trajectory
        return Survey(course.simulation.fork(), course)

    def take_survey(self, survey: Survey) -> bool:
        """Adopt what a survey has found so far; return whether the whole course is known.

        One of a course that is this one's no longer has found nothing that holds.
        """
        course = self._trajectory
        if survey.known is not course:
            return self.total is not None
        found = survey.findings()
        course.tape.adopt(found.copies)
        course.tape.thin(course.number)
        course.trend.add(found.samples)
        if found.total is not None:
            course.total = found.total
            self._moments.learn(found.results["start"], found.results["finish"])
        return self.total is not None

    def start_look_ahead(self) -> LookAhead | None:
        """Return the work of stepping around this event in advance: for any thread, then `take_look_ahead`.

        None where steps cost little, and where the policy is written in Python: it would keep the interpreter
        busy. One at a time: it moves a simulation that the next one goes on with.
        """
        course = self._trajectory
        if not course.costly or isinstance(course.simulation.policy, PlainPolicy):
            return None
        if self._ahead is None or self._ahead[0] is not course:
            self._ahead = (course, course.simulation.fork())
        before, after = self._events.around
        return LookAhead(self._ahead[1], course, before, after)

    def take_look_ahead(self, work: LookAhead) -> None:
        """Adopt what a look ahead has found so far."""
        if work.known is self._trajectory:
            for found in work.findings():
                if isinstance(found, int):
                    self._trajectory.landings.mark(found, False)
                else:
                    self._trajectory.landings.keep(found)

    # Files.

    def report(self, predictions: bool = False, progress: Progress | None = None) -> dict[str, object]:
        """Return the object that `run --json` prints, of the run so far."""
        return self.outcomes(predictions, progress).report()

    def outcomes(self, predictions: bool = False, progress: Progress | None = None) -> Outcomes:
        """Return the results so far; `predictions` adds a forecast for each submission, which takes long."""
        outcomes = Outcomes(self.case, self._trajectory.simulation)
        if predictions:
            outcomes.predict(progress)
        return outcomes

    def save_schedule(self, path: str | Path, predictions: bool = False) -> None:
        """Write the schedule so far as CSV. Raises OSError; nothing is left half-written."""
        self.outcomes(predictions).save_schedule(path)

    def events_jsonl(self, path: str | Path, progress: Progress | None = None) -> None:
        """Write every event so far as JSON lines. Raises OSError; nothing is left half-written."""
        save_events(self.case, path, self.number, progress)


def open_session(case: Case) -> Session:
    """Return a session of a case, before its first event."""
    return Session(case)
