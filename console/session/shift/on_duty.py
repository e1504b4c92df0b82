"""An operator on duty: only what the shift allows can be done, and what was seen is known."""

from collections.abc import Callable, Sequence
from typing import NoReturn

from shadowtime.console.session.case import Case
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.operator.here import typed_action
from shadowtime.console.session.operator.journal import JournalEntry, acted, timed
from shadowtime.console.session.session import Moved, Session
from shadowtime.console.session.shift.figures import Figures, figures
from shadowtime.console.session.shift.hindsight import Hindsight
from shadowtime.console.session.shift.instructor import Injection, injected, typed_injection
from shadowtime.console.session.training.question_stop import PastAlone
from shadowtime.scenarios import Action, Job, one_of
from shadowtime.scenarios.policy import PolicyChoice
from shadowtime.scenarios.shift import MANUAL, Shift

PLACING = "placing"
"""The parameter of a policy by which its passes place jobs in rows."""


def shift_of(case: Case) -> Shift:
    """Return the shift of a case. SessionError if its file has no [shift]."""
    shift = case.scenario.shift
    if shift is None:
        raise SessionError(f"{case.scenario.path} is no shift; expected a file with [shift]")
    return shift


def on_duty(case: Case) -> Case:
    """Return what the operator simulates: in a manual shift the policy of the file takes over at its end."""
    if shift_of(case).kind != MANUAL:
        return case
    by_hand = PLACING in case.parameters
    own = case.under(case.policy, {**case.parameters, PLACING: False}) if by_hand else case.under(MANUAL)
    return handed_over(own, case)


def handed_over(case: Case, to: Case) -> Case:
    """Return a case in which the policy of the file, that of `to`, takes over at the end of the shift."""
    takes_over = Action("policy", policy=PolicyChoice(to.policy, dict(to.parameters)), at=shift_of(to).until)
    actions = (*timed(to.scenario.actions), takes_over)
    return case.steered(sorted(actions, key=lambda action: action.at or 0))


def figures_so_far(session: Session, shift: Shift) -> Figures:
    """Return the figures of any session as far as it has come."""
    return figures(session.case, session.run.simulation, shift)


class ShiftSession(Session):
    """A shift under way. `keep` is called after every move and action: with whether something was done."""

    def __init__(self, case: Case, keep: Callable[[bool], None] | None = None) -> None:
        self.file = case
        self.shift = shift_of(case)
        super().__init__(on_duty(case), PastAlone)
        self._keep = keep
        self.hindsight = Hindsight(self.time, self.time)
        self.injected: tuple[tuple[int, str], ...] = ()
        """What an instructor added: at which instant, and as it is typed."""
        self.heard = 0
        """Orders of another process that were heard."""
        self.handed_in = False
        """Whether the operator ended the shift while jobs were left that nothing brings on."""

    # The end.

    @property
    def past_end(self) -> bool:
        """Whether the instant at which the shift ends has come."""
        return self.shift.until is not None and self.time >= self.shift.until

    @property
    def ended(self) -> bool:
        return self.past_end or self.handed_in or (self.over and not self.left_over)

    @property
    def left_over(self) -> tuple[int, ...]:
        """The jobs, by id, that have come and are not over."""
        simulation = self.run.simulation
        rows = (*simulation.waiting(), *simulation.held(), *simulation.running())
        return tuple(sorted(self.id_of(row) for row in set(rows)))

    def hand_in(self) -> None:
        """End the shift where nothing is left to happen. SessionError if something is."""
        if not self.over:
            raise SessionError("the shift is not over: something is still to happen; expected its end")
        self.handed_in = True
        self.kept(True)

    # What may be done.

    @property
    def spent(self) -> int:
        return acted(self.run.simulation, self.case.scenario.actions)[1]

    def forbidden(self, do: str) -> str | None:
        """Return why the shift does not let something be done here, in one line; None if it does."""
        shift = self.shift
        if self.ended:
            return "the shift is over; nothing can be done any more"
        if do not in shift.allow:
            return f"{do} is not allowed in this shift; {one_of(shift.allow)}"
        if shift.budget is not None and self.spent >= shift.budget:
            return f"the budget is spent: {shift.budget} actions; expected undo, which gives one back"
        return None

    def refusal(self, action: Action | str) -> str | None:
        try:
            do = _kind(action)
        except SessionError as error:
            return str(error)
        return self.forbidden(do) or super().refusal(action)

    def act(self, action: Action | str) -> Action:
        forbidden = self.forbidden(_kind(action))
        if forbidden:
            raise SessionError(forbidden)
        here = self.time
        done = super().act(action)
        self.hindsight.change(here)
        self.kept(True)
        return done

    def undo(self) -> JournalEntry | None:
        entry = super().undo()
        if entry is not None:
            self.handed_in = False
            self.hindsight.change(self.time)
            self.kept(True)
        return entry

    def redo(self) -> JournalEntry | None:
        entry = super().redo()
        if entry is not None:
            self.hindsight.change(self.time)
            self.kept(True)
        return entry

    def take_up(self, actions: Sequence[Action], number: int) -> None:
        """Put actions of an attempt in force, and stand at an event. SessionError if they cannot be."""
        self.operator.take_up(actions)
        self.travel.go_event(number)

    def begin_anew(self) -> None:
        """Take everything back, and stand at the beginning: what was ever seen is known. SessionError."""
        while self.journal:
            super().undo()
        self.travel.go_start()
        self.handed_in = False
        self.hindsight = Hindsight(self.hindsight.furthest, self.hindsight.furthest, stood=self.time)
        self.kept(True)

    def fork(self, name: str, action: Action | str | None = None) -> NoReturn:
        """SessionError: a shift is not tried beside itself."""
        raise SessionError("nothing is tried beside a shift")

    # The instructor.

    @property
    def looks_back(self) -> bool:
        """Whether the operator stands before what was seen of the course, or before an action."""
        return self.time < self.hindsight.stood or self.spent < len(self.journal)

    def injection(self, text: str) -> tuple[Injection, ...]:
        """Return what an instructor types, a second from now. SessionError if it is nothing of the kind."""
        if self.ended:
            raise SessionError("the shift is over; nothing can be injected any more")
        return typed_injection(text, self.file, self.time)

    def inject(self, text: str) -> None:
        """Let happen what an instructor types, a second from now. SessionError: nothing has changed."""
        self._go_on_with(self.injection(text), (self.time, text))
        self.kept(True)

    def inject_again(self, at: int, text: str) -> None:
        """Let happen what an earlier attempt has, a second after an instant to come. SessionError."""
        self._go_on_with(typed_injection(text, self.file, at), (at, text))

    def _go_on_with(self, added: Sequence[Injection], order: tuple[int, str]) -> None:
        """Go on with what the file does not have; all of it is to come. `order` is how it was typed.

        With jobs the run is another one, with the same past: actions that lie ahead are dropped, as by an
        action here. SessionError: nothing has changed.
        """
        file = injected(self.file, added)
        if any(isinstance(it, Job) for it in added):
            self._go_on_in(file)
        else:
            self.operator.go_on_with(injected(self.case, added))
            self.file = file
        self.injected += (order,)

    def _go_on_in(self, file: Case) -> None:
        """Go on in a case with other jobs: the same actions, at the same event."""
        other = ShiftSession(file)
        other.take_up(self.journal[: self.spent], self.number)
        if other.digest() != self.digest():
            raise SessionError(f"policy {self.case.policy} acts otherwise if it knows that a job will come")
        other.injected = self.injected
        self.go_on_as(other)

    def go_on_as(self, other: "ShiftSession") -> None:
        """Stand where another session of this shift stands; the hindsight and where it is kept stay."""
        # A job to come may have another row there.
        other.stops.repeat(self.stops)
        self.run, self.travel, self.operator = other.run, other.travel, other.operator
        self.forecasts, self.ahead = other.forecasts, other.ahead
        self.file, self.injected = other.file, other.injected

    # What came of it.

    def final(self, end: int = 0) -> Figures:
        """Return the figures of the whole run, with all that is done in it; see `figures`."""
        simulation = self.fork_simulation()
        simulation.run()
        return figures(self.case, simulation, self.shift, end)

    # Moving: whatever is shown has been seen.

    def _moved(self, moved: Moved) -> Moved:
        self.hindsight.see(self.time if self.shift.until is None else min(self.time, self.shift.until))
        self.kept(False)
        return moved

    def kept(self, done: bool) -> None:
        """Keep the attempt; `done`: something was done, and must be on the disk."""
        if self._keep is not None:
            self._keep(done)


def _kind(action: Action | str) -> str:
    """Return which of `ACTIONS` is meant. SessionError if a typed line is no action."""
    return (typed_action(action) if isinstance(action, str) else action).do
