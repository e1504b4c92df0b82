"""Why an action cannot be done, in one line: what is wrong, then what can be.

The kernel tells a code and numbers; the words for them are here, since a refusal is an error of the session.
"""

from collections.abc import Callable, Mapping

from console.session.facts import Value
from scenarios import format_nodes, format_time
from scenarios.values import NODE_ACTIONS, Action

STATES: Mapping[str, str] = {
    "N": "waiting",
    "W": "waiting with its nodes assigned",
    "i": "being loaded",
    "o": "being saved",
    "R": "running",
    "O": "stopped and waiting",
    "S": "suspended",
    "H": "held",
}
TAKES: Mapping[str, str] = {
    "hold": "only a waiting job can be held",
    "release": "only a held job can be released",
    "cancel": "only a job that is not over can be cancelled",
    "suspend": "only a running job can be suspended",
    "resume": "only a suspended job can be resumed",
    "start": "only a waiting job can be started",
    "priority": "its priority cannot be changed now",
    "class": "its class cannot be changed now",
}
"""What each action on a job is for."""

Numbers = Mapping[str, Value]


def refused(action: Action, code: str, numbers: Numbers, policy: str) -> str:
    """Return why an action is refused under a policy, in one line."""
    words = SENTENCES.get(code)
    if words is None:
        told = ", ".join(f"{name} {value}" for name, value in numbers.items())
        return f"{subject(action)}: refused, {code.replace('_', ' ')}{f' ({told})' if told else ''}"
    return words(action, numbers, policy)


def subject(action: Action) -> str:
    """Return what an action is about: `job 31`, `nodes 0-15`, `policy gang`."""
    if action.job is not None:
        return f"job {action.job}"
    if action.do in NODE_ACTIONS:
        told = format_nodes(action.nodes)
        return f"node {told}" if told.isdigit() else f"nodes {told}"
    if action.policy is not None:
        return f"policy {action.policy.name}"
    return f"parameter {action.key}"


def _state(action: Action, numbers: Numbers, policy: str) -> str:
    state = str(numbers.get("state", ""))
    return f"{subject(action)} is {STATES.get(state, 'in state ' + state)}; {TAKES[action.do]}"


def _offered(action: Action, numbers: Numbers, policy: str) -> str:
    if action.do == "parameter":
        return f"the policy is {policy}; {action.key} is no parameter of it"
    return f"{subject(action)}: the policy {policy} does not offer {action.do}"


def _class(action: Action, numbers: Numbers, policy: str) -> str:
    return f"{action.to!r} is no class of the policy {policy}"


def _submitted(action: Action, numbers: Numbers, policy: str) -> str:
    at = numbers.get("at")
    when = f"; it comes at {format_time(at)}" if isinstance(at, int) else ""
    return f"{subject(action)} has not been submitted yet{when}"


SENTENCES: Mapping[str, Callable[[Action, Numbers, str], str]] = {
    "wrong_state": _state,
    "not_offered": _offered,
    "no_such_class": _class,
    "not_submitted": _submitted,
    "is_over": lambda action, numbers, policy: f"{subject(action)} is over; nothing can be done to it",
}
