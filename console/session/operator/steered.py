"""A session that is steered: the operator acts, takes it back, tries something else, and saves it."""

from pathlib import Path
from typing import Self

import attrs

from console.session.case import Case
from console.session.errors import SessionError
from console.session.files.writers import written_whole
from console.session.operator.intents import Intent, parse_intent
from console.session.operator.journal import Deed, Journal, acted, timed
from console.session.operator.refusals import Refusal, refused
from console.session.operator.saving import refuse_target, session_text
from console.session.operator.steering import checked, kernel_action
from console.session.travel.moving import Moving
from console.session.travel.trajectory import Trajectory
from kernels.core.simulation import Simulation
from kernels.operator.steering import Action as KernelAction
from scenarios import Action, format_time
from scenarios.text.writing import is_saved


class Steered(Moving):
    """What the operator may do to a run. An action is taken right after the event where the session stands.

    Going back and acting there drops the actions that came after it; undoing that brings them back.
    """

    def refusal(self, intent: Intent | str) -> str | None:
        """Return why an action cannot be done here and now, in one line; None where it can."""
        try:
            self._intended(intent)
        except SessionError as error:
            return str(error)
        return None

    @property
    def refused(self) -> tuple[Refusal, ...]:
        """The actions up to here that could not be done when it came to them: of a file, or of another run.

        Each is an event with the decision `refuse`, and stays in the journal; nothing else came of it.
        """
        return self._names.refused(self._trajectory.simulation)

    def act(self, intent: Intent | str) -> Action:
        """Do something here and now, and stand after it. SessionError: why it cannot be; nothing changed."""
        action, given = self._intended(intent)
        kept = acted(self._trajectory.simulation, self.case.scenario.actions)[1]
        self._kernel_actions[id(action)] = (action, given)
        self._acted_at[id(action)] = self.time
        self._part(self._journal.with_action(action, kept))
        self.step_over()
        return action

    def undo(self) -> Deed | None:
        """Take the last action back, and stand right before it; None where there is none.

        SessionError as `act`.
        """
        if not self._journal.done:
            return None
        deed = self._journal.done[-1]
        self._part_at(deed.event, self._journal.undo())
        self._trajectory.settle()
        return deed

    def redo(self) -> Deed | None:
        """Do the action again that was taken back last, and stand after it; None where there is none.

        SessionError as `act`.
        """
        if not self._journal.undone:
            return None
        deed = self._journal.undone[-1]
        self._part_at(deed.event, self._journal.redo())
        self.step_over()
        return deed

    def step_over(self) -> None:
        """Go one event on, whatever steps pass over."""
        self.go_event(self.number + 1)

    def fork(self, name: str, intent: Intent | str | None = None) -> Self:
        """Return another session with the same past, at the same event, where something else may be done.

        SessionError where `intent` cannot be done.
        """
        other = type(self)(attrs.evolve(self.case, name=name))
        other.skip(self.skipped)
        other._journal = self._journal
        other._kernel_actions, other._acted_at = dict(self._kernel_actions), dict(self._acted_at)
        other._adopt(*_branched(self._trajectory, self.case))
        other._trajectory.settle()
        if intent is not None:
            other.act(intent)
        return other

    def save(self, path: str | Path, force: bool = False) -> None:
        """Write the session as a scenario file: what it is a session of, and the actions in force.

        SessionError where there is a file of another kind, unless `force` is given. Raises OSError; nothing
        is left half-written.
        """
        target = Path(path)
        refuse_target(self.case, target, force)
        text = session_text(self.case, [self._when(action) for action in self.journal], target)
        with written_whole(target) as stream:
            stream.write(text)
        self.saved_to = target

    def keep(self) -> None:
        """Write the session again where it was saved last, if it was. Raises as `save`."""
        if self.saved_to is not None:
            self.save(self.saved_to, force=True)

    @property
    def saved_path(self) -> Path | None:
        """Where the session was saved last, or the saved session that it came from."""
        scenario = self.case.scenario
        return self.saved_to or (scenario.path if is_saved(scenario.text) else None)

    def _when(self, action: Action) -> str:
        """Return the moment of an action as a person reads it; nothing where its event never comes."""
        time = self._acted_at.get(id(action))
        if time is None:
            simulation = self._scout.at_event(self._trajectory.tape, action.after or 0)
            if simulation.event < (action.after or 0):
                return ""
            time = simulation.now
        return format_time(time)

    def _intended(self, intent: Intent | str) -> tuple[Action, KernelAction]:
        """Return what is meant here and now, and the kernel's action. SessionError: why it is refused."""
        simulation = self._trajectory.simulation
        force = (simulation.policy_name, simulation.parameters)
        meant = parse_intent(intent) if isinstance(intent, str) else intent
        action = checked(self.case, meant.after(self.number), force)
        given = kernel_action(self.case, action, force)
        found = simulation.refusal(given)
        if found is not None:
            reason = self._names.reason(simulation, *found)
            raise SessionError(refused(action, reason.code, reason.numbers, simulation.policy_name))
        return action, given

    def _part(self, journal: Journal) -> None:
        """Go on with another journal, of which all that happened up to here is the same."""
        old = self._trajectory
        clocked = timed(self.case.scenario.actions)
        known = {key: done for key, (_, done) in self._kernel_actions.items()}
        done = acted(old.simulation, self.case.scenario.actions)[0]
        for action in clocked[done:]:
            if action.do == "parameter":
                # The policy that it changes may be another one now.
                del known[id(action)]
        case = self.case.steered((*clocked, *journal.actions), known)
        # All that may fail is done before anything changes.
        course, simulation = _branched(old, case)
        self.case, self._journal = case, journal
        kernel_actions = zip(case.scenario.actions, case.kernel_actions, strict=True)
        # Also of an action that is dropped: it may come back.
        self._kernel_actions |= {id(action): (action, what) for action, what in kernel_actions}
        self._adopt(course, simulation)

    def _part_at(self, event: int, journal: Journal) -> None:
        """Go to an event, and on from there with another journal; stay where that fails."""
        here = self.number
        self._trajectory.go(event)
        try:
            self._part(journal)
        except SessionError:
            self._trajectory.go(here)
            raise


def _branched(old: Trajectory, case: Case) -> tuple[Trajectory, Simulation]:
    """Return the run of another case that has the past of a course, and its course. SessionError."""
    try:
        simulation = old.simulation.branch(case.steering)
        return old.parted(simulation), simulation
    # Whatever is wrong there is a fault of ours, and the session is worth more than the action.
    except Exception as error:
        fault = " ".join(str(error).split()) or type(error).__name__
        raise SessionError(f"this cannot be done here, and nothing has changed: {fault}") from error
