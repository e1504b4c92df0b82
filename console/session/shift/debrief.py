"""The debrief of a shift: the moments that cost or saved most, and the response beside.

Each moment is measured by what it changes for the index of the whole run. In a manual shift the response's
scheduler takes over after every instant: what the index loses from one instant to the next was lost there,
by what was done or not done. (Under time slots no such moment is found.) In an incident the actions are done
one after the other, and nothing after them.
"""

from collections.abc import Iterator, Sequence
from heapq import nsmallest
from itertools import pairwise

import attrs

from shadowtime.console.session.case import Case
from shadowtime.console.session.facts import LikelyStart
from shadowtime.console.session.session import Session
from shadowtime.console.session.shift.figures import Figures, figures, final, index
from shadowtime.console.session.shift.on_duty import PLACING, ShiftSession
from shadowtime.console.session.shift.responses import References
from shadowtime.console.session.shift.score import Score
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.operator.steering import Intervention
from shadowtime.kernels.policies import make
from shadowtime.scenarios import Action
from shadowtime.scenarios.shift import MANUAL

MOST_MOMENTS = 5
LEAST = 0.001
"""The least change of the index that is a moment."""


@attrs.frozen
class Moment:
    """An instant at which the course was decided."""

    time: int
    cost: float
    """What it cost of the index; negative: what it saved."""
    points: int
    """The same in points of the score."""
    done: tuple[Action, ...]
    """What the operator did there; empty if something was left undone."""
    response: tuple[int, ...] = ()
    """Ids of the jobs that the response would have started at `since`; in a manual shift."""
    since: int = 0
    """The instant before, in a manual shift."""


@attrs.frozen
class ActionOdds:
    """The odds of a waiting job right before an action of the operator, and the start that came."""

    time: int
    action: Action
    job: int
    """The job that is acted on if it waits, else the first of the queue."""
    likely: LikelyStart
    came: int | None


@attrs.frozen
class JobDelay:
    """A job that ended later than in the response, in seconds; negative: earlier."""

    job: int
    size: int
    delay: int


@attrs.frozen
class Debrief:
    """All that is shown after a shift."""

    score: Score
    response: str
    actions: tuple[Action, ...]
    """What is done in it; empty in a manual shift."""
    moments: tuple[Moment, ...] | None
    """The most decisive, in order of time; None under time slots, where none is measured."""
    odds: tuple[ActionOdds, ...]
    """The odds before each action of the operator, as far as there are odds; none in a manual shift."""
    delayed: tuple[JobDelay, ...]
    """The jobs that ended latest and earliest beside the response, the latest first."""
    notes: str
    """The instructor's, from the file."""
    injected: tuple[tuple[int, str], ...] = ()
    """What the instructor added: from which instant on, and as it is typed."""


def debriefed(session: ShiftSession, compared: References, score: Score) -> Debrief:
    """Return the debrief of a shift; `session` has its whole course."""
    found, best = _moments(session, compared), compared.best
    decisive = nsmallest(MOST_MOMENTS, found or (), key=lambda it: -abs(it.cost))
    kept = sorted((it for it in decisive if abs(it.cost) >= LEAST), key=lambda it: it.time)
    return Debrief(
        score,
        best.name,
        best.actions,
        None if found is None else tuple(kept),
        tuple(_action_odds(session)) if session.shift.kind != MANUAL else (),
        _delays(session, best.case),
        session.shift.debrief,
        tuple((at + 1, text) for at, text in session.injected),
    )


def _moments(session: ShiftSession, compared: References) -> Iterator[Moment] | None:
    if session.shift.kind != MANUAL:
        return _in_incident(session, compared)
    if PLACING in session.case.parameters:
        # Whoever takes over rows builds them anew: the change itself would cost something.
        return None
    return moments_by_hand(session, compared)


def _points(cost: float, compared: References) -> int:
    """What a change of the index is in points of the score."""
    gap = 1 - compared.best.index
    return round(100 * cost / gap) if gap > 0 else 0


def _in_incident(session: ShiftSession, compared: References) -> Iterator[Moment]:
    """Each action: the index with it and the actions before it, less the index without it."""
    clocked = [action for action in session.case.scenario.actions if action.at is not None]
    journal = session.journal
    runs = [session.case.steered((*clocked, *journal[:count])) for count in range(len(journal) + 1)]
    values = [_value(run, session, compared) for run in runs]
    for action, (before, after) in zip(journal, pairwise(values), strict=True):
        simulation = session.case.simulation()
        simulation.run(events=action.after or 0)
        cost = after - before
        yield Moment(simulation.now, cost, _points(cost, compared), (action,))


def _action_odds(session: ShiftSession) -> Iterator[ActionOdds]:
    """What was likely before each action, had nothing more been done."""
    whole = session.fork_simulation()
    whole.run()
    clocked = [action for action in session.case.scenario.actions if action.at is not None]
    for done, action in enumerate(session.journal):
        before = Session(session.case.steered((*clocked, *session.journal[:done])))
        before.go_event(action.after or 0)
        work = before.forecasts.start_likely()
        work.run()
        starts = {} if work.answer is None else work.answer.starts
        row = None if action.job is None else session.index_of(action.job)
        row = row if row in starts else next(iter(starts), None)
        if row is not None:
            yield ActionOdds(before.time, action, session.id_of(row), starts[row], whole.start_of(row))


def _value(case: Case, session: ShiftSession, compared: References) -> float:
    return _index(final(case, session.shift, compared.end), session, compared)


def _index(found: Figures, session: ShiftSession, compared: References) -> float:
    return index(found, compared.baseline.figures, session.shift.fairness)


def moments_by_hand(session: ShiftSession, compared: References) -> Iterator[Moment]:
    """Each instant: the index if the response's scheduler takes over after it, less that before it.

    The costs of all of them are the index of the run, less that of the response.
    """
    case, best, until = session.case, compared.best.case, session.shift.until
    done = _done_at(session)
    simulation, before, since = case.simulation(), compared.best.index, compared.begin
    would: Sequence[int] = ()
    while simulation.step():
        upcoming = simulation.peek()
        ended = until is not None and simulation.now >= until
        if upcoming is not None and upcoming[0] == simulation.now and not ended:
            continue
        if ended or upcoming is None:
            value, starts = _value(case, session, compared), would
        else:
            value, starts = _taken_over(simulation, best, session, compared)
        here, cost = simulation.now, value - before
        yield Moment(here, cost, _points(cost, compared), done.get(here, ()), tuple(would), since)
        if ended:
            return
        before, would, since = value, starts, here


def _done_at(session: ShiftSession) -> dict[int, tuple[Action, ...]]:
    """The operator's actions by their instants."""
    found: dict[int, tuple[Action, ...]] = {}
    simulation = session.case.simulation()
    for action in session.journal:
        simulation.run(events=(action.after or 0) - simulation.event)
        found[simulation.now] = (*found.get(simulation.now, ()), action)
    return found


def _taken_over(
    simulation: Simulation, best: Case, session: ShiftSession, compared: References
) -> tuple[float, Sequence[int]]:
    """The index if the scheduler of the response takes over here, and the jobs that it starts at once."""
    policy = make(best.policy, best.parameters)
    takes_over = Intervention("policy", after=simulation.event, policy=policy)
    later = [it for it in session.case.interventions if it.at is not None and it.at > simulation.now]
    other = simulation.acting([*later, takes_over])
    now, ran = other.now, {*other.running()}
    other.run(until=now)
    starts = [session.id_of(row) for row in other.running() if row not in ran]
    other.run()
    found = figures(session.case, other, session.shift, compared.end)
    return _index(found, session, compared), starts


def _delays(session: ShiftSession, best: Case) -> tuple[JobDelay, ...]:
    """The jobs whose ends differ most from those of the response."""
    own, other = session.fork_simulation(), best.simulation()
    own.run()
    other.run()
    ends = [simulation.results("finish")["finish"] for simulation in (own, other)]
    columns = session.case.columns
    found = [
        JobDelay(columns.id[row], columns.size[row], mine - theirs)
        for row, (mine, theirs) in enumerate(zip(*ends, strict=True))
        if mine >= 0 and theirs >= 0 and mine != theirs
    ]
    found.sort(key=lambda it: -it.delay)
    return tuple(found if len(found) <= MOST_MOMENTS else [*found[:3], *found[-2:]])
