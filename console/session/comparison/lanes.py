"""Which cases stand side by side in lockstep: variants of a scenario, or any policies by their spelling."""

from collections.abc import Sequence

import attrs

from shadowtime.console.session.case import Case, base_case
from shadowtime.console.session.comparison.lockstep import FEWEST, MOST
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.session import Session
from shadowtime.kernels.policies import POLICIES
from shadowtime.scenarios import ScenarioError

OTHERS = sorted((entry.compared, name) for name, entry in POLICIES.items() if entry.compared is not None)
"""What a case without variants is compared with: the first that the machine takes and that is another one."""


def lanes_of(case: Case, most: int = FEWEST) -> tuple[Case, ...]:
    """Return the case beside others: the scenario's own policy first, and `most` lanes at most.

    Two show the base and the case; if the case is the base, the first variant that shares the machine in
    another way (in time instead of in space), else the first that is another policy. More show the variants
    in the file's order. Without a variant it is the first of `OTHERS`. SessionError if there is nothing to
    compare with.
    """
    base = base_case(case.scenario)
    different = [one for one in distinct((base, case, *base.variants())) if not same(one, base)]
    if same(case, base):
        # Sharing in another way is what differs most.
        different.sort(key=lambda one: most == FEWEST and sliced(one) == sliced(base))
    chosen = (base, *different[: most - 1])
    return chosen if len(chosen) >= FEWEST else (base, _another(base))


def spoken_lanes(case: Case, texts: Sequence[str]) -> tuple[Case, ...]:
    """Return the lanes as they are typed: variants of the scenario, or policies as `--policy` spells them.

    A single one stands beside the case. SessionError or ScenarioError in one line if a text names neither.
    """
    variants = {variant.name for variant in case.scenario.variants}
    cases = [case.variant(text) if text in variants else _spoken(case, text) for text in texts]
    found = distinct((case, *cases) if len(cases) == 1 else cases)
    if len(found) < FEWEST:
        raise SessionError(f"{found[0].name} cannot be compared with itself; expected another policy")
    if len(found) > MOST:
        raise SessionError(f"{len(found)} cannot be compared; expected {FEWEST} to {MOST} lanes")
    return found


def typed_lanes(case: Case, line: str, most: int = MOST) -> tuple[Case, ...]:
    """Return the lanes that a typed line names, with blanks between them; `most` lanes for an empty one.

    A variant's name may have blanks in it. SessionError in one line.
    """
    names = sorted((variant.name for variant in case.scenario.variants), key=len, reverse=True)
    found: list[str] = []
    rest = line.strip()
    while rest:
        name = next((name for name in names if f"{rest} ".startswith(f"{name} ")), rest.split()[0])
        found.append(name)
        rest = rest[len(name) :].strip()
    try:
        return spoken_lanes(case, found) if found else lanes_of(case, most)
    except ScenarioError as error:
        raise SessionError(" ".join(str(error).split())) from error


def by_clock(session: Session) -> Case:
    """Return the case of a session as other policies take it: with the operator's actions at instants.

    Under another policy the events have other numbers. An action is done a second after the event that it
    followed here: by then whatever else happened in that instant has happened there too.
    """
    case = session.case
    if not session.journal:
        return case
    timed = [action for action in case.scenario.actions if action.at is not None]
    for action in case.scenario.actions:
        followed = session.events(max(action.after, 1), 1) if action.after is not None else ()
        # One that follows an event that never comes is never done.
        timed += [attrs.evolve(action, at=event.time + 1, after=None) for event in followed]
    return case.steered(sorted(timed, key=lambda action: action.at or 0))


def choices(case: Case) -> tuple[Case, ...]:
    """Return what the scenario offers to compare: its own policy, the case, and every variant."""
    base = base_case(case.scenario)
    return distinct((base, case, *base.variants()))


def same(one: Case, other: Case) -> bool:
    """Whether two cases of a scenario are simulated alike."""
    return (one.policy, dict(one.parameters), one.scenario.actions) == (
        other.policy,
        dict(other.parameters),
        other.scenario.actions,
    )


def distinct(cases: Sequence[Case]) -> tuple[Case, ...]:
    """Return the cases, each kind once, in their order."""
    found: list[Case] = []
    for case in cases:
        if not any(same(case, other) for other in found):
            found.append(case)
    return tuple(found)


def sliced(case: Case) -> bool:
    """Whether the policy gives the machine to rows of jobs in turns."""
    return case.simulation().policy.turns


def _spoken(case: Case, text: str) -> Case:
    base = base_case(case.scenario)
    return base if text == base.name else case.spoken(text)


def _another(base: Case) -> Case:
    for _, name in OTHERS:
        try:
            found = base.under(name)
        except (SessionError, ScenarioError):
            continue
        if not same(found, base):
            return found
    raise SessionError("there is no other policy for this machine; name one: compare easy fcfs")
