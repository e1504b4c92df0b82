"""An operator's actions, outages and what becomes of jobs by them, in words; and why an action is refused."""

from collections.abc import Callable, Mapping

from console.session.facts import Value
from console.words.phrases import say

Numbers = Mapping[str, Value]
NEEDS = "it needs {needs:nodes}"

WAITING: Mapping[str, str] = {
    "on_hold": f"job {{job}} is held by the operator since {{since:time}}; {NEEDS}",
    "head_waits_for_nodes": f"job {{job}} waits: it heads the queue, {NEEDS}, {{free:are}} free; enough are"
    " free at {shadow:time}, when nodes are back in service",
    "out_of_service": f"job {{job}} waits: {NEEDS}, {{free:are}} free, and not more than {{nodes:,}} are known"
    " to be in service",
}
"""The sentence for each reason to wait."""

BRIEF: Mapping[str, str] = {
    "on_hold": "held since {since:time}",
    "head_waits_for_nodes": "head, nodes at {shadow:time}",
    "out_of_service": "{needs:,} are not in service",
}
"""The same in a few words."""

DECISIONS: Mapping[str, Mapping[str, str]] = {
    "move": {
        "operator_held": f"job {{job}} is held by the operator: it leaves the queue, and goes on waiting;"
        f" {NEEDS}",
        "operator_released": f"job {{job}} is released by the operator: it is back in the queue; {NEEDS}",
        "operator_resumed": f"job {{job}} is resumed by the operator: it is back in the queue; {NEEDS}",
        "operator_ranked": f"job {{job}} has priority {{level:,}} from the operator; {NEEDS}",
        "operator_classed": f"job {{job}} is put into another class by the operator; {NEEDS}",
    },
    "preempt": {
        "operator_suspended": "job {job} is suspended by the operator: it leaves its {size:nodes} and keeps"
        " its progress",
        "struck_requeued": "job {job} is struck, since a node of it fails: it leaves its {size:nodes}, waits"
        " again with {done:span} done, and {lost:span} are lost",
    },
    "release": {
        "operator_cancelled": f"job {{job}} is cancelled by the operator; {NEEDS}",
        "struck_killed": "job {job} is struck, since a node of it fails: it is over, and leaves its"
        " {size:nodes}; {lost:span} of work are lost",
    },
}
"""The sentence for each decision of a kind for a reason."""

REFUSALS: Mapping[str, str] = {
    "only_waiting_held": "job {job} is {state}; only a waiting job can be held",
    "only_held_released": "job {job} is {state}; only a held job can be released",
    "only_running_suspended": "job {job} is {state}; only a running job can be suspended",
    "only_suspended_resumed": "job {job} is {state}; only a suspended job can be resumed",
    "only_waiting_started": "job {job} is {state}; only a waiting job can be started",
    "no_room_to_start": "job {job} needs {needs:nodes}; {free:are} free",
    "own_order": "the policy in force takes the waiting in an order of its own; priorities count for nothing",
    "classes_ignored": "the policy in force does not look at the class of a job",
    "all_in_service": "none of the {nodes:nodes} is out of service",
    "all_down": "all of the {nodes:nodes} are down already",
    "all_leaving": "all of the {nodes:nodes} are down or draining already",
    "job_active": "job {blocker} is active; the policies of the torus change only on an idle machine",
    "other_machine": "the policy schedules another kind of machine",
    "other_policy": "the parameter is of another policy than the one in force",
}
"""Why an action of the operator is refused."""


def _down(numbers: Numbers) -> str:
    waits = " ({leaving:,} of them when their jobs leave)" if numbers.get("leaving") else ""
    return say("{nodes:nodes} out of service" + waits, numbers)


def _back(numbers: Numbers) -> str:
    return say("{nodes:nodes} back in service", numbers)


def _policy_set(numbers: Numbers) -> str:
    return "another policy is in force from here on, by the operator"


def _parameter_set(numbers: Numbers) -> str:
    return "the policy has another parameter from here on, by the operator"


SWITCHES: Mapping[str, Callable[[Numbers], str]] = {
    "nodes_down": _down,
    "nodes_back": _back,
    "policy_set": _policy_set,
    "parameter_set": _parameter_set,
}
"""What is said of the machine and its policy."""

CODES = frozenset(
    (*WAITING, *REFUSALS, *SWITCHES, *(code for told in DECISIONS.values() for code in told)),
)
"""All that is worded here."""
