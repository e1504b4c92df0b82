"""Operators without judgement: those that imitate a response, and those that follow one simple rule."""

from collections.abc import Callable, Iterator, Mapping

import attrs

from shadowtime.console.session.case import Case
from shadowtime.console.session.shift.hindsight import Hindsight
from shadowtime.console.session.shift.on_duty import ShiftSession
from shadowtime.console.session.shift.responses import Reference

Rule = Callable[[ShiftSession], None]
"""What is done at an instant, after its pass."""


def imitate(case: Case, response: Reference, known: int = 0) -> ShiftSession:
    """Do a response by hand: its actions, or the starts of its scheduler. SessionError if one is refused.

    `known` is the last instant that an earlier attempt has seen.
    """
    session, other = ShiftSession(case), response.case.simulation()
    if known:
        session.hindsight = Hindsight(known, known)
    for action in response.actions:
        session.go_event(action.after or 0)
        session.act(attrs.evolve(action, after=None))
    if response.actions:
        return session
    while other.step():
        upcoming = other.peek()
        if upcoming is not None and upcoming[0] == other.now:
            continue
        session.go_time(other.now)
        if session.ended:
            break
        waits = set(other.waiting())
        for row in session.run.simulation.waiting():
            if row not in waits:
                session.act(f"start {session.id_of(row)}")
    return session


def follow(case: Case, rule: Rule) -> ShiftSession:
    """Do what a rule says at the end of every instant, up to the end of the shift."""
    session = ShiftSession(case)
    for _ in _instants(session):
        rule(session)
    return session


def _instants(session: ShiftSession) -> Iterator[int]:
    """Go from the end of one instant to that of the next; what is done there is passed, too."""
    while (upcoming := session.run.simulation.peek()) is not None:
        session.go_time(upcoming[0])
        if session.ended:
            return
        yield session.time
        session.go_time(session.time)


def that_fits(rank: Callable[[ShiftSession, int], int]) -> Rule:
    """Start whatever fits, the job of the lowest rank first; as far as the shift allows."""

    def rule(session: ShiftSession) -> None:
        for row in sorted(session.run.simulation.waiting(), key=lambda row: (rank(session, row), row)):
            _try(session, f"start {session.id_of(row)}")

    return rule


def cancel_everything(session: ShiftSession) -> None:
    """Cancel whatever waits; as far as the shift allows."""
    for row in session.run.simulation.waiting():
        _try(session, f"cancel {session.id_of(row)}")


def nothing(session: ShiftSession) -> None:
    """Do nothing."""


RULES: Mapping[str, Rule] = {
    "doing nothing": nothing,
    "the first that fits": that_fits(lambda session, row: row),
    "the last that fits": that_fits(lambda session, row: -row),
    "the widest that fits": that_fits(lambda session, row: -session.case.columns.size[row]),
    "the shortest that fits": that_fits(lambda session, row: session.case.columns.estimate[row]),
    "cancelling everything": cancel_everything,
}


def _try(session: ShiftSession, action: str) -> None:
    if session.refusal(action) is None:
        session.act(action)
