"""Why an action cannot be done, in one line: what is wrong, what can be, and the command to go on with.

The kernel gives a code and numbers; the words for them are here, since a refusal is an error of the session.
"""

from collections.abc import Mapping

import attrs

from shadowtime.console.session.nodes.lists import named_nodes
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

OFFERED = "{subject}: the policy {policy} does not offer {do}"
NO_PARAMETER = "the policy is {policy}; {key} is no parameter of it"
NUMBERS = ("blocker", "free", "idle", "needs", "size", "storage", "stored")
"""What sentences name of the numbers of a refusal; some lack some."""
SENTENCES: Mapping[str, str] = {
    **dict.fromkeys(STATE_CODES, "{subject} is {state}; {takes}"),
    "not_offered": OFFERED,
    "no_such_class": "{to!r} is no class of the policy {policy}",
    "not_submitted": "{subject} has not been submitted yet{when}",
    "is_over": "{subject} is over",
    "no_room_to_start": "there is no room for {subject} now: it needs {needs}, and {free} {idle} idle",
    "storage_full": "{subject} cannot be saved: its {size} PE and the {stored} stored pass the {storage}"
    " of the storage",
    "own_order": "the policy {policy} orders the queue by itself: priorities do not count",
    "classes_ignored": "the policy {policy} does not look at classes",
    "all_in_service": "{subject} {are} in service already",
    "all_down": "{subject} {are} down already",
    "all_leaving": "{subject} {are} down or draining already",
    "job_active": "job {blocker} is active; {subject} takes effect only while no job is",
    "other_policy": OFFERED,
    "other_machine": "{subject} cannot schedule this machine; expected one that can",
}
"""What is wrong, by the code of a refusal."""

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
    sentence = SENTENCES.get(code)
    if sentence is None:
        listed = ", ".join(f"{name} {value}" for name, value in numbers.items())
        return f"{subject(action)}: refused, {code.replace('_', ' ')}{f' ({listed})' if listed else ''}"
    if code in ("not_offered", "other_policy") and action.do == "parameter":
        sentence = NO_PARAMETER
    return f"{sentence.format_map(_named(action, numbers, policy))}; {next_step(action, code, numbers)}"


def _named(action: Action, numbers: Numbers, policy: str) -> Mapping[str, object]:
    """Return what the sentences name; None for a number that there is not."""
    about, state, at = subject(action), str(numbers.get("state", "")), numbers.get("at")
    counted = {key: f"{it:,}" for key in ("needs", "free") if isinstance(it := numbers.get(key), int)}
    return {
        **dict.fromkeys(NUMBERS),
        **numbers,
        **counted,
        "subject": about,
        "policy": policy,
        "do": action.do,
        "key": action.key,
        "to": action.to,
        "state": STATES.get(state, f"in state {state}"),
        "takes": TAKES.get(action.do, f"{action.do} cannot be done to it now"),
        "when": f"; it comes at {format_time(at).replace(' ', 'd ', 1)}" if isinstance(at, int) else "",
        "are": "is" if about.startswith("node ") else "are",
        "idle": "is" if numbers.get("free") == 1 else "are",
    }


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
        return named_nodes(action.nodes)
    if action.policy is not None:
        return f"policy {action.policy.name}"
    return f"parameter {action.key}"
