"""Why an action cannot be done, in one line: what is wrong, what can be, and the command to go on with.

The kernel gives a code and numbers; the words for them are here, since a refusal is an error of the session.
"""

from collections.abc import Callable, Mapping

import attrs

from shadowtime.console.session.values import Value
from shadowtime.scenarios import format_nodes, format_time
from shadowtime.scenarios.actions import NODE_ACTIONS, Action

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
    "suspend": "only a running job can be suspended",
    "resume": "only a suspended job can be resumed",
    "start": "only a waiting job can be started",
}
"""What each action on a job is for."""

STATE_CODES = (
    "wrong_state",
    "only_waiting_held",
    "only_held_released",
    "only_running_suspended",
    "only_suspended_resumed",
    "only_waiting_started",
)
STATES_NEXT: Mapping[str, str] = {
    "N": "hold {job} or cancel {job}",
    "R": "suspend {job} or cancel {job}",
    "H": "release {job} returns it to the queue",
    "S": "resume {job} returns it to the queue",
}
"""What can be done to a job in a state."""
T3D_NEXT: Mapping[str, str] = {state: STATES_NEXT[state] for state in "RS"}
"""The same of the T3D, which suspends and resumes jobs, and holds none."""
STEPS = {**dict.fromkeys(STATE_CODES, STATES_NEXT), "wrong_state": T3D_NEXT}
"""By the code of a refusal; `wrong_state` is the T3D's."""
NEXT: Mapping[str, str] = {
    **dict.fromkeys(STATE_CODES, "cancel {job} ends it"),
    "not_offered": "cancel {job} can be done",
    "no_such_class": "expected one such as class {job} production",
    "not_submitted": "goto submit {job} leads there",
    "is_over": "goto end {job} leads there",
    "no_room_to_start": "why {job} shows who has them",
    "storage_full": "cancel {job} ends it",
    "own_order": "under policy easy they do",
    "classes_ignored": "policy ivs does",
    "all_in_service": "drain {nodes} or down {nodes} takes nodes out of it",
    "all_down": "up {nodes} returns nodes to service",
    "all_leaving": "up {nodes} returns nodes to service",
    "job_active": "goto end {blocker} leads to its end",
    "other_policy": "policy shows the parameters in force",
    "other_machine": "policy shows the one in force",
}
"""What can be typed after a refusal, by its code."""

Numbers = Mapping[str, Value]


@attrs.frozen
class Refusal:
    """An action of a run that could not be done when it came to it, and changed nothing."""

    action: Action
    event: int
    text: str
    """Why, in one line."""


def refused(action: Action, code: str, numbers: Numbers, policy: str) -> str:
    """Return why an action is refused under a policy, in one line."""
    words = SENTENCES.get(code)
    if words is None:
        listed = ", ".join(f"{name} {value}" for name, value in numbers.items())
        return f"{subject(action)}: refused, {code.replace('_', ' ')}{f' ({listed})' if listed else ''}"
    return f"{words(action, numbers, policy)}; {next_step(action, code, numbers)}"


def next_step(action: Action, code: str, numbers: Numbers) -> str:
    """Return what the operator can type or press after a refusal with one of the codes of `SENTENCES`."""
    named = {"job": action.job, "nodes": format_nodes(action.nodes), "blocker": numbers.get("blocker")}
    state = STEPS.get(code, {}).get(str(numbers.get("state", "")))
    return (state or NEXT[code]).format_map(named)


def subject(action: Action) -> str:
    """Return what an action is about: `job 31`, `nodes 0-15`, `policy gang`."""
    if action.job is not None:
        return f"job {action.job}"
    if action.do in NODE_ACTIONS:
        nodes = format_nodes(action.nodes)
        return f"node {nodes}" if nodes.isdigit() else f"nodes {nodes}"
    if action.policy is not None:
        return f"policy {action.policy.name}"
    return f"parameter {action.key}"


def _state(action: Action, numbers: Numbers, policy: str) -> str:
    state = str(numbers.get("state", ""))
    expected = TAKES.get(action.do, f"{action.do} cannot be done to it now")
    return f"{subject(action)} is {STATES.get(state, 'in state ' + state)}; {expected}"


def _offered(action: Action, numbers: Numbers, policy: str) -> str:
    if action.do == "parameter":
        return f"the policy is {policy}; {action.key} is no parameter of it"
    return f"{subject(action)}: the policy {policy} does not offer {action.do}"


def _class(action: Action, numbers: Numbers, policy: str) -> str:
    return f"{action.to!r} is no class of the policy {policy}"


def _submitted(action: Action, numbers: Numbers, policy: str) -> str:
    at = numbers.get("at")
    when = f"; it comes at {format_time(at).replace(' ', 'd ', 1)}" if isinstance(at, int) else ""
    return f"{subject(action)} has not been submitted yet{when}"


def _room(action: Action, numbers: Numbers, policy: str) -> str:
    needs, free = numbers.get("needs"), numbers.get("free")
    counted = [f"{number:,}" if isinstance(number, int) else f"{number}" for number in (needs, free)]
    are = "is" if free == 1 else "are"
    return f"there is no room for {subject(action)} now: it needs {counted[0]}, and {counted[1]} {are} idle"


def _storage(action: Action, numbers: Numbers, policy: str) -> str:
    return (
        f"{subject(action)} cannot be saved: its {numbers.get('size')} PE and the"
        f" {numbers.get('stored')} stored pass the {numbers.get('storage')} of the storage"
    )


def _are(action: Action) -> str:
    named = subject(action)
    return f"{named} {'is' if named.startswith('node ') else 'are'}"


SENTENCES: Mapping[str, Callable[[Action, Numbers, str], str]] = {
    **dict.fromkeys(STATE_CODES, _state),
    "not_offered": _offered,
    "no_such_class": _class,
    "not_submitted": _submitted,
    "is_over": lambda action, numbers, policy: f"{subject(action)} is over",
    "no_room_to_start": _room,
    "storage_full": _storage,
    "own_order": lambda action, numbers, policy: (
        f"the policy {policy} orders the queue by itself: priorities do not count"
    ),
    "classes_ignored": lambda action, numbers, policy: f"the policy {policy} does not look at classes",
    "all_in_service": lambda action, numbers, policy: f"{_are(action)} in service already",
    "all_down": lambda action, numbers, policy: f"{_are(action)} down already",
    "all_leaving": lambda action, numbers, policy: f"{_are(action)} down or draining already",
    "job_active": lambda action, numbers, policy: (
        f"job {numbers.get('blocker')} is active; {subject(action)} takes effect only while no job is"
    ),
    "other_policy": _offered,
    "other_machine": lambda action, numbers, policy: (
        f"{subject(action)} cannot schedule this machine; expected one that can"
    ),
}
