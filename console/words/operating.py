"""Actions of the operator and failures: the action in a sentence, and its effects."""

from collections.abc import Callable, Mapping, Sequence

from shadowtime.console.session import Action, NodeRanges, Value, format_action
from shadowtime.console.session.nodes.lists import named_nodes
from shadowtime.console.session.operator.refusals import SENTENCES
from shadowtime.console.words.phrases import say
from shadowtime.console.words.units import NODES, Unit

ON_JOBS: Mapping[str, str] = {
    "hold": "holds job {job}",
    "release": "releases job {job}",
    "cancel": "cancels job {job}",
    "suspend": "suspends job {job}",
    "resume": "resumes job {job}",
    "start": "starts job {job}",
    "class": "makes job {job} one of class {to}",
    "priority": "gives job {job} the priority {to}",
}
ON_NODES: Mapping[str, str] = {
    "drain": "drains {nodes}",
    "down": "takes {nodes} down",
    "up": "brings {nodes} up",
}

DECISIONS: Mapping[str, Mapping[str, str]] = {
    "move": {
        "operator_held": "job {job} is held: it is not in the queue until it is released",
        "operator_released": "job {job} is released: it is in the queue again, at its place",
        "operator_resumed": "job {job} is resumed: it is in the queue at its place, with the rest of its run",
        "operator_ranked": "job {job} has the priority {level}: the queue goes by priority, then by arrival",
        "operator_classed": "job {job} has another class from here on",
    },
    "release": {
        "operator_cancelled": "job {job} is cancelled: it is over, without a finish",
        "struck_killed": "job {job} is killed: one of its {size:nodes} failed; {lost:span} of its run"
        " are lost",
    },
    "preempt": {
        "operator_suspended": "job {job} is suspended: it leaves its {size:nodes} and keeps its progress",
        "struck_requeued": "job {job} is in the queue again: one of its {size:nodes} failed; {done:span} of"
        " its run are kept, {lost:span} are lost",
    },
}
"""The sentence for each decision of a kind for a reason."""

TALLIES: Mapping[str, str] = {
    "operator_held": "holds {}",
    "operator_released": "releases {}",
    "operator_resumed": "resumes {}",
    "operator_ranked": "changes the priority of {}",
    "operator_classed": "changes the class of {}",
    "operator_cancelled": "cancels {}",
    "operator_suspended": "suspends {}",
    "struck_killed": "kills {}",
    "struck_requeued": "requeues {}",
}
"""The same in a word or two, by the reason."""

STRUCK = frozenset(("struck_killed", "struck_requeued"))

WAITING: Mapping[str, str] = {
    "on_hold": "job {job} is held by the operator since {since:time}, and needs {needs:nodes}",
    "head_waits_for_nodes": "job {job} waits: it heads the queue and needs {needs:nodes}, {free:are} free;"
    " enough are free at {shadow:time}, when {units} are back in service",
    "out_of_service": "job {job} waits: it needs {needs:nodes}, and only {nodes:are} in service, {free:,} of"
    " them free",
    "no_block": "job {job} waits: it needs a block of {block:nodes} side by side, and no such block of the"
    " {nodes:,} in service is whole",
}
BRIEF: Mapping[str, str] = {
    "on_hold": "until released",
    "head_waits_for_nodes": "head, {free:,} of {needs:,} free",
    "out_of_service": "only {nodes:,} in service",
    "no_block": "no whole block of {block:,}",
}
ENDLESS: Mapping[str, str] = {
    "head_waits_for_nodes": "job {job} waits: it heads the queue and needs {needs:nodes}, {free:are} free;"
    " when enough are in service is not known",
}


def _nodes_down(numbers: Mapping[str, Value], unit: Unit) -> str:
    """Return how many nodes go, and how many of them only after their jobs have left.

    They are whole nodes, whatever the machine is counted in.
    """
    if not numbers["nodes"]:
        return "all of the nodes were out of service or draining before"
    text = say("{nodes:go} out of service", numbers, NODES)
    if numbers["leaving"] == numbers["nodes"]:
        return f"{text} as soon as their jobs have left"
    later = say(", {leaving:,} of them as soon as their jobs have left", numbers, unit)
    return text + (later if numbers["leaving"] else "")


def _nodes_back(numbers: Mapping[str, Value], unit: Unit) -> str:
    """Return how many nodes come back, and how many stay out, by another outage or by the operator."""
    text = say("{nodes:nodes} in service again", numbers, NODES)
    if numbers["covered"]:
        text += say("; {covered:,} stay out, by another outage", numbers, unit)
    if numbers.get("kept"):
        text += say("; {kept:,} stay out until the operator returns them", numbers, unit)
    return text


POLICY: Mapping[str, Callable[[Mapping[str, Value], Unit], str]] = {
    "nodes_down": _nodes_down,
    "nodes_back": _nodes_back,
    "policy_set": lambda numbers, unit: "the policy is in force, new and without a past",
    "parameter_set": lambda numbers, unit: "the policy uses the new parameter from here on",
}
"""The decisions about the machine and its policy, by the reason."""

NOTHING_TAKEN_BACK = "nothing has been taken back"
WHAT_IF = "what if what? expected an action, as in whatif hold 31"
CODES = frozenset((*TALLIES, *WAITING, *POLICY, *SENTENCES))
"""The codes that this module words, and the refusals, which the session words."""


def did(action: Action) -> str:
    """Return the sentence for an action, done or refused: `the operator holds job 31`."""
    if action.do in ON_JOBS:
        deed = ON_JOBS[action.do].format(job=action.job, to=action.to)
    elif action.do in ON_NODES:
        deed = ON_NODES[action.do].format(nodes=named_nodes(action.nodes))
    elif action.policy is not None:
        deed = f"puts {format_action(action).removeprefix('policy ')} in force"
    else:
        deed = f"changes {format_action(action).removeprefix('set ')}"
    return f"the operator {deed}"


def taken_back(action: Action, event: int, here: int, came: bool) -> str:
    """Report that an action right after `event` is taken back, by an operator at the event `here`.

    If its event never comes (`came` is false), the sentence says that the action was never done.
    """
    if not came:
        return f"struck out, never done: {did(action)} after event {event:,}, which never comes"
    ahead = f", which lay ahead, at event {event + 1:,}" if event >= here else ""
    return f"taken back: {did(action)}{ahead}"


def done_again(action: Action, event: int, came: bool) -> str:
    """Report that an action right after `event` is done again, or only recorded, if its event never comes."""
    if not came:
        return f"in the session again, but not done: {did(action)} after event {event:,}, which never comes"
    return f"done again: {did(action)}"


def nothing_done(actions: Sequence[Action]) -> str:
    """Say why no action is taken back: the file's actions at instants are the scenario's own."""
    text = "there is no action to take back"
    return f"{text}; the file's own actions, at instants, stay" if actions else text


def nodes_happen(kind: str, given: NodeRanges) -> str:
    """Some nodes fail or come back: `nodes 0-15 go down`."""
    text = named_nodes(given)
    one, several, way = ("goes", "go", "down") if kind == "node_down" else ("comes", "come", "up")
    return f"{text} {one if text.startswith('node ') else several} {way}"
