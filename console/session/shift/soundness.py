"""Whether a shift is sound: a response reaches all points, and no simple rule does."""

from collections.abc import Iterator, Mapping

import attrs

from shadowtime.console.session.case import Case
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.shift.imitation import RULES, follow, imitate
from shadowtime.console.session.shift.on_duty import ShiftSession, shift_of
from shadowtime.console.session.shift.responses import References, references
from shadowtime.console.session.shift.score import MOST, scored

LEAST_GAP = 0.02
"""The least gap in the index between the baseline and the response."""
MOST_BY_RULE = 60
"""The points that an operator without judgement may earn at most."""
HINDSIGHT = "the response in hindsight"


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
