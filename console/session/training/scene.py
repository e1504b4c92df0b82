"""The moment at which a question is asked: the state before the pass, and the state after it, on a fork."""

from collections.abc import Iterator, Sequence
from functools import cached_property

from shadowtime.console.session.facts import DOWN, Decision, Event, Prediction, Reason, Row
from shadowtime.console.session.impact.machine import acting
from shadowtime.console.session.jobs.names import Names, matrix_of
from shadowtime.console.session.jobs.predictions import NOT_STARTED, Predictions, PredictionWork
from shadowtime.console.session.jobs.reasons import Reasons
from shadowtime.console.session.jobs.rows import JobRows
from shadowtime.console.session.likely.starts import Likely
from shadowtime.console.session.operator.here import typed_action
from shadowtime.console.session.plugins import policies
from shadowtime.console.session.session import Session
from shadowtime.console.session.training.facts import Because, Value, Waits
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.policies.table import PolicyEntry

STARTING = frozenset(("start", "backfill"))


class Scene:
    """What can be known at one event of a session; nothing here moves the session."""

    def __init__(self, session: Session, at: int, do: str = "") -> None:
        """`at` is the instant of the question: that of the session's event, or a later one without any.

        `do` is an action, as it is typed, that is supposed to follow the event. SessionError: its refusal.
        """
        self.session = session
        self.case = session.case
        self._names = Names(self.case.columns.ids)
        self.before = session.fork_simulation()
        self.supposed = do
        if do:
            self.before = self.doing(self.before, do)
        self.now = max(self.before.now, at)

    def doing(self, simulation: Simulation, do: str) -> Simulation:
        """Return the run in which an action, as it is typed, is done here. SessionError: its refusal."""
        return acting(self.case, self._names, simulation, [typed_action(do)])

    @cached_property
    def after(self) -> Simulation:
        """The run after the pass of this instant, if that is still to come."""
        after = self.before.fork()
        if after.pending:
            after.step()
        return after

    @cached_property
    def passed(self) -> Event | None:
        """The pass of this instant; None if it is over."""
        return self._names.last_event(self.after) if self.before.pending else None

    @cached_property
    def arrived(self) -> Event | None:
        """What happened last before the pass: it may have struck somebody."""
        # A fork does not hold what its event decided; the session does.
        return None if self.supposed else self.session.snapshot().last

    @cached_property
    def predictions(self) -> Predictions:
        """When the waiting jobs start, as it is known after the pass."""
        work, found = PredictionWork(self.after), Predictions()
        work.run()
        found.take(work)
        return found

    @cached_property
    def _rows(self) -> JobRows:
        reasons = Reasons(self.case.columns.size, self._names)
        return JobRows(self.case, self._names, self.predictions, Likely(self.after), reasons)

    def id(self, index: int) -> int:
        """The id of a job, by index."""
        return self.case.columns.id[index]

    def ids(self, indexes: Sequence[int]) -> tuple[int, ...]:
        """The ids of jobs, by index."""
        return tuple(self.id(index) for index in indexes)

    def area(self, indexes: Sequence[int]) -> int:
        """How many nodes jobs, by index, need in all."""
        return sum(self.case.columns.size[index] for index in indexes)

    def given(self, name: str) -> int:
        """A parameter of the policy in force that is a whole number."""
        value = self.after.parameters[name]
        assert isinstance(value, int)
        return value

    def size_of(self, job: int) -> int:
        """How many nodes a job, by id, needs."""
        return self.case.columns.size[self.case.index_of(job)]

    def row(self, job: int) -> Row:
        """A job, by id, as it stands after the pass."""
        return self._rows.row(self.after, self.case.index_of(job))

    def reason(self, job: int) -> Reason | None:
        """Why a job, by id, still waits after the pass."""
        return self.row(job).reason

    def waits(self, job: int) -> tuple[Because, ...]:
        """Why a job, by id, waits after the pass; nothing if it does not wait."""
        reason = self.reason(job)
        return () if reason is None else (Waits(job, reason),)

    def stands(self, job: Value) -> tuple[Because, ...]:
        """Why a job, by id, waits after the pass, else where it stands; nothing of what is no job."""
        return (self.waits(job) or (self.row(job),)) if isinstance(job, int) else ()

    def prediction(self, index: int) -> Prediction | None:
        """When a waiting job, by index, starts."""
        return self.predictions.of(self.after, index)

    def decisions(self, kinds: frozenset[str] = STARTING) -> tuple[Decision, ...]:
        """What the pass of this instant decides about jobs, of some kinds."""
        return tuple(decision for decision in self.made() if decision.kind in kinds)

    def made(self) -> tuple[Decision, ...]:
        """All that the pass of this instant decides about jobs."""
        made = () if self.passed is None else self.passed.decisions
        return tuple(decision for decision in made if decision.job is not None)

    def waiting(self) -> tuple[int, ...]:
        """The indexes of the jobs that have not started after the pass, in the order of the queue."""
        after = self.after
        return tuple(
            job
            for job in (*after.waiting(), *after.held())
            if after.state(job) in NOT_STARTED and after.start_of(job) is None
        )

    @cached_property
    def sliced(self) -> bool:
        """Whether jobs take turns."""
        return matrix_of(self.before.status()) is not None

    @cached_property
    def shared(self) -> bool:
        """Whether jobs share the space of a flat machine, and no job is ever stopped for another."""
        return self.case.scenario.machine.torus is None and not self.sliced and not self.preempts

    @cached_property
    def preempts(self) -> bool:
        """Whether the policy may stop jobs, which wait again; its parameter decides if it has one."""
        parameters = self.case.parameters
        return self.policy.preempts and bool(parameters.get("preempt", parameters.get("speculate", True)))

    @cached_property
    def reserves(self) -> str:
        """For whom the policy makes reservations at most: nobody, head; empty for more, or if it depends.

        Under Maui that depends on two of its parameters. A head that EASY may delay has none to rely on.
        """
        parameters = self.case.parameters
        if parameters.get("reservations", 1) != 1 or parameters.get("preempt", False):
            return ""
        if parameters.get("relax", 0) or parameters.get("predict", "estimates") != "estimates":
            return ""
        return self.policy.reserves

    @cached_property
    def policy(self) -> PolicyEntry:
        return policies()[self.case.policy]

    @cached_property
    def whole(self) -> bool:
        """Whether every node is in service."""
        return not self.after.draining() and DOWN not in self.after.owners()

    def expected(self) -> Simulation:
        """A run from after the pass in which every job runs to its estimate and no other job comes."""
        return self.after.expected()

    def event_of(self, simulation: Simulation) -> Event | None:
        """The event that a simulation has just done."""
        return self._names.last_event(simulation)

    def to_come(self, kinds: frozenset[str], known: bool = False) -> Event | None:
        """The first event from here on that decides something of some kinds; None if no event does.

        If `known`, after the pass of this instant every job runs to its estimate and no other job comes.
        """
        if known and any(made.kind in kinds for made in self.decisions(kinds)):
            return self.passed
        for event in self._events(self.expected() if known else self.before.fork()):
            if any(decision.kind in kinds for decision in event.decisions):
                return event
        return None

    def next_events(self) -> tuple[Event, ...]:
        """All that happens at the next instant as far as is known, apart from passes; may be empty."""
        ahead, found = self.expected(), list[Event]()
        while ahead.step():
            event = self._names.last_event(ahead)
            if event is None or event.kind == "pass":
                continue
            if found and event.time != found[0].time:
                break
            found.append(event)
        return tuple(found)

    def started(self, index: int) -> int | None:
        """When a job, by index, really starts in this run."""
        ahead = self.after.fork()
        while ahead.start_of(index) is None and ahead.run(events=256):
            pass
        return ahead.start_of(index)

    def _events(self, ahead: Simulation) -> Iterator[Event]:
        """The events to come that start, preempt or resume somebody."""
        while ahead.run(decisions=1) or not ahead.over:
            event = self._names.last_event(ahead)
            if event is not None:
                yield event
            if ahead.over:
                return
