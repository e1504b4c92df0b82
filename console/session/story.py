"""The notes of a scenario that are true of a run: of its policy, of what was done to it, of its jobs."""

from collections.abc import Sequence

from shadowtime.console.session.case import Case
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.jobs.names import FOREVER
from shadowtime.console.session.operator.journal import numbered
from shadowtime.console.session.plugins import choose
from shadowtime.console.session.travel.scout import Scout
from shadowtime.console.session.travel.trajectory import Trajectory
from shadowtime.scenarios import Action, Note, ScenarioError
from shadowtime.scenarios.policy import PolicyChoice
from shadowtime.scenarios.text.writing import is_saved
from shadowtime.scenarios.values import ALL, ANY


class Story:
    """The notes of one run.

    A note was written beside a course that its file describes: a policy, on the machine of the file, with the
    actions of the file. Under another policy, and from the first action of the operator on, it may be false:
    only a note that says that it holds for any course is shown there.
    """

    def __init__(self, case: Case) -> None:
        actions = case.scenario.actions
        self._own: Sequence[Action] = () if is_saved(case.scenario.text) else numbered(actions)
        """The actions after events that the file itself has, not the operator."""
        self._described = _described(case)
        """The courses of the file that this is: names of variants, the policy of the file."""
        self._until: int | None = None
        self._states: dict[tuple[int, int], str] = {}

    def follow(self, other: "Story") -> None:
        """Tell the actions of the file from those of the operator as another run of the case does."""
        self._own = other._own

    def part(self) -> None:
        """The course is another one from now on."""
        self._until = None
        self._states.clear()

    def shown(self, notes: Sequence[Note], case: Case, course: Trajectory, scout: Scout) -> list[Note]:
        """Return those of some notes, none of which lies ahead, that are true of a course."""
        return [note for note in notes if self._holds(note, case, course, scout)]

    def _holds(self, note: Note, case: Case, course: Trajectory, scout: Scout) -> bool:
        if ANY not in note.variants:
            names = note.variants or (case.scenario.policy.name,)
            if not (self._described if ALL in names else self._described.intersection(names)):
                return False
            if note.at >= self._unsteered(case, course, scout):
                return False
        return (
            note.when is None
            or self._state(note.at, case.index_of(note.when[0]), course, scout) == note.when[1]
        )

    def _unsteered(self, case: Case, course: Trajectory, scout: Scout) -> int:
        """Return the instant of the first thing that the operator has done or undone beside the file."""
        if self._until is None:
            done = numbered(case.scenario.actions)
            alike = 0
            while alike < min(len(done), len(self._own)) and done[alike] == self._own[alike]:
                alike += 1
            others = [
                action.after or 0 for actions in (done, self._own) for action in actions[alike : alike + 1]
            ]
            self._until = scout.at_event(course.tape, min(others)).now if others else FOREVER
        return self._until

    def _state(self, at: int, job: int, course: Trajectory, scout: Scout) -> str:
        """Return the state of a job after all that happens at an instant."""
        found = self._states.get((at, job))
        if found is None:
            found = self._states[at, job] = scout.at_time(course.tape, at).state(job)
        return found


def _described(case: Case) -> frozenset[str]:
    """Return the courses of a scenario that a case is."""
    if case.resized:
        return frozenset()
    scenario = case.scenario
    named = [(variant.name, variant.policy) for variant in scenario.variants]
    return frozenset(
        name for name, policy in (*named, (scenario.policy.name, scenario.policy)) if _is(case, policy)
    )


def _is(case: Case, policy: PolicyChoice) -> bool:
    try:
        return case.policy == policy.name and dict(case.parameters) == choose(
            policy.name, policy.parameters, {}
        )
    except (SessionError, ScenarioError):
        return False
