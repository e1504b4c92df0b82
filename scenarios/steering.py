"""What happens to the machine from outside: [[action]] and [[outage]].

They are checked completely against the fixed words and kept as values; what a session can do with them is its
own matter.
"""

from collections.abc import Container

import attrs

from scenarios.errors import one_of
from scenarios.machine import Draft
from scenarios.nodes import NODES_EXPECTED, parse_nodes
from scenarios.policy import Policies, read_policy, typed
from scenarios.story import read_job_id
from scenarios.table import Table
from scenarios.values import ACTIONS, JOB_ACTIONS, NODE_ACTIONS, Action, NodeRanges, Outage, PolicyChoice

_ARGUMENTS = {
    **dict.fromkeys(JOB_ACTIONS, ("job",)),
    "class": ("job", "to"),
    "priority": ("job", "to"),
    **dict.fromkeys(NODE_ACTIONS, ("nodes",)),
    "policy": ("policy",),
    "parameter": ("key", "value"),
}
_ALL_ARGUMENTS = ("job", "to", "nodes", "policy", "key", "value")


def read_actions(
    root: Table,
    draft: Draft | None,
    policies: Policies,
    base: PolicyChoice | None,
    jobs: "Container[int] | None",
) -> tuple[Action, ...]:
    """What the operator does, in order of its instants; `base` is the policy that holds at first."""
    read = []
    for table in root.tables("action"):
        action = _read_action(table, draft, policies, jobs)
        table.close()
        if action is not None and not table.flawed:
            read.append((action, table))
    read.sort(key=lambda pair: pair[0].at)
    actions = []
    for action, table in read:
        if action.policy is not None:
            base = action.policy
        # The policy in force is known only now, when the actions are in order.
        actions.append(_with_value(action, table, policies, base) if action.do == "parameter" else action)
    return tuple(actions)


def _read_action(
    table: Table, draft: Draft | None, policies: Policies, jobs: "Container[int] | None"
) -> Action | None:
    at = table.seconds("at", required=True, instant=True)
    do = table.choice("do", ACTIONS, required=True)
    if at is None or do is None:
        table.known.extend(_ALL_ARGUMENTS)
        return None
    arguments = _ARGUMENTS[do]
    others = [key for key in _ALL_ARGUMENTS if key not in arguments]
    table.refuse(others, f"does not go with {do}; {one_of(arguments)}")
    action = Action(at, do, table.document.line((*table.path, "do")))
    if "job" in arguments:
        action = attrs.evolve(action, job=read_job_id(table, jobs), to=_read_to(table, do))
    elif do in NODE_ACTIONS:
        action = attrs.evolve(action, nodes=read_nodes(table, draft))
    elif do == "policy":
        inner = table.table("policy", "the policy", required=True)
        action = attrs.evolve(action, policy=read_policy(inner, policies) if inner else None)
    else:
        table.take("value", "the parameter's new value", required=True)
        action = attrs.evolve(action, key=table.text("key", required=True, empty=False))
    return action


def _read_to(table: Table, do: str) -> str | int | None:
    if do == "class":
        return table.text("to", required=True, empty=False)
    if do == "priority":
        return table.integer("to", -(2**31), 2**31 - 1, required=True)
    return None


def read_nodes(table: Table, draft: Draft | None) -> NodeRanges:
    """The required `nodes` of a table: a text of nodes that the machine has."""
    value = table.take("nodes", NODES_EXPECTED, required=True)
    if value is None:
        return ()
    if not isinstance(value, str):
        table.fault("nodes", f"expected a text, {NODES_EXPECTED}")
        return ()
    try:
        return parse_nodes(value, draft.nodes if draft else None)
    except ValueError as wrong:
        table.document.fault((*table.path, "nodes"), f"nodes: {wrong}")
        return ()


def _with_value(action: Action, table: Table, policies: Policies, policy: PolicyChoice | None) -> Action:
    """The action with the value that its parameter gets, checked against the policy in force."""
    if policy is None or policy.name not in policies:
        return action
    specs = {spec.name: spec for spec in policies[policy.name].parameters}
    spec = specs.get(action.key or "")
    if spec is None:
        expected = one_of(specs, action.key or "") if specs else "it has none"
        table.fault("key", f"the policy is {policy.name}; {expected}")
        return action
    path = (*table.path, "value")
    value = typed(table.document, path, spec.name, spec, table.values["value"], policies)
    return attrs.evolve(action, value=value)


def read_outages(root: Table, draft: Draft | None) -> tuple[Outage, ...]:
    """The nodes that fail or are drained, in the order of the file."""
    outages = []
    for table in root.tables("outage"):
        nodes = read_nodes(table, draft)
        start = table.seconds("from", required=True, instant=True)
        until = table.seconds("until", instant=True)
        if start is not None and until is not None and until <= start:
            table.fault("until", "expected a time after from")
        kill = table.boolean("kill")
        table.close()
        if start is not None and not table.flawed:
            outages.append(Outage(nodes, start, until, bool(kill), table.document.line(table.path)))
    return tuple(outages)
