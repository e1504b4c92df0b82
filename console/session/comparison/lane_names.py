"""What lanes are called side by side: by their policy, and by what the operator does in one of them alone."""

from collections import Counter
from collections.abc import Sequence

from shadowtime.console.session.case import Case
from shadowtime.scenarios import format_action


def names_of(cases: Sequence[Case]) -> tuple[str, ...]:
    """Return the name of each case: `if hold 2` when that is all that sets it apart from the first one.

    Under another policy than the first that stands behind the name. When an action is done does not matter.
    """
    return tuple(_name(case, cases[0]) for case in cases)


def _name(case: Case, first: Case) -> str:
    own, others = _without(case, first), _without(first, case)
    found = [f"if {', '.join(own)}"] if own else []
    found += [f"without {', '.join(others)}"] if others else []
    alike = (case.policy, dict(case.parameters)) == (first.policy, dict(first.parameters))
    return " ".join(found if found and alike else [case.name, *found])


def _without(case: Case, other: Case) -> list[str]:
    """What is done in a case and not in another one, in order, as it is typed."""
    own = list(map(format_action, case.scenario.actions))
    left = Counter(own) - Counter(map(format_action, other.scenario.actions))
    # Of an action that is done more often here, the last are those that the other one lacks.
    found = []
    for text in reversed(own):
        if left[text]:
            left[text] -= 1
            found.append(text)
    return found[::-1]
