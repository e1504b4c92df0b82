"""Whether a shift is sound: a response reaches all points, and no simple rule does."""

from collections.abc import Callable, Iterator, Mapping

import attrs

from shadowtime.console.session.case import Case
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.shift.hindsight import Hindsight
from shadowtime.console.session.shift.on_duty import ShiftSession, shift_of
from shadowtime.console.session.shift.responses import Reference, References, references
from shadowtime.console.session.shift.score import MOST, scored

LEAST_GAP = 0.02
"""The least gap in the index between the baseline and the response."""
MOST_BY_RULE = 60
"""The points that an operator without judgement may earn at most."""
HINDSIGHT = "the response in hindsight"
Rule = Callable[[ShiftSession], None]
"""What is done at an instant, after its pass."""


@attrs.frozen
class Flaw:
    """One thing wrong with a shift, with the line of its file."""

    line: int
    text: str


@attrs.frozen
class Report:
    """What a check of a shift found: the points of the response and of the simple rules."""

    flaws: tuple[Flaw, ...]
    response: str = ""
    index: float = 1.0
    """The index of the response; that of the baseline is 1."""
    reached: int = 0
    rules: Mapping[str, int] = attrs.field(factory=dict)


def examine_shift(case: Case) -> Report:
    """Check a shift. SessionError if the case has no [shift]."""
    shift = shift_of(case)
    early = tuple(_instants(case))
    try:
        compared = references(case)
    except SessionError as error:
        # The report names the file.
        text = str(error).removeprefix(f"{case.scenario.path}:")
        return Report((*early, Flaw(shift.line, text)))
    if 1 - compared.best.index < LEAST_GAP:
        text = f"no point can be reached: no response is better than {compared.baseline.name}"
        return Report((*early, Flaw(shift.line, text)), compared.best.name, compared.best.index)
    reached, flaws = _reached(case, compared, shift.line)
    rules = {name: scored(follow(case, rule), compared).points for name, rule in RULES.items()}
    full = [
        Flaw(shift.line, f"{name} earns {points} points; expected {MOST_BY_RULE} at most")
        for name, points in rules.items()
        if points > MOST_BY_RULE
    ]
    if not flaws:
        seen = compared.begin + compared.span(shift)
        rules[HINDSIGHT] = scored(imitate(case, compared.best, seen), compared).points
        if rules[HINDSIGHT] >= MOST:
            full.append(Flaw(shift.line, f"{HINDSIGHT} earns all points: nothing is seen before it acts"))
    return Report((*early, *flaws, *full), compared.best.name, compared.best.index, reached, rules)


def _reached(case: Case, compared: References, line: int) -> tuple[int, tuple[Flaw, ...]]:
    """The points of an operator who does what the response does."""
    try:
        points = scored(imitate(case, compared.best), compared).points
    except SessionError as error:
        return 0, (Flaw(line, f"the response {compared.best.name!r} cannot be done by hand: {error}"),)
    if points >= MOST:
        return points, ()
    text = f"all points cannot be reached: the response {compared.best.name!r} by hand earns {points}"
    return points, (Flaw(line, text),)


def _instants(case: Case) -> Iterator[Flaw]:
    """Actions of responses at instants at which nothing happens: no operator stands there."""
    for response in shift_of(case).responses:
        session = ShiftSession(case)
        for action in response.actions:
            try:
                if action.at != session.time:
                    session.go_time(action.at or 0)
                if session.time != action.at:
                    when = session.clock.format(action.at or 0)
                    text = f"response {response.name!r} acts at {when}, when nothing happens"
                    yield Flaw(action.line, f"{text}; expected the instant of an event")
                session.act(attrs.evolve(action, at=None))
            except SessionError:
                # It is reported as a whole.
                break


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
    for _ in _ends(session):
        rule(session)
    return session


def _ends(session: ShiftSession) -> Iterator[int]:
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
