"""What a shift is compared with: the baseline, and the best of the responses that the program computes.

In an incident the baseline is doing nothing. In a manual shift nothing would run then, and any scheduler
would earn nearly all: there it is first come, first served, the least that anybody does. The responses of a
manual shift are schedulers on the same jobs, which know no more than the operator. Those of an incident are
the responses of the file, each done as an operator would do it, or what the search finds.
"""

from collections.abc import Iterator
from functools import cached_property

import attrs

from shadowtime.console.session.case import Case
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.session import Session
from shadowtime.console.session.shift.figures import Figures, figures, final, index
from shadowtime.console.session.shift.instructor import injected
from shadowtime.console.session.shift.on_duty import (
    PLACING,
    ShiftSession,
    figures_so_far,
    handed_over,
    on_duty,
    shift_of,
)
from shadowtime.console.session.shift.search import improved
from shadowtime.kernels.policies import POLICIES
from shadowtime.scenarios import Action
from shadowtime.scenarios.shift import MANUAL, Response, Shift

BASELINE, RESPONSE = "baseline", "response"
"""What a policy is in a manual shift, in the table of policies."""
ROWS = (1, 2, 3, 4)
"""The numbers of rows that are tried under gang scheduling, beside that of the file."""
SLOTS = "slots"
"""The parameter that limits the rows of gang scheduling."""
NOTHING, IN_ORDER = "nothing done", "in order of arrival"
FOUND = "found by the search"


@attrs.frozen(eq=False)
class Reference:
    """A whole run that the operator is compared with."""

    name: str
    case: Case
    figures: Figures
    index: float = 1.0
    actions: tuple[Action, ...] = ()
    """What is done in it, each action right after an event; empty in a manual shift."""

    @property
    def times(self) -> tuple[int, ...]:
        simulation, found = self.case.simulation(), []
        for action in self.actions:
            simulation.run(events=(action.after or 0) - simulation.event)
            found.append(simulation.now)
        return tuple(found)


@attrs.frozen(eq=False)
class References:
    """The baseline, and the responses, the best first."""

    baseline: Reference
    responses: tuple[Reference, ...]
    begin: int
    end: int
    """Where the baseline begins and ends, in seconds: a lost job counts up to its end."""

    @property
    def best(self) -> Reference:
        """The response that a score is a share of; the baseline if there is no other."""
        return self.responses[0] if self.responses else self.baseline

    @cached_property
    def _lanes(self) -> tuple[Session, ...]:
        return tuple(Session(it.case) for it in (self.baseline, self.best))

    def figures_at(self, session: ShiftSession) -> tuple[Figures, ...]:
        """Return the figures of a shift, of the baseline and of the best response where the shift stands.

        At its end they are those of whole runs, as in the score.
        """
        if session.ended:
            return session.final(self.end), self.baseline.figures, self.best.figures
        for lane in self._lanes:
            lane.go_time(session.time)
        return tuple(figures_so_far(lane, session.shift) for lane in (session, *self._lanes))

    def hindsight(self, session: ShiftSession) -> int:
        return session.hindsight.points(self.span(session.shift))

    def span(self, shift: Shift) -> int:
        """Return the seconds of the shift."""
        return max(1, (self.end if shift.until is None else min(shift.until, self.end)) - self.begin)


def references(case: Case, search: bool = True, lenient: bool = False) -> References:
    """Run all that a shift is compared with. SessionError: a response of the file that cannot be done.

    `search`: whether an incident without a response in its file is searched for one. `lenient`: a response of
    the file that cannot be done is left out.
    """
    shift = shift_of(case)
    manual = shift.kind == MANUAL
    idle = _until_end(case, _by_hand(BASELINE)[0], IN_ORDER) if manual else on_duty(case)
    simulation = idle.simulation()
    begin = simulation.now
    simulation.run()
    end = simulation.now
    nothing = Reference(IN_ORDER if manual else NOTHING, idle, figures(idle, simulation, shift))
    if nothing.figures.slowdown is None:
        raise SessionError(f"{case.scenario.path}: the shift has no job; expected one or more")
    tried = [
        Reference(other.name, other, final(other, shift, end))
        for other in (_schedulers(case) if manual else ())
    ]
    done = [*_of_file(case, shift, end, lenient)]
    tried += done
    if search and not manual and not done:
        tried += _searched(case, shift, nothing, end)
    judged = [
        attrs.evolve(it, index=index(it.figures, nothing.figures, shift.fairness))
        for it in tried
        # A response that loses jobs which the baseline brings to their end is left out.
        if it.figures.over >= nothing.figures.over
    ]
    return References(nothing, tuple(sorted(judged, key=lambda it: it.index)), begin, end)


def references_of(session: ShiftSession) -> References:
    """Run all that a shift under way is compared with, also with what was injected. SessionError."""
    return references(session.file, lenient=bool(session.injected))


def inject(session: ShiftSession, text: str) -> References:
    """Inject what an instructor types, and return what the shift is compared with from then on.

    A response of the file that cannot be done any more is left out. SessionError, PolicyError: nothing has
    changed.
    """
    added = session.injection(text)
    found = references(injected(session.file, added), lenient=True)
    session.inject(text)
    return found


def replay(case: Case, response: Response) -> ShiftSession:
    """Do a response as an operator would: go to each instant, and act there before the pass that follows.

    SessionError: what cannot be done.
    """
    session = ShiftSession(case)
    here = -1
    for action in response.actions:
        if action.at != here:
            here = action.at or 0
            session.go_time(here)
        try:
            session.act(attrs.evolve(action, at=None))
        except SessionError as error:
            where = f"{case.scenario.path}:{action.line}: response {response.name!r}"
            raise SessionError(f"{where}: {error}") from error
    return session


def _of_file(case: Case, shift: Shift, end: int, lenient: bool) -> Iterator[Reference]:
    for response in shift.responses:
        try:
            session = replay(case, response)
            yield Reference(response.name, session.case, session.final(end), actions=session.journal)
        except SessionError:
            if not lenient:
                raise


def _schedulers(case: Case) -> Iterator[Case]:
    """The cases of the schedulers that an operator could imitate by hand."""
    yield case
    if PLACING in case.parameters:
        for rows in ROWS:
            name = f"{case.policy} in {rows} row{'s'[: rows > 1]}"
            other = case.under(case.policy, {**case.parameters, SLOTS: rows}, name)
            yield handed_over(other, case)
        return
    for policy in _by_hand(RESPONSE):
        if policy != case.policy:
            yield _until_end(case, policy, policy)


def _until_end(case: Case, policy: str, name: str) -> Case:
    """A case in which another policy schedules up to the end of the shift."""
    return handed_over(case.under(policy, name=name), case)


def _by_hand(role: str) -> tuple[str, ...]:
    return tuple(name for name, entry in POLICIES.items() if entry.by_hand == role)


def _searched(case: Case, shift: Shift, nothing: Reference, end: int) -> Iterator[Reference]:
    found = improved(on_duty(case), shift, nothing.figures, end)
    if found.interventions:
        yield Reference(FOUND, found, final(found, shift, end), actions=found.scenario.actions)
