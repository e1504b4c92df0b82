"""The operator: acts on a run, takes it back, tries something else, and saves it."""

from collections.abc import Sequence
from pathlib import Path

from shadowtime.console.session.case import Case
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.files.writers import written_whole
from shadowtime.console.session.operator.here import here_and_now
from shadowtime.console.session.operator.journal import Journal, JournalEntry, acted, numbered, timed
from shadowtime.console.session.operator.refusals import Refusal
from shadowtime.console.session.run import Run
from shadowtime.console.session.travel.moving import Travel
from shadowtime.console.session.travel.trajectory import Trajectory
from shadowtime.kernels.operator.steering import Intervention
from shadowtime.scenarios import Action, format_time
from shadowtime.scenarios.text.writing import is_saved


class Operator:
    """What the operator may do to a run. An action is taken right after the event where the run stands.

    Going back and acting there drops the actions that came after it; undoing that brings them back.
    """

    def __init__(self, run: Run, travel: Travel) -> None:
        self._run = run
        self._travel = travel
        self.saved_to: Path | None = None
        """Where the session was saved last."""
        case = run.case
        self._journal = Journal.of(numbered(case.scenario.actions))
        self._saved = self._journal.actions
        """The actions of the file that was read or written last."""
        self._interventions = {
            id(action): (action, given)
            for action, given in zip(case.scenario.actions, case.interventions, strict=True)
        }
        """The intervention of each action, by the identity of the action."""
        self._acted_at: dict[int, int] = {}
        """When the actions of this session were done, by identity."""

    @property
    def journal(self) -> tuple[Action, ...]:
        """The operator's actions, in order; also those that lie ahead."""
        return self._journal.actions

    @property
    def unsaved(self) -> bool:
        """Whether the actions in force are others than those of the file that was read or written last."""
        return self.journal != self._saved

    def count_as_saved(self, other: "Operator") -> None:
        """Count those actions as saved that another operator has saved, of whose session this one goes on."""
        self._saved = other._saved

    def refusal(self, wanted: Action | str) -> str | None:
        """Return why an action cannot be done here and now, in one line; None if it can."""
        try:
            self._here_and_now(wanted)
        except SessionError as error:
            return str(error)
        return None

    @property
    def refused(self) -> tuple[Refusal, ...]:
        """The actions up to here that could not be done when it came to them: of a file, or of another run.

        Each is an event with the decision `refuse`, and stays in the journal; nothing else came of it.
        """
        return self._run.names.refused(self._run.simulation)

    def act(self, wanted: Action | str) -> Action:
        """Do something here and now, and stand after it. SessionError: why it cannot be; nothing changed."""
        action, given = self._here_and_now(wanted)
        kept = acted(self._run.simulation, self._run.case.scenario.actions)[1]
        self._interventions[id(action)] = (action, given)
        self._acted_at[id(action)] = self._run.time
        self._part(self._journal.with_action(action, kept))
        self._travel.step_over()
        return action

    def undo(self) -> JournalEntry | None:
        """Take the last action back, and stand right before it; None if there is no action.

        SessionError as `act`.
        """
        if not self._journal.done:
            return None
        entry = self._journal.done[-1]
        self._part_at(entry.event, self._journal.undo())
        self._run.trajectory.settle()
        return entry

    def redo(self) -> JournalEntry | None:
        """Do the action again that was taken back last, and stand after it; None if there is no such action.

        SessionError as `act`.
        """
        if not self._journal.undone:
            return None
        entry = self._journal.undone[-1]
        self._part_at(entry.event, self._journal.redo())
        self._travel.step_over()
        return entry

    def repeat(self, other: "Operator") -> None:
        """Stand where another operator's run of the same case stands, with everything done up to there."""
        self._journal = other._journal
        self._run.story.follow(other._run.story)
        self._interventions, self._acted_at = dict(other._interventions), dict(other._acted_at)
        self._run.adopt(self._run.case, _branched(other._run.trajectory, self._run.case))
        self._run.trajectory.settle()

    def save(self, path: str | Path, force: bool = False) -> None:
        """Write the session as a scenario file: what it is a session of, and the actions in force.

        SessionError if there is a file of another kind, unless `force` is given. Raises OSError; nothing
        is left half-written.
        """
        target = Path(path)
        # Imported late, here and below: most sessions are never saved.
        from shadowtime.console.session.operator.saving import refuse_target

        refuse_target(self._run.case, target, force)
        text = self.text(target)
        with written_whole(target) as stream:
            stream.write(text)
        self.saved_to, self._saved = target, self.journal

    def text(self, target: Path) -> str:
        """Return the session as the text of a scenario file at `target`."""
        from shadowtime.console.session.operator.saving import session_text

        times = [self._when(action) for action in self.journal]
        return session_text(self._run.case, times, target, self._run.number)

    def take_up(self, actions: Sequence[Action]) -> None:
        """Put the actions of a session that was left into force. SessionError: nothing has changed."""
        own = self._journal.actions
        # What the file of the case has too stays what it is there.
        same = next((n for n, pair in enumerate(zip(own, actions, strict=False)) if pair[0] != pair[1]), None)
        kept = min(len(own), len(actions)) if same is None else same
        whole = (*own[:kept], *actions[kept:])
        self._part_at(0, Journal.of(whole))

    def go_on_with(self, case: Case) -> None:
        """Go on with a case in which something else is to come. SessionError if its past is another."""
        self._run.adopt(case, _branched(self._run.trajectory, case))

    def keep(self) -> None:
        """Write the session again where it was saved last, if it was. Raises as `save`."""
        if self.saved_to is not None:
            self.save(self.saved_to, force=True)

    @property
    def saved_path(self) -> Path | None:
        """Where the session was saved last, or the saved session that it came from."""
        scenario = self._run.case.scenario
        return self.saved_to or (scenario.path if is_saved(scenario.text) else None)

    def save_named(self, name: str, force: bool = False) -> str | Path:
        """Write the session under a typed name, without one at `saved_path`; return where it is.

        SessionError, in one line: there is no name, another file would be lost, or it cannot be written.
        """
        path = name or self.saved_path
        if not path:
            raise SessionError("save where? expected the name of a file, such as save session.toml")
        try:
            self.save(path, force)
        except OSError as error:
            raise SessionError(f"{path}: {(error.strerror or str(error)).lower()}") from error
        return path

    def _when(self, action: Action) -> str:
        """Return the moment of an action as a person reads it; nothing if its event never comes."""
        time = self._acted_at.get(id(action))
        if time is None:
            simulation = self._run.scout.at_event(self._run.trajectory.tape, action.after or 0)
            if simulation.event < (action.after or 0):
                return ""
            time = simulation.now
        return format_time(time)

    def _here_and_now(self, wanted: Action | str) -> tuple[Action, Intervention]:
        """Return what is meant here and now, and the intervention. SessionError: why it is refused."""
        return here_and_now(self._run.case, self._run.names, self._run.simulation, wanted)

    def _part(self, journal: Journal) -> None:
        """Go on with another journal, of which all that happened up to here is the same."""
        old = self._run.trajectory
        clocked = timed(self._run.case.scenario.actions)
        known = {key: done for key, (_, done) in self._interventions.items()}
        done = acted(old.simulation, self._run.case.scenario.actions)[0]
        for action in clocked[done:]:
            if action.do == "parameter":
                # The policy that it changes may be another one now.
                del known[id(action)]
        case = self._run.case.steered((*clocked, *journal.actions), known)
        # All that may fail is done before anything changes.
        course = _branched(old, case)
        self._journal = journal
        interventions = zip(case.scenario.actions, case.interventions, strict=True)
        # Also of an action that is dropped: it may come back.
        self._interventions |= {id(action): (action, given) for action, given in interventions}
        self._run.adopt(case, course)

    def _part_at(self, event: int, journal: Journal) -> None:
        """Go to an event, and on from there with another journal; stay if that fails."""
        here = self._run.number
        self._run.trajectory.go(event)
        try:
            self._part(journal)
        except SessionError:
            self._run.trajectory.go(here)
            raise


def _branched(old: Trajectory, case: Case) -> Trajectory:
    """Return the course of another case that has the past of a course. SessionError."""
    try:
        return old.parted(old.simulation.branch(case.steering))
    # Whatever is wrong there is a fault of ours, and the session is worth more than the action.
    except Exception as error:
        fault = " ".join(str(error).split()) or type(error).__name__
        raise SessionError(f"this cannot be done here, and nothing has changed: {fault}") from error
